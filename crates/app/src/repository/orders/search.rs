//! Search of orders by a filter, in pages, and the index for searches by a part of an id.

use async_trait::async_trait;
use mirasa_domain::order::{Order, OrderId, OrderStatus};

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
    pub sales: SalesFilter,
}

/// The orders behind a figure of the overview.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct SalesFilter {
    pub only: Option<OnlyOrders>,
    pub product_id: String,
    pub category: String,
    /// The products of the category.
    pub category_products: Vec<String>,
    pub state: String,
    /// 1 is Monday.
    pub weekday: Option<u8>,
    pub hour: Option<u8>,
    /// The number of the day in India.
    pub today: i64,
}

mirasa_domain::text_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum OnlyOrders {
        /// Paid, not cancelled, and no replacements.
        Sales = "sales",
        /// Sales of which something was refunded.
        Refunded = "refunded",
        /// Sales with a discount.
        Discounted = "discounted",
        /// Sales to customers who have an earlier one.
        Repeat = "repeat",
        /// With a parcel that did not arrive on the expected day.
        Late = "late",
        /// With a parcel that comes back.
        Returned = "returned",
    }
}

/// What an admin has to do with a paid order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderWork {
    Pack,
    /// It is packed and has no parcel.
    Ship,
    /// Its status is pending or N/A.
    Confirm,
    /// Its customer asks to cancel it.
    Cancellation,
    /// Its customer reported a problem that is not decided.
    Problem,
    /// Not shipped, and placed before this time.
    Overdue {
        before_ms: i64,
    },
}

/// The position of an order in a list, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderCursor {
    pub created_at_ms: i64,
    pub id: OrderId,
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
