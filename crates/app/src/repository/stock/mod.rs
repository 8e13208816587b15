//! Stock, its ledger, and what unpaid orders reserve.

pub mod batches;
pub mod notices;

use async_trait::async_trait;
use mirasa_domain::batch::BatchId;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{OrderId, OrderLine};
use mirasa_domain::pack::Packs;
use mirasa_domain::product::ProductId;
use mirasa_domain::restock::Restock;
use mirasa_domain::stock::{Stock, StockAdjustment, StockMovement};

use crate::repository::StoreResult;

/// An unpaid order and the stock that it reserves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reservation {
    pub order_id: OrderId,
    pub customer_name: String,
    pub customer_email: String,
    pub packs: Packs,
    pub total: Paise,
    pub created_at_ms: i64,
    pub expires_at_ms: i64,
}

/// Packs of a product that are ordered but still in the shop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldPacks {
    pub product: ProductId,
    /// Of orders that wait for their payment.
    pub unpaid: Packs,
    /// Of paid orders that are not packed.
    pub to_pack: Packs,
}

/// A change of stock by an admin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMovement {
    pub id: String,
    pub product: ProductId,
    pub reason: StockAdjustment,
    /// May be negative.
    pub change: Stock,
    pub note: String,
    /// The admin's email.
    pub actor: String,
    pub batch_id: Option<BatchId>,
    pub at_ms: i64,
}

/// Why another parcel of an order takes packs out of stock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TakenAgain {
    /// They had come back into stock.
    Restocked,
    InsteadOfLost,
}

/// A row of the stock ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerEntry {
    pub id: String,
    /// As `StockMovement` and `StockAdjustment` have it.
    pub reason: String,
    pub order_id: Option<OrderId>,
    pub change: Stock,
    pub note: String,
    /// The admin's email.
    pub actor: Option<String>,
    pub batch_number: Option<String>,
    pub at_ms: i64,
}

#[async_trait]
pub trait StockQueries: Send {
    /// Of these products, or of all. Products of which no packs are held are left out.
    async fn held_packs(&mut self, products: Option<&[ProductId]>) -> StoreResult<Vec<HeldPacks>>;
    /// Packs in paid orders that were placed since then and not cancelled, without those that came back into stock.
    async fn sold_packs_since(&mut self, since_ms: i64) -> StoreResult<Vec<(ProductId, Packs)>>;
    async fn count_ledger(&mut self, product: &ProductId) -> StoreResult<i64>;
    /// One page of a product's ledger, newest first.
    async fn ledger_page(
        &mut self,
        product: &ProductId,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<LedgerEntry>>;
    async fn has_ledger_entry(&mut self, id: &str) -> StoreResult<bool>;
    /// Unpaid orders that reserve stock, the largest reservation first.
    async fn reservations(&mut self, limit: i64) -> StoreResult<Vec<Reservation>>;
}

#[async_trait]
pub trait StockRepository: Send {
    /// Adds the change to the stock and to the ledger. The caller has locked the product and checked the stock.
    async fn move_stock(&mut self, movement: &NewMovement) -> StoreResult<()>;
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
        order_id: &OrderId,
        lines: &[OrderLine],
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Puts packs of an order back into stock, with a ledger row for each product, and adds them to the restocked packs of
    /// the order's lines. Returns the new stock. `operation_id` is new for each restock of an order. Fails if the order does
    /// not hold these packs.
    async fn restock(
        &mut self,
        order_id: &OrderId,
        operation_id: &str,
        restock: &Restock,
        now_ms: i64,
    ) -> StoreResult<Vec<(ProductId, Stock)>>;
    /// Takes packs of a paid order out of stock once more, for another parcel, with a ledger row for each product. Returns
    /// the new stock. None if one of them is not sufficient. The caller has locked the products. `operation_id` is new
    /// for each parcel.
    async fn take_again(
        &mut self,
        order_id: &OrderId,
        operation_id: &str,
        packs: &[(ProductId, Packs)],
        from: TakenAgain,
        now_ms: i64,
    ) -> StoreResult<Option<Vec<(ProductId, Stock)>>>;
    /// Applies the movement to the products of all lines, in a fixed order, with a ledger row for each. Returns their new
    /// stock. None if one of them is not sufficient; then nothing has changed.
    async fn apply_stock_movement(
        &mut self,
        order_id: &OrderId,
        lines: &[OrderLine],
        movement: StockMovement,
        now_ms: i64,
    ) -> StoreResult<Option<Vec<(ProductId, Stock)>>>;
}
