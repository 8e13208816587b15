//! Stock as the owner sees it: what can be sold, what is held by orders, how long it lasts, and its ledger.
//!
//! What lies in the shop is more than what can be sold: ordered packs are there until they are packed. A sale moves packs
//! from one to the other, so it does not change what an admin counts.

pub mod batches;
pub mod deliveries;
pub mod movements;
pub mod notices;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use mirasa_domain::batch::Batch;
use mirasa_domain::ist::{self, DAY_MS};
use mirasa_domain::pack::Packs;
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::stock::Stock;
use mirasa_domain::stock_cover::{Cover, SALES_DAYS, cover, is_low};

use crate::catalogue::product_not_found;
use crate::repository::stock::{HeldPacks, LedgerEntry};
use crate::repository::{Queries, Transaction};
use crate::{AppError, Shop};

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
    /// With what is too old to be sold.
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
    fn new(
        mut product: Product,
        held: Option<&HeldPacks>,
        sold: Packs,
        batches: Vec<Batch>,
        shop: &Shop,
    ) -> ProductStock {
        let low_days = i64::from(shop.settings.low_stock_days);
        product.too_old_grams = too_old_grams(&batches, ist::day(shop.now_ms()));
        ProductStock {
            cover: cover(product.sellable(), sold),
            is_low: is_low(&product, sold, low_days),
            unpaid: held.map_or(Packs::ZERO, |held| held.unpaid),
            to_pack: held.map_or(Packs::ZERO, |held| held.to_pack),
            sold,
            product,
            batches,
        }
    }

    /// Grams that nobody needs and that cannot be sold: their batches have not enough days left.
    pub fn too_old_grams(&self) -> i64 {
        self.product.stock.grams - self.product.sellable().grams
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

/// Grams of batches that cannot be sent any more.
pub(crate) fn too_old_grams(batches: &[Batch], today: i64) -> i64 {
    let too_old = batches.iter().filter(|batch| !batch.can_be_sent(today));
    too_old.map(|batch| batch.left_grams).sum()
}

pub(crate) fn in_shop(available: Stock, held: Packs) -> Stock {
    available + Stock::from(held)
}

impl Shop {
    /// These products with what is too old to be sold of them. The caller has locked them, so that both belong together.
    pub(crate) async fn products_to_sell(
        &self,
        tx: &mut dyn Transaction,
        ids: &[ProductId],
    ) -> Result<Vec<Product>, AppError> {
        let mut products = tx.products_by_id(ids).await?;
        let today = ist::day(self.now_ms());
        let too_old: HashMap<_, _> = tx
            .too_old_grams(Some(ids), today)
            .await?
            .into_iter()
            .collect();
        for product in &mut products {
            product.too_old_grams = too_old.get(&product.id).copied().unwrap_or_default();
        }
        Ok(products)
    }

    /// All products, hidden ones too, in the order of the catalogue.
    pub async fn stock(&self) -> Result<Vec<ProductStock>, AppError> {
        let shop = self.clone();
        self.db
            .read(async move |db| shop.read_stock(db).await)
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
        let line = |product: Product| {
            let id = product.id.clone();
            let sold = sales.get(&id).copied().unwrap_or_default();
            let batches = batches.remove(&id).unwrap_or_default();
            ProductStock::new(product, held.get(&id), sold, batches, self)
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
        let sold = sold.unwrap_or_default();
        let batches = tx.batches_left(Some(std::slice::from_ref(id))).await?;
        Ok(ProductStock::new(
            product,
            held.first(),
            sold,
            batches,
            self,
        ))
    }

    /// A page of a product's ledger, newest first, and the number of all rows.
    pub async fn stock_ledger(
        &self,
        id: ProductId,
        offset: i64,
        limit: i64,
    ) -> Result<(Vec<LedgerEntry>, i64), AppError> {
        self.db
            .read(async move |db| {
                db.product(&id).await?.ok_or_else(product_not_found)?;
                let total = db.count_ledger(&id).await?;
                Ok((db.ledger_page(&id, offset, limit).await?, total))
            })
            .await
    }
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
}
