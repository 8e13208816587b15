//! Deleting the personal data of an account.

use async_trait::async_trait;
use mirasa_domain::user::UserId;

use crate::repository::StoreResult;

/// The photos of the user, to be deleted from the image store.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ErasedFiles {
    pub problem_photos: Vec<String>,
    pub review_photos: Vec<String>,
}

#[async_trait]
pub trait ErasureQueries: Send {
    /// Whether a user has this profile picture. Equal images share one file.
    async fn profile_picture_in_use(&mut self, file: &str) -> StoreResult<bool>;
}

#[async_trait]
pub trait ErasureRepository: Send {
    /// Stores the keyed hash of the user's address beside it, for `remember_discount_uses`.
    async fn set_email_hash(&mut self, id: &UserId, email_hash: &str) -> StoreResult<()>;
    /// Stores, without a link to the user, that a customer with this address has ordered, and which codes they have used.
    async fn remember_discount_uses(&mut self, id: &UserId, email_hash: &str) -> StoreResult<()>;
    /// Deletes the user's data permanently and clears their row, which orders refer to. Orders and their copies of an
    /// address stay.
    async fn erase_user(
        &mut self,
        id: &UserId,
        email: &str,
        now_ms: i64,
    ) -> StoreResult<ErasedFiles>;
}
