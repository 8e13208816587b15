//! Messages from the contact form, and the replies to them.

pub use crate::id::{EmailId, MessageId};
use crate::validation::is_email_address;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContactMessage {
    pub id: MessageId,
    pub name: String,
    pub email: String,
    pub message: String,
    pub at_ms: i64,
    pub read_at_ms: Option<i64>,
    /// An admin has marked it as done.
    pub done_at_ms: Option<i64>,
    /// The email that began the thread of the replies.
    pub thread_id: Option<EmailId>,
    /// Oldest first.
    pub replies: Vec<MessageReply>,
}

impl ContactMessage {
    /// A message that no admin has seen.
    pub fn new(
        id: MessageId,
        name: String,
        email: String,
        message: String,
        at_ms: i64,
    ) -> ContactMessage {
        ContactMessage {
            id,
            name,
            email,
            message,
            at_ms,
            read_at_ms: None,
            done_at_ms: None,
            thread_id: None,
            replies: Vec::new(),
        }
    }

    /// The address that a reply can be sent to. The form accepts any text as an email.
    pub fn reply_address(&self) -> Option<&str> {
        is_email_address(&self.email).then_some(&self.email)
    }
}

/// An email that an admin has sent in reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageReply {
    pub id: EmailId,
    pub text: String,
    /// The admin's email.
    pub author: String,
    pub at_ms: i64,
    pub delivery: Delivery,
}

crate::text_enum! {
    /// How far an email has come.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Delivery {
        Queued = "queued",
        /// The mail server has accepted it.
        Sent = "sent",
        /// The mail server did not accept it; it is tried again.
        Failing = "failing",
    }
}

crate::text_enum! {
    /// Which messages a list has.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum MessageState {
        /// Not done.
        #[default]
        Open = "open",
        /// Neither read nor done.
        Unread = "unread",
        Done = "done",
        All = "all",
    }
}
