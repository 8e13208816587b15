//! The forgiving search, measured: spellings that find a word, words that must find nothing, and the time of a search.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod readings;
mod speed;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use mirasa_app::catalogue::{Catalogue, Snapshot};
use mirasa_domain::product::{Product, ProductDetails, ProductId};
use mirasa_domain::stock::Stock;
use proptest::prelude::*;

fn product(details: ProductDetails) -> Product {
    Product {
        id: ProductId::from_name(&details.product_name),
        details: Arc::new(details),
        stock: Stock {
            grams: 1000,
            pouches_50g: 5,
            pouches_100g: 5,
        },
        is_visible: true,
        trending_rank: None,
        too_old_grams: 0,
        rating: Default::default(),
        version: 1,
        updated_at_ms: 0,
    }
}

fn named(name: &str) -> Product {
    product(ProductDetails {
        product_name: name.into(),
        category: vec!["Pantry".into()],
        ..ProductDetails::default()
    })
}

/// The searchable texts of the demo products.
fn demo_shop() -> Arc<Snapshot> {
    let folder = Path::new("../../catalogue/products");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let products = files.iter().map(|file| {
        let text = fs::read_to_string(file).unwrap();
        let table: toml::Table = text.parse().unwrap();
        let text = |key: &str| table[key].as_str().unwrap().to_owned();
        let list = |key: &str| {
            let entries = table[key].as_array().unwrap().iter();
            entries
                .map(|one| one.as_str().unwrap().to_owned())
                .collect()
        };
        product(ProductDetails {
            product_name: text("product_name"),
            devanagari_name: text("devanagari_name"),
            description: text("description"),
            category: list("category"),
            ingredients: list("ingredients"),
            ..ProductDetails::default()
        })
    });
    Catalogue::holding(products.collect()).snapshot()
}

fn names(snapshot: &Snapshot, text: &str) -> Vec<String> {
    let found = snapshot.search(text).products;
    let names = found
        .iter()
        .map(|product| product.details.product_name.clone());
    names.collect()
}

/// Each word with its other spellings.
fn read_pairs(text: &str) -> Vec<(&str, Vec<&str>)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (word, spellings) = line.split_once(':').unwrap();
            (word, spellings.split(',').map(str::trim).collect())
        })
        .collect()
}

/// A spelling is found if the first product of the result is that of its word.
fn count_found(title: &str, pairs: &[(&str, Vec<&str>)]) -> (usize, usize) {
    let products = pairs.iter().map(|(word, _)| named(word)).collect();
    let shop = Catalogue::holding(products).snapshot();
    let (mut found, mut all, mut missed) = (0, 0, Vec::new());
    for (word, spellings) in pairs {
        for spelling in spellings {
            all += 1;
            let first = names(&shop, spelling).first().cloned();
            match first.as_deref() == Some(*word) {
                true => found += 1,
                false => missed.push(format!("{spelling} -> {first:?}, not {word}")),
            }
        }
    }
    println!("{title}: {found} of {all} spellings found; missed: {missed:#?}");
    (found, all)
}

#[test]
fn spellings_find_their_word() {
    let pairs = read_pairs(include_str!("../../../domain/tests/words/pairs.txt"));
    let (found, all) = count_found("made with", &pairs);
    assert_eq!((pairs.len(), all), (47, 133));
    assert!(found >= 115, "{found} of {all}");
}

#[test]
fn unseen_spellings_find_their_word() {
    let pairs = read_pairs(include_str!("../../../domain/tests/words/unseen.txt"));
    let (found, all) = count_found("not made with", &pairs);
    assert!(found * 100 >= all * 85, "{found} of {all}");
}

#[test]
fn unrelated_words_find_nothing() {
    let shop = demo_shop();
    let words: Vec<_> = include_str!("../../../domain/tests/words/unrelated.txt")
        .split_whitespace()
        .collect();
    assert_eq!(words.iter().collect::<BTreeSet<_>>().len(), 100);
    let friends: Vec<_> = words
        .iter()
        .filter(|word| !names(&shop, word).is_empty())
        .map(|word| format!("{word} -> {:?}", shop.search(word).corrected_to))
        .collect();
    println!("false friends among 100 unrelated words: {friends:?}");
    assert!(friends.len() <= 1, "{friends:?}");
}

#[test]
fn typed_words_find_what_is_meant() {
    let shop = demo_shop();
    for (typed, first, corrected) in [
        ("chole", "Chhole Masala", Some("chhole")),
        ("choley masale", "Chhole Masala", Some("chhole masala")),
        ("छोले", "Chhole Masala", None),
        ("biriyani", "Biryani Masala", Some("biryani")),
        ("pav bhaaji", "Pav Bhaji Masala", Some("pav bhaji")),
        ("pavbhaji", "Pav Bhaji Masala", Some("pavbhaji")),
        ("periperi", "Peri-Peri Mix", None),
        ("lahsun kanda", "Kanda Lasun Masala", Some("lasun kanda")),
        ("sambhar", "Sambar Masala", Some("sambar")),
        ("tea", "Chai Masala", Some("chai")),
        ("chickpea", "Chhole Masala", Some("chhole")),
        ("manchurain", "Manchurian Mix", Some("manchurian")),
        ("pulao", "Biryani Masala", Some("biryani")),
        ("machli", "Malvani Fish Masala", Some("fish")),
        ("manchuran", "Manchurian Mix", Some("manchurian")),
        ("tomatoe soup", "Tomato Soup Mix", Some("tomato soup")),
    ] {
        let found = shop.search(typed);
        let names = names(&shop, typed);
        assert_eq!(
            names.first().map(String::as_str),
            Some(first),
            "{typed}: {names:?}"
        );
        let corrected = corrected.filter(|text| *text != typed);
        assert_eq!(found.corrected_to.as_deref(), corrected, "{typed}");
    }
    for (typed, ingredient) in [
        ("jira", "Cumin"),
        ("haldi", "Turmeric"),
        ("hing", "asafoetida"),
        ("kali mirch", "Black pepper"),
    ] {
        let found = shop.search(typed).products;
        assert!(found.len() >= 2, "{typed}");
        for product in found {
            let all = product.details.ingredients.join(" ").to_lowercase();
            let name = product.details.product_name.to_lowercase();
            assert!(
                all.contains(&ingredient.to_lowercase()) || name.contains(typed),
                "{typed}: {name}"
            );
        }
    }
    for (typed, not_first) in [
        ("misal", "Tikka Masala"),
        ("chai", "Chaat Masala"),
        ("gond", "Goda Masala"),
    ] {
        assert_ne!(
            names(&shop, typed).first().map(String::as_str),
            Some(not_first)
        );
    }
}

#[test]
fn what_contains_the_text_comes_first_in_the_order_of_the_shop() {
    let shop = demo_shop();
    for text in [
        "masala",
        "garlic",
        "mango",
        "veg",
        "mix",
        "CHAI ",
        "ka",
        "s",
        "soup",
        "rice mixes",
    ] {
        let found = shop.search(text);
        let needle = text.trim().to_lowercase();
        let in_name = |product: &&Arc<Product>| {
            product
                .details
                .product_name
                .to_lowercase()
                .contains(&needle)
        };
        let in_category = |product: &&Arc<Product>| {
            product
                .details
                .category
                .iter()
                .any(|one| one.to_lowercase().contains(&needle))
        };
        let by_name = shop.visible().filter(in_name);
        let by_category = shop
            .visible()
            .filter(|product| !in_name(product) && in_category(product));
        let expected: Vec<_> = by_name
            .chain(by_category)
            .map(|product| &product.id)
            .collect();
        let first: Vec<_> = found.products[..found.literal]
            .iter()
            .map(|product| &product.id)
            .collect();
        assert_eq!(first, expected, "{text}");
        assert!(found.literal == 0 || found.corrected_to.is_none(), "{text}");
        let listed = shop.filter(text, &[]);
        assert_eq!(listed.literal, found.literal, "{text}");
        let distinct: BTreeSet<_> = found.products.iter().map(|product| &product.id).collect();
        assert_eq!(distinct.len(), found.products.len(), "{text}");
    }
    let garlic = names(&shop, "garlic");
    assert_eq!(garlic[0], "Italian Garlic Bread Mix");
    assert!(garlic.len() > 1, "ingredients follow: {garlic:?}");
}

#[test]
fn hidden_products_are_not_found_and_not_named() {
    let mut hidden = named("Zafrani Secret");
    hidden.is_visible = false;
    let shop = Catalogue::holding(vec![hidden, named("Goda Masala")]).snapshot();
    for text in ["zafrani", "jafrani", "zafranee", "secert"] {
        let found = shop.search(text);
        assert!(
            found.products.is_empty() && found.corrected_to.is_none(),
            "{text}"
        );
    }
}

#[test]
fn corrections_stay_in_the_chosen_category() {
    let shop = demo_shop();
    let all = shop.filter("choley", &[]);
    assert_eq!(all.products[0].details.product_name, "Chhole Masala");
    assert!(
        shop.filter("choley", &["Beverages".into()])
            .products
            .is_empty()
    );
}

proptest! {
    #[test]
    fn no_search_panics(text in "\\PC{0,40}|[\u{900}-\u{97f} ]{0,20}|[a-z ]{0,60}") {
        let shop = demo_shop();
        let found = shop.search(&text);
        prop_assert!(found.literal <= found.products.len());
        shop.filter(&text, &["Veg".into()]);
    }
}

#[test]
fn every_product_is_found_by_its_name_with_one_mistake() {
    let shop = demo_shop();
    for product in shop.visible() {
        let name = &product.details.product_name;
        let own = names(&shop, &product.details.devanagari_name);
        assert_eq!(
            own.first(),
            Some(name),
            "{}",
            product.details.devanagari_name
        );
        let longest = name
            .split([' ', '-'])
            .max_by_key(|word| word.len())
            .unwrap();
        for at in 1..longest.len() - 1 {
            let mut typed = longest.to_lowercase();
            typed.remove(at);
            // The letters around the missing one become one sound: falafel without its l, italian without its l.
            let is_vowel = |at: usize| "aeiouy".contains(char::from(typed.as_bytes()[at]));
            let merges = typed.as_bytes()[at - 1] == typed.as_bytes()[at]
                || (is_vowel(at - 1) && is_vowel(at));
            if typed.len() < 6 || merges {
                continue;
            }
            let found = names(&shop, &typed);
            assert!(
                found.contains(name),
                "{typed} does not find {name}: {found:?}"
            );
        }
    }
}
