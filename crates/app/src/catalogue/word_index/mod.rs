//! The words of all products, for searches that do not name a product as it is spelled: other spellings, synonyms,
//! ingredients, typing mistakes.

mod builder;
mod matches;

use std::sync::Arc;

pub use matches::{Hits, PartialMatch};
use matches::{TermMatches, combine};
use mirasa_domain::product::Product;
use mirasa_domain::search::{
    self, Side, SynonymGroup, fold, letter_set, sound, synonym_at, typo_distance,
};

/// Words of a search that are used; people type three.
const MAX_SEARCH_WORDS: usize = 8;
/// Fewer letters begin too many words.
const MIN_PREFIX_CHARS: usize = 3;
const MIN_DESCRIPTION_PREFIX_CHARS: usize = 4;
/// Shorter words that are not known resemble too many others.
const MIN_GUESS_CHARS: usize = 6;

/// Where a word stands in a product. The first ones count more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Field {
    Name,
    Category,
    Ingredient,
    Description,
}

/// How a word was found. The first ones count more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    Exact,
    Prefix,
    /// Another spelling, or a word with the same meaning.
    Sound,
    SoundPrefix,
    Typo,
    /// A mistyped word with the same meaning: it resembles nothing that the shop sells.
    Guess,
}

/// The rank of a match; smaller is better. An exact word in a description counts less than another spelling of a word
/// in the name.
fn cost_of(tier: Tier, field: Field) -> u16 {
    let in_description = match field {
        Field::Description => 25,
        Field::Name | Field::Category | Field::Ingredient => 0,
    };
    u16::from(tier as u8) * 10 + u16::from(field as u8) + in_description
}

#[derive(Debug, Clone, Copy)]
struct Posting {
    product: u32,
    field: Field,
    /// The word as the product spells it; a position in `surfaces`.
    surface: u32,
}

#[derive(Debug)]
struct Word {
    text: String,
    postings: Vec<Posting>,
}

#[derive(Debug)]
struct Sound {
    text: String,
    word: u32,
    kind: WordKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum WordKind {
    Single,
    /// Two words of a name without the space. Nobody types the start of one.
    Joined,
}

/// A word that a search may mistype.
#[derive(Debug)]
struct TypoWord {
    folded: String,
    letters: u64,
    target: Target,
}

#[derive(Debug, Clone, Copy)]
enum Target {
    Word(u32),
    Group(SynonymGroup),
}

#[derive(Debug, Default)]
pub struct WordIndex {
    product_count: usize,
    /// Sorted by text.
    words: Vec<Word>,
    /// Of the words in names, categories and ingredients, sorted.
    sounds: Vec<Sound>,
    typo_words: Vec<TypoWord>,
    groups: Vec<Vec<Posting>>,
    surfaces: Vec<String>,
}

impl WordIndex {
    pub fn new(products: &[Arc<Product>]) -> WordIndex {
        builder::build(products)
    }

    /// The products that have all words of the search; if there are none, those that have as many as possible. Products
    /// that are not eligible do not count.
    pub fn search(&self, text: &str, is_eligible: &dyn Fn(usize) -> bool) -> Hits {
        let words: Vec<_> = search::words(text).take(MAX_SEARCH_WORDS).collect();
        let sounds: Vec<_> = words.iter().map(|word| sound(&fold(word))).collect();
        let mut terms = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let (groups, length) =
                synonym_at(&sounds[at..], Side::Search).unwrap_or((Vec::new(), 1));
            let mut term = TermMatches::new(self.product_count, words[at..at + length].join(" "));
            for group in &groups {
                self.add(
                    &mut term,
                    &self.groups[usize::from(*group)],
                    Tier::Sound,
                    is_eligible,
                );
            }
            if length == 1 {
                term.is_required = !search::is_generic(&sounds[at]);
                self.add_word(&mut term, &words[at], &sounds[at], is_eligible);
            }
            terms.push(term);
            at += length;
        }
        combine(terms, self.product_count)
    }

    fn add_word(
        &self,
        term: &mut TermMatches,
        word: &str,
        sound: &str,
        is_eligible: &dyn Fn(usize) -> bool,
    ) {
        let chars = word.chars().count();
        let start = self.words.partition_point(|one| one.text.as_str() < word);
        let begins = self.words[start..]
            .iter()
            .take_while(|one| one.text.starts_with(word));
        for found in begins {
            let tier = if found.text == word {
                Tier::Exact
            } else {
                Tier::Prefix
            };
            if tier == Tier::Exact || chars >= MIN_DESCRIPTION_PREFIX_CHARS {
                self.add(term, &found.postings, tier, is_eligible);
            } else if chars >= MIN_PREFIX_CHARS {
                let without = found
                    .postings
                    .iter()
                    .filter(|one| one.field < Field::Description);
                let without: Vec<_> = without.copied().collect();
                self.add(term, &without, tier, is_eligible);
            }
        }
        if sound.len() < 2 {
            return;
        }
        let start = self.sounds.partition_point(|one| one.text.as_str() < sound);
        let begins = self.sounds[start..]
            .iter()
            .take_while(|one| one.text.starts_with(sound));
        for found in begins {
            if found.text == sound {
                self.add_indexed(term, found.word, Tier::Sound, is_eligible);
            } else if sound.len() >= MIN_PREFIX_CHARS && found.kind == WordKind::Single {
                self.add_indexed(term, found.word, Tier::SoundPrefix, is_eligible);
            }
        }
        if term.found == 0 {
            self.add_typos(term, &fold(word), chars, is_eligible);
        }
    }

    /// Only the words with the smallest number of mistakes.
    /// `chars` is the length of the word as it was typed.
    fn add_typos(
        &self,
        term: &mut TermMatches,
        folded: &str,
        chars: usize,
        is_eligible: &dyn Fn(usize) -> bool,
    ) {
        let letters = letter_set(folded);
        let close = self.typo_words.iter().filter(|one| {
            (one.letters ^ letters).count_ones() <= 4
                && one.folded.len().abs_diff(folded.len()) <= 2
        });
        let close: Vec<_> = close
            .filter_map(|one| Some((typo_distance(folded, &one.folded)?, one.target)))
            .collect();
        for mistakes in 0..=2 {
            for (_, target) in close.iter().filter(|(distance, _)| *distance == mistakes) {
                match target {
                    Target::Word(at) => self.add_indexed(term, *at, Tier::Typo, is_eligible),
                    Target::Group(group) if chars >= MIN_GUESS_CHARS => {
                        self.add(
                            term,
                            &self.groups[usize::from(*group)],
                            Tier::Guess,
                            is_eligible,
                        );
                    }
                    Target::Group(_) => {}
                }
            }
            if term.found > 0 {
                return;
            }
        }
    }

    /// Not in descriptions: they have too many words that only resemble others.
    fn add_indexed(
        &self,
        term: &mut TermMatches,
        word: u32,
        tier: Tier,
        is_eligible: &dyn Fn(usize) -> bool,
    ) {
        for posting in &self.words[word as usize].postings {
            if posting.field < Field::Description {
                term.add(*posting, tier, is_eligible);
            }
        }
    }

    fn add(
        &self,
        term: &mut TermMatches,
        postings: &[Posting],
        tier: Tier,
        is_eligible: &dyn Fn(usize) -> bool,
    ) {
        for posting in postings {
            term.add(*posting, tier, is_eligible);
        }
    }

    /// The search as the shop spells it, by the words that found this product. None if the product has all words as they
    /// were typed.
    pub fn corrected(&self, hits: &Hits, product: usize, typed: &str) -> Option<String> {
        let words = hits.terms.iter();
        let words: Vec<_> = words
            .filter_map(|term| self.spelling(term, product))
            .collect();
        let corrected = words.join(" ");
        (!hits.is_literal(product) && corrected != typed.trim().to_lowercase()).then_some(corrected)
    }

    /// What the search found and what it left out. None if it found all words that it needs.
    pub fn partial_match(&self, hits: &Hits) -> Option<PartialMatch> {
        let is_partial = hits.is_partial && !hits.products.is_empty();
        is_partial.then(|| {
            let mut partial = PartialMatch::default();
            for term in hits.terms.iter().filter(|term| term.is_required) {
                let mut products = hits.products.iter();
                let is_found = |product| term.is_found_outside_description(product);
                match products.find(|hit| is_found(hit.product)) {
                    Some(hit) => partial.found.extend(self.spelling(term, hit.product)),
                    None => partial.left_out.push(term.text.clone()),
                }
            }
            partial
        })
    }

    /// A word of the search as this product spells it.
    fn spelling(&self, term: &TermMatches, product: usize) -> Option<String> {
        let best = term.best[product]?;
        Some(match best.tier {
            Tier::Exact | Tier::Prefix => term.text.clone(),
            Tier::Sound | Tier::SoundPrefix | Tier::Typo | Tier::Guess => {
                self.surfaces[best.surface as usize].clone()
            }
        })
    }
}
