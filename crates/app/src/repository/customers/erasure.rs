//! Deleting the personal data of an account.

use async_trait::async_trait;
use mirasa_domain::message::EmailId;
use mirasa_domain::user::UserId;

use crate::repository::StoreResult;

/// The photos of the user, to be deleted from the image store.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ErasedFiles {
    pub problem_photos: Vec<String>,
    pub review_photos: Vec<String>,
}

/// What is remembered of erased accounts with the address of a user.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct EarlierAccounts {
    pub has_ordered: bool,
    /// Used ones that each customer can use once.
    pub once_only_codes: Vec<String>,
}

/// An email to the owner that was not sent yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingNotification {
    pub id: EmailId,
    /// It counts what is new, and names nobody.
    pub subject: String,
}

#[async_trait]
pub trait ErasureQueries: Send {
    async fn earlier_accounts(&mut self, id: &UserId) -> StoreResult<EarlierAccounts>;
    /// Erased users of whom an instance of an earlier version has left the hash of the address, or since then an email.
    async fn incompletely_erased(&mut self, since_ms: i64) -> StoreResult<Vec<UserId>>;
    /// Whether a user has this profile picture. Equal images share one file.
    async fn profile_picture_in_use(&mut self, file: &str) -> StoreResult<bool>;
}

#[async_trait]
pub trait ErasureRepository: Send {
    /// Stores the keyed hash of the user's address beside it, for `remember_discount_uses`.
    async fn set_email_hash(&mut self, id: &UserId, email_hash: &str) -> StoreResult<()>;
    /// Stores, without a link to the user, that a customer with this address has ordered, and which codes they have used.
    async fn remember_discount_uses(&mut self, id: &UserId, email_hash: &str) -> StoreResult<()>;
    /// Those that are about orders or messages of this user, perhaps among those of others.
    async fn waiting_notifications_about(
        &mut self,
        id: &UserId,
        email: &str,
    ) -> StoreResult<Vec<WaitingNotification>>;
    async fn replace_email_text(&mut self, id: &EmailId, text: &str, html: &str)
    -> StoreResult<()>;
    /// Deletes what `incompletely_erased` finds.
    async fn complete_erasure(&mut self, id: &UserId, now_ms: i64) -> StoreResult<()>;
    /// Deletes the user's data permanently and clears their row, which orders refer to. Orders and their copies of an
    /// address stay.
    async fn erase_user(
        &mut self,
        id: &UserId,
        email: &str,
        now_ms: i64,
    ) -> StoreResult<ErasedFiles>;
}
