//! Emails that wait to be sent. Workers lease them.

use async_trait::async_trait;
use mirasa_domain::invoice::InvoiceId;
use mirasa_domain::message::EmailId;
use mirasa_domain::order::OrderId;

use crate::repository::StoreResult;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboxEmail {
    pub id: EmailId,
    pub order_id: Option<OrderId>,
    pub kind: String,
    pub recipient: String,
    pub subject: String,
    pub text_body: String,
    pub html_body: String,
    /// The email that began the thread, if this is not the first one.
    pub in_reply_to: Option<EmailId>,
    /// Where the recipient's reply goes, if not to the sender.
    pub reply_to: Option<String>,
    /// The invoice that is attached. It is rendered when the email is sent.
    pub invoice_id: Option<InvoiceId>,
    pub attempts: i64,
    pub created_at_ms: i64,
    pub sent_at_ms: Option<i64>,
}

#[async_trait]
pub trait OutboxQueries: Send {
    async fn recent_emails(&mut self, limit: i64) -> StoreResult<Vec<OutboxEmail>>;
    async fn email(&mut self, id: &EmailId) -> StoreResult<Option<OutboxEmail>>;
}

#[async_trait]
pub trait OutboxRepository: Send {
    async fn insert_email(&mut self, email: &OutboxEmail) -> StoreResult<()>;
    async fn lease_emails(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        limit: i64,
    ) -> StoreResult<Vec<OutboxEmail>>;
    async fn mark_emails_sent(&mut self, ids: &[EmailId], now_ms: i64) -> StoreResult<()>;
    async fn mark_email_failed(
        &mut self,
        id: &EmailId,
        error: &str,
        next_attempt_at_ms: i64,
    ) -> StoreResult<()>;
}
