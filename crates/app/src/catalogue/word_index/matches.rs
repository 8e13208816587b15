//! What the words of a search found, and the products that have all of them.

use crate::catalogue::word_index::{Field, Posting, Tier, cost_of};

/// A word of the search that a product does not have.
const MISSING_COST: u16 = 100;

/// A product that a search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    pub product: usize,
    /// The weakest match of its words.
    pub tier: Tier,
    pub in_description: bool,
    /// The costs of its weakest word and of all words. Smaller is better.
    pub max_cost: u16,
    pub cost: u16,
}

#[derive(Debug, Default)]
pub struct Hits {
    /// Not sorted.
    pub products: Vec<Hit>,
    /// No product has all words that the search needs.
    pub is_partial: bool,
    pub(super) terms: Vec<TermMatches>,
}

/// The words of a search of which no product has all.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct PartialMatch {
    /// As the shop spells them. Each product has one at least.
    pub found: Vec<String>,
    /// As they were typed.
    pub left_out: Vec<String>,
}

impl Hits {
    /// Whether the product has all words as they were typed.
    pub(super) fn is_literal(&self, product: usize) -> bool {
        let is_literal = |term: &TermMatches| {
            let best = &term.best[product];
            best.is_some_and(|best| best.tier <= Tier::Prefix)
        };
        self.terms.iter().all(is_literal)
    }
}

/// What one word or phrase of the search found.
#[derive(Debug)]
pub(super) struct TermMatches {
    pub text: String,
    /// Whether a product needs this word.
    pub is_required: bool,
    /// By product.
    pub best: Vec<Option<Match>>,
    pub found: usize,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Match {
    pub tier: Tier,
    field: Field,
    cost: u16,
    pub surface: u32,
}

impl TermMatches {
    pub fn new(product_count: usize, text: String) -> TermMatches {
        TermMatches {
            text,
            is_required: true,
            best: vec![None; product_count],
            found: 0,
        }
    }

    pub fn add(&mut self, posting: Posting, tier: Tier, is_eligible: &dyn Fn(usize) -> bool) {
        let Posting {
            product,
            field,
            surface,
        } = posting;
        let cost = cost_of(tier, field);
        let best = &mut self.best[product as usize];
        let is_better = match best {
            Some(known) => cost < known.cost,
            None if is_eligible(product as usize) => {
                self.found += 1;
                true
            }
            None => false,
        };
        if is_better {
            *best = Some(Match {
                tier,
                field,
                cost,
                surface,
            });
        }
    }

    pub fn is_found_outside_description(&self, product: usize) -> bool {
        self.best[product].is_some_and(|best| best.field < Field::Description)
    }
}

/// The products that have all required words; if there are none, those that have most of them. A word that half of the
/// products have is required only where there is no other: a search for garam masala does not find every masala.
pub(super) fn combine(mut terms: Vec<TermMatches>, product_count: usize) -> Hits {
    if terms.iter().all(|term| !term.is_required) {
        terms.iter_mut().for_each(|term| term.is_required = true);
    }
    let required = terms.iter().filter(|term| term.is_required).count();
    let mut products = Vec::new();
    let mut most = 1;
    for product in 0..product_count {
        let mut hit = Hit {
            product,
            tier: Tier::Exact,
            in_description: false,
            max_cost: 0,
            cost: 0,
        };
        // Of the required words, and of those without the ones in the description.
        let (mut found, mut found_outside) = (0, 0);
        for term in &terms {
            let Some(best) = &term.best[product] else {
                hit.cost += MISSING_COST;
                continue;
            };
            hit.cost += best.cost;
            if term.is_required {
                found += 1;
                found_outside += usize::from(best.field < Field::Description);
                hit.tier = hit.tier.max(best.tier);
                hit.max_cost = hit.max_cost.max(best.cost);
                hit.in_description |= best.field == Field::Description;
            }
        }
        // A product with some of the words is not found by its description: these are sentences.
        let matched = match found == required {
            true => found,
            false => found_outside,
        };
        if matched > most {
            products.clear();
            most = matched;
        }
        if matched == most {
            products.push(hit);
        }
    }
    Hits {
        products,
        is_partial: most < required,
        terms,
    }
}
