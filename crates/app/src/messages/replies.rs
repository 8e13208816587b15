//! Contact messages: list, read, reply by email, mark as done.

use mirasa_domain::audit::AdminAction;
use mirasa_domain::message::{ContactMessage, Delivery, MessageId, MessageReply, MessageState};
use mirasa_domain::user::User;
use mirasa_domain::validation;

use crate::emails::message_reply;
use crate::repository::Transaction;
use crate::repository::emails::outbox::OutboxEmail;
use crate::runtime::failpoints::failpoint;
use crate::{AppError, ErrorCode, Shop};

/// As many as a contact message may have.
const MAX_REPLY_CHARS: usize = 5000;
/// The same text by the same admin within this time is the same reply, sent again because the response was lost.
const REPEAT_WINDOW_MS: i64 = 5 * 60_000;

/// A page of messages.
#[derive(Debug)]
pub struct MessagePage {
    pub messages: Vec<ContactMessage>,
    /// On all pages.
    pub total: i64,
    pub unread: i64,
}

impl Shop {
    pub async fn messages(
        &self,
        state: MessageState,
        offset: i64,
        limit: i64,
    ) -> Result<MessagePage, AppError> {
        self.db
            .replica_read(async move |db| {
                Ok(MessagePage {
                    messages: db.messages(state, offset, limit).await?,
                    total: db.count_messages(state).await?,
                    unread: db.count_messages(MessageState::Unread).await?,
                })
            })
            .await
    }

    pub async fn message(&self, id: MessageId) -> Result<ContactMessage, AppError> {
        self.db
            .read(async move |db| db.message(&id).await?.ok_or_else(message_not_found))
            .await
    }

    /// `None` leaves it as it is. A message that is done counts as read.
    pub async fn set_message_state(
        &self,
        admin: &User,
        id: MessageId,
        read: Option<bool>,
        done: Option<bool>,
    ) -> Result<ContactMessage, AppError> {
        let (shop, admin) = (self.clone(), admin.clone());
        self.db
            .write(async move |tx| {
                let message = lock_message(tx, &id).await?;
                let read = read.or(done.filter(|done| *done));
                shop.change_state(tx, &admin, &message, read, done).await?;
                read_message(tx, &id).await
            })
            .await
    }

    /// Stores the reply and its email in one transaction. The message is then read, and done if `done` is true.
    pub async fn reply_to_message(
        &self,
        admin: &User,
        id: MessageId,
        text: &str,
        done: bool,
    ) -> Result<ContactMessage, AppError> {
        let text = validation::required_lines("text", text, MAX_REPLY_CHARS)?;
        let (shop, admin) = (self.clone(), admin.clone());
        let message = self
            .db
            .write(async move |tx| {
                let message = lock_message(tx, &id).await?;
                let reply = MessageReply {
                    id: shop.ids.new_id().into(),
                    text,
                    author: admin.email.clone(),
                    at_ms: shop.now_ms(),
                    delivery: Delivery::Queued,
                };
                if !is_repeat(&message, &reply) {
                    let email = shop.reply_email(&message, &reply)?;
                    tx.insert_reply(&id, &reply).await?;
                    tx.insert_email(&email).await?;
                    shop.audit(tx, &admin, AdminAction::MessageReplied, &id, String::new())
                        .await?;
                }
                shop.change_state(tx, &admin, &message, Some(true), done.then_some(true))
                    .await?;
                let message = read_message(tx, &id).await?;
                failpoint("replying");
                Ok::<_, AppError>(message)
            })
            .await?;
        failpoint("replied");
        Ok(message)
    }

    fn reply_email(
        &self,
        message: &ContactMessage,
        reply: &MessageReply,
    ) -> Result<OutboxEmail, AppError> {
        let recipient = message.reply_address().ok_or_else(no_reply_address)?;
        let rendered = message_reply::render(&self.settings, message, &reply.text)
            .map_err(AppError::internal)?;
        Ok(OutboxEmail {
            id: reply.id.clone(),
            order_id: None,
            kind: message_reply::KIND.into(),
            recipient: recipient.to_owned(),
            subject: rendered.subject,
            text_body: rendered.text,
            html_body: rendered.html,
            in_reply_to: message.thread_id.clone(),
            reply_to: Some(self.settings.support_email.clone())
                .filter(|address| validation::is_email_address(address)),
            invoice_id: None,
            attempts: 0,
            created_at_ms: reply.at_ms,
            sent_at_ms: None,
        })
    }

    async fn change_state(
        &self,
        tx: &mut dyn Transaction,
        admin: &User,
        message: &ContactMessage,
        read: Option<bool>,
        done: Option<bool>,
    ) -> Result<(), AppError> {
        let now_ms = self.now_ms();
        let change = |at_ms: Option<i64>, wanted: Option<bool>| match wanted {
            Some(true) => at_ms.or(Some(now_ms)),
            Some(false) => None,
            None => at_ms,
        };
        let (was_read, was_done) = (message.read_at_ms, message.done_at_ms);
        let (read_at_ms, done_at_ms) = (change(was_read, read), change(was_done, done));
        if (read_at_ms, done_at_ms) == (was_read, was_done) {
            return Ok(());
        }
        tx.set_message_state(&message.id, read_at_ms, done_at_ms)
            .await?;
        let action = match (was_done, done_at_ms) {
            (None, Some(_)) => AdminAction::MessageDone,
            (Some(_), None) => AdminAction::MessageReopened,
            _ => return Ok(()),
        };
        self.audit(tx, admin, action, &message.id, String::new())
            .await
    }
}

fn is_repeat(message: &ContactMessage, reply: &MessageReply) -> bool {
    message.replies.iter().any(|earlier| {
        earlier.author == reply.author
            && earlier.text == reply.text
            && reply.at_ms - earlier.at_ms < REPEAT_WINDOW_MS
    })
}

async fn lock_message(
    tx: &mut dyn Transaction,
    id: &MessageId,
) -> Result<ContactMessage, AppError> {
    tx.lock_message(id).await?.ok_or_else(message_not_found)
}

async fn read_message(
    tx: &mut dyn Transaction,
    id: &MessageId,
) -> Result<ContactMessage, AppError> {
    tx.message(id).await?.ok_or_else(message_not_found)
}

pub(crate) fn message_not_found() -> AppError {
    AppError::new(ErrorCode::MessageNotFound, "Message not found.")
}

fn no_reply_address() -> AppError {
    AppError::new(
        ErrorCode::NoReplyAddress,
        "This message has no email address that a reply can be sent to.",
    )
}
