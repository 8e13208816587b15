//! The checks of `mirasa check`: do stock, orders and payments agree?

use async_trait::async_trait;
use mirasa_domain::product::ProductId;

use crate::repository::StoreResult;

#[async_trait]
pub trait ConsistencyQueries: Send {
    /// How many products, orders and completed payments there are to check.
    async fn checked_counts(&mut self) -> StoreResult<(i64, i64, i64)>;
    /// Products whose stock is not the sum of their ledger.
    async fn products_not_matching_ledger(&mut self) -> StoreResult<Vec<ProductId>>;
    /// Orders whose payment says one thing about holding goods and the order another.
    async fn orders_with_wrong_reservation(&mut self) -> StoreResult<Vec<String>>;
    /// Orders for which the ledger has moved other goods than they hold.
    async fn orders_not_matching_ledger(&mut self) -> StoreResult<Vec<String>>;
    /// Orders that are completed without an attempt that paid just their total, or have one and are not.
    async fn orders_with_wrong_payment(&mut self) -> StoreResult<Vec<String>>;
}
