//! The history of orders.

use async_trait::async_trait;
use mirasa_domain::order::OrderId;
use mirasa_domain::order_event::OrderEvent;

use crate::repository::StoreResult;

#[async_trait]
pub trait OrderEventQueries: Send {
    /// All events of these orders, oldest first.
    async fn events_of(&mut self, order_ids: &[OrderId]) -> StoreResult<Vec<OrderEvent>>;
    /// The events that changed the order after it had this version, oldest first.
    async fn events_after(
        &mut self,
        order_id: &OrderId,
        version: i64,
    ) -> StoreResult<Vec<OrderEvent>>;
}

#[async_trait]
pub trait OrderEventRepository: Send {
    /// Each event gives the order a new version.
    async fn insert_order_event(&mut self, event: &OrderEvent) -> StoreResult<()>;
}
