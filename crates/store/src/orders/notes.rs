//! Notes of staff about orders.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::orders::notes::{OrderNoteQueries, OrderNoteRepository};
use mirasa_domain::order::OrderId;
use mirasa_domain::order_note::OrderNote;

use crate::sql::engine::SqlRepository;
use crate::sql::query::query;
use crate::sql::row::row;

row! {
    struct NoteRow {
        id: String,
        order_id: OrderId,
        at: i64,
        author: String,
        body: String,
    }
}

#[async_trait]
impl OrderNoteQueries for SqlRepository<'_> {
    async fn notes_of(&mut self, order_id: &OrderId) -> StoreResult<Vec<OrderNote>> {
        const FIND: &str = "select * from order_notes where order_id = $1 order by at, id";
        let rows: Vec<NoteRow> = self.fetch_all(query(FIND).bind(order_id)).await?;
        let notes = rows.into_iter().map(|row| OrderNote {
            id: row.id,
            order_id: row.order_id,
            at_ms: row.at,
            author: row.author,
            text: row.body,
        });
        Ok(notes.collect())
    }
}

#[async_trait]
impl OrderNoteRepository for SqlRepository<'_> {
    async fn insert_order_note(&mut self, note: &OrderNote) -> StoreResult<()> {
        const INSERT: &str =
            "insert into order_notes (id, order_id, at, author, body) values ($1, $2, $3, $4, $5)";
        let insert = query(INSERT)
            .bind(&note.id)
            .bind(&note.order_id)
            .bind(note.at_ms)
            .bind(&note.author)
            .bind(&note.text);
        self.execute_deferred(insert).await
    }
}
