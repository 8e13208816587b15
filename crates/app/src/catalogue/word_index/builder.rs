//! Builds the index of words.

use std::collections::HashMap;
use std::sync::Arc;

use mirasa_domain::product::Product;
use mirasa_domain::search::{
    self, MAX_WORD_BYTES, Side, SynonymGroup, fold, letter_set, sound, synonym_at,
};

use crate::catalogue::word_index::{
    Field, Posting, Sound, Target, TypoWord, Word, WordIndex, WordKind,
};

pub fn build(products: &[Arc<Product>]) -> WordIndex {
    let mut builder = Builder {
        numbers: HashMap::new(),
        words: Vec::new(),
        groups: vec![Vec::new(); search::group_count()],
        phrases: Vec::new(),
        parsed: HashMap::new(),
    };
    for (product, at) in products.iter().zip(0u32..) {
        builder.add(at, product);
    }
    builder.finish(products.len())
}

struct Builder {
    numbers: HashMap<String, u32>,
    words: Vec<IndexedWord>,
    groups: Vec<Vec<Posting>>,
    /// Of several words.
    phrases: Vec<String>,
    parsed: HashMap<String, Arc<ParsedText>>,
}

struct IndexedWord {
    text: String,
    folded: String,
    sound: String,
    kind: WordKind,
    postings: Vec<Posting>,
}

/// Phrases have numbers above those of all words.
const FIRST_PHRASE: u32 = 1 << 31;

/// A text that many products have, such as an ingredient.
#[derive(Debug, Default)]
struct ParsedText {
    words: Vec<u32>,
    /// With the surface of the phrase.
    groups: Vec<(SynonymGroup, u32)>,
}

impl Builder {
    fn add(&mut self, at: u32, product: &Product) {
        let details = &product.details;
        for name in [&details.product_name, &details.devanagari_name] {
            let parsed = self.parse(name);
            self.post_all(at, Field::Name, &parsed);
            // "pavbhaji" and "periperi" are typed as one word.
            for pair in parsed.words.windows(2) {
                let [one, other] = [pair[0], pair[1]].map(|word| &self.words[word as usize].text);
                let joined = format!("{one}{other}");
                if joined.contains(char::is_numeric) {
                    continue;
                }
                let joined = self.number(joined, WordKind::Joined);
                self.post(joined, at, Field::Name);
            }
        }
        let categories = details.category.iter().map(|text| (Field::Category, text));
        let ingredients = details
            .ingredients
            .iter()
            .map(|text| (Field::Ingredient, text));
        for (field, text) in categories.chain(ingredients) {
            let parsed = match self.parsed.get(text.as_str()) {
                Some(parsed) => parsed.clone(),
                None => {
                    let parsed = Arc::new(self.parse(text));
                    self.parsed.insert(text.clone(), parsed.clone());
                    parsed
                }
            };
            self.post_all(at, field, &parsed);
        }
        for word in search::words(&details.description) {
            let word = self.number(word, WordKind::Single);
            self.post(word, at, Field::Description);
        }
    }

    fn parse(&mut self, text: &str) -> ParsedText {
        let words: Vec<_> = search::words(text)
            .map(|word| self.number(word, WordKind::Single))
            .collect();
        let mut groups = Vec::new();
        for start in 0..words.len() {
            let sounds: Vec<_> = words[start..]
                .iter()
                .map(|word| self.words[*word as usize].sound.as_str())
                .collect();
            let Some((found, length)) = synonym_at(&sounds, Side::Product) else {
                continue;
            };
            let surface = match length {
                1 => words[start],
                _ => self.phrase(&words[start..start + length]),
            };
            groups.extend(found.into_iter().map(|group| (group, surface)));
        }
        ParsedText { words, groups }
    }

    fn post_all(&mut self, product: u32, field: Field, parsed: &ParsedText) {
        for word in &parsed.words {
            self.post(*word, product, field);
        }
        for (group, surface) in &parsed.groups {
            self.groups[usize::from(*group)].push(Posting {
                product,
                field,
                surface: *surface,
            });
        }
    }

    fn phrase(&mut self, words: &[u32]) -> u32 {
        let words = words.iter().map(|word| &self.words[*word as usize].text);
        let phrase = words.map(String::as_str).collect::<Vec<_>>().join(" ");
        let known = self.phrases.iter().position(|one| *one == phrase);
        let at = known.unwrap_or_else(|| {
            self.phrases.push(phrase);
            self.phrases.len() - 1
        });
        FIRST_PHRASE + u32::try_from(at).unwrap_or_default()
    }

    fn number(&mut self, word: String, kind: WordKind) -> u32 {
        if let Some(number) = self.numbers.get(&word) {
            let number = *number;
            let known = &mut self.words[number as usize];
            known.kind = known.kind.min(kind);
            return number;
        }
        let number = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        let folded = fold(&word);
        self.words.push(IndexedWord {
            text: word.clone(),
            sound: sound(&folded),
            folded,
            kind,
            postings: Vec::new(),
        });
        self.numbers.insert(word, number);
        number
    }

    fn post(&mut self, word: u32, product: u32, field: Field) {
        let postings = &mut self.words[word as usize].postings;
        // The fields of a product come in the order of their worth.
        if postings.last().is_none_or(|last| last.product != product) {
            postings.push(Posting {
                product,
                field,
                surface: word,
            });
        }
    }

    fn finish(self, product_count: usize) -> WordIndex {
        let word_count = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        let mut surfaces: Vec<_> = self.words.iter().map(|word| word.text.clone()).collect();
        surfaces.extend(self.phrases);
        let mut groups = self.groups;
        for posting in groups.iter_mut().flatten() {
            if posting.surface >= FIRST_PHRASE {
                posting.surface = posting.surface - FIRST_PHRASE + word_count;
            }
        }
        let mut words = self.words;
        words.sort_by(|one, other| one.text.cmp(&other.text));
        let mut sounds = Vec::new();
        let mut typo_words = Vec::new();
        for (word, at) in words.iter().zip(0u32..) {
            let outside = |posting: &Posting| posting.field < Field::Description;
            if !word.postings.iter().any(outside) || word.sound.is_empty() {
                continue;
            }
            sounds.push(Sound {
                text: word.sound.clone(),
                word: at,
                kind: word.kind,
            });
            typo_words.push((word.folded.clone(), Target::Word(at)));
        }
        sounds.sort_by(|one, other| one.text.cmp(&other.text));
        typo_words
            .extend(search::searched_words().map(|(folded, group)| (folded, Target::Group(group))));
        let typo_words = typo_words
            .into_iter()
            .filter(|(folded, _)| (4..=MAX_WORD_BYTES).contains(&folded.len()))
            .map(|(folded, target)| TypoWord {
                letters: letter_set(&folded),
                folded,
                target,
            })
            .collect();
        let words = words.into_iter().map(|word| Word {
            text: word.text,
            postings: word.postings,
        });
        WordIndex {
            product_count,
            words: words.collect(),
            sounds,
            typo_words,
            groups,
            surfaces,
        }
    }
}
