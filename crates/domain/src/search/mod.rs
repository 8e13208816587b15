//! How food words are compared: romanised Hindi and Marathi is spelled in many ways, and people type Devanagari. Nothing
//! here knows products; `crates/app/src/catalogue/word_index/mod.rs` has the index.

mod devanagari;
mod fold;
mod synonyms;
mod typo;

pub use fold::{fold, key, sound};
pub use synonyms::{Side, SynonymGroup, group_count, searched_words, synonym_at};
pub use typo::{MAX_WORD_BYTES, letter_set, typo_distance};

use std::sync::LazyLock;

use serde::Deserialize;

static SPELLING: LazyLock<SpellingTable> =
    LazyLock::new(|| serde_json::from_str(include_str!("spelling.json")).unwrap_or_default());

#[derive(Debug, Default, Deserialize)]
struct SpellingTable {
    consonants: std::collections::HashMap<char, String>,
    /// Vowels that stand alone.
    vowels: std::collections::HashMap<char, String>,
    /// Vowels after a consonant.
    signs: std::collections::HashMap<char, String>,
    /// Letters of European languages and of transliterations.
    accents: std::collections::HashMap<char, char>,
    rules: Vec<FoldRule>,
}

/// Replaces a text where the character before it is in `after` and the one behind it is in `before`. An empty set is any
/// character, `^` at the start negates, `$` is the edge of the word.
#[derive(Debug, Deserialize)]
struct FoldRule(String, String, String, String);

/// Words that say nothing about a product. They are not searched.
const STOP_WORDS: [&str; 14] = [
    "a", "an", "and", "for", "from", "in", "of", "on", "or", "the", "to", "with", "का", "की",
];

/// Words that half of the products have. A product need not have them if the search has other words.
const GENERIC_WORDS: [&str; 10] = [
    "masala",
    "masale",
    "mix",
    "powder",
    "spice",
    "blend",
    "seasoning",
    "recipe",
    "packet",
    "मसाला",
];

/// The words of a text in lower case, without those that say nothing.
pub fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !is_word_char(c))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .filter(|word| !STOP_WORDS.contains(&word.as_str()))
        .filter(|word| word.len() > 1)
}

/// Unicode counts the virama and the nukta of Devanagari as marks between words.
fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || (devanagari::is_devanagari(c) && !matches!(c, '\u{964}' | '\u{965}'))
}

/// `sound` is that of the word.
pub fn is_generic(sound: &str) -> bool {
    static SOUNDS: LazyLock<Vec<String>> = LazyLock::new(|| {
        GENERIC_WORDS
            .iter()
            .map(|word| fold::sound(&fold(word)))
            .collect()
    });
    SOUNDS.iter().any(|one| one == sound)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn table_is_readable() {
        assert!(SPELLING.rules.len() > 20 && SPELLING.consonants.len() > 30);
    }

    #[test]
    fn words_are_in_lower_case_and_without_fillers() {
        let all = |text| words(text).collect::<Vec<_>>();
        assert_eq!(
            all("Bird's-eye Chilli, (dry)"),
            ["bird", "eye", "chilli", "dry"]
        );
        assert_eq!(all("The salt of the sea"), ["salt", "sea"]);
        assert_eq!(all("ठंडाई मिक्स।"), ["ठंडाई", "मिक्स"]);
        assert!(all(" -- ! ").is_empty());
    }

    proptest! {
        #[test]
        fn no_text_panics_and_folding_is_stable(text in "\\PC{0,24}|[a-z]{0,16}|[\u{900}-\u{97f}]{0,10}") {
            for word in words(&text) {
                let folded = fold(&word);
                prop_assert!(folded.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()));
                let _ = (key(&folded), sound(&folded), typo_distance(&folded, "masala"));
            }
        }

        #[test]
        fn doubled_letters_and_aspirates_do_not_matter(word in "[bdgkt][aiu][lmnr][aiu]") {
            let aspirated = format!("{}h{}", &word[..1], &word[1..]);
            prop_assert_eq!(fold(&aspirated), fold(&word));
            let doubled = format!("{}{}{}", &word[..3], &word[2..3], &word[3..]);
            prop_assert_eq!(fold(&doubled), fold(&word));
        }
    }
}
