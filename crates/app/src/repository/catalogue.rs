//! Products of the catalogue.

use std::sync::Arc;

use async_trait::async_trait;
use mirasa_domain::product::{Product, ProductDetails, ProductId, TrendingRank};
use mirasa_domain::stock::Stock;

use crate::repository::StoreResult;

/// A change of the catalogue.
#[derive(Debug, Clone)]
pub enum ProductChange {
    Upserted(Product),
    Deleted(ProductId),
}

/// A product as it will be, in a change of many.
#[derive(Debug, Clone)]
pub struct ProductUpdate {
    pub id: ProductId,
    pub details: Arc<ProductDetails>,
    pub is_visible: bool,
    /// What is added to the current counts, negative for less.
    pub stock_change: Stock,
    /// Of the ledger row, if the stock changes.
    pub ledger_id: String,
    /// False if only the stock changes.
    pub is_new_version: bool,
}

#[async_trait]
pub trait ProductQueries: Send {
    async fn all_products(&mut self) -> StoreResult<Vec<Product>>;
    /// All changes at or after this time, including deletions.
    async fn products_changed_since(&mut self, at_ms: i64) -> StoreResult<Vec<ProductChange>>;
    async fn product(&mut self, id: &ProductId) -> StoreResult<Option<Product>>;
    /// Whether the id was ever used, including by deleted products.
    async fn product_id_taken(&mut self, id: &ProductId) -> StoreResult<bool>;
    /// Also deleted ones: an order may have them.
    async fn products_even_deleted(&mut self, ids: &[ProductId]) -> StoreResult<Vec<Product>>;
    async fn products_by_id(&mut self, ids: &[ProductId]) -> StoreResult<Vec<Product>>;
}

#[async_trait]
pub trait ProductRepository: Send {
    /// Inserts the product with its initial stock and the ledger row for it.
    async fn insert_product(
        &mut self,
        product: &Product,
        ledger_id: &str,
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Inserts many products with their initial stock, each with the id of its ledger row. They follow the last product.
    async fn insert_products(
        &mut self,
        products: &[(Product, String)],
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Changes many products that the transaction has locked, with the ledger rows of their stock.
    async fn update_products(&mut self, updates: &[ProductUpdate], now_ms: i64) -> StoreResult<()>;
    /// Replaces the details. False if the product has another version.
    async fn update_details(
        &mut self,
        id: &ProductId,
        details: &ProductDetails,
        expected_version: i64,
        now_ms: i64,
    ) -> StoreResult<bool>;
    async fn set_visibility(
        &mut self,
        id: &ProductId,
        visible: bool,
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Sets or clears the rank. Another product with the same rank loses it.
    async fn set_trending_rank(
        &mut self,
        id: &ProductId,
        rank: Option<TrendingRank>,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn delete_product(&mut self, id: &ProductId, now_ms: i64) -> StoreResult<bool>;
    /// Locks these products until the transaction ends, in a fixed order to avoid deadlocks. So a transaction locks all its
    /// products with its first call; a later call may only repeat some of them.
    async fn lock_products(&mut self, ids: &[ProductId]) -> StoreResult<()>;
}
