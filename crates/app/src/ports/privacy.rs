//! What the store does for a person who wants to see, or to take back, what the shop knows of them.

use async_trait::async_trait;
use mirasa_domain::user::UserId;

use super::storage::{ContactMessage, StoreResult};

#[async_trait]
pub trait ReadPrivacy: Send {
    /// What was written to the shop under this e-mail address, oldest first.
    async fn messages_from(&mut self, email: &str) -> StoreResult<Vec<ContactMessage>>;
    /// Whether anybody has this profile picture now. Equal pictures are one file.
    async fn profile_picture_in_use(&mut self, file: &str) -> StoreResult<bool>;
}

#[async_trait]
pub trait WritePrivacy: ReadPrivacy {
    /// Takes a person out for good: what was theirs alone is deleted, and their row, which orders hang on,
    /// says nothing any more. Orders and their copies of an address stay.
    async fn erase_user(&mut self, id: &UserId, email: &str, now_ms: i64) -> StoreResult<()>;
}
