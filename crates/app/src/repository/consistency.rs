//! The checks of `mirasa check`: whether stock, orders and payments agree.

use async_trait::async_trait;
use mirasa_domain::product::ProductId;

use crate::repository::StoreResult;

#[async_trait]
pub trait ConsistencyQueries: Send {
    /// The numbers of products, orders and completed payments.
    async fn checked_counts(&mut self) -> StoreResult<(i64, i64, i64)>;
    /// Products whose stock differs from the sum of their ledger rows.
    async fn products_not_matching_ledger(&mut self) -> StoreResult<Vec<ProductId>>;
    /// Orders whose reservation does not fit their payment status.
    async fn orders_with_wrong_reservation(&mut self) -> StoreResult<Vec<String>>;
    /// Orders whose ledger rows differ from what they have reserved.
    async fn orders_not_matching_ledger(&mut self) -> StoreResult<Vec<String>>;
    /// Completed orders without an attempt that paid exactly their total, and orders that have one but are not completed.
    async fn orders_with_wrong_payment(&mut self) -> StoreResult<Vec<String>>;
}
