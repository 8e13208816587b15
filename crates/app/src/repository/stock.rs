//! Stock, its ledger, and what unpaid orders reserve.

use async_trait::async_trait;
use mirasa_domain::money::Paise;
use mirasa_domain::order::OrderLine;
use mirasa_domain::pack::Packs;
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::{Stock, StockAdjustment, StockMovement};

use crate::repository::StoreResult;

/// An unpaid order and the stock that it reserves.
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
    /// Unpaid orders that reserve stock, the largest reservation first.
    async fn reservations(&mut self, limit: i64) -> StoreResult<Vec<Reservation>>;
}

#[async_trait]
pub trait StockRepository: Send {
    /// Adds a change, which may be negative, to the stock and to the ledger.
    async fn adjust_stock(
        &mut self,
        id: &ProductId,
        change: Stock,
        reason: StockAdjustment,
        ledger_id: &str,
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Reserves the stock of a new order, with a ledger row for each product. The caller has locked the products and
    /// checked the stock; if it is not sufficient, the transaction fails.
    async fn reserve_stock(
        &mut self,
        order_id: &str,
        lines: &[OrderLine],
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Puts packs of a paid order back into stock, with a ledger row for each product, and adds them to the restocked
    /// packs of the order's lines. Returns the new stock. `operation_id` is new for each restock of an order.
    async fn restock(
        &mut self,
        order_id: &str,
        operation_id: &str,
        packs: &[(ProductId, Packs)],
        now_ms: i64,
    ) -> StoreResult<Vec<(ProductId, Stock)>>;
    /// Applies the movement to the products of all lines, in a fixed order, with a ledger row for each. Returns their new
    /// stock. None if one of them is not sufficient; then nothing has changed.
    async fn apply_stock_movement(
        &mut self,
        order_id: &str,
        lines: &[OrderLine],
        movement: StockMovement,
        now_ms: i64,
    ) -> StoreResult<Option<Vec<(ProductId, Stock)>>>;
}
