//! The catalogue in memory: an immutable snapshot of all products that is replaced on change. Products are read far
//! more often than they change.

mod product_csv;
mod product_edit;
mod products;
mod snapshot;
mod substring_index;
mod word_index;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError};

use arc_swap::ArcSwap;
use mirasa_domain::ist;
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::stock::Stock;
use tokio::sync::{Mutex, watch};

pub use crate::catalogue::product_csv::{
    CsvFormat, FORMULA_PREFIXES, FieldChange, ImportReport, ImportRow, RowOutcome,
};
pub(crate) use crate::catalogue::product_edit::MAX_STOCK;
pub use crate::catalogue::product_edit::{CountEdit, NewProduct, ProductEdit, StockEdit};
pub(crate) use crate::catalogue::products::product_not_found;
pub use crate::catalogue::snapshot::{Found, Snapshot};
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

/// The changes that were read, with the stock of products whose stock was applied meanwhile: what was read may be older. If
/// it was newer, the next refresh reads it again.
fn keep_newer_stock(
    before: &Snapshot,
    is: &Snapshot,
    changes: &[ProductChange],
) -> Vec<ProductChange> {
    let with_stock = |change: &ProductChange| match change {
        ProductChange::Upserted(product) => {
            let stock_in = |snapshot: &Snapshot| snapshot.find(&product.id).map(|one| one.stock);
            let applied = stock_in(is).filter(|stock| stock_in(before) != Some(*stock));
            ProductChange::Upserted(Product {
                stock: applied.unwrap_or(product.stock),
                ..product.clone()
            })
        }
        ProductChange::Deleted(id) => ProductChange::Deleted(id.clone()),
    };
    changes.iter().map(with_stock).collect()
}

/// Grams in batches that are too old to be sold, by product.
type TooOld = HashMap<ProductId, i64>;

fn with_too_old(product: Product, too_old: &TooOld) -> Product {
    Product {
        too_old_grams: too_old.get(&product.id).copied().unwrap_or_default(),
        ..product
    }
}

/// The changes, and those of products of which more or less is too old than before.
fn count_too_old(
    was: &Snapshot,
    changes: Vec<ProductChange>,
    too_old: &TooOld,
) -> Vec<ProductChange> {
    let is_different = |product: &&Arc<Product>| {
        product.too_old_grams != too_old.get(&product.id).copied().unwrap_or_default()
    };
    let others = was.all().iter().filter(is_different);
    let others = others.map(|product| ProductChange::Upserted((**product).clone()));
    // In this order: a change of the same product comes later, and is the newer one.
    let all = others.chain(changes).map(|change| match change {
        ProductChange::Upserted(product) => ProductChange::Upserted(with_too_old(product, too_old)),
        ProductChange::Deleted(id) => ProductChange::Deleted(id),
    });
    all.collect()
}

/// The snapshot after the changes, or None if they change nothing.
fn apply_changes(was: &Snapshot, changes: &[ProductChange]) -> Option<Snapshot> {
    let mut products = was.all().to_vec();
    let mut largest = None;
    // Removed at the end: until then the products are at the positions that `position` returns.
    let mut deleted = HashSet::new();
    for change in changes {
        match change {
            ProductChange::Upserted(product) => match was.position(&product.id) {
                Some(at) if *products[at] == *product => {}
                Some(at) => {
                    largest = largest.max(Some(Extent::of(&products[at], product)));
                    products[at] = Arc::new(product.clone());
                }
                None => {
                    largest = Some(Extent::Products);
                    products.push(Arc::new(product.clone()));
                }
            },
            ProductChange::Deleted(id) if was.position(id).is_some() => {
                largest = Some(Extent::Products);
                deleted.insert(id);
            }
            ProductChange::Deleted(_) => {}
        }
    }
    products.retain(|product| !deleted.contains(&product.id));
    largest.map(|largest| match largest {
        Extent::Stock => was.with_stock(products),
        Extent::Shown => was.with_same_texts(products),
        Extent::Products => was.with_products(products),
    })
}

/// How much of a snapshot changes, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Extent {
    Stock,
    /// Pages change (visibility, rank, stock that is shown, reviews), but no text that can be searched.
    Shown,
    Products,
}

impl Extent {
    fn of(was: &Product, is: &Product) -> Extent {
        let is_shown_alike = was.version == is.version
            && was.is_visible == is.is_visible
            && was.trending_rank == is.trending_rank
            && was.shown_stock() == is.shown_stock()
            && was.rating == is.rating;
        if is_shown_alike {
            Extent::Stock
        } else if was.details == is.details {
            Extent::Shown
        } else {
            Extent::Products
        }
    }
}

#[cfg(test)]
mod tests {
    use mirasa_domain::money::Paise;
    use mirasa_domain::product::{ProductDetails, TrendingRank};
    use mirasa_domain::stock::Stock;

    use super::*;

    fn product(name: &str, rank: Option<i64>) -> Product {
        Product {
            id: ProductId::from_name(name),
            details: Arc::new(ProductDetails {
                product_name: name.into(),
                category: vec!["Veg".into()],
                ..ProductDetails::default()
            }),
            stock: Stock {
                grams: 1000,
                pouches_50g: 5,
                pouches_100g: 5,
            },
            is_visible: true,
            trending_rank: rank.map(|rank| TrendingRank::new(rank).unwrap()),
            version: 1,
            updated_at_ms: 0,
            too_old_grams: 0,
            rating: Default::default(),
        }
    }

    fn shop() -> Snapshot {
        let products = [
            product("Goda Masala", Some(2)),
            product("Rasam Powder", None),
            product("Chai Masala", Some(1)),
        ];
        Snapshot::default().with_products(products.into_iter().map(Arc::new).collect())
    }

    #[test]
    fn trending_is_sorted_by_rank_and_search_ignores_case() {
        let shop = shop();
        let names =
            |found: Vec<&Arc<Product>>| found.iter().map(|p| p.id.0.clone()).collect::<Vec<_>>();
        let search = |words: &str| names(shop.search(words).products);
        let filter =
            |words: &str, categories: &[String]| names(shop.filter(words, categories).products);
        assert_eq!(names(shop.trending()), ["chai-masala", "goda-masala"]);
        assert_eq!(search(" MASALA "), ["goda-masala", "chai-masala"]);
        assert_eq!(search("veg").len(), 3);
        assert_eq!(filter("chai", &["VEG".into()]), ["chai-masala"]);
        assert_eq!(filter("", &[]).len(), 3);
        assert!(filter("", &["Soups".into()]).is_empty());
        assert!(search("  ").is_empty());
        let related = |limit| names(shop.related(&shop.all()[0], limit));
        assert_eq!(related(9), ["rasam-powder", "chai-masala"]);
        assert_eq!(related(1), ["rasam-powder"]);
    }

    #[test]
    fn sale_increments_revision_and_edit_increments_content_revision() {
        let was = shop();
        assert!(
            apply_changes(
                &was,
                &[ProductChange::Upserted(product("Goda Masala", Some(2)))]
            )
            .is_none()
        );

        let mut sold = product("Goda Masala", Some(2));
        sold.stock.grams -= 50;
        let after_sale = apply_changes(&was, &[ProductChange::Upserted(sold)]).unwrap();
        assert_eq!((after_sale.content_revision, after_sale.revision), (1, 2));
        assert_eq!(after_sale.search("goda").products[0].stock.grams, 950);

        let mut hidden = product("Goda Masala", Some(2));
        hidden.is_visible = false;
        let after_hiding = apply_changes(
            &after_sale,
            &[
                ProductChange::Upserted(hidden),
                ProductChange::Deleted(ProductId("rasam-powder".into())),
            ],
        )
        .unwrap();
        assert_eq!(
            (after_hiding.content_revision, after_hiding.revision),
            (2, 3)
        );
        assert!(
            after_hiding
                .find_visible(&ProductId("goda-masala".into()))
                .is_none()
        );
        assert!(
            after_hiding
                .find(&ProductId("rasam-powder".into()))
                .is_none()
        );
        assert!(
            after_hiding
                .find_visible(&ProductId("chai-masala".into()))
                .is_some()
        );
    }

    #[test]
    fn new_rating_increments_content_revision_and_keeps_the_index() {
        let was = shop();
        let mut rated = product("Goda Masala", Some(2));
        rated.rating.by_stars[4] = 1;
        rated.rating.version = 1;
        let next = apply_changes(&was, &[ProductChange::Upserted(rated.clone())]).unwrap();
        assert_eq!((next.content_revision, next.revision), (2, 2));
        assert_eq!(next.search("goda").products[0].rating.count(), 1);

        // An edited text leaves the numbers as they are.
        rated.rating.version = 2;
        rated.stock.grams -= 50;
        let edited = apply_changes(&next, &[ProductChange::Upserted(rated)]).unwrap();
        assert_eq!((edited.content_revision, edited.revision), (3, 3));
        assert!(was.shares_index_with(&edited));
    }

    #[test]
    fn sale_below_the_low_stock_limit_increments_content_revision() {
        let mut before = product("Goda Masala", None);
        Arc::make_mut(&mut before.details).mrp = vec![Paise::new(6500), Paise::new(12000)];
        before.stock = Stock {
            grams: 560,
            pouches_50g: 40,
            pouches_100g: 40,
        };
        let was = Snapshot::default().with_products(vec![Arc::new(before.clone())]);
        let content_after = |grams: i64| {
            let mut sold = before.clone();
            sold.stock.grams = grams;
            let next = apply_changes(&was, &[ProductChange::Upserted(sold)]).unwrap();
            next.content_revision - was.content_revision
        };
        assert_eq!(content_after(550), 0, "11 packs of 50 g and 5 of 100 g");
        assert_eq!(content_after(490), 1, "9 packs of 50 g");
        assert_eq!(content_after(0), 1, "sold out");
    }

    #[test]
    fn refresh_applies_deletions_edits_and_additions_together() {
        let was = shop();
        let deleted = ProductChange::Deleted(ProductId("goda-masala".into()));
        let mut renamed = product("Rasam Powder", None);
        renamed.version = 2;
        let mut last = product("Chai Masala", Some(1));
        last.stock.grams = 0;
        let changes = vec![
            deleted,
            ProductChange::Upserted(renamed),
            ProductChange::Upserted(last),
            ProductChange::Upserted(product("New Masala", None)),
        ];
        let next = apply_changes(&was, &changes).unwrap();
        let ids: Vec<_> = next.all().iter().map(|p| p.id.0.as_str()).collect();
        assert_eq!(ids, ["rasam-powder", "chai-masala", "new-masala"]);
        let find = |id: &str| next.find(&ProductId(id.into())).cloned();
        assert_eq!(find("rasam-powder").unwrap().version, 2);
        assert_eq!(find("chai-masala").unwrap().stock.grams, 0);
        assert!(find("goda-masala").is_none());
    }

    #[test]
    fn change_made_meanwhile_is_kept() {
        let catalogue = Catalogue::holding(vec![product("Goda Masala", None)]);
        let id = ProductId("goda-masala".into());
        let sold = Stock {
            grams: 950,
            ..product("Goda Masala", None).stock
        };
        let mut hidden = product("Rasam Powder", None);
        hidden.is_visible = false;
        let changes = [ProductChange::Upserted(hidden)];
        let calls = std::cell::Cell::new(0);
        catalogue.replace(|was| {
            calls.set(calls.get() + 1);
            if calls.get() == 1 {
                catalogue.apply_stock(&[(id.clone(), sold)]);
            }
            apply_changes(was, &changes)
        });
        let is = catalogue.snapshot();
        assert_eq!(is.find(&id).unwrap().stock, sold);
        assert_eq!((is.all().len(), is.revision, calls.get()), (2, 3, 2));
        assert_eq!(*catalogue.watch().borrow(), 3);
    }

    #[test]
    fn refresh_that_was_read_before_a_delivery_does_not_undo_it() {
        let before = shop();
        let stock_of = |grams| Stock {
            grams,
            ..product("Goda Masala", None).stock
        };
        let with_stock = |name: &str, rank, grams| {
            ProductChange::Upserted(Product {
                stock: stock_of(grams),
                ..product(name, rank)
            })
        };
        let delivered = with_stock("Goda Masala", Some(2), 6000);
        let is = apply_changes(&before, &[delivered]).unwrap();
        let read = [
            with_stock("Goda Masala", Some(3), 1000),
            with_stock("Rasam Powder", None, 900),
        ];
        let next = apply_changes(&is, &keep_newer_stock(&before, &is, &read)).unwrap();
        let find = |name: &str| next.find(&ProductId(name.into())).cloned().unwrap();
        assert_eq!(find("goda-masala").stock, stock_of(6000));
        assert_eq!(find("goda-masala").trending_rank, TrendingRank::new(3).ok());
        assert_eq!(find("rasam-powder").stock, stock_of(900));
    }
}
