//! Search of orders by a filter, in pages, and the index for searches by a part of an id.

use async_trait::async_trait;
use mirasa_domain::order::{Order, OrderStatus};

use crate::repository::StoreResult;

/// The filter of the admin's order list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct OrderFilter {
    pub status: Option<OrderStatus>,
    /// Part of the order's id, or of its short id.
    pub order_id: String,
    pub user_id: String,
    pub from_ms: Option<i64>,
    pub to_ms: Option<i64>,
    /// Deleted orders instead of the others.
    pub deleted: bool,
    /// Only orders that wait for this.
    pub work: Option<OrderWork>,
}

/// What an admin has to do with a paid order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderWork {
    Pack,
    /// It is packed and has no parcel.
    Ship,
    /// Not shipped, and placed before this time.
    Overdue {
        before_ms: i64,
    },
}

/// The position of an order in a list, newest first.
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
    /// The number of orders that match the filter.
    async fn count_orders(&mut self, filter: &OrderFilter) -> StoreResult<i64>;
    /// One page of the matching orders, newest first. `total` is their number: pages in the second half are read from
    /// the end.
    async fn orders_page(
        &mut self,
        filter: &OrderFilter,
        total: i64,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<Order>>;
    /// The orders after the cursor, or the first ones, for a list that is read completely.
    async fn orders_after(
        &mut self,
        filter: &OrderFilter,
        cursor: Option<&OrderCursor>,
        limit: i64,
    ) -> StoreResult<Vec<Order>>;
}

#[async_trait]
pub trait SearchIndexRepository: Send {
    /// Adds new orders and users to the index of id parts. Returns whether there are more.
    async fn index_new_ids(&mut self) -> StoreResult<bool>;
}
