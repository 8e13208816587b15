//! All products at one moment, and what can be looked up among them.

use std::collections::HashMap;
use std::sync::Arc;

use mirasa_domain::product::{Product, ProductId};

/// In the order in which they came into the shop.
#[derive(Debug, Default)]
pub struct Snapshot {
    products: Vec<Arc<Product>>,
    /// Passed on from sale to sale: it only changes when a product comes, goes or is edited.
    index: Arc<Index>,
    /// Grows when anything but a stock count changes.
    pub edition: u64,
    /// Grows with every change.
    pub revision: u64,
}

#[derive(Debug, Default)]
struct Index {
    positions: HashMap<ProductId, usize>,
    /// At the product's position: what it is found by, in small letters.
    words: Vec<Words>,
}

#[derive(Debug)]
struct Words {
    names: String,
    categories: Vec<String>,
}

impl Words {
    fn of(product: &Product) -> Words {
        let about = &product.about;
        Words {
            names: format!("{}\n{}", about.product_name, about.devanagari_name).to_lowercase(),
            categories: about
                .category
                .iter()
                .map(|one| one.to_lowercase())
                .collect(),
        }
    }

    fn category_has(&self, words: &str) -> bool {
        self.categories.iter().any(|one| one.contains(words))
    }
}

impl Index {
    fn new(products: &[Arc<Product>]) -> Index {
        let positions = products.iter().enumerate();
        Index {
            positions: positions
                .map(|(at, product)| (product.id.clone(), at))
                .collect(),
            words: products.iter().map(|product| Words::of(product)).collect(),
        }
    }
}

impl Snapshot {
    /// The next one, after anything but a sale.
    pub(super) fn anew(&self, products: Vec<Arc<Product>>) -> Snapshot {
        Snapshot {
            index: Arc::new(Index::new(&products)),
            products,
            edition: self.edition + 1,
            revision: self.revision + 1,
        }
    }

    /// The next one, with the same products at the same positions and other stock.
    pub(super) fn after_sales(&self, products: Vec<Arc<Product>>) -> Snapshot {
        Snapshot {
            index: self.index.clone(),
            products,
            edition: self.edition,
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

    /// The categories of what can be seen, in the order of their first product.
    pub fn categories(&self) -> Vec<&str> {
        let mut seen = Vec::new();
        for category in self.visible().flat_map(|product| &product.about.category) {
            if !seen.contains(&category.as_str()) {
                seen.push(category.as_str());
            }
        }
        seen
    }

    /// Others that share a category with this one, those that share most of them first.
    pub fn related(&self, product: &Product, most: usize) -> Vec<&Arc<Product>> {
        let shared = |other: &Product| {
            let categories = other.about.category.iter();
            categories
                .filter(|category| product.about.category.contains(category))
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

    fn with_words(&self) -> impl Iterator<Item = (&Arc<Product>, &Words)> {
        self.products.iter().zip(&self.index.words)
    }

    /// Name or category contains the words, whatever their case; names before categories.
    pub fn search(&self, words: &str) -> Vec<&Arc<Product>> {
        let words = words.trim().to_lowercase();
        if words.is_empty() {
            return Vec::new();
        }
        let (mut by_name, mut by_category) = (Vec::new(), Vec::new());
        for (product, has) in self.with_words().filter(|(product, _)| product.is_visible) {
            if has.names.contains(&words) {
                by_name.push(product);
            } else if has.category_has(&words) {
                by_category.push(product);
            }
        }
        by_name.append(&mut by_category);
        by_name
    }

    /// What a shelf shows: visible, the words in its name or a category, and of any of the categories
    /// where some are named.
    pub fn narrowed(&self, words: &str, categories: &[String]) -> Vec<&Arc<Product>> {
        let words = words.trim().to_lowercase();
        let wanted: Vec<_> = categories.iter().map(|one| one.to_lowercase()).collect();
        self.with_words()
            .filter(|(product, has)| {
                product.is_visible
                    && (words.is_empty() || has.names.contains(&words) || has.category_has(&words))
                    && (wanted.is_empty() || has.categories.iter().any(|one| wanted.contains(one)))
            })
            .map(|(product, _)| product)
            .collect()
    }

    /// For the owner's desk: hidden ones too, by name, category or id.
    pub fn search_all(&self, words: &str) -> Vec<&Arc<Product>> {
        let words = words.trim().to_lowercase();
        self.with_words()
            .filter(|(product, has)| {
                words.is_empty()
                    || has.names.contains(&words)
                    || has.category_has(&words)
                    || product.id.0.contains(&words)
            })
            .map(|(product, _)| product)
            .collect()
    }
}
