//! Packing from the batch that ends first.

use std::collections::{BTreeMap, HashMap};

use mirasa_domain::batch::{BatchId, BatchPacks, BatchStock, MIN_DAYS_LEFT};
use mirasa_domain::issue::IssueKind;
use mirasa_domain::ist;
use mirasa_domain::order::{Order, OrderId, OrderLine, OrderStatus};
use mirasa_domain::order_event::Actor;
use mirasa_domain::pack::{PackSize, Packs};
use mirasa_domain::payment::AttemptId;
use mirasa_domain::product::ProductId;
use mirasa_domain::refund::Refund;
use mirasa_domain::stock::{Stock, StockAdjustment};

use crate::ports::clock::IdGenerator;
use crate::repository::stock::NewMovement;
use crate::repository::stock::batches::PackedBatch;
use crate::repository::{Queries, Transaction};
use crate::runtime::failpoints::failpoint;
use crate::stock::in_shop;
use crate::{AppError, ErrorCode, Shop};

/// On this day no batch was too old.
const DAY_OF_ANY_AGE: i64 = 0;

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
        read_batch_stocks(tx, &ids).await
    }

    /// What these orders have of batches already. Empty if their products have none.
    pub(crate) async fn taken_batches(
        &self,
        tx: &mut dyn Transaction,
        batch_stocks: &BatchStocks,
        order_ids: &[OrderId],
    ) -> Result<Vec<PackedBatch>, AppError> {
        if batch_stocks.is_empty() {
            return Ok(Vec::new());
        }
        Ok(tx.batch_packs_of(order_ids).await?)
    }

    /// Takes what was planned out of the batches. The caller has locked the order and the products.
    pub(crate) async fn take_batches(
        &self,
        tx: &mut dyn Transaction,
        actor: &Actor,
        order_id: &OrderId,
        plan: &BatchPlan,
    ) -> Result<(), AppError> {
        let now_ms = self.now_ms();
        for (product, packs) in &plan.packs {
            tx.take_batch_packs(order_id, product, packs, now_ms)
                .await?;
        }
        for (product, lost) in &plan.lost {
            let note = format!(
                "Order {}: refunded and not put back into stock",
                mirasa_domain::order::short_id(order_id)
            );
            let (ids, actor) = (&*self.ids, actor.as_str());
            take_grams_of_batches(tx, ids, actor, product, lost, &note, now_ms).await?;
        }
        failpoint("taking batches");
        Ok(())
    }

    /// For an order that is set to shipped: packs it, unless it is packed or has nothing to send. So its batches are taken
    /// once, whatever its status is set to afterwards.
    pub(crate) async fn pack_unpacked(
        &self,
        tx: &mut dyn Transaction,
        actor: &Actor,
        order: &Order,
        refunds: &[Refund],
    ) -> Result<(), AppError> {
        let today = ist::day(self.now_ms());
        self.pack_unpacked_on(today, tx, actor, order, refunds)
            .await
    }

    async fn pack_unpacked_on(
        &self,
        today: i64,
        tx: &mut dyn Transaction,
        actor: &Actor,
        order: &Order,
        refunds: &[Refund],
    ) -> Result<(), AppError> {
        if order.packed_at_ms.is_some() || !order.is_paid() {
            return Ok(());
        }
        let ids = std::slice::from_ref(&order.id);
        let mut batch_stocks = self
            .batch_stocks_of(tx, std::slice::from_ref(order))
            .await?;
        if order.has_packs_to_send(refunds) {
            tx.set_packed(ids, self.now_ms()).await?;
            if let Actor::Admin(email) = actor {
                tx.insert_audit_entry(&self.packed_by(email, &order.id))
                    .await?;
            }
        }
        if batch_stocks.is_empty() {
            return Ok(());
        }
        if order.state.order_status != OrderStatus::Confirmed {
            // Not counted among what is held, but there.
            for line in &order.lines {
                if let Some(batch_stock) = batch_stocks.get_mut(&line.product) {
                    let packs = line.packs.saturating_sub(line.restocked);
                    batch_stock.grams_without_batch += Stock::from(packs).grams;
                }
            }
        }
        let taken = self.taken_batches(tx, &batch_stocks, ids).await?;
        let plan = BatchPlan::new(&mut batch_stocks, order, refunds, &taken, today)?;
        self.take_batches(tx, actor, &order.id, &plan).await
    }

    /// For an order that had left before this payment: packs it now. Its packs are gone, so they are taken out of batches
    /// that are too old as well. That is an issue; the payment is settled all the same.
    pub(crate) async fn pack_when_paid(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        attempt: &AttemptId,
    ) -> Result<(), AppError> {
        let refunds = tx.refunds_of(std::slice::from_ref(&order.id)).await?;
        let actor = Actor::System;
        let too_old = match self.pack_unpacked(tx, &actor, order, &refunds).await {
            Err(error) if error.code == ErrorCode::BatchTooOld => error,
            packed => return packed,
        };
        let any_age = self.pack_unpacked_on(DAY_OF_ANY_AGE, tx, &actor, order, &refunds);
        if let Err(error) = any_age.await
            && error.code != ErrorCode::BatchTooOld
        {
            return Err(error);
        }
        let detail = format!(
            "Paid after it was set to {}. {}",
            order.state.order_status.as_str(),
            too_old.message
        );
        self.open_issue(tx, order, IssueKind::LeftUnpaid, attempt, detail)
            .await
    }

    /// Packs that came back into stock go back into their batch. The caller has locked the products.
    pub(crate) async fn return_batches(
        &self,
        tx: &mut dyn Transaction,
        order_id: &OrderId,
        restocked: &[(ProductId, Packs)],
    ) -> Result<(), AppError> {
        let packed = tx.batch_packs_of(std::slice::from_ref(order_id)).await?;
        for (product, packs) in restocked {
            return_packs(tx, &packed, order_id, product, *packs).await?;
        }
        Ok(())
    }
}

/// What lies in the shop of these products, which have batches.
pub(crate) async fn read_batch_stocks(
    db: &mut dyn Queries,
    ids: &[ProductId],
) -> Result<BatchStocks, AppError> {
    let mut batch_stocks = BatchStocks::new();
    let held: HashMap<_, _> = db
        .held_packs(Some(ids))
        .await?
        .into_iter()
        .map(|held| (held.product, held.unpaid + held.to_pack))
        .collect();
    for product in db.products_even_deleted(ids).await? {
        let held = held.get(&product.id).copied().unwrap_or_default();
        let batch_stock = BatchStock {
            batches: Vec::new(),
            grams_without_batch: in_shop(product.stock, held).grams,
        };
        batch_stocks.insert(product.id, batch_stock);
    }
    for batch in db.batches_left(Some(ids)).await? {
        if let Some(batch_stock) = batch_stocks.get_mut(&batch.product) {
            batch_stock.grams_without_batch -= batch.left_grams;
            batch_stock.batches.push(batch);
        }
    }
    Ok(batch_stocks)
}

/// Grams of batches get none: the stock has changed, and nobody said of which batch. The rows of the ledger add up to zero.
/// The caller has locked the product.
pub(crate) async fn take_grams_of_batches(
    tx: &mut dyn Transaction,
    ids: &dyn IdGenerator,
    actor: &str,
    product: &ProductId,
    lost: &[(BatchId, i64)],
    note: &str,
    now_ms: i64,
) -> Result<(), AppError> {
    let row = |grams: i64, batch_id: Option<BatchId>| NewMovement {
        id: ids.new_id(),
        product: product.clone(),
        reason: StockAdjustment::Labelled,
        change: Stock {
            grams,
            ..Stock::default()
        },
        note: note.to_owned(),
        actor: actor.to_owned(),
        batch_id,
        at_ms: now_ms,
    };
    for (batch_id, grams) in lost {
        tx.change_batch_grams(batch_id, -grams).await?;
        // More first: the stock is never below zero.
        tx.move_stock(&row(*grams, None)).await?;
        tx.move_stock(&row(-grams, Some(batch_id.clone()))).await?;
    }
    Ok(())
}

/// Packs of an order go back into their batches, into the one that ends last first. `packed` is what the order has of them. The
/// caller has locked the product.
pub(crate) async fn return_packs(
    tx: &mut dyn Transaction,
    packed: &[PackedBatch],
    order_id: &OrderId,
    product: &ProductId,
    back: Packs,
) -> Result<(), AppError> {
    for (size, mut rest) in [(PackSize::G50, back.of_50g), (PackSize::G100, back.of_100g)] {
        let of_size = packed.iter().filter(|one| {
            one.order_id == *order_id && one.product == *product && one.packs.size == size
        });
        for one in of_size {
            let quantity = rest.min(one.packs.quantity);
            if quantity > 0 {
                rest -= quantity;
                let packs = BatchPacks {
                    quantity,
                    ..one.packs.clone()
                };
                tx.return_batch_packs(order_id, product, &packs).await?;
            }
        }
    }
    Ok(())
}

/// What packing an order takes out of batches.
#[derive(Debug, Default)]
pub(crate) struct BatchPlan {
    pub packs: Vec<(ProductId, BatchPacks)>,
    /// Grams of packs that are neither sent nor back in stock.
    lost: Vec<(ProductId, Vec<(BatchId, i64)>)>,
}

impl BatchPlan {
    /// What is still missing of the packs to send: `taken` is what orders have already. Takes it out of `batch_stocks`, which
    /// stay as they are after an error.
    pub fn new(
        batch_stocks: &mut BatchStocks,
        order: &Order,
        refunds: &[Refund],
        taken: &[PackedBatch],
        today: i64,
    ) -> Result<BatchPlan, AppError> {
        let (mut plan, mut after) = (BatchPlan::default(), BatchStocks::new());
        for line in &order.lines {
            let id = &line.product;
            let Some(before) = after.get(id).or_else(|| batch_stocks.get(id)) else {
                continue;
            };
            let mut batch_stock = before.clone();
            let to_send = packs_to_send(order, line, refunds);
            let has = packs_taken(taken, &order.id, id).min(to_send);
            let packs = batch_stock.take(to_send.saturating_sub(has), today);
            let packs = packs.map_err(|_| too_old(order, line))?;
            plan.packs
                .extend(packs.into_iter().map(|packs| (id.clone(), packs)));
            batch_stock.grams_without_batch -= Stock::from(has).grams;
            // They leave the count of what lies in the shop together with those that are sent.
            let kept = line.packs.saturating_sub(line.restocked);
            let lost = batch_stock.remove(Stock::from(kept.saturating_sub(to_send)).grams);
            if !lost.is_empty() {
                plan.lost.push((id.clone(), lost));
            }
            after.insert(id.clone(), batch_stock);
        }
        batch_stocks.extend(after);
        Ok(plan)
    }
}

/// The packs of a product that the order has of batches.
fn packs_taken(taken: &[PackedBatch], order_id: &OrderId, product: &ProductId) -> Packs {
    let of_line = taken
        .iter()
        .filter(|one| one.order_id == *order_id && one.product == *product);
    of_line.fold(Packs::ZERO, |sum, one| {
        sum + Packs::of_size(one.packs.size, one.packs.quantity)
    })
}

pub(crate) fn too_old(order: &Order, line: &OrderLine) -> AppError {
    let text = format!(
        "{} for order {}: no batch with at least {MIN_DAYS_LEFT} days left has enough. Write off what is too old or receive a new batch.",
        line.product_name,
        mirasa_domain::order::short_id(&order.id)
    );
    AppError::new(ErrorCode::BatchTooOld, text)
}

/// The packs of a line that are still to be sent.
pub(crate) fn packs_to_send(order: &Order, line: &OrderLine, refunds: &[Refund]) -> Packs {
    order.packs_to_send(line, refunds)
}
