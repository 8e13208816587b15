//! Words with the same meaning: haldi is turmeric. The groups are in synonyms.txt.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{fold, sound};

/// The number of a group.
pub type SynonymGroup = u16;

/// Where a phrase stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Search,
    Product,
}

struct Phrase {
    sounds: Vec<String>,
    group: SynonymGroup,
    in_search: bool,
    in_product: bool,
}

/// By the sound of the first word; long phrases first.
static PHRASES: LazyLock<HashMap<String, Vec<Phrase>>> =
    LazyLock::new(|| parse(include_str!("synonyms.txt")));

fn parse(text: &str) -> HashMap<String, Vec<Phrase>> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut by_sound = HashMap::<String, Vec<Phrase>>::new();
    for (number, line) in lines.enumerate() {
        let group = SynonymGroup::try_from(number).unwrap_or_default();
        let (left, right) = line.split_once('>').unwrap_or(("", line));
        let one_way = !left.is_empty();
        for (phrases, in_search, in_product) in [(left, true, false), (right, !one_way, true)] {
            for phrase in phrases
                .split(',')
                .filter(|phrase| !phrase.trim().is_empty())
            {
                let sounds: Vec<_> = phrase
                    .split_whitespace()
                    .map(|word| sound(&fold(word)))
                    .collect();
                by_sound.entry(sounds[0].clone()).or_default().push(Phrase {
                    sounds,
                    group,
                    in_search,
                    in_product,
                });
            }
        }
    }
    for phrases in by_sound.values_mut() {
        phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.sounds.len()));
    }
    by_sound
}

/// The groups of the longest phrase that the words begin with, and its number of words.
pub fn synonym_at<S: AsRef<str>>(sounds: &[S], side: Side) -> Option<(Vec<SynonymGroup>, usize)> {
    let phrases = PHRASES.get(sounds.first()?.as_ref())?;
    let fits = |phrase: &&Phrase| {
        let on_side = match side {
            Side::Search => phrase.in_search,
            Side::Product => phrase.in_product,
        };
        let same = |(one, other): (&String, &S)| one == other.as_ref();
        on_side && phrase.sounds.len() <= sounds.len() && phrase.sounds.iter().zip(sounds).all(same)
    };
    let length = phrases.iter().find(fits)?.sounds.len();
    let all = phrases
        .iter()
        .filter(fits)
        .filter(|phrase| phrase.sounds.len() == length);
    let mut groups: Vec<_> = all.map(|phrase| phrase.group).collect();
    groups.dedup();
    Some((groups, length))
}

/// The single words that a search may mistype, folded, with their groups.
pub fn searched_words() -> impl Iterator<Item = (String, SynonymGroup)> {
    let lines = include_str!("synonyms.txt")
        .lines()
        .filter(|line| !line.starts_with('#'));
    lines.enumerate().flat_map(|(number, line)| {
        let group = SynonymGroup::try_from(number).unwrap_or_default();
        let searched = line.split_once('>').map_or(line, |(left, _)| left);
        let phrases = searched.split(',').map(str::trim);
        phrases
            .filter(|phrase| !phrase.is_empty() && !phrase.contains(' '))
            .map(move |word| (fold(word), group))
            .collect::<Vec<_>>()
    })
}

pub fn group_count() -> usize {
    let lines = include_str!("synonyms.txt").lines();
    lines.filter(|line| !line.starts_with('#')).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group_of(text: &str, side: Side) -> Option<(Vec<SynonymGroup>, usize)> {
        let sounds: Vec<_> = text.split(' ').map(|word| sound(&fold(word))).collect();
        synonym_at(&sounds, side)
    }

    #[test]
    fn synonyms_share_a_group() {
        for (one, other) in [
            ("haldi", "turmeric"),
            ("हळद", "हल्दी"),
            ("kali mirch", "black pepper"),
            ("zeera", "cumin"),
            ("briyani", "biryani"),
        ] {
            let searched = group_of(one, Side::Search).unwrap().0;
            let found = group_of(other, Side::Product).unwrap().0;
            assert!(searched.iter().any(|group| found.contains(group)), "{one}");
        }
        assert_eq!(group_of("black salt", Side::Search).unwrap().1, 2);
        assert_eq!(group_of("black", Side::Search), None);
        assert_eq!(group_of("laptop", Side::Search), None);
    }

    #[test]
    fn one_way_words_are_found_and_do_not_find() {
        let groups = group_of("pulao", Side::Search).unwrap().0;
        let of_biryani = group_of("biryani", Side::Product).unwrap().0;
        assert!(groups.iter().all(|group| of_biryani.contains(group)));
        assert_eq!(group_of("pulao", Side::Product), None);
    }
}
