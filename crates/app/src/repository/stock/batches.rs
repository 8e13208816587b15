//! Batches, and the packs that were filled from them.

use async_trait::async_trait;
use mirasa_domain::batch::{Batch, BatchId, BatchPacks};
use mirasa_domain::order::{Order, OrderId};
use mirasa_domain::pack::Packs;
use mirasa_domain::product::ProductId;

use crate::repository::StoreResult;

/// A batch with what the owner's list shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedBatch {
    pub batch: Batch,
    pub product_name: String,
    /// How many orders have packs of it.
    pub orders: i64,
}

/// Packs of an order that are of one batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedBatch {
    pub order_id: OrderId,
    pub product: ProductId,
    pub number: String,
    pub best_before: i64,
    /// Without packs that came back into stock.
    pub packs: BatchPacks,
}

/// An order with packs of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchRecipient {
    pub order: Order,
    /// Empty if the account was deleted.
    pub email: String,
    pub packs: Packs,
    pub packed_at_ms: i64,
}

/// The order, the customer's email, the packs and the time of packing.
pub type RecipientRow = (OrderId, String, Packs, i64);

#[async_trait]
pub trait BatchQueries: Send {
    async fn batch(&mut self, id: &BatchId) -> StoreResult<Option<Batch>>;
    /// All batches, or those of a product, the newest first.
    async fn listed_batches(
        &mut self,
        product: Option<&ProductId>,
        limit: i64,
    ) -> StoreResult<Vec<ListedBatch>>;
    /// Batches with grams left, of these products, or of all.
    async fn batches_left(&mut self, products: Option<&[ProductId]>) -> StoreResult<Vec<Batch>>;
    /// Grams in batches that are too old to be sold today, of these products, or of all. Without products that have none.
    async fn too_old_grams(
        &mut self,
        products: Option<&[ProductId]>,
        today: i64,
    ) -> StoreResult<Vec<(ProductId, i64)>>;
    async fn batch_number_taken(&mut self, product: &ProductId, number: &str) -> StoreResult<bool>;
    /// What these orders have of batches, the batch that ends last first.
    async fn batch_packs_of(&mut self, order_ids: &[OrderId]) -> StoreResult<Vec<PackedBatch>>;
    /// The first packed first.
    async fn batch_recipients(&mut self, batch_id: &BatchId) -> StoreResult<Vec<RecipientRow>>;
}

#[async_trait]
pub trait BatchRepository: Send {
    /// Without a row of the ledger: the caller writes it.
    async fn insert_batch(&mut self, batch: &Batch) -> StoreResult<()>;
    /// The change may be negative. The caller has locked the product.
    async fn change_batch_grams(&mut self, batch_id: &BatchId, change: i64) -> StoreResult<()>;
    /// Takes the packs out of their batch. The caller has locked the product.
    async fn take_batch_packs(
        &mut self,
        order_id: &OrderId,
        product: &ProductId,
        packs: &BatchPacks,
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Puts packs of an order back into their batch. The caller has locked the product.
    async fn return_batch_packs(
        &mut self,
        order_id: &OrderId,
        product: &ProductId,
        packs: &BatchPacks,
    ) -> StoreResult<()>;
}
