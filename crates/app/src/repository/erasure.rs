//! Deleting the personal data of an account.

use async_trait::async_trait;
use mirasa_domain::user::UserId;

use crate::repository::StoreResult;

#[async_trait]
pub trait ErasureQueries: Send {
    /// Whether anybody has this profile picture now. Equal pictures are one file.
    async fn profile_picture_in_use(&mut self, file: &str) -> StoreResult<bool>;
}

#[async_trait]
pub trait ErasureRepository: Send {
    /// Takes a person out for good: what was theirs alone is deleted, and their row, which orders hang on,
    /// says nothing any more. Orders and their copies of an address stay.
    async fn erase_user(&mut self, id: &UserId, email: &str, now_ms: i64) -> StoreResult<()>;
}
