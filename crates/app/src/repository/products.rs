//! Products of the catalogue.

use async_trait::async_trait;
use mirasa_domain::product::{Product, ProductDetails, ProductId, TrendingRank};

use crate::repository::StoreResult;

/// A product as the catalogue keeps it in memory, or the news that it is gone.
#[derive(Debug, Clone)]
pub enum ProductChange {
    Upserted(Product),
    Deleted(ProductId),
}

#[async_trait]
pub trait ProductQueries: Send {
    async fn all_products(&mut self) -> StoreResult<Vec<Product>>;
    /// Everything touched at or after that moment, deletions included.
    async fn products_changed_since(&mut self, at_ms: i64) -> StoreResult<Vec<ProductChange>>;
    async fn product(&mut self, id: &ProductId) -> StoreResult<Option<Product>>;
    /// Whether the id was ever used, by a deleted product too.
    async fn product_id_taken(&mut self, id: &ProductId) -> StoreResult<bool>;
    async fn products_by_id(&mut self, ids: &[ProductId]) -> StoreResult<Vec<Product>>;
}

#[async_trait]
pub trait ProductRepository: Send {
    /// Inserts the product with its opening stock and the ledger row that explains it.
    async fn insert_product(
        &mut self,
        product: &Product,
        ledger_id: &str,
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Rewrites the description if nobody else did meanwhile; false if somebody did.
    async fn update_details(
        &mut self,
        id: &ProductId,
        about: &ProductDetails,
        expected_version: i64,
        now_ms: i64,
    ) -> StoreResult<bool>;
    async fn set_visibility(
        &mut self,
        id: &ProductId,
        visible: bool,
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Sets or clears the rank; whoever held that rank before loses it.
    async fn set_trending_rank(
        &mut self,
        id: &ProductId,
        rank: Option<TrendingRank>,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn delete_product(&mut self, id: &ProductId, now_ms: i64) -> StoreResult<bool>;
    /// Holds these products until the transaction ends, in a fixed order: two who want the same goods wait
    /// for each other, never in a ring.
    async fn lock_products(&mut self, ids: &[ProductId]) -> StoreResult<()>;
}
