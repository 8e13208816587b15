//! Notes of staff about orders.

use async_trait::async_trait;
use mirasa_domain::order::OrderId;
use mirasa_domain::order_note::OrderNote;

use crate::repository::StoreResult;

#[async_trait]
pub trait OrderNoteQueries: Send {
    /// Oldest first.
    async fn notes_of(&mut self, order_id: &OrderId) -> StoreResult<Vec<OrderNote>>;
}

#[async_trait]
pub trait OrderNoteRepository: Send {
    async fn insert_order_note(&mut self, note: &OrderNote) -> StoreResult<()>;
}
