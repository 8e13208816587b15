//! Sending emails.

use async_trait::async_trait;
use mirasa_domain::message::EmailId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email {
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    /// The same for every attempt, so that mailboxes can detect a duplicate.
    pub message_id: EmailId,
    /// The `message_id` of the email that began the thread.
    pub in_reply_to: Option<EmailId>,
    /// Where the recipient's reply goes, if not to the sender.
    pub reply_to: Option<String>,
    pub attachments: Vec<Attachment>,
}

/// A PDF file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    pub name: String,
    pub bytes: Vec<u8>,
}

#[async_trait]
pub trait Mailer: Send + Sync {
    async fn send(&self, email: Email) -> anyhow::Result<()>;

    /// Whether emails go nowhere. Then their attachments need not be made.
    fn discards(&self) -> bool {
        false
    }
}
