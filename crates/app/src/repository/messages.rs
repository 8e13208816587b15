//! Messages from the contact form.

use async_trait::async_trait;
use mirasa_domain::message::ContactMessage;

use crate::repository::StoreResult;

#[async_trait]
pub trait MessageQueries: Send {
    /// What was written to the shop under this e-mail address, oldest first.
    async fn messages_from(&mut self, email: &str) -> StoreResult<Vec<ContactMessage>>;
}

#[async_trait]
pub trait MessageRepository: Send {
    async fn insert_message(&mut self, query: &ContactMessage) -> StoreResult<()>;
}
