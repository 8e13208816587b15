//! Orders found by a filter, in pages, and the index that helps to find ids by a part.

use async_trait::async_trait;
use mirasa_domain::order::{Order, OrderStatus};

use crate::repository::StoreResult;

/// Which orders an admin wants to see.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct OrderFilter {
    pub status: Option<OrderStatus>,
    /// Part of the order's id, or of the id as it is shown.
    pub order_id: String,
    pub user_id: String,
    pub from_ms: Option<i64>,
    pub to_ms: Option<i64>,
}

/// Where an order stands in a list, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderCursor {
    pub created_at_ms: i64,
    pub id: String,
}

impl From<&Order> for OrderCursor {
    fn from(order: &Order) -> OrderCursor {
        OrderCursor {
            created_at_ms: order.created_at_ms,
            id: order.id.clone(),
        }
    }
}

#[async_trait]
pub trait OrderSearchQueries: Send {
    /// How many orders the filter lets through.
    async fn count_orders(&mut self, filter: &OrderFilter) -> StoreResult<i64>;
    /// One page of what the filter lets through, newest first. `total` is how many there are: the far half
    /// is reached from the far end.
    async fn orders_page(
        &mut self,
        filter: &OrderFilter,
        total: i64,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<Order>>;
    /// The next ones behind a place of the list, or the first ones: for a list that is read to its end.
    async fn orders_after(
        &mut self,
        filter: &OrderFilter,
        behind: Option<&OrderCursor>,
        limit: i64,
    ) -> StoreResult<Vec<Order>>;
}

#[async_trait]
pub trait SearchIndexRepository: Send {
    /// Makes orders and people that came lately quick to find by a part of their id. Whether there are more.
    async fn index_new_ids(&mut self) -> StoreResult<bool>;
}
