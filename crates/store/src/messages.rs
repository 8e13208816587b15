//! Messages from the contact form.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::messages::{MessageQueries, MessageRepository};
use mirasa_domain::message::ContactMessage;

use crate::engine::SqlRepository;
use crate::query::query;
use crate::row::row;

row! {
    struct MessageRow {
        id: String,
        name: String,
        email: String,
        message: String,
        at: i64,
    }
}

#[async_trait]
impl MessageQueries for SqlRepository<'_> {
    async fn messages_from(&mut self, email: &str) -> StoreResult<Vec<ContactMessage>> {
        const FIND: &str =
            "select * from contact_queries where lower(email) = lower($1) order by at, id";
        let rows = self
            .fetch_all::<MessageRow>(query(FIND).bind(email))
            .await?;
        let message = |row: MessageRow| ContactMessage {
            id: row.id,
            name: row.name,
            email: row.email,
            message: row.message,
            at_ms: row.at,
        };
        Ok(rows.into_iter().map(message).collect())
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
}
