//! All products at one point in time, with indexes for search.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use mirasa_domain::product::{Product, ProductId};

use super::substring_index::SubstringIndex;

#[derive(Debug, Default)]
pub struct Snapshot {
    /// In the order in which they were added.
    products: Vec<Arc<Product>>,
    /// Shared by the snapshots until a product is added, edited or deleted.
    index: Arc<Index>,
    /// Incremented by every change except of stock.
    pub content_revision: u64,
    /// Incremented by every change.
    pub revision: u64,
}

/// Searchable texts in lower case, by the position of the product.
#[derive(Debug, Default)]
struct Index {
    positions: HashMap<ProductId, usize>,
    names: SubstringIndex,
    categories: Vec<Vec<String>>,
    all_categories: SubstringIndex,
    ids: SubstringIndex,
}

impl Index {
    fn new(products: &[Arc<Product>]) -> Index {
        let categories: Vec<Vec<_>> = products
            .iter()
            .map(|product| {
                let categories = product.details.category.iter();
                categories.map(|one| one.to_lowercase()).collect()
            })
            .collect();
        let names = products.iter().map(|product| {
            let details = &product.details;
            format!("{}\n{}", details.product_name, details.devanagari_name).to_lowercase()
        });
        Index {
            positions: products
                .iter()
                .enumerate()
                .map(|(at, product)| (product.id.clone(), at))
                .collect(),
            names: names.collect(),
            all_categories: categories.iter().map(|of| of.join("\n")).collect(),
            categories,
            ids: products.iter().map(|product| &product.id.0).collect(),
        }
    }
}

impl Snapshot {
    /// The next snapshot after a change of products.
    pub(super) fn with_products(&self, products: Vec<Arc<Product>>) -> Snapshot {
        Snapshot {
            index: Arc::new(Index::new(&products)),
            products,
            content_revision: self.content_revision + 1,
            revision: self.revision + 1,
        }
    }

    /// The next snapshot after a change of stock: the same products at the same positions.
    pub(super) fn with_stock(&self, products: Vec<Arc<Product>>) -> Snapshot {
        Snapshot {
            index: self.index.clone(),
            products,
            content_revision: self.content_revision,
            revision: self.revision + 1,
        }
    }

    /// The next snapshot after a change of reviews: the same products at the same positions, but pages show something else.
    pub(super) fn with_ratings(&self, products: Vec<Arc<Product>>) -> Snapshot {
        let next = self.with_stock(products);
        Snapshot {
            content_revision: self.content_revision + 1,
            ..next
        }
    }

    #[cfg(test)]
    pub(super) fn shares_index_with(&self, other: &Snapshot) -> bool {
        Arc::ptr_eq(&self.index, &other.index)
    }

    /// All products, including hidden ones.
    pub fn all(&self) -> &[Arc<Product>] {
        &self.products
    }

    pub fn visible(&self) -> impl Iterator<Item = &Arc<Product>> {
        self.products.iter().filter(|product| product.is_visible)
    }

    pub(super) fn position(&self, id: &ProductId) -> Option<usize> {
        self.index.positions.get(id).copied()
    }

    pub fn find(&self, id: &ProductId) -> Option<&Arc<Product>> {
        self.position(id).map(|at| &self.products[at])
    }

    pub fn find_visible(&self, id: &ProductId) -> Option<&Arc<Product>> {
        self.find(id).filter(|product| product.is_visible)
    }

    pub fn trending(&self) -> Vec<&Arc<Product>> {
        let mut ranked: Vec<_> = self
            .visible()
            .filter(|product| product.trending_rank.is_some())
            .collect();
        ranked.sort_by_key(|product| product.trending_rank);
        ranked
    }

    /// The categories of the visible products with the number of their products: the largest first, then by name.
    pub fn categories(&self) -> Vec<(String, usize)> {
        let mut counts = BTreeMap::<&str, usize>::new();
        for category in self.visible().flat_map(|product| &product.details.category) {
            *counts.entry(category).or_default() += 1;
        }
        let mut categories: Vec<_> = counts
            .into_iter()
            .map(|(category, count)| (category.to_owned(), count))
            .collect();
        categories.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        categories
    }

    /// Finds a category of the visible products, ignoring case. Returns it as its first product spells it.
    pub fn category(&self, name: &str) -> Option<&str> {
        let same = |one: &str| {
            one.eq_ignore_ascii_case(name)
                || (!name.is_ascii() && one.to_lowercase() == name.to_lowercase())
        };
        let mut all = self.visible().flat_map(|product| &product.details.category);
        all.find(|one| same(one)).map(String::as_str)
    }

    /// Other visible products that share a category with this one, sorted by the number of shared categories.
    pub fn related(&self, product: &Product, limit: usize) -> Vec<&Arc<Product>> {
        let shared = |other: &Product| {
            let categories = other.details.category.iter();
            categories
                .filter(|category| product.details.category.contains(category))
                .count()
        };
        let mut related: Vec<_> = self
            .visible()
            .filter(|other| other.id != product.id)
            .map(|other| (shared(other), other))
            .filter(|(shared, _)| *shared > 0)
            .collect();
        related.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
        related
            .into_iter()
            .take(limit)
            .map(|(_, other)| other)
            .collect()
    }

    /// Visible products whose name or category contains the text, ignoring case; matches of the name first.
    pub fn search(&self, words: &str) -> Vec<&Arc<Product>> {
        let words = words.trim().to_lowercase();
        if words.is_empty() {
            return Vec::new();
        }
        let by_name = self.index.names.find(&words);
        let by_category = self.index.all_categories.find(&words).into_iter();
        let by_category = by_category.filter(|at| by_name.binary_search(at).is_err());
        let found = by_name.iter().copied().chain(by_category);
        found
            .map(|at| &self.products[at])
            .filter(|product| product.is_visible)
            .collect()
    }

    /// The product list: visible products whose name or category contains the text, in one of the categories if there
    /// are any.
    pub fn filter(&self, words: &str, categories: &[String]) -> Vec<&Arc<Product>> {
        let selected: Vec<_> = categories.iter().map(|one| one.to_lowercase()).collect();
        let index = &self.index;
        self.matching(words, &[&index.names, &index.all_categories])
            .into_iter()
            .filter(|at| {
                selected.is_empty()
                    || index.categories[*at]
                        .iter()
                        .any(|one| selected.contains(one))
            })
            .map(|at| &self.products[at])
            .filter(|product| product.is_visible)
            .collect()
    }

    /// For admins: all products, including hidden ones, by name, category or id.
    pub fn search_all(&self, words: &str) -> Vec<&Arc<Product>> {
        let index = &self.index;
        self.matching(words, &[&index.names, &index.all_categories, &index.ids])
            .into_iter()
            .map(|at| &self.products[at])
            .collect()
    }

    /// The positions of the products that one of the indexes matches; all positions if the text is empty.
    fn matching(&self, words: &str, any_of: &[&SubstringIndex]) -> Vec<usize> {
        let words = words.trim().to_lowercase();
        if words.is_empty() {
            return (0..self.products.len()).collect();
        }
        let mut found: Vec<_> = any_of.iter().flat_map(|one| one.find(&words)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}
