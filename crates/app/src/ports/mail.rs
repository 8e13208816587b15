//! Letters to shoppers.

use async_trait::async_trait;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email {
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    /// The same for every try, so that a receiver can tell a repeat.
    pub message_id: String,
}

#[async_trait]
pub trait Mailer: Send + Sync {
    async fn send(&self, letter: Email) -> anyhow::Result<()>;
}
