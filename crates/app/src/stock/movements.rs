//! Counting, receiving and writing off.

use mirasa_domain::audit::AdminAction;
use mirasa_domain::batch::{BatchId, BatchStock};
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::{Stock, StockAdjustment};
use mirasa_domain::user::User;
use mirasa_domain::{ist, validation};
use sha2::{Digest as _, Sha256};

use crate::catalogue::MAX_STOCK;
use crate::repository::stock::NewMovement;
use crate::request_key::{RequestKey, claim_key};
use crate::runtime::failpoints::failpoint;
use crate::stock::ProductStock;
use crate::{AppError, ErrorCode, Shop};

const MAX_NOTE_CHARS: usize = 200;

/// What an admin does with the stock of a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StockInput {
    /// `seen` is what was in the shop when the admin began to count.
    Count {
        counted: Stock,
        seen: Stock,
    },
    Receive(Stock),
    WriteOff {
        amount: Stock,
        batch_id: Option<BatchId>,
    },
}

impl StockInput {
    const fn reason(&self) -> StockAdjustment {
        match self {
            StockInput::Count { .. } => StockAdjustment::Counted,
            StockInput::Receive(_) => StockAdjustment::Received,
            StockInput::WriteOff { .. } => StockAdjustment::WrittenOff,
        }
    }

    const fn action(&self) -> AdminAction {
        match self {
            StockInput::Count { .. } => AdminAction::StockCounted,
            StockInput::Receive(_) => AdminAction::StockReceived,
            StockInput::WriteOff { .. } => AdminAction::StockWrittenOff,
        }
    }

    fn validate(&self) -> Result<(), AppError> {
        match self {
            StockInput::Count { counted, seen } => {
                validate_amounts(*counted)?;
                validate_amounts(*seen).map_err(|_| seen_required())
            }
            StockInput::Receive(amount) | StockInput::WriteOff { amount, .. } => {
                validate_amounts(*amount)?;
                if *amount == Stock::default() {
                    let text = "Enter how many grams or pouches";
                    return Err(AppError::invalid(text).with_field("grams"));
                }
                Ok(())
            }
        }
    }
}

pub fn seen_required() -> AppError {
    AppError::invalid("A count needs what was in the shop when it began").with_field("seen")
}

pub(crate) fn validate_amounts(amount: Stock) -> Result<(), AppError> {
    for (field, count) in [
        ("grams", amount.grams),
        ("pouches50g", amount.pouches_50g),
        ("pouches100g", amount.pouches_100g),
    ] {
        if !(0..=MAX_STOCK).contains(&count) {
            let text = format!("{field} must be a whole number from 0 to {MAX_STOCK}");
            return Err(AppError::invalid(text).with_field(field));
        }
    }
    Ok(())
}

pub(crate) fn validate_note(note: &str) -> Result<String, AppError> {
    Ok(validation::single_line("note", note, MAX_NOTE_CHARS)?)
}

/// The same key gives the same row, so that a repeated request moves the stock once.
pub(crate) fn ledger_id(key: &str, product: &ProductId) -> String {
    let hash = Sha256::digest(format!("{}\n{key}", product.0));
    format!("M{}", base16ct::lower::encode_string(&hash[..16]))
}

/// A batch and a movement of the same product cannot have the same key.
pub(crate) fn key_scope(product: &ProductId) -> String {
    format!("stock {}", product.0)
}

/// `stock -50 g, +0 and +0 pouches: Spilled`
pub(crate) fn describe(change: Stock, note: &str) -> String {
    let colon = if note.is_empty() { "" } else { ": " };
    format!(
        "stock {:+} g, {:+} and {:+} pouches{colon}{note}",
        change.grams, change.pouches_50g, change.pouches_100g
    )
}

pub(crate) fn batch_not_found() -> AppError {
    AppError::new(ErrorCode::BatchNotFound, "There is no such batch")
}

impl Shop {
    /// Counts, receives or writes off. A repetition with the same key has no effect.
    pub async fn move_stock(
        &self,
        admin: &User,
        id: ProductId,
        input: StockInput,
        note: &str,
        key: Option<&str>,
    ) -> Result<ProductStock, AppError> {
        input.validate()?;
        let note = validate_note(note)?;
        if note.is_empty() && matches!(input, StockInput::WriteOff { .. }) {
            return Err(AppError::invalid("Say why it is written off").with_field("note"));
        }
        let row_id = key.map_or_else(|| self.ids.new_id(), |key| ledger_id(key, &id));
        let key = key.map(|key| RequestKey::new(key_scope(&id), key, &(&input, &note)));
        let key = key.transpose()?;
        let (shop, admin) = (self.clone(), admin.clone());
        let moved: ProductStock = self
            .db
            .write(async move |tx| {
                // What is compared and changed must not be sold or packed in between.
                tx.lock_products(std::slice::from_ref(&id)).await?;
                let stock = shop.read_product_stock(tx, &id).await?;
                if let Some(key) = &key {
                    claim_key(tx, key, None, shop.now_ms()).await?;
                }
                if tx.has_ledger_entry(&row_id).await? {
                    return Ok(stock);
                }
                let parts = plan(&stock, &input, &note, ist::day(shop.now_ms()))?;
                let change = parts
                    .iter()
                    .fold(Stock::default(), |sum, (_, change)| sum + *change);
                for (at, (batch_id, change)) in parts.into_iter().enumerate() {
                    if let Some(batch) = &batch_id {
                        tx.change_batch_grams(batch, change.grams).await?;
                    }
                    let movement = NewMovement {
                        id: if at == 0 {
                            row_id.clone()
                        } else {
                            format!("{row_id}/{at}")
                        },
                        product: id.clone(),
                        reason: input.reason(),
                        change,
                        note: note.clone(),
                        actor: admin.email.clone(),
                        batch_id,
                        at_ms: shop.now_ms(),
                    };
                    tx.move_stock(&movement).await?;
                }
                let detail = describe(change, &note);
                shop.audit(tx, &admin, input.action(), &id.0, detail)
                    .await?;
                failpoint("moving stock");
                shop.read_product_stock(tx, &id).await
            })
            .await?;
        // Not only the stock: what is too old to be sold may have changed, too.
        self.catalogue.refresh(&self.db, self.now_ms()).await?;
        failpoint("stock moved");
        Ok(moved)
    }
}

/// The rows of the ledger: the change of each batch, and of what has none. Never empty.
fn plan(
    stock: &ProductStock,
    input: &StockInput,
    note: &str,
    today: i64,
) -> Result<Vec<(Option<BatchId>, Stock)>, AppError> {
    let available = stock.product.stock;
    match input {
        StockInput::Receive(amount) => Ok(vec![(None, *amount)]),
        StockInput::WriteOff { amount, batch_id } => {
            let is_too_old = check_batch(stock, amount.grams, batch_id.as_ref(), today)?;
            // What is too old cannot be sent to those who have ordered, so it does not replace what is fresh.
            let available = if is_too_old {
                available
            } else {
                stock.product.sellable()
            };
            if (available - *amount).is_negative() {
                return Err(AppError::new(
                    ErrorCode::InsufficientStock,
                    "There is less than that, or orders need it. Cancel or refund orders first.",
                ));
            }
            Ok(vec![(batch_id.clone(), -*amount)])
        }
        StockInput::Count { counted, seen } => {
            if *seen != stock.in_shop() {
                return Err(AppError::new(
                    ErrorCode::StockChanged,
                    "Orders were packed or stock was changed since you began to count. Compare the new numbers with what you counted.",
                ));
            }
            let change = *counted - *seen;
            if change != Stock::default() && note.is_empty() {
                let text = "Say why the count differs";
                return Err(AppError::invalid(text).with_field("note"));
            }
            if (available + change).is_negative() {
                return Err(AppError::new(
                    ErrorCode::InsufficientStock,
                    "Orders need more than you counted. Cancel or refund orders first.",
                ));
            }
            let mut batch_stock = BatchStock {
                batches: stock.batches.clone(),
                grams_without_batch: stock.grams_without_batch(),
            };
            let lost = batch_stock.lose(counted.grams);
            let of_batches: i64 = lost.iter().map(|(_, grams)| grams).sum();
            let rest = Stock {
                grams: change.grams + of_batches,
                ..change
            };
            let mut parts = vec![(None, rest)];
            parts.extend(lost.into_iter().map(|(batch, grams)| {
                let change = Stock {
                    grams: -grams,
                    ..Stock::default()
                };
                (Some(batch), change)
            }));
            Ok(parts)
        }
    }
}

/// A shop with batches knows which one is written off. Returns whether it is too old to be sent.
fn check_batch(
    stock: &ProductStock,
    grams: i64,
    batch_id: Option<&BatchId>,
    today: i64,
) -> Result<bool, AppError> {
    let Some(id) = batch_id else {
        let without = stock.grams_without_batch();
        if stock.batches.is_empty() || grams <= without {
            return Ok(false);
        }
        let text = format!("Only {without} g are without a batch. Choose the batch.");
        return Err(AppError::new(ErrorCode::InsufficientStock, text).with_field("batchId"));
    };
    let batch = stock.batches.iter().find(|batch| batch.id == *id);
    let batch = batch.ok_or_else(|| batch_not_found().with_field("batchId"))?;
    if grams > batch.left_grams {
        let text = format!(
            "Batch {} has only {} g left.",
            batch.number, batch.left_grams
        );
        return Err(AppError::new(ErrorCode::InsufficientStock, text).with_field("grams"));
    }
    Ok(!batch.can_be_sent(today))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ledger_id_depends_on_key_and_product() {
        let id = |key, product: &str| ledger_id(key, &ProductId(product.into()));
        assert_eq!(id("a", "x"), id("a", "x"));
        assert_ne!(id("a", "x"), id("b", "x"));
        assert_ne!(id("a", "x"), id("a", "y"));
    }
}
