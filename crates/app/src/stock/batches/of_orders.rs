//! Which batches the packs of orders are of, or will be of once they are packed.

use std::collections::HashMap;

use mirasa_domain::batch::BatchId;
use mirasa_domain::ist;
use mirasa_domain::order::{Order, OrderId};
use mirasa_domain::pack::PackSize;
use mirasa_domain::product::ProductId;
use mirasa_domain::refund::Refund;

use crate::AppError;
use crate::repository::Queries;
use crate::repository::stock::batches::PackedBatch;
use crate::stock::batches::packing::{BatchPlan, BatchStocks, packs_to_send, read_batch_stocks};

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
        ids: &[OrderId],
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

/// Packs of one product in one size that are sent, and the batch that they are of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PacksOfBatch {
    pub product: ProductId,
    pub name: String,
    pub size: PackSize,
    pub quantity: u32,
    /// None: grams without a batch.
    pub batch: Option<BatchName>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchName {
    pub number: String,
    /// As `ist::day` counts days.
    pub best_before: i64,
}

/// What packing takes for each of several orders, in the order of their ids, as `Shop::pack_orders` packs them. Nothing is
/// locked, so that it is a forecast.
pub(crate) struct PackingForecast {
    batch_stocks: BatchStocks,
    names: HashMap<BatchId, BatchName>,
    taken: Vec<PackedBatch>,
}

impl PackingForecast {
    pub async fn read(db: &mut dyn Queries, orders: &[Order]) -> Result<PackingForecast, AppError> {
        let lines = orders.iter().flat_map(|order| &order.lines);
        let mut products: Vec<_> = lines.map(|line| line.product.clone()).collect();
        products.sort_by(|one, other| one.0.cmp(&other.0));
        products.dedup();
        let batches = match products.is_empty() {
            true => Vec::new(),
            false => db.batches_left(Some(&products)).await?,
        };
        products.retain(|id| batches.iter().any(|batch| batch.product == *id));
        let batch_stocks = match products.is_empty() {
            true => BatchStocks::new(),
            false => read_batch_stocks(db, &products).await?,
        };
        let ids: Vec<OrderId> = orders.iter().map(|order| order.id.clone()).collect();
        let name = |number, best_before| BatchName {
            number,
            best_before,
        };
        Ok(PackingForecast {
            names: batches
                .into_iter()
                .map(|batch| (batch.id, name(batch.number, batch.best_before)))
                .collect(),
            batch_stocks,
            taken: db.batch_packs_of(&ids).await?,
        })
    }

    /// What an order that is packed has, or what packing it would take after the orders that were asked about before. The
    /// error says why it cannot be packed.
    pub fn next(
        &mut self,
        order: &Order,
        refunds: &[Refund],
        today: i64,
    ) -> (Vec<PacksOfBatch>, Option<AppError>) {
        let taken = self.taken.iter().filter(|one| one.order_id == order.id);
        let mut of_batches: Vec<_> = taken
            .map(|one| {
                let name = BatchName {
                    number: one.number.clone(),
                    best_before: one.best_before,
                };
                (one.product.clone(), one.packs.clone(), name)
            })
            .collect();
        let mut problem = None;
        if order.packed_at_ms.is_none() {
            match BatchPlan::new(&mut self.batch_stocks, order, refunds, &self.taken, today) {
                Ok(plan) => {
                    for (product, packs) in plan.packs {
                        if let Some(name) = self.names.get(&packs.batch_id) {
                            of_batches.push((product, packs, name.clone()));
                        }
                    }
                }
                Err(error) => problem = Some(error),
            }
        }
        let mut items = Vec::new();
        for line in &order.lines {
            for item in line.prices.by_size(packs_to_send(order, line, refunds)) {
                let mut rest = item.quantity;
                let mut push = |quantity: u32, batch: Option<BatchName>| {
                    if quantity > 0 {
                        items.push(PacksOfBatch {
                            product: line.product.clone(),
                            name: line.product_name.clone(),
                            size: item.size,
                            quantity,
                            batch,
                        });
                    }
                };
                let of_line = of_batches.iter().filter(|(product, packs, _)| {
                    *product == line.product && packs.size == item.size
                });
                for (_, packs, name) in of_line {
                    let quantity = packs.quantity.min(rest);
                    rest -= quantity;
                    push(quantity, Some(name.clone()));
                }
                push(rest, None);
            }
        }
        (items, problem)
    }
}
