//! Packing from the batch that ends first.

use std::collections::{BTreeMap, HashMap};

use mirasa_domain::batch::{BatchPacks, BatchStock, MIN_DAYS_LEFT};
use mirasa_domain::ist;
use mirasa_domain::order::{Order, OrderLine, OrderStatus};
use mirasa_domain::pack::{PackSize, Packs};
use mirasa_domain::product::ProductId;
use mirasa_domain::refund::Refund;
use mirasa_domain::stock::Stock;

use crate::failpoints::failpoint;
use crate::repository::batches::PackedBatch;
use crate::repository::{Queries, Transaction};
use crate::stock::in_shop;
use crate::{AppError, ErrorCode, Shop};

/// What lies in the shop of the products that have batches.
pub(crate) type BatchStocks = HashMap<ProductId, BatchStock>;

impl Shop {
    /// Locks the products of these orders that have batches. The caller has locked the customers.
    pub(crate) async fn batch_stocks_of(
        &self,
        tx: &mut dyn Transaction,
        orders: &[Order],
    ) -> Result<BatchStocks, AppError> {
        let lines = orders.iter().flat_map(|order| &order.lines);
        let ids: BTreeMap<_, _> = lines
            .map(|line| (line.product.0.clone(), line.product.clone()))
            .collect();
        let ids: Vec<_> = ids.into_values().collect();
        let with_batches = tx.batches_left(Some(&ids)).await?;
        let ids: BTreeMap<_, _> = with_batches
            .into_iter()
            .map(|batch| (batch.product.0.clone(), batch.product))
            .collect();
        let ids: Vec<_> = ids.into_values().collect();
        if ids.is_empty() {
            return Ok(BatchStocks::new());
        }
        // Read again: another admin may have packed before the lock.
        tx.lock_products(&ids).await?;
        let mut batch_stocks = BatchStocks::new();
        let held: HashMap<_, _> = tx
            .held_packs(Some(&ids))
            .await?
            .into_iter()
            .map(|held| (held.product, held.unpaid + held.to_pack))
            .collect();
        for product in tx.products_even_deleted(&ids).await? {
            let held = held.get(&product.id).copied().unwrap_or_default();
            let batch_stock = BatchStock {
                batches: Vec::new(),
                grams_without_batch: in_shop(product.stock, held).grams,
            };
            batch_stocks.insert(product.id, batch_stock);
        }
        for batch in tx.batches_left(Some(&ids)).await? {
            if let Some(batch_stock) = batch_stocks.get_mut(&batch.product) {
                batch_stock.grams_without_batch -= batch.left_grams;
                batch_stock.batches.push(batch);
            }
        }
        Ok(batch_stocks)
    }

    /// Takes the packs of an order that is being packed out of their batches. The caller has locked the order.
    pub(crate) async fn take_batches(
        &self,
        tx: &mut dyn Transaction,
        batch_stocks: &mut BatchStocks,
        order: &Order,
        refunds: &[Refund],
    ) -> Result<(), AppError> {
        let now_ms = self.now_ms();
        for line in &order.lines {
            let Some(batch_stock) = batch_stocks.get_mut(&line.product) else {
                continue;
            };
            let packs = packs_to_send(order, line, refunds);
            let taken = batch_stock.take(packs, ist::day(now_ms));
            let taken = taken.map_err(|_| too_old(order, line))?;
            for packs in &taken {
                tx.take_batch_packs(&order.id, &line.product, packs, now_ms)
                    .await?;
            }
        }
        failpoint("taking batches");
        Ok(())
    }

    /// The same for an order that is set to shipped without being packed.
    pub(crate) async fn take_batches_unpacked(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
    ) -> Result<(), AppError> {
        if order.packed_at_ms.is_some() || !order.is_paid() {
            return Ok(());
        }
        let mut batch_stocks = self
            .batch_stocks_of(tx, std::slice::from_ref(order))
            .await?;
        if batch_stocks.is_empty() {
            return Ok(());
        }
        if order.state.order_status != OrderStatus::Confirmed {
            // Not counted among what is held, but there.
            for line in &order.lines {
                if let Some(batch_stock) = batch_stocks.get_mut(&line.product) {
                    batch_stock.grams_without_batch += Stock::from(line.packs).grams;
                }
            }
        }
        let refunds = tx.refunds_of(std::slice::from_ref(&order.id)).await?;
        self.take_batches(tx, &mut batch_stocks, order, &refunds)
            .await
    }

    /// Packs that came back into stock go back into their batch. The caller has locked the products.
    pub(crate) async fn return_batches(
        &self,
        tx: &mut dyn Transaction,
        order_id: &str,
        restocked: &[(ProductId, Packs)],
    ) -> Result<(), AppError> {
        let packed = tx.batch_packs_of(&[order_id.to_owned()]).await?;
        for (product, packs) in restocked {
            for (size, mut back) in [
                (PackSize::G50, packs.of_50g),
                (PackSize::G100, packs.of_100g),
            ] {
                let of_size = packed
                    .iter()
                    .filter(|one| one.product == *product && one.packs.size == size);
                for one in of_size {
                    let quantity = back.min(one.packs.quantity);
                    if quantity > 0 {
                        back -= quantity;
                        let packs = BatchPacks {
                            quantity,
                            ..one.packs.clone()
                        };
                        tx.return_batch_packs(order_id, product, &packs).await?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn too_old(order: &Order, line: &OrderLine) -> AppError {
    let text = format!(
        "{} for order {}: no batch with at least {MIN_DAYS_LEFT} days left has enough. Write off what is too old or receive a new batch.",
        line.product_name,
        crate::emails::short_id(&order.id)
    );
    AppError::new(ErrorCode::BatchTooOld, text)
}

/// The packs of a line that are still to be sent.
pub(crate) fn packs_to_send(order: &Order, line: &OrderLine, refunds: &[Refund]) -> Packs {
    order.packs_to_send(line, refunds)
}

/// The batches that packing slips name.
pub(crate) struct SlipBatches {
    packed: Vec<PackedBatch>,
    /// Products with batches: an order that is not packed has none of them yet.
    with_batches: Vec<ProductId>,
}

impl SlipBatches {
    pub async fn read(
        db: &mut dyn Queries,
        orders: &[Order],
        ids: &[String],
    ) -> Result<SlipBatches, AppError> {
        let lines = orders.iter().flat_map(|order| &order.lines);
        let products: Vec<_> = lines.map(|line| line.product.clone()).collect();
        let with_batches = db.batches_left(Some(&products)).await?;
        Ok(SlipBatches {
            packed: db.batch_packs_of(ids).await?,
            with_batches: with_batches
                .into_iter()
                .map(|batch| batch.product)
                .collect(),
        })
    }

    /// The packs of one size, by what the slip says about their batch.
    pub fn of(
        &self,
        order: &Order,
        product: &ProductId,
        size: PackSize,
        quantity: u32,
    ) -> Vec<(String, u32)> {
        let mut rest = quantity;
        let mut parts: Vec<_> = self
            .packed
            .iter()
            .rev()
            .filter(|one| {
                one.order_id == order.id && one.product == *product && one.packs.size == size
            })
            .map(|one| {
                let quantity = one.packs.quantity.min(rest);
                rest -= quantity;
                let text = format!(
                    "Batch {}, best before {}",
                    one.number,
                    ist::date(one.best_before)
                );
                (text, quantity)
            })
            .filter(|(_, quantity)| *quantity > 0)
            .collect();
        if rest > 0 {
            let is_waiting = order.packed_at_ms.is_none()
                && !order.state.order_status.has_left_shop()
                && self.with_batches.contains(product);
            let text = if is_waiting {
                "Batch: mark as packed, then print again"
            } else {
                ""
            };
            parts.push((text.to_owned(), rest));
        }
        parts
    }
}
