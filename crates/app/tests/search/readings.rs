//! What a search finds where no product contains its text, and what it says about that.

use super::{demo_shop, names};

#[test]
fn what_the_shop_does_not_sell_is_not_replaced_by_something_else() {
    let shop = demo_shop();
    for typed in [
        "pizza",
        "burger",
        "garam masala",
        "garam masla",
        "masala laptop",
    ] {
        let found = shop.search(typed);
        assert!(
            found.products.is_empty(),
            "{typed}: {:?}",
            names(&shop, typed)
        );
        assert_eq!(
            (found.corrected_to, found.partial_match),
            (None, None),
            "{typed}"
        );
    }
}

#[test]
fn a_mistyped_word_of_another_name_is_asked_about() {
    let shop = demo_shop();
    let found = shop.search("chickpae");
    assert!(found.products.is_empty(), "{:?}", names(&shop, "chickpae"));
    assert_eq!(found.corrected_to.as_deref(), Some("chhole"));
}

#[test]
fn words_that_no_product_has_together_are_named() {
    let shop = demo_shop();
    for (typed, found, left_out) in [
        ("butter chicken", &["butter", "chicken"][..], &[][..]),
        ("laptop goda masala", &["goda masala"], &["laptop"]),
        ("choley laptop", &["chhole"], &["laptop"]),
        ("goda masala", &[], &[]),
        ("laptop", &[], &[]),
    ] {
        let result = shop.search(typed);
        let partial = result.partial_match.unwrap_or_default();
        assert_eq!(
            (&partial.found[..], &partial.left_out[..]),
            (
                &found
                    .iter()
                    .map(|word| (*word).to_owned())
                    .collect::<Vec<_>>()[..],
                &left_out
                    .iter()
                    .map(|word| (*word).to_owned())
                    .collect::<Vec<_>>()[..],
            ),
            "{typed}"
        );
        assert_eq!(result.corrected_to, None, "{typed}");
    }
}
