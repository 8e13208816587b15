//! Messages from the contact form, and the replies to them.

use std::collections::HashMap;

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::messages::{MessageQueries, MessageRepository};
use mirasa_domain::message::{
    ContactMessage, Delivery, EmailId, MessageId, MessageReply, MessageState,
};

use crate::sql::engine::{SqlRepository, placeholders};
use crate::sql::query::{Query, query};
use crate::sql::row::row;

row! {
    pub(crate) struct MessageRow {
        id: MessageId,
        name: String,
        email: String,
        message: String,
        at: i64,
        read_at: Option<i64>,
        done_at: Option<i64>,
        thread_id: Option<EmailId>,
    }
}

row! {
    /// A reply with what is known of its email, which may have been deleted.
    struct ReplyRow {
        id: EmailId,
        message_id: MessageId,
        who: String,
        body: String,
        at: i64,
        tries: Option<i64>,
        sent_at: Option<i64>,
    }
}

impl From<MessageRow> for ContactMessage {
    fn from(row: MessageRow) -> ContactMessage {
        ContactMessage {
            read_at_ms: row.read_at,
            done_at_ms: row.done_at,
            thread_id: row.thread_id,
            ..ContactMessage::new(row.id, row.name, row.email, row.message, row.at)
        }
    }
}

impl From<ReplyRow> for MessageReply {
    fn from(row: ReplyRow) -> MessageReply {
        MessageReply {
            id: row.id,
            text: row.body,
            author: row.who,
            at_ms: row.at,
            delivery: match (row.sent_at, row.tries) {
                (None, Some(0)) => Delivery::Queued,
                (None, Some(_)) => Delivery::Failing,
                (Some(_), _) | (None, None) => Delivery::Sent,
            },
        }
    }
}

/// Each condition has an index.
fn condition(state: MessageState) -> &'static str {
    match state {
        MessageState::Open => "where done_at is null",
        MessageState::Unread => "where read_at is null and done_at is null",
        MessageState::Done => "where done_at is not null",
        MessageState::All => "",
    }
}

impl SqlRepository<'_> {
    async fn with_replies(&mut self, rows: Vec<MessageRow>) -> StoreResult<Vec<ContactMessage>> {
        let mut messages: Vec<_> = rows.into_iter().map(ContactMessage::from).collect();
        // Only messages with a thread have replies.
        let answered: Vec<_> = messages
            .iter()
            .filter(|message| message.thread_id.is_some())
            .map(|message| message.id.clone())
            .collect();
        if answered.is_empty() {
            return Ok(messages);
        }
        let text = format!(
            "select r.*, m.tries, m.sent_at from message_replies r left join mails m on m.id = r.id
             where r.message_id in ({}) order by r.at, r.id",
            placeholders(1, answered.len())
        );
        let find = answered.iter().fold(query(text), Query::bind);
        let mut replies: HashMap<MessageId, Vec<MessageReply>> = HashMap::new();
        for row in self.fetch_all::<ReplyRow>(find).await? {
            let message_id = row.message_id.clone();
            replies.entry(message_id).or_default().push(row.into());
        }
        for message in &mut messages {
            message.replies = replies.remove(&message.id).unwrap_or_default();
        }
        Ok(messages)
    }
}

#[async_trait]
impl MessageQueries for SqlRepository<'_> {
    async fn messages_from(&mut self, email: &str) -> StoreResult<Vec<ContactMessage>> {
        const FIND: &str =
            "select * from contact_queries where lower(email) = lower($1) order by at, id";
        let rows = self.fetch_all(query(FIND).bind(email)).await?;
        self.with_replies(rows).await
    }

    async fn message(&mut self, id: &MessageId) -> StoreResult<Option<ContactMessage>> {
        const FIND: &str = "select * from contact_queries where id = $1";
        let rows = self.fetch_all(query(FIND).bind(id)).await?;
        Ok(self.with_replies(rows).await?.pop())
    }

    async fn messages(
        &mut self,
        state: MessageState,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<ContactMessage>> {
        let text = format!(
            "select * from contact_queries {} order by at desc, id desc limit $1 offset $2",
            condition(state)
        );
        let rows = self.fetch_all(query(text).bind(limit).bind(offset)).await?;
        self.with_replies(rows).await
    }

    async fn count_messages(&mut self, state: MessageState) -> StoreResult<i64> {
        let text = format!("select count(*) from contact_queries {}", condition(state));
        self.fetch_one(query(text)).await
    }
}

#[async_trait]
impl MessageRepository for SqlRepository<'_> {
    async fn insert_message(&mut self, message: &ContactMessage) -> StoreResult<()> {
        const INSERT: &str = "insert into contact_queries (id, name, email, message, at) values ($1, $2, $3, $4, $5)";
        let insert = query(INSERT)
            .bind(&message.id)
            .bind(&message.name)
            .bind(&message.email)
            .bind(&message.message)
            .bind(message.at_ms);
        self.execute_deferred(insert).await
    }

    async fn lock_message(&mut self, id: &MessageId) -> StoreResult<Option<ContactMessage>> {
        const LOCK: &str = "select id from contact_queries where id = $1 for update";
        if self.is_postgres() {
            self.fetch_optional::<MessageId>(query(LOCK).bind(id))
                .await?;
        }
        // Another statement: it sees what the transaction that held the lock has written.
        self.message(id).await
    }

    async fn set_message_state(
        &mut self,
        id: &MessageId,
        read_at_ms: Option<i64>,
        done_at_ms: Option<i64>,
    ) -> StoreResult<()> {
        const SET: &str = "update contact_queries set read_at = $2, done_at = $3 where id = $1";
        self.execute_deferred(query(SET).bind(id).bind(read_at_ms).bind(done_at_ms))
            .await
    }

    async fn insert_reply(
        &mut self,
        message_id: &MessageId,
        reply: &MessageReply,
    ) -> StoreResult<()> {
        const INSERT: &str = "insert into message_replies (id, message_id, who, body, at) values ($1, $2, $3, $4, $5)";
        const BEGIN_THREAD: &str =
            "update contact_queries set thread_id = $2 where id = $1 and thread_id is null";
        let insert = query(INSERT)
            .bind(&reply.id)
            .bind(message_id)
            .bind(&reply.author)
            .bind(&reply.text)
            .bind(reply.at_ms);
        self.execute_deferred(insert).await?;
        self.execute_deferred(query(BEGIN_THREAD).bind(message_id).bind(&reply.id))
            .await
    }
}
