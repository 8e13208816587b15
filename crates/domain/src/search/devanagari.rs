//! Devanagari in Latin letters, as people type it: with the inherent vowel where it is spoken.

use super::SPELLING;

const VIRAMA: char = '\u{94d}';
const NUKTA: char = '\u{93c}';

pub fn is_devanagari(c: char) -> bool {
    ('\u{900}'..='\u{97f}').contains(&c)
}

/// A consonant with its vowel, or a vowel alone.
#[derive(Default)]
struct Syllable {
    consonant: String,
    vowel: String,
    /// The vowel is not written: every consonant without a sign has an `a`.
    inherent: bool,
    nasal: bool,
}

/// Other characters stay as they are.
pub fn to_latin(word: &str) -> String {
    if !word.chars().any(is_devanagari) {
        return word.to_owned();
    }
    let mut syllables = parse(word);
    drop_unspoken_vowels(&mut syllables);
    let mut latin = String::new();
    for syllable in &syllables {
        latin.push_str(&syllable.consonant);
        latin.push_str(&syllable.vowel);
        if syllable.nasal {
            latin.push('n');
        }
    }
    latin
}

fn parse(word: &str) -> Vec<Syllable> {
    let mut syllables: Vec<Syllable> = Vec::new();
    for c in word.chars() {
        let last = syllables.last_mut();
        if let Some(consonant) = SPELLING.consonants.get(&c) {
            syllables.push(Syllable {
                consonant: consonant.clone(),
                vowel: "a".into(),
                inherent: true,
                nasal: false,
            });
        } else if let Some(sign) = SPELLING.signs.get(&c) {
            if let Some(last) = last {
                last.vowel.clone_from(sign);
                last.inherent = false;
            }
        } else if let Some(vowel) = SPELLING.vowels.get(&c) {
            syllables.push(Syllable {
                vowel: vowel.clone(),
                ..Syllable::default()
            });
        } else if c == VIRAMA {
            if let Some(last) = last {
                last.vowel.clear();
                last.inherent = false;
            }
        } else if matches!(c, '\u{901}' | '\u{902}') {
            if let Some(last) = last {
                last.nasal = true;
            }
        } else if c != NUKTA && !is_devanagari(c) {
            syllables.push(Syllable {
                consonant: c.to_string(),
                ..Syllable::default()
            });
        }
    }
    syllables
}

/// The inherent vowel is silent at the end of a word, and between two spoken vowels: हळद is halad, मिरची is mirchi.
fn drop_unspoken_vowels(syllables: &mut [Syllable]) {
    let is_silent = |syllable: &Syllable| syllable.inherent && !syllable.nasal;
    if syllables.len() > 1
        && let Some(last) = syllables.last_mut()
        && is_silent(last)
    {
        last.vowel.clear();
    }
    for at in 1..syllables.len().saturating_sub(1) {
        let speaks = |near: &Syllable| !near.vowel.is_empty();
        let between = speaks(&syllables[at - 1])
            && !syllables[at - 1].nasal
            && speaks(&syllables[at + 1])
            && !syllables[at + 1].consonant.is_empty();
        if between && is_silent(&syllables[at]) {
            syllables[at].vowel.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_written_as_they_are_spoken() {
        for (word, latin) in [
            ("छोले", "chhole"),
            ("मसाला", "masaalaa"),
            ("हळद", "halad"),
            ("हल्दी", "haldee"),
            ("मिरची", "mirchee"),
            ("मिर्च", "mirch"),
            ("मालवणी", "maalvanee"),
            ("बिरयानी", "biryaanee"),
            ("सांबार", "saanbaar"),
            ("इलायची", "ilaaychee"),
            ("कढ़ाई", "kadhaaee"),
            ("चटनी", "chatnee"),
            ("rasam", "rasam"),
        ] {
            assert_eq!(to_latin(word), latin, "{word}");
        }
    }
}
