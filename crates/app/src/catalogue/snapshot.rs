//! All products at one point in time, with indexes for search.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use mirasa_domain::product::{Product, ProductId};

use crate::catalogue::substring_index::SubstringIndex;
use crate::catalogue::word_index::{PartialMatch, Tier, WordIndex};

/// A longer text is searched for as it is only.
const MAX_FORGIVING_BYTES: usize = 200;

#[derive(Debug, Default)]
pub struct Snapshot {
    /// In the order in which they were added.
    products: Vec<Arc<Product>>,
    /// Shared by the snapshots until a product is added, edited or deleted.
    index: Arc<Index>,
    /// What a search reads of each product, close together in memory. Made at the first search.
    summaries: OnceLock<Vec<Summary>>,
    /// Incremented by every change except of stock.
    pub content_revision: u64,
    /// Incremented by every change.
    pub revision: u64,
}

#[derive(Debug, Clone, Copy)]
struct Summary {
    is_visible: bool,
    is_sold_out: bool,
    /// The trending rank; 255 if there is none.
    rank: u8,
}

/// Searchable texts in lower case, by the position of the product.
#[derive(Debug, Default)]
struct Index {
    positions: HashMap<ProductId, usize>,
    names: SubstringIndex,
    categories: Vec<Vec<String>>,
    all_categories: SubstringIndex,
    ids: SubstringIndex,
    words: WordIndex,
}

/// The products that a search found.
#[derive(Debug, Default)]
pub struct Found<'a> {
    pub products: Vec<&'a Arc<Product>>,
    /// How many of them, from the start, contain the text in their name or category.
    pub literal: usize,
    /// The search as the shop spells it, where no product contains the text as it was typed. Without products it is a guess
    /// to ask about.
    pub corrected_to: Option<String>,
    /// Which words were searched for, where no product has all of them.
    pub partial_match: Option<PartialMatch>,
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
            words: WordIndex::new(products),
        }
    }
}

impl Snapshot {
    /// The next snapshot after a change of products.
    pub(super) fn with_products(&self, products: Vec<Arc<Product>>) -> Snapshot {
        Snapshot {
            index: Arc::new(Index::new(&products)),
            products,
            summaries: OnceLock::new(),
            content_revision: self.content_revision + 1,
            revision: self.revision + 1,
        }
    }

    /// The next snapshot after a change of stock: the same products at the same positions.
    pub(super) fn with_stock(&self, products: Vec<Arc<Product>>) -> Snapshot {
        Snapshot {
            index: self.index.clone(),
            products,
            summaries: OnceLock::new(),
            content_revision: self.content_revision,
            revision: self.revision + 1,
        }
    }

    /// The next snapshot after a change of visibility, rank, stock or reviews: the texts and the positions are the same.
    pub(super) fn with_same_texts(&self, products: Vec<Arc<Product>>) -> Snapshot {
        Snapshot {
            content_revision: self.content_revision + 1,
            ..self.with_stock(products)
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

    /// Visible products whose name or category contains the text, ignoring case; matches of the name first. Behind them
    /// those that other spellings, synonyms and ingredients find.
    pub fn search(&self, words: &str) -> Found<'_> {
        let words = words.trim().to_lowercase();
        if words.is_empty() {
            return Found::default();
        }
        let by_name = self.index.names.find(&words);
        let by_category = self.index.all_categories.find(&words).into_iter();
        let by_category = by_category.filter(|at| by_name.binary_search(at).is_err());
        let summaries = self.summaries();
        let is_visible = |at: usize| summaries[at].is_visible;
        let literal = by_name.iter().copied().chain(by_category);
        let literal = literal.filter(|at| is_visible(*at)).collect();
        self.with_close_matches(&words, literal, &is_visible)
    }

    /// The product list: visible products that the text finds, in one of the categories if there are any. In the order in
    /// which they came into the shop, as far as their name or category contains the text.
    pub fn filter(&self, words: &str, categories: &[String]) -> Found<'_> {
        let selected: Vec<_> = categories.iter().map(|one| one.to_lowercase()).collect();
        let index = &self.index;
        let is_listed = |at: usize| {
            let categories = &index.categories[at];
            self.products[at].is_visible
                && (selected.is_empty() || categories.iter().any(|one| selected.contains(one)))
        };
        let literal = self.matching(words, &[&index.names, &index.all_categories]);
        let literal = literal.into_iter().filter(|at| is_listed(*at)).collect();
        self.with_close_matches(words, literal, &is_listed)
    }

    fn summaries(&self) -> &[Summary] {
        let summary = |product: &Arc<Product>| Summary {
            is_visible: product.is_visible,
            is_sold_out: product.packs_left() == 0,
            rank: product
                .trending_rank
                .and_then(|rank| u8::try_from(rank.get()).ok())
                .unwrap_or(u8::MAX),
        };
        self.summaries
            .get_or_init(|| self.products.iter().map(summary).collect())
    }

    /// Behind what contains the text: products that have its words in other places or spellings. Weak matches only if
    /// there is nothing else.
    fn with_close_matches(
        &self,
        text: &str,
        literal: Vec<usize>,
        is_eligible: &dyn Fn(usize) -> bool,
    ) -> Found<'_> {
        let mut found = Found {
            literal: literal.len(),
            products: literal.iter().map(|at| &self.products[*at]).collect(),
            ..Found::default()
        };
        if text.trim().is_empty() || text.len() > MAX_FORGIVING_BYTES {
            return found;
        }
        let words = &self.index.words;
        let mut hits = words.search(text, is_eligible);
        if !literal.is_empty() {
            let mut is_listed = vec![false; self.products.len()];
            literal.iter().for_each(|at| is_listed[*at] = true);
            hits.products.retain(|hit| {
                let is_close = matches!(hit.tier, Tier::Exact | Tier::Sound);
                is_close && !hits.is_partial && !hit.in_description && !is_listed[hit.product]
            });
        }
        let summaries = self.summaries();
        hits.products.sort_unstable_by_key(|hit| {
            let Summary {
                is_sold_out, rank, ..
            } = summaries[hit.product];
            (hit.max_cost, hit.cost, is_sold_out, rank, hit.product)
        });
        if let Some(first) = hits.products.first()
            && literal.is_empty()
        {
            let is_guess = first.tier == Tier::Guess;
            if !hits.is_partial {
                found.corrected_to = words.corrected(&hits, first.product, text);
            }
            if is_guess {
                return found;
            }
            hits.products.retain(|hit| hit.tier < Tier::Guess);
            found.partial_match = words.partial_match(&hits);
        }
        let close = hits.products.iter().map(|hit| &self.products[hit.product]);
        found.products.extend(close);
        found
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
