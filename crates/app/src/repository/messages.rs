//! Messages from the contact form.

use async_trait::async_trait;
use mirasa_domain::message::ContactMessage;

use crate::repository::StoreResult;

#[async_trait]
pub trait MessageQueries: Send {
    /// The messages from this email address, oldest first.
    async fn messages_from(&mut self, email: &str) -> StoreResult<Vec<ContactMessage>>;
}

#[async_trait]
pub trait MessageRepository: Send {
    async fn insert_message(&mut self, message: &ContactMessage) -> StoreResult<()>;
}
