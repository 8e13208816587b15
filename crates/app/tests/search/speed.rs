//! The time of a search.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mirasa_app::catalogue::{Catalogue, Snapshot};
use mirasa_domain::product::ProductDetails;

use super::product;

/// 10,000 products with some thousand different words.
fn large_shop() -> Arc<Snapshot> {
    let syllables = [
        "ka", "mi", "tho", "ra", "bel", "sun", "pa", "ghi", "lo", "va", "chi", "nam", "du", "re",
        "jo", "shi",
    ];
    let word = |seed: usize| {
        let part = |shift: usize| syllables[(seed >> shift) % syllables.len()];
        format!("{}{}{}", part(0), part(4), part(8))
    };
    let spices = [
        "Cumin seed",
        "Turmeric",
        "Red chilli",
        "Coriander seed",
        "Clove",
        "Black pepper",
        "Dry ginger",
    ];
    let products = (0..10_000usize).map(|at| {
        let scattered = at.wrapping_mul(2_654_435_761);
        product(ProductDetails {
            product_name: format!(
                "{} {} Masala {at}",
                word(scattered >> 3),
                word(scattered >> 7)
            ),
            category: vec![format!("Category {}", at % 40)],
            ingredients: (0..6)
                .map(|one| spices[(at + one) % spices.len()].into())
                .collect(),
            description: format!(
                "A blend of {} with {} for every day",
                word(scattered >> 5),
                word(scattered >> 9)
            ),
            ..ProductDetails::default()
        })
    });
    Catalogue::holding(products.collect()).snapshot()
}

/// A debug build on a busy machine has no limit in milliseconds: there a search is compared with building the index, which
/// reads every word of every product.
#[test]
fn search_of_ten_thousand_products_is_fast() {
    let begun = Instant::now();
    let shop = large_shop();
    let built = begun.elapsed();
    println!("snapshot of 10,000 products: {built:?}");
    let limit = match cfg!(debug_assertions) {
        true => built / 20,
        false => Duration::from_millis(1),
    };
    for text in [
        "kamitho",
        "kamithoo",
        "jeera",
        "zeera haldi",
        "khamitho masla",
        "xyzzyxyzzy",
        "turmerc",
        "masala",
        "छोले",
    ] {
        let times = (0..21).map(|_| {
            let begun = Instant::now();
            std::hint::black_box(shop.search(text));
            begun.elapsed()
        });
        let fastest = times.min().expect("21 searches");
        println!(
            "{text}: {fastest:?}, {} products",
            shop.search(text).products.len()
        );
        assert!(fastest < limit, "{text}: {fastest:?}, limit {limit:?}");
    }
}
