//! Batches: receiving one, and who got it.
//!
//! The grams of a batch are those that lie in the shop, so they change when an order is packed, not when it is placed. A
//! shop without batches has no rows, and nothing here does anything.

pub(crate) mod edits;
pub mod of_orders;
pub mod packing;
pub mod repair;

use std::collections::HashMap;

use mirasa_domain::audit::AdminAction;
use mirasa_domain::batch::{Batch, BatchId};
use mirasa_domain::batch_receipt::{self, BatchSource};
use mirasa_domain::pack::Packs;
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::stock::Stock;
use mirasa_domain::user::User;
use mirasa_domain::{ist, validation};

use crate::catalogue::product_not_found;
use crate::repository::Transaction;
use crate::repository::stock::NewMovement;
use crate::repository::stock::batches::{BatchRecipient, ListedBatch};
use crate::request_key::{RequestKey, claim_key};
use crate::runtime::failpoints::failpoint;
use crate::stock::in_shop;
use crate::stock::movements::{
    batch_not_found, describe, key_scope, ledger_id, validate_amounts, validate_note,
};
use crate::{AppError, ErrorCode, Shop};

const MAX_NUMBER_CHARS: usize = 40;
/// More than a shop makes in some years.
const MAX_LISTED: i64 = 1_000;
/// Orders that are read at once.
const ORDERS_PER_READ: usize = 500;

/// A batch as an admin enters it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBatch {
    pub product: ProductId,
    pub number: String,
    /// `2026-11-15`. May be empty.
    pub made_on: String,
    pub best_before: String,
    /// Pouches may come with it.
    pub amount: Stock,
    /// The grams are in stock already and only get a batch.
    pub is_in_stock: bool,
    pub note: String,
}

impl Shop {
    /// The newest first, of one product or of all.
    pub async fn batches(&self, product: Option<ProductId>) -> Result<Vec<ListedBatch>, AppError> {
        self.db
            .read(async move |db| Ok(db.listed_batches(product.as_ref(), MAX_LISTED).await?))
            .await
    }

    /// The batch, and all orders that have packs of it.
    pub async fn batch_recipients(
        &self,
        id: BatchId,
    ) -> Result<(Batch, Vec<BatchRecipient>), AppError> {
        self.db
            .read(async move |db| {
                let batch = db.batch(&id).await?.ok_or_else(batch_not_found)?;
                let rows = db.batch_recipients(&id).await?;
                let mut orders = HashMap::new();
                for chunk in rows.chunks(ORDERS_PER_READ) {
                    let ids: Vec<_> = chunk.iter().map(|row| row.0.clone()).collect();
                    let found = db.orders_by_id(&ids).await?;
                    orders.extend(found.into_iter().map(|order| (order.id.clone(), order)));
                }
                let recipients = rows
                    .into_iter()
                    .filter_map(|(order_id, email, packs, packed_at_ms)| {
                        Some(BatchRecipient {
                            order: orders.remove(&order_id)?,
                            email,
                            packs,
                            packed_at_ms,
                        })
                    })
                    .collect();
                Ok((batch, recipients))
            })
            .await
    }

    /// Receives a batch, or gives grams that are in stock a batch. A repetition with the same key has no effect.
    pub async fn add_batch(
        &self,
        admin: &User,
        new: NewBatch,
        key: Option<&str>,
    ) -> Result<ListedBatch, AppError> {
        let batch = self.parse_batch(admin, &new)?;
        let note = validate_note(&new.note)?;
        let row_id = key.map_or_else(|| self.ids.new_id(), |key| ledger_id(key, &new.product));
        let key = key.map(|key| RequestKey::new(key_scope(&new.product), key, &new));
        let key = key.transpose()?;
        let (shop, admin) = (self.clone(), admin.clone());
        let added: ListedBatch = self
            .db
            .write(async move |tx| {
                let ids = std::slice::from_ref(&batch.product);
                tx.lock_products(ids).await?;
                let product = tx
                    .product(&batch.product)
                    .await?
                    .ok_or_else(product_not_found)?;
                if let Some(key) = &key {
                    claim_key(tx, key, None, shop.now_ms()).await?;
                }
                if tx.has_ledger_entry(&row_id).await? {
                    return recorded_before(tx, &batch).await;
                }
                ensure_number_is_free(tx, &product, &batch.number).await?;
                let source = batch_source(tx, &product, new.is_in_stock).await?;
                let movements = batch_receipt::record(source, new.amount).map_err(|error| {
                    let error = AppError::new(ErrorCode::InsufficientStock, error.to_string());
                    error.with_field("grams")
                })?;
                for (at, movement) in movements.iter().enumerate() {
                    let id = match at {
                        0 => row_id.clone(),
                        at => format!("{row_id}/{at}"),
                    };
                    tx.move_stock(&NewMovement {
                        id,
                        product: product.id.clone(),
                        reason: movement.reason,
                        change: movement.change,
                        note: note.clone(),
                        actor: admin.email.clone(),
                        batch_id: movement.is_of_batch.then(|| batch.id.clone()),
                        at_ms: shop.now_ms(),
                    })
                    .await?;
                }
                tx.insert_batch(&batch).await?;
                let change = batch_receipt::total(&movements);
                let detail = format!("{}; {}", batch.number, describe(change, &note));
                let action = AdminAction::BatchRecorded;
                shop.audit(tx, &admin, action, &product.id.0, detail)
                    .await?;
                failpoint("recording a batch");
                Ok::<_, AppError>(ListedBatch {
                    product_name: product.details.product_name.clone(),
                    batch,
                    orders: 0,
                })
            })
            .await?;
        self.catalogue.refresh(&self.db, self.now_ms()).await?;
        failpoint("batch recorded");
        Ok(added)
    }

    fn parse_batch(&self, admin: &User, new: &NewBatch) -> Result<Batch, AppError> {
        validate_amounts(new.amount)?;
        if new.amount.grams == 0 {
            return Err(AppError::invalid("grams must be 1 or more").with_field("grams"));
        }
        let day = |field: &'static str, text: &str| {
            ist::parse_day(text).ok_or_else(|| {
                let text = format!("{field} must be a date such as 2026-11-15");
                AppError::invalid(text).with_field(field)
            })
        };
        let made_on = match new.made_on.as_str() {
            "" => None,
            text => Some(day("madeOn", text)?),
        };
        let best_before = day("bestBefore", &new.best_before)?;
        if made_on.is_some_and(|made_on| made_on >= best_before) {
            let text = "bestBefore must be after madeOn";
            return Err(AppError::invalid(text).with_field("bestBefore"));
        }
        Ok(Batch {
            id: self.ids.new_id().into(),
            product: new.product.clone(),
            number: validation::required("number", &new.number, MAX_NUMBER_CHARS)?,
            made_on,
            best_before,
            received_grams: new.amount.grams,
            left_grams: new.amount.grams,
            created_by: admin.email.clone(),
            created_at_ms: self.now_ms(),
        })
    }
}

/// The batch of an earlier request with the same key.
async fn recorded_before(tx: &mut dyn Transaction, batch: &Batch) -> Result<ListedBatch, AppError> {
    let known = tx.listed_batches(Some(&batch.product), MAX_LISTED).await?;
    let mut known = known.into_iter();
    known
        .find(|known| known.batch.number == batch.number)
        .ok_or_else(batch_not_found)
}

async fn ensure_number_is_free(
    tx: &mut dyn Transaction,
    product: &Product,
    number: &str,
) -> Result<(), AppError> {
    if !tx.batch_number_taken(&product.id, number).await? {
        return Ok(());
    }
    let name = &product.details.product_name;
    let text = format!("{name} has a batch {number} already.");
    Err(AppError::new(ErrorCode::BatchNumberTaken, text).with_field("number"))
}

/// The caller has locked the product.
async fn batch_source(
    tx: &mut dyn Transaction,
    product: &Product,
    is_in_stock: bool,
) -> Result<BatchSource, AppError> {
    if !is_in_stock {
        return Ok(BatchSource::Received);
    }
    let ids = std::slice::from_ref(&product.id);
    let held = tx.held_packs(Some(ids)).await?;
    let held = held
        .first()
        .map_or(Packs::ZERO, |held| held.unpaid + held.to_pack);
    let left = tx.batches_left(Some(ids)).await?;
    let in_batches: i64 = left.iter().map(|batch| batch.left_grams).sum();
    let without_batch = in_shop(product.stock, held).grams - in_batches;
    Ok(BatchSource::InShop { without_batch })
}
