//! Mends batches that earlier versions left wrong: packs that were taken twice for an order, and batches that have more than
//! lies in the shop. It may run while the shop is serving, and again.

use mirasa_domain::batch::BatchStock;
use mirasa_domain::product::ProductId;

use crate::AppError;
use crate::ports::clock::{Clock, IdGenerator};
use crate::repository::Database;
use crate::repository::reports::consistency::{BatchExcess, OrderPacks};
use crate::stock::batches::packing::{return_packs, take_grams_of_batches};

/// The actor of its rows in the ledger.
const ACTOR: &str = "mirasa repair-batches";

/// What was changed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct BatchRepairs {
    /// Went back into their batches.
    pub packs: Vec<OrderPacks>,
    /// Taken from the batch that ends first.
    pub grams: Vec<BatchExcess>,
}

/// In one transaction that locks the products: a sale or a packer waits, or is seen.
pub async fn repair_batches(
    db: &Database,
    clock: &'static dyn Clock,
    ids: &'static dyn IdGenerator,
) -> Result<BatchRepairs, AppError> {
    db.write(async move |tx| {
        let now_ms = clock.now_ms();
        let mut products: Vec<ProductId> = Vec::new();
        products.extend(
            tx.batch_packs_taken_twice()
                .await?
                .into_iter()
                .map(|one| one.product),
        );
        products.extend(
            tx.batches_beyond_stock()
                .await?
                .into_iter()
                .map(|one| one.product),
        );
        if products.is_empty() {
            return Ok(BatchRepairs::default());
        }
        products.sort();
        products.dedup();
        tx.lock_products(&products).await?;
        // Read again: an order may have been packed before the lock.
        let mut repairs = BatchRepairs::default();
        let twice = tx.batch_packs_taken_twice().await?;
        let is_locked = |product: &ProductId| products.contains(product);
        let order_ids: Vec<_> = twice.iter().map(|one| one.order_id.clone()).collect();
        let packed = tx.batch_packs_of(&order_ids).await?;
        for one in twice.into_iter().filter(|one| is_locked(&one.product)) {
            return_packs(tx, &packed, &one.order_id, &one.product, one.packs).await?;
            repairs.packs.push(one);
        }
        // After that: packs that went back may be more than lies in the shop.
        let excess = tx.batches_beyond_stock().await?;
        let batches = tx.batches_left(Some(&products)).await?;
        for one in excess.into_iter().filter(|one| is_locked(&one.product)) {
            let of_product = batches.iter().filter(|batch| batch.product == one.product);
            let mut batch_stock = BatchStock {
                batches: of_product.cloned().collect(),
                grams_without_batch: 0,
            };
            let lost = batch_stock.remove(one.grams);
            let note = "The batches had more than was in the shop";
            take_grams_of_batches(tx, ids, ACTOR, &one.product, &lost, note, now_ms).await?;
            repairs.grams.push(one);
        }
        Ok::<_, AppError>(repairs)
    })
    .await
}
