//! Contact messages, as admins see them.

use mirasa_domain::message::{ContactMessage, Delivery, MessageReply};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::text::{ApiEnum, Text};
use crate::api::types::to_iso8601;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContactMessage)]
pub struct ContactMessageDto {
    #[serde(rename = "_id")]
    pub id: String,
    /// Each of the three texts may be empty.
    pub name: String,
    pub email: String,
    pub message: String,
    pub created_at: String,
    #[schema(required)]
    pub read_at: Option<String>,
    #[schema(required)]
    pub done_at: Option<String>,
    /// Whether the email is an address that a reply can be sent to.
    pub can_reply: bool,
    /// Oldest first.
    pub replies: Vec<MessageReplyDto>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = MessageReply)]
pub struct MessageReplyDto {
    #[serde(rename = "_id")]
    pub id: String,
    pub text: String,
    /// The admin's email.
    pub by: String,
    pub at: String,
    pub delivery: DeliveryDto,
}

pub type DeliveryDto = Text<Delivery>;

impl ApiEnum for Delivery {
    const NAME: &'static str = "Delivery";
    const DESCRIPTION: Option<&'static str> = Some(
        "`sent`: the mail server has accepted the email. `failing`: it did not, and the email is tried again.",
    );
}

impl From<ContactMessage> for ContactMessageDto {
    fn from(message: ContactMessage) -> ContactMessageDto {
        ContactMessageDto {
            can_reply: message.reply_address().is_some(),
            id: message.id.0,
            name: message.name,
            email: message.email,
            message: message.message,
            created_at: to_iso8601(message.at_ms),
            read_at: message.read_at_ms.map(to_iso8601),
            done_at: message.done_at_ms.map(to_iso8601),
            replies: message
                .replies
                .into_iter()
                .map(MessageReplyDto::from)
                .collect(),
        }
    }
}

impl From<MessageReply> for MessageReplyDto {
    fn from(reply: MessageReply) -> MessageReplyDto {
        MessageReplyDto {
            id: reply.id.0,
            text: reply.text,
            by: reply.author,
            at: to_iso8601(reply.at_ms),
            delivery: reply.delivery.into(),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct ContactMessageResponse {
    pub message: ContactMessageDto,
}

#[derive(Serialize, ToSchema)]
pub struct ContactMessagePageResponse {
    pub messages: Vec<ContactMessageDto>,
    /// Messages in this state, on all pages.
    pub total: i64,
    /// Messages that are neither read nor done.
    pub unread: i64,
    pub page: i64,
    pub pages: i64,
}

/// What is missing stays as it is.
#[derive(Deserialize, ToSchema)]
pub struct UpdateMessageRequest {
    pub read: Option<bool>,
    pub done: Option<bool>,
}

#[derive(Deserialize, ToSchema)]
pub struct MessageReplyRequest {
    #[schema(max_length = 5000, pattern = "\\S")]
    pub text: String,
    /// Also mark the message as done.
    #[serde(default)]
    pub done: bool,
}

#[derive(Deserialize, ToSchema)]
#[serde(default)]
#[derive(Default)]
pub struct ContactRequest {
    #[schema(max_length = 200)]
    pub name: String,
    #[schema(max_length = 254)]
    pub email: String,
    #[schema(max_length = 5000)]
    pub message: String,
}
