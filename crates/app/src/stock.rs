//! Stock as the owner sees it: what can be sold, what is held by orders, how long it lasts, and its ledger; counting,
//! receiving and writing off.
//!
//! What lies in the shop is more than what can be sold: ordered packs are there until they are packed. A sale moves packs
//! from one to the other, so it does not change what an admin counts.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use mirasa_domain::audit::AdminAction;
use mirasa_domain::batch::{Batch, Shelf};
use mirasa_domain::ist::DAY_MS;
use mirasa_domain::pack::Packs;
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::stock::{Stock, StockAdjustment};
use mirasa_domain::stock_cover::{Cover, SALES_DAYS, cover, is_low};
use mirasa_domain::user::User;
use mirasa_domain::validation;
use sha2::{Digest as _, Sha256};

use crate::admin::{MAX_STOCK, product_not_found};
use crate::failpoints::failpoint;
use crate::repository::stock::{HeldPacks, LedgerEntry, NewMovement};
use crate::repository::{Queries, Transaction};
use crate::{AppError, ErrorCode, Shop};

const MAX_NOTE_CHARS: usize = 200;

/// Sales are read again after this time, if reading them is slow.
const SALES_TTL_MS: i64 = 60_000;
/// From this number of packs on, sales are cached.
const MIN_CACHED_PACKS: u64 = 20_000;

/// The packs that were sold of each product.
pub(crate) type Sales = Arc<HashMap<ProductId, Packs>>;

/// Sales of the last days. Those of a small shop are always read.
#[derive(Default)]
pub struct SalesCache(Mutex<Option<(i64, Sales)>>);

impl SalesCache {
    fn get(&self, now_ms: i64) -> Option<Sales> {
        let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at_ms, sales) = cached.as_ref()?;
        (0..SALES_TTL_MS)
            .contains(&(now_ms - at_ms))
            .then(|| sales.clone())
    }

    fn insert(&self, sales: &Sales, now_ms: i64) {
        let packs: u64 = sales.values().map(|packs| u64::from(packs.count())).sum();
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *cached = (packs >= MIN_CACHED_PACKS).then(|| (now_ms, sales.clone()));
    }
}

/// The stock of a product.
#[derive(Debug, Clone, PartialEq)]
pub struct ProductStock {
    /// Its stock is what can be sold.
    pub product: Product,
    /// Held by orders that wait for their payment.
    pub unpaid: Packs,
    /// Of paid orders.
    pub to_pack: Packs,
    /// In the last `SALES_DAYS` days.
    pub sold: Packs,
    pub cover: Option<Cover>,
    pub is_low: bool,
    /// Those with grams left, the one that ends first first.
    pub batches: Vec<Batch>,
}

impl ProductStock {
    fn new(product: Product, held: Option<&HeldPacks>, sold: Packs, low_days: i64) -> ProductStock {
        ProductStock {
            cover: cover(product.stock, sold),
            is_low: is_low(&product, sold, low_days),
            unpaid: held.map_or(Packs::ZERO, |held| held.unpaid),
            to_pack: held.map_or(Packs::ZERO, |held| held.to_pack),
            sold,
            product,
            batches: Vec::new(),
        }
    }

    /// What an admin finds when counting.
    pub fn in_shop(&self) -> Stock {
        in_shop(self.product.stock, self.unpaid + self.to_pack)
    }

    pub fn grams_without_batch(&self) -> i64 {
        let in_batches: i64 = self.batches.iter().map(|batch| batch.left_grams).sum();
        (self.in_shop().grams - in_batches).max(0)
    }
}

pub(crate) fn in_shop(available: Stock, held: Packs) -> Stock {
    available + Stock::from(held)
}

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
        batch_id: Option<String>,
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

/// `stock -50 g, +0 and +0 pouches: Spilled`
pub(crate) fn describe(change: Stock, note: &str) -> String {
    let colon = if note.is_empty() { "" } else { ": " };
    format!(
        "stock {:+} g, {:+} and {:+} pouches{colon}{note}",
        change.grams, change.pouches_50g, change.pouches_100g
    )
}

impl Shop {
    /// All products, hidden ones too, in the order of the catalogue.
    pub async fn stock(&self) -> Result<Vec<ProductStock>, AppError> {
        let shop = self.clone();
        self.db
            .read(move |db| Box::pin(async move { shop.read_stock(db).await }))
            .await
    }

    pub(crate) async fn read_stock<Q: Queries + ?Sized>(
        &self,
        db: &mut Q,
    ) -> Result<Vec<ProductStock>, AppError> {
        let products = db.all_products().await?;
        let held: HashMap<_, _> = db
            .held_packs(None)
            .await?
            .into_iter()
            .map(|held| (held.product.clone(), held))
            .collect();
        let mut batches: HashMap<ProductId, Vec<Batch>> = HashMap::new();
        for batch in db.batches_left(None).await? {
            batches
                .entry(batch.product.clone())
                .or_default()
                .push(batch);
        }
        let sales = self.read_sales(db).await?;
        let low_days = i64::from(self.settings.low_stock_days);
        let line = |product: Product| {
            let id = product.id.clone();
            let sold = sales.get(&id).copied().unwrap_or_default();
            ProductStock {
                batches: batches.remove(&id).unwrap_or_default(),
                ..ProductStock::new(product, held.get(&id), sold, low_days)
            }
        };
        Ok(products.into_iter().map(line).collect())
    }

    pub(crate) async fn read_sales<Q: Queries + ?Sized>(
        &self,
        db: &mut Q,
    ) -> Result<Sales, AppError> {
        let now_ms = self.now_ms();
        if let Some(sales) = self.sales.get(now_ms) {
            return Ok(sales);
        }
        let sold = db.sold_packs_since(now_ms - SALES_DAYS * DAY_MS).await?;
        let sales = Arc::new(sold.into_iter().collect());
        self.sales.insert(&sales, now_ms);
        Ok(sales)
    }

    async fn read_product_stock(
        &self,
        tx: &mut dyn Transaction,
        id: &ProductId,
    ) -> Result<ProductStock, AppError> {
        let product = tx.product(id).await?.ok_or_else(product_not_found)?;
        let held = tx.held_packs(Some(std::slice::from_ref(id))).await?;
        let sold = self.read_sales(tx).await?.get(id).copied();
        let low_days = i64::from(self.settings.low_stock_days);
        let batches = tx.batches_left(Some(std::slice::from_ref(id))).await?;
        Ok(ProductStock {
            batches,
            ..ProductStock::new(product, held.first(), sold.unwrap_or_default(), low_days)
        })
    }

    /// A page of a product's ledger, newest first, and the number of all rows.
    pub async fn stock_ledger(
        &self,
        id: ProductId,
        offset: i64,
        limit: i64,
    ) -> Result<(Vec<LedgerEntry>, i64), AppError> {
        self.db
            .read(move |db| {
                Box::pin(async move {
                    db.product(&id).await?.ok_or_else(product_not_found)?;
                    let total = db.count_ledger(&id).await?;
                    Ok((db.ledger_page(&id, offset, limit).await?, total))
                })
            })
            .await
    }

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
        let (shop, admin) = (self.clone(), admin.clone());
        let moved: ProductStock = self
            .db
            .write(move |tx| {
                Box::pin(async move {
                    // What is compared and changed must not be sold or packed in between.
                    tx.lock_products(std::slice::from_ref(&id)).await?;
                    let stock = shop.read_product_stock(tx, &id).await?;
                    if tx.has_ledger_entry(&row_id).await? {
                        return Ok(stock);
                    }
                    let parts = plan(&stock, &input, &note)?;
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
            })
            .await?;
        let product = &moved.product;
        self.catalogue
            .apply_stock(&[(product.id.clone(), product.stock)]);
        failpoint("stock moved");
        Ok(moved)
    }
}

/// The rows of the ledger: the change of each batch, and of what has none. Never empty.
fn plan(
    stock: &ProductStock,
    input: &StockInput,
    note: &str,
) -> Result<Vec<(Option<String>, Stock)>, AppError> {
    let available = stock.product.stock;
    match input {
        StockInput::Receive(amount) => Ok(vec![(None, *amount)]),
        StockInput::WriteOff { amount, batch_id } => {
            check_batch(stock, amount.grams, batch_id.as_deref())?;
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
            let mut shelf = Shelf {
                batches: stock.batches.clone(),
                grams_without_batch: stock.grams_without_batch(),
            };
            let lost = shelf.lose(counted.grams);
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

/// A shop with batches knows which one is written off.
fn check_batch(stock: &ProductStock, grams: i64, batch_id: Option<&str>) -> Result<(), AppError> {
    let Some(id) = batch_id else {
        let without = stock.grams_without_batch();
        if stock.batches.is_empty() || grams <= without {
            return Ok(());
        }
        let text = format!("Only {without} g are without a batch. Choose the batch.");
        return Err(AppError::new(ErrorCode::InsufficientStock, text).with_field("batchId"));
    };
    let batch = stock.batches.iter().find(|batch| batch.id == id);
    let batch = batch.ok_or_else(|| crate::batches::batch_not_found().with_field("batchId"))?;
    if grams > batch.left_grams {
        let text = format!(
            "Batch {} has only {} g left.",
            batch.number, batch.left_grams
        );
        return Err(AppError::new(ErrorCode::InsufficientStock, text).with_field("grams"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_large_sales_are_cached_until_the_ttl() {
        let cache = SalesCache::default();
        let sales = |packs: u64| -> Sales {
            let packs = Packs {
                of_50g: u32::try_from(packs).unwrap(),
                of_100g: 0,
            };
            Arc::new([(ProductId("goda-masala".into()), packs)].into())
        };
        cache.insert(&sales(MIN_CACHED_PACKS - 1), 1_000);
        assert_eq!(cache.get(1_000), None);
        cache.insert(&sales(MIN_CACHED_PACKS), 1_000);
        assert_eq!(cache.get(1_000), Some(sales(MIN_CACHED_PACKS)));
        assert_eq!(cache.get(999), None, "the clock was set back");
        assert_eq!(cache.get(1_000 + SALES_TTL_MS), None);
    }

    #[test]
    fn ledger_id_depends_on_key_and_product() {
        let id = |key, product: &str| ledger_id(key, &ProductId(product.into()));
        assert_eq!(id("a", "x"), id("a", "x"));
        assert_ne!(id("a", "x"), id("b", "x"));
        assert_ne!(id("a", "x"), id("a", "y"));
    }
}
