//! The snapshot of the catalogue after changes of products, and how much of it changes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use mirasa_domain::product::{Product, ProductId};

use crate::catalogue::snapshot::Snapshot;
use crate::repository::catalogue::ProductChange;

/// The changes that were read, with the stock of products whose stock was applied meanwhile: what was read may be older. If
/// it was newer, the next refresh reads it again.
pub(super) fn keep_newer_stock(
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
pub(super) type TooOld = HashMap<ProductId, i64>;

pub(super) fn with_too_old(product: Product, too_old: &TooOld) -> Product {
    Product {
        too_old_grams: too_old.get(&product.id).copied().unwrap_or_default(),
        ..product
    }
}

/// The changes, and those of products of which more or less is too old than before.
pub(super) fn count_too_old(
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
pub(super) fn apply_changes(was: &Snapshot, changes: &[ProductChange]) -> Option<Snapshot> {
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
