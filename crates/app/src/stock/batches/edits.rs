//! Edits of the stock that name no batch: the product form and files of products.

use std::collections::HashMap;

use mirasa_domain::batch::{Batch, BatchStock};
use mirasa_domain::pack::Packs;
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::Stock;
use mirasa_domain::user::User;

use crate::repository::Transaction;
use crate::stock::batches::packing::take_grams_of_batches;
use crate::stock::in_shop;
use crate::{AppError, Shop};

/// A product with its stock before an edit, and the grams that the edit takes away.
pub(crate) type LessStock = (ProductId, Stock, i64);

impl Shop {
    /// Batches never have more than lies in the shop: what is taken away beyond the grams without a batch is taken from the
    /// batch that ends first, with a row of the ledger. The caller has locked the products.
    pub(crate) async fn take_edit_from_batches(
        &self,
        tx: &mut dyn Transaction,
        admin: &User,
        edits: &[LessStock],
    ) -> Result<(), AppError> {
        let ids: Vec<_> = edits.iter().map(|(id, ..)| id.clone()).collect();
        let mut batches: HashMap<ProductId, Vec<Batch>> = HashMap::new();
        for batch in tx.batches_left(Some(&ids)).await? {
            let of_product = batches.entry(batch.product.clone()).or_default();
            of_product.push(batch);
        }
        if batches.is_empty() {
            return Ok(());
        }
        let held: HashMap<_, _> = tx
            .held_packs(Some(&ids))
            .await?
            .into_iter()
            .map(|held| (held.product, held.unpaid + held.to_pack))
            .collect();
        for (id, before, less) in edits {
            let Some(batches) = batches.remove(id) else {
                continue;
            };
            let held = held.get(id).copied().unwrap_or(Packs::ZERO);
            let in_batches: i64 = batches.iter().map(|batch| batch.left_grams).sum();
            let mut batch_stock = BatchStock {
                batches,
                grams_without_batch: in_shop(*before, held).grams - in_batches,
            };
            let lost = batch_stock.remove(*less);
            let (note, now_ms) = ("The stock was edited without a batch", self.now_ms());
            take_grams_of_batches(tx, &*self.ids, &admin.email, id, &lost, note, now_ms).await?;
        }
        Ok(())
    }
}
