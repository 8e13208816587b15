//! What visitors write to the shop.

use async_trait::async_trait;
use mirasa_app::ports::storage::{ContactQuery, Stored, WriteMessages};

use crate::engine::{Session, run};

#[async_trait]
impl WriteMessages for Session<'_> {
    async fn insert_query(&mut self, query: &ContactQuery) -> Stored<()> {
        run!(
            self,
            sqlx::query("insert into contact_queries (id, name, email, message, at) values ($1, $2, $3, $4, $5)")
                .bind(&query.id)
                .bind(&query.name)
                .bind(&query.email)
                .bind(&query.message)
                .bind(query.at_ms)
        )
        .map(drop)
    }
}
