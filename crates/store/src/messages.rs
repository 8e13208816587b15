//! What visitors write to the shop.

use async_trait::async_trait;
use mirasa_app::ports::storage::{ContactMessage, StoreResult, WriteMessages};

use crate::engine::SqlRepository;
use crate::query::query;

#[async_trait]
impl WriteMessages for SqlRepository<'_> {
    async fn insert_message(&mut self, sent: &ContactMessage) -> StoreResult<()> {
        const INSERT: &str = "insert into contact_queries (id, name, email, message, at) values ($1, $2, $3, $4, $5)";
        let insert = query(INSERT)
            .bind(&sent.id)
            .bind(&sent.name)
            .bind(&sent.email)
            .bind(&sent.message)
            .bind(sent.at_ms);
        self.execute_deferred(insert).await
    }
}
