//! The folded form of a word, in which the usual spellings of one Hindi or Marathi word are equal.

use super::devanagari::to_latin;
use super::{FoldRule, SPELLING};

/// Lower-case Latin letters and digits. `Chhole`, `chole`, `choley` and `छोले` become `cole`.
pub fn fold(word: &str) -> String {
    let latin = to_latin(&word.to_lowercase());
    let plain: Vec<u8> = latin.chars().filter_map(plain_letter).collect();
    let folded = SPELLING
        .rules
        .iter()
        .fold(plain, |word, rule| rule.apply(word));
    let mut text = String::with_capacity(folded.len());
    for byte in folded {
        let letter = char::from(byte);
        if !(letter.is_ascii_alphabetic() && text.ends_with(letter)) {
            text.push(letter);
        }
    }
    text
}

/// A letter or digit, without its accent.
fn plain_letter(c: char) -> Option<u8> {
    let plain = match c.is_ascii() {
        true => c,
        false => SPELLING.accents.get(&c).copied()?,
    };
    let is_plain = plain.is_ascii_lowercase() || plain.is_ascii_digit();
    is_plain.then_some(plain).and_then(|c| u8::try_from(c).ok())
}

impl FoldRule {
    fn apply(&self, word: Vec<u8>) -> Vec<u8> {
        let FoldRule(after, find, before, put) = self;
        let find = find.as_bytes();
        if !word.windows(find.len()).any(|part| part == find) {
            return word;
        }
        let mut folded = Vec::with_capacity(word.len() + 1);
        let mut at = 0;
        while at < word.len() {
            let end = at + find.len();
            let previous = at.checked_sub(1).map(|before| word[before]);
            if word[at..].starts_with(find)
                && contains(after, previous)
                && contains(before, word.get(end).copied())
            {
                folded.extend_from_slice(put.as_bytes());
                at = end;
            } else {
                folded.push(word[at]);
                at += 1;
            }
        }
        folded
    }
}

/// `None` is the edge of the word.
fn contains(set: &str, letter: Option<u8>) -> bool {
    let letter = letter.unwrap_or(b'$');
    match set.strip_prefix('^') {
        _ if set.is_empty() => true,
        Some(others) => !others.as_bytes().contains(&letter),
        None => set.as_bytes().contains(&letter),
    }
}

/// What is left without the vowels that are spelled in most ways: every `a` behind a consonant, and the vowels at the end.
/// The other vowels stay, because misal is not masala, and an `a` behind a vowel stays, because pizza is not piyaz.
pub fn key(folded: &str) -> String {
    let mut key = String::with_capacity(folded.len());
    let mut is_behind_consonant = false;
    for letter in folded.chars() {
        if letter != 'a' || !is_behind_consonant {
            key.push(letter);
        }
        is_behind_consonant = !matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u');
    }
    while key.len() > 2 && key.ends_with(['e', 'i', 'o', 'u']) {
        key.pop();
    }
    key
}

/// Words with the same sound are taken for the same word. A short key has too little left to compare.
pub fn sound(folded: &str) -> String {
    let key = key(folded);
    if key.len() < 3 {
        folded.to_owned()
    } else {
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_word_sound_alike() {
        for group in [
            &["chhole", "chole", "choley", "छोले"][..],
            &["masala", "masaala", "masale", "मसाला"],
            &["jeera", "jira", "zeera", "जीरा", "जिरे"],
            &["biryani", "biriyani", "बिरयानी"],
            &["laung", "long", "लौंग"],
            &["lasun", "lahsun", "लसूण"],
            &["malvani", "malwani", "मालवणी"],
            &["chilli", "chilly", "chillies"],
            &["tomato", "tomatoes"],
        ] {
            let sounds: Vec<_> = group.iter().map(|word| sound(&fold(word))).collect();
            assert!(
                sounds.iter().all(|one| *one == sounds[0]),
                "{group:?} {sounds:?}"
            );
        }
    }

    #[test]
    fn different_words_sound_different() {
        for (one, other) in [
            ("misal", "masala"),
            ("chai", "chaat"),
            ("goda", "gond"),
            ("rai", "rajma"),
            ("til", "tikka"),
            ("star", "starch"),
            ("pizza", "piyaz"),
        ] {
            assert_ne!(sound(&fold(one)), sound(&fold(other)), "{one} {other}");
        }
    }

    #[test]
    fn fold_of_a_folded_word_changes_nothing() {
        for word in [
            "chhole",
            "masala",
            "biryani",
            "kolhapuri",
            "thandai",
            "manchurian",
        ] {
            let folded = fold(word);
            assert_eq!(
                fold(&folded).replace('k', "c"),
                folded.replace('k', "c"),
                "{word}"
            );
        }
    }
}
