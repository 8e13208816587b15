//! Stock, the ledger that explains it, and what unpaid orders reserve.

use async_trait::async_trait;
use mirasa_domain::money::Paise;
use mirasa_domain::order::OrderLine;
use mirasa_domain::pack::Packs;
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::{Stock, StockAdjustment, StockMovement};

use crate::repository::StoreResult;

/// An unpaid order and the stock that it keeps from others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reservation {
    pub order_id: String,
    pub customer_name: String,
    pub customer_email: String,
    pub packs: Packs,
    pub total: Paise,
    pub created_at_ms: i64,
    pub expires_at_ms: i64,
}

#[async_trait]
pub trait StockQueries: Send {
    /// Unpaid orders that hold stock, the most grams first.
    async fn reservations(&mut self, limit: i64) -> StoreResult<Vec<Reservation>>;
}

#[async_trait]
pub trait StockRepository: Send {
    /// Adds a (possibly negative) change to stock and writes it into the ledger.
    async fn adjust_stock(
        &mut self,
        id: &ProductId,
        change: Stock,
        reason: StockAdjustment,
        ledger_id: &str,
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Takes the goods of a new order out of stock, with a ledger row for each product. The caller holds the
    /// products and has seen that there is enough: if not, all of the transaction fails.
    async fn reserve_stock(
        &mut self,
        order_id: &str,
        lines: &[OrderLine],
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Moves the goods of all lines at once, in a fixed order of products, with a ledger row each. None
    /// if there is not enough of one of them; then nothing has moved. Otherwise what is left of each.
    async fn apply_stock_movement(
        &mut self,
        order_id: &str,
        lines: &[OrderLine],
        which: StockMovement,
        now_ms: i64,
    ) -> StoreResult<Option<Vec<(ProductId, Stock)>>>;
}
