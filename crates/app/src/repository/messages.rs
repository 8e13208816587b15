//! Messages from the contact form, and the replies to them.

use async_trait::async_trait;
use mirasa_domain::message::{ContactMessage, MessageId, MessageReply, MessageState};

use crate::repository::StoreResult;

#[async_trait]
pub trait MessageQueries: Send {
    /// The messages from this email address, oldest first.
    async fn messages_from(&mut self, email: &str) -> StoreResult<Vec<ContactMessage>>;
    async fn message(&mut self, id: &MessageId) -> StoreResult<Option<ContactMessage>>;
    /// Newest first.
    async fn messages(
        &mut self,
        state: MessageState,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<ContactMessage>>;
    async fn count_messages(&mut self, state: MessageState) -> StoreResult<i64>;
}

#[async_trait]
pub trait MessageRepository: Send {
    async fn insert_message(&mut self, message: &ContactMessage) -> StoreResult<()>;
    /// Two admins who change the same message take turns.
    async fn lock_message(&mut self, id: &MessageId) -> StoreResult<Option<ContactMessage>>;
    async fn set_message_state(
        &mut self,
        id: &MessageId,
        read_at_ms: Option<i64>,
        done_at_ms: Option<i64>,
    ) -> StoreResult<()>;
    /// Inserts the reply. The first one begins the thread of the message.
    async fn insert_reply(
        &mut self,
        message_id: &MessageId,
        reply: &MessageReply,
    ) -> StoreResult<()>;
}
