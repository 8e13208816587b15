//! The catalogue in memory: an immutable snapshot of all products that is replaced on change. Products are read far
//! more often than they change.

mod changes;
mod product_csv;
mod product_edit;
mod products;
mod snapshot;
mod substring_index;
mod word_index;

use std::sync::{Arc, PoisonError};

use arc_swap::ArcSwap;
use mirasa_domain::ist;
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::stock::Stock;
use tokio::sync::{Mutex, watch};

use crate::catalogue::changes::{
    TooOld, apply_changes, count_too_old, keep_newer_stock, with_too_old,
};
pub use crate::catalogue::product_csv::{
    CsvFormat, FORMULA_PREFIXES, FieldChange, ImportReport, ImportRow, RowOutcome,
};
pub(crate) use crate::catalogue::product_edit::MAX_STOCK;
pub use crate::catalogue::product_edit::{CountEdit, NewProduct, ProductEdit, StockEdit};
pub(crate) use crate::catalogue::products::product_not_found;
pub use crate::catalogue::snapshot::{Found, Snapshot};
pub use crate::catalogue::word_index::PartialMatch;
use crate::repository::catalogue::ProductChange;
use crate::repository::{Database, StoreError};

/// How far back a refresh reads: longer than any transaction takes, and more than the clocks of two machines differ.
const REFRESH_OVERLAP_MS: i64 = 10_000;

pub struct Catalogue {
    current: ArcSwap<Snapshot>,
    /// The time of the last refresh. The lock prevents concurrent refreshes.
    refreshed_at_ms: Mutex<i64>,
    /// Locked while a snapshot is replaced by one that was made from it.
    replacing: std::sync::Mutex<()>,
    changes: watch::Sender<u64>,
}

impl Default for Catalogue {
    fn default() -> Catalogue {
        Catalogue {
            current: ArcSwap::default(),
            refreshed_at_ms: Mutex::new(0),
            replacing: std::sync::Mutex::default(),
            changes: watch::channel(0).0,
        }
    }
}

impl Catalogue {
    /// A catalogue of these products, for tests without a database.
    pub fn holding(products: Vec<Product>) -> Catalogue {
        let catalogue = Catalogue::default();
        let products: Vec<_> = products.into_iter().map(Arc::new).collect();
        catalogue.replace(|was| Some(was.with_products(products.clone())));
        catalogue
    }

    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    /// Receives the new revision after each change.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Reads all products.
    pub async fn load(&self, db: &Database, now_ms: i64) -> Result<(), StoreError> {
        let mut refreshed_at = self.refreshed_at_ms.lock().await;
        let today = ist::day(now_ms);
        let (products, too_old) = db
            .read(async move |db| {
                let products = db.all_products().await?;
                Ok::<_, StoreError>((products, db.too_old_grams(None, today).await?))
            })
            .await?;
        let too_old: TooOld = too_old.into_iter().collect();
        let products: Vec<_> = products
            .into_iter()
            .map(|product| Arc::new(with_too_old(product, &too_old)))
            .collect();
        self.replace(|was| Some(was.with_products(products.clone())));
        *refreshed_at = now_ms;
        Ok(())
    }

    /// Applies what has changed since the last refresh, by this instance or another one.
    pub async fn refresh(&self, db: &Database, now_ms: i64) -> Result<(), StoreError> {
        let mut refreshed_at = self.refreshed_at_ms.lock().await;
        // If the clock was set back, changes have timestamps before the last refresh.
        let since = now_ms.min(*refreshed_at) - REFRESH_OVERLAP_MS;
        let before = self.snapshot();
        let today = ist::day(now_ms);
        // Batches get too old without a change of the product, so they are read each time. There are few of them.
        let (changes, too_old) = db
            .read(async move |db| {
                let changes = db.products_changed_since(since).await?;
                Ok::<_, StoreError>((changes, db.too_old_grams(None, today).await?))
            })
            .await?;
        let too_old: TooOld = too_old.into_iter().collect();
        self.replace(|was| {
            let changes = keep_newer_stock(&before, was, &changes);
            apply_changes(was, &count_too_old(was, changes, &too_old))
        });
        *refreshed_at = now_ms;
        Ok(())
    }

    /// Applies the stock that a sale or a delivery has left, without reading the database. If two are applied in the wrong
    /// order, the next refresh corrects it.
    pub fn apply_stock(&self, left: &[(ProductId, Stock)]) {
        if left.is_empty() {
            return;
        }
        self.replace(|was| {
            let changed = left.iter().filter_map(|(id, stock)| {
                let product = was.find(id)?;
                Some(ProductChange::Upserted(Product {
                    stock: *stock,
                    ..(**product).clone()
                }))
            });
            apply_changes(was, &changed.collect::<Vec<_>>())
        });
    }

    /// Replaces the snapshot, unless nothing changes. The next one is made before the lock is taken, because indexing many
    /// texts takes long; it is made again if the snapshot was replaced meanwhile.
    fn replace(&self, next_of: impl Fn(&Snapshot) -> Option<Snapshot>) {
        let was = self.snapshot();
        let Some(mut next) = next_of(&was) else {
            return;
        };
        let _replacing = self
            .replacing
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let is = self.snapshot();
        if !Arc::ptr_eq(&was, &is) {
            let Some(again) = next_of(&is) else {
                return;
            };
            next = again;
        }
        let revision = next.revision;
        self.current.store(Arc::new(next));
        self.changes.send_replace(revision);
    }
}

#[cfg(test)]
mod tests;
