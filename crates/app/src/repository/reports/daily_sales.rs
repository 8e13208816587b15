//! Sums of paid orders by the day in India on which they were placed, and the counts of visits.

use std::ops::Range;

use async_trait::async_trait;
use mirasa_domain::product::ProductId;
use mirasa_domain::sales::{DayRange, SalesSums};

use crate::repository::StoreResult;

mirasa_domain::text_enum! {
    /// What orders are grouped by.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum SalesKind {
        Total = "total",
        /// The key is a product's id.
        Product = "product",
        /// The key is the state of the delivery address.
        State = "state",
        /// The key is the hour in India, 0 to 23.
        Hour = "hour",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SalesRow {
    pub kind: SalesKind,
    /// A row of a product is for all days and has the first of them.
    pub day: i64,
    pub key: String,
    pub sums: SalesSums,
}

/// Orders with a parcel that did not arrive on the expected day, and with one that comes back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ParcelCounts {
    pub late: i64,
    pub returned: i64,
}

mirasa_domain::text_enum! {
    /// What visitors do before they place an order.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum VisitStep {
        /// Entered the shop.
        Visit = "visit",
        /// Opened a product.
        Product = "product",
        /// Put packs into the cart.
        Cart = "cart",
    }
}

#[async_trait]
pub trait DailySalesQueries: Send {
    /// Days that have changed are counted from their orders, the others are read from their sums.
    async fn sales(&mut self, days: DayRange) -> StoreResult<Vec<SalesRow>>;
    /// The same, rows of the kind `Total` only.
    async fn sales_totals(&mut self, days: DayRange) -> StoreResult<Vec<SalesRow>>;
    /// The sums of orders that were placed in this time, counted from the orders.
    async fn sales_sums(&mut self, placed_ms: Range<i64>) -> StoreResult<SalesSums>;
    /// Of orders that were placed in this time. `today` decides whether a parcel that is under way is late.
    async fn delayed_parcels(
        &mut self,
        placed_ms: Range<i64>,
        today: i64,
    ) -> StoreResult<ParcelCounts>;
    /// The number of orders that were placed, paid or not, without replacements.
    async fn count_placed_orders(&mut self, days: DayRange) -> StoreResult<i64>;
    async fn visits(&mut self, days: DayRange) -> StoreResult<Vec<(VisitStep, i64)>>;
    /// The names of products, also of deleted ones.
    async fn product_names(&mut self, ids: &[ProductId]) -> StoreResult<Vec<(ProductId, String)>>;
    /// Days whose sums are not those of their orders, and which are not marked as changed.
    async fn wrong_sales_days(&mut self) -> StoreResult<Vec<i64>>;
}

#[async_trait]
pub trait DailySalesRepository: Send {
    /// Stores the sums of the oldest changed day before this one. False if there is none.
    async fn store_sales_of_changed_day(&mut self, before_day: i64) -> StoreResult<bool>;
    async fn add_visits(&mut self, day: i64, step: VisitStep, count: i64) -> StoreResult<()>;
}
