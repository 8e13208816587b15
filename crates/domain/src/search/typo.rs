//! How many typing mistakes lie between two folded words, and how many a word of that length may have.

/// Longer words are not compared.
pub const MAX_WORD_BYTES: usize = 24;

/// From this many letters on, a word may have one mistake.
const ONE_MISTAKE_FROM: usize = 4;
const TWO_MISTAKES_FROM: usize = 8;
/// People rarely mistype the first letter, and short words that differ in it are other words.
const OTHER_FIRST_LETTER_FROM: usize = 6;
/// Words of up to this length differ from many other words in one letter: only mistakes that do not replace a letter by
/// an unrelated one count as such.
const CAREFUL_UP_TO: usize = 5;

/// A bit for each letter of a folded word. One mistake changes at most two bits.
pub fn letter_set(folded: &str) -> u64 {
    folded.bytes().fold(0, |set, byte| {
        set | 1
            << match byte {
                b'a'..=b'z' => byte - b'a',
                b'0'..=b'9' => byte - b'0' + 26,
                _ => 36,
            }
    })
}

/// The number of mistakes, if a search for `typed` may mean `word`. Both are folded.
pub fn typo_distance(typed: &str, word: &str) -> Option<usize> {
    let (typed, word) = (typed.as_bytes(), word.as_bytes());
    let shorter = typed.len().min(word.len());
    if shorter < ONE_MISTAKE_FROM || typed.len().max(word.len()) > MAX_WORD_BYTES {
        return None;
    }
    let mut allowed = if shorter < TWO_MISTAKES_FROM { 1 } else { 2 };
    if typed[0] != word[0] && !(is_vowel(typed[0]) && is_vowel(word[0])) {
        if shorter < OTHER_FIRST_LETTER_FROM {
            return None;
        }
        allowed = 1;
    }
    if shorter <= CAREFUL_UP_TO && replaces_unlike_letter(typed, word) {
        return None;
    }
    distance(typed, word, allowed)
}

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u')
}

/// Whether the words differ in exactly one letter, and the two letters are not confused in speech.
fn replaces_unlike_letter(typed: &[u8], word: &[u8]) -> bool {
    if typed.len() != word.len() {
        return false;
    }
    let mut unlike = typed.iter().zip(word).filter(|(one, other)| one != other);
    match (unlike.next(), unlike.next()) {
        (Some((one, other)), None) => !matches!(
            (one.min(other), one.max(other)),
            (b'e', b'i') | (b'o', b'u') | (b'b', b'v') | (b'd', b'r') | (b'd', b't') | (b'g', b'k')
        ),
        _ => false,
    }
}

/// Inserted, missing, replaced and swapped letters (optimal string alignment); None if there are more than `allowed`.
fn distance(one: &[u8], other: &[u8], allowed: usize) -> Option<usize> {
    if one.len().abs_diff(other.len()) > allowed {
        return None;
    }
    let mut before = [0usize; MAX_WORD_BYTES + 1];
    let mut above: [usize; MAX_WORD_BYTES + 1] = std::array::from_fn(|at| at);
    for (row, letter) in one.iter().enumerate() {
        let mut current = [usize::MAX; MAX_WORD_BYTES + 1];
        current[0] = row + 1;
        let mut least = current[0];
        for (column, other_letter) in other.iter().enumerate() {
            let replaced = above[column] + usize::from(letter != other_letter);
            let mut cost = replaced.min(above[column + 1] + 1).min(current[column] + 1);
            if row > 0
                && column > 0
                && *letter == other[column - 1]
                && one[row - 1] == *other_letter
            {
                cost = cost.min(before[column - 1] + 1);
            }
            current[column + 1] = cost;
            least = least.min(cost);
        }
        if least > allowed {
            return None;
        }
        (before, above) = (above, current);
    }
    Some(above[other.len()]).filter(|distance| *distance <= allowed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn mistakes_are_allowed_by_word_length() {
        for (typed, word, expected) in [
            ("mislaa", "misala", Some(1)),
            ("haldi", "hadli", Some(1)),
            ("hing", "king", None),
            ("rise", "rose", None),
            ("line", "lime", None),
            ("jera", "jira", Some(1)),
            ("turmerik", "tumerik", Some(1)),
            ("kardamon", "kardamom", Some(1)),
            ("koriandar", "korender", None),
            ("elaci", "ilaci", Some(1)),
            ("til", "tal", None),
            ("greese", "greener", None),
        ] {
            assert_eq!(typo_distance(typed, word), expected, "{typed} {word}");
            assert_eq!(typo_distance(word, typed), expected, "{word} {typed}");
        }
    }

    proptest! {
        #[test]
        fn one_mistake_is_found(word in "[a-z]{6,14}", at in 1usize..5, letter in b'a'..=b'z') {
            let bytes = word.as_bytes();
            let mut swapped = bytes.to_vec();
            swapped.swap(at, at + 1);
            let mut missing = bytes.to_vec();
            missing.remove(at);
            let mut extra = bytes.to_vec();
            extra.insert(at, letter);
            for typed in [swapped, missing, extra] {
                let typed = String::from_utf8(typed).unwrap();
                let careful = typed.len().min(word.len()) <= CAREFUL_UP_TO;
                let distance = typo_distance(&typed, &word);
                prop_assert!(careful || distance.is_some_and(|distance| distance <= 1), "{typed}");
            }
        }

        #[test]
        fn letter_sets_of_close_words_differ_in_few_letters(typed in "[a-e]{4,9}", word in "[a-e]{4,9}") {
            if let Some(distance) = typo_distance(&typed, &word) {
                let unlike = (letter_set(&typed) ^ letter_set(&word)).count_ones();
                prop_assert!(unlike as usize <= 2 * distance);
            }
        }
    }
}
