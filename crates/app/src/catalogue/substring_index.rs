//! A substring search over many short texts. The texts are concatenated, so that one pass searches all of them.

use memchr::memmem;

#[derive(Debug, Default)]
pub struct SubstringIndex {
    text: String,
    /// Where each text ends.
    ends: Vec<usize>,
}

impl<T: AsRef<str>> FromIterator<T> for SubstringIndex {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> SubstringIndex {
        let mut all = SubstringIndex::default();
        for text in texts {
            all.text.push_str(text.as_ref());
            all.ends.push(all.text.len());
        }
        all
    }
}

impl SubstringIndex {
    /// The positions of the texts that contain the word, in ascending order.
    pub fn find(&self, word: &str) -> Vec<usize> {
        let finder = memmem::Finder::new(word);
        let (mut found, mut from, mut number) = (Vec::new(), 0, 0);
        while let Some(at) = finder.find(&self.text.as_bytes()[from..]) {
            let begins = from + at;
            // Matches come in the order of the texts: all steps together are at most one for each text.
            while self.ends.get(number).is_some_and(|end| *end <= begins) {
                number += 1;
            }
            let Some(&ends) = self.ends.get(number) else {
                break;
            };
            if begins + word.len() <= ends {
                found.push(number);
                from = ends;
            } else {
                // The match crosses the border of two texts, so it is in neither of them.
                from = begins + 1;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn find_matches_a_search_of_each_text(
            texts in prop::collection::vec("[abγ]{0,6}", 0..12),
            word in "[abγ]{1,3}",
        ) {
            let one_by_one: Vec<_> = (0..texts.len()).filter(|at| texts[*at].contains(&word)).collect();
            prop_assert_eq!(SubstringIndex::from_iter(&texts).find(&word), one_by_one);
        }
    }
}
