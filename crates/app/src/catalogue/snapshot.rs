//! All products at one moment, and what can be looked up among them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use mirasa_domain::product::{Product, ProductId};

use super::substring_index::SubstringIndex;

/// In the order in which they came into the shop.
#[derive(Debug, Default)]
pub struct Snapshot {
    products: Vec<Arc<Product>>,
    /// Passed on from sale to sale: it only changes when a product comes, goes or is edited.
    index: Arc<Index>,
    /// Grows when anything but a stock count changes.
    pub content_revision: u64,
    /// Grows with every change.
    pub revision: u64,
}

/// At the product's position: what it is found by, in small letters.
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
            let about = &product.details;
            format!("{}\n{}", about.product_name, about.devanagari_name).to_lowercase()
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
    /// The next one, after anything but a sale.
    pub(super) fn with_products(&self, products: Vec<Arc<Product>>) -> Snapshot {
        Snapshot {
            index: Arc::new(Index::new(&products)),
            products,
            content_revision: self.content_revision + 1,
            revision: self.revision + 1,
        }
    }

    /// The next one, with the same products at the same positions and other stock.
    pub(super) fn with_stock(&self, products: Vec<Arc<Product>>) -> Snapshot {
        Snapshot {
            index: self.index.clone(),
            products,
            content_revision: self.content_revision,
            revision: self.revision + 1,
        }
    }

    /// Hidden ones too.
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

    /// The categories of visible products with the number of their products: the largest first, then by
    /// name.
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

    /// A category of what can be seen, as its first product writes it, whatever case it is asked for in.
    pub fn category(&self, name: &str) -> Option<&str> {
        let same = |one: &str| {
            one.eq_ignore_ascii_case(name)
                || (!name.is_ascii() && one.to_lowercase() == name.to_lowercase())
        };
        let mut all = self.visible().flat_map(|product| &product.details.category);
        all.find(|one| same(one)).map(String::as_str)
    }

    /// Others that share a category with this one, those that share most of them first.
    pub fn related(&self, product: &Product, most: usize) -> Vec<&Arc<Product>> {
        let shared = |other: &Product| {
            let categories = other.details.category.iter();
            categories
                .filter(|category| product.details.category.contains(category))
                .count()
        };
        let mut close: Vec<_> = self
            .visible()
            .filter(|other| other.id != product.id)
            .map(|other| (shared(other), other))
            .filter(|(shared, _)| *shared > 0)
            .collect();
        close.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
        close
            .into_iter()
            .take(most)
            .map(|(_, other)| other)
            .collect()
    }

    /// Name or category contains the words, whatever their case; names before categories.
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

    /// What a shelf shows: visible, the words in its name or a category, and of any of the categories
    /// where some are named.
    pub fn filter(&self, words: &str, categories: &[String]) -> Vec<&Arc<Product>> {
        let wanted: Vec<_> = categories.iter().map(|one| one.to_lowercase()).collect();
        let index = &self.index;
        self.matching(words, &[&index.names, &index.all_categories])
            .into_iter()
            .filter(|at| {
                wanted.is_empty() || index.categories[*at].iter().any(|one| wanted.contains(one))
            })
            .map(|at| &self.products[at])
            .filter(|product| product.is_visible)
            .collect()
    }

    /// For the owner's desk: hidden ones too, by name, category or id.
    pub fn search_all(&self, words: &str) -> Vec<&Arc<Product>> {
        let index = &self.index;
        self.matching(words, &[&index.names, &index.all_categories, &index.ids])
            .into_iter()
            .map(|at| &self.products[at])
            .collect()
    }

    /// The positions of the products that any of these has the words for; of all where there are no words.
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
