use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::discount::DiscountCode;
use crate::discount::fixture::percent;
use crate::end_reason::{EndReason, MIN_PAGE_MS, PAY_WITHIN_MS};
use crate::id::DiscountId;
use crate::payment::PaymentAttemptState;
use crate::product::ProductDetails;
use crate::stock::InsufficientStock;

const NOW_MS: i64 = 1_000_000_000_000;

fn product(id: &str, prices: (i64, i64), stock: Stock) -> Product {
    Product {
        id: ProductId(id.into()),
        details: Arc::new(ProductDetails {
            product_name: id.to_uppercase(),
            mrp: vec![Paise::new(prices.0), Paise::new(prices.1)],
            ..ProductDetails::default()
        }),
        stock,
        too_old_grams: 0,
        is_visible: true,
        trending_rank: None,
        version: 1,
        updated_at_ms: 0,
        rating: Default::default(),
    }
}

fn plenty() -> Stock {
    Stock {
        grams: 100_000,
        pouches_50g: 1_000,
        pouches_100g: 1_000,
    }
}

fn packs(of_50g: u32, of_100g: u32) -> Packs {
    Packs { of_50g, of_100g }
}

fn address() -> Address {
    Address {
        address_name: String::new(),
        name: "Asha".into(),
        phone: String::new(),
        line1: String::new(),
        line2: String::new(),
        city: String::new(),
        state: String::new(),
        pincode: String::new(),
    }
}

fn draft(products: Vec<Product>, ordered: &[(&str, Packs)]) -> OrderDraft {
    OrderDraft {
        packs: ordered
            .iter()
            .map(|(id, packs)| (ProductId((*id).into()), *packs))
            .collect(),
        products,
        address: address(),
        expected_total: None,
        discount: None,
    }
}

fn goda() -> Product {
    product("goda", (6_500, 12_000), plenty())
}

/// A code for a part of the price.
fn per_cent(per_cent: i64) -> (Discount, DiscountUses) {
    let discount = Discount {
        id: DiscountId("D1".into()),
        code: DiscountCode::parse("DIWALI").unwrap(),
        terms: percent(per_cent),
        created_at_ms: 0,
        updated_at_ms: 0,
    };
    (discount, DiscountUses::default())
}

fn attempt(expires_at_ms: i64) -> PaymentAttempt {
    PaymentAttempt {
        merchant_order_id: "M1".into(),
        order_id: "O1".into(),
        amount: Paise::ZERO,
        state: PaymentAttemptState::Opening,
        redirect_url: None,
        expires_at_ms,
        created_at_ms: NOW_MS,
        polled_at_ms: 0,
    }
}

fn placed(draft: &OrderDraft, deadline_ms: i64) -> Order {
    let priced = price(draft, 0, NOW_MS).unwrap();
    priced.place(UserId("u1".into()), &attempt(deadline_ms), NOW_MS)
}

#[test]
fn order_is_refused_with_the_first_reason() {
    let refused = |draft: &OrderDraft| price(draft, 3, NOW_MS).unwrap_err().to_string();
    let two = [("goda", packs(2, 0))];
    let hidden = Product {
        is_visible: false,
        ..goda()
    };
    assert_eq!(
        refused(&draft(vec![hidden], &two)),
        "GODA is no longer available. Please remove it from your cart."
    );
    assert_eq!(
        refused(&draft(Vec::new(), &two)),
        "goda is no longer available. Please remove it from your cart."
    );
    let only_large = product("goda", (0, 12_000), plenty());
    assert_eq!(
        refused(&draft(vec![only_large], &two)),
        "This product is not sold in that pack size"
    );
    let mut paused = draft(vec![goda()], &two);
    paused.expected_total = Some(Paise::new(1));
    assert_eq!(
        refused(&paused),
        "Prices have changed. Please look at your cart again."
    );
    let (mut discount, uses) = per_cent(10);
    discount.terms.is_active = false;
    paused.discount = Some((discount, uses));
    assert_eq!(
        refused(&paused),
        "The code DIWALI cannot be used. This code is not valid at the moment."
    );
    let cheap = product("goda", (49, 12_000), plenty());
    assert_eq!(
        refused(&draft(vec![cheap], &two)),
        "An order must come to at least ₹1"
    );
    assert_eq!(
        refused(&draft(vec![goda()], &[("goda", packs(3, 1))])),
        "An order can have at most 3 packs. Yours has 4."
    );
}

#[test]
fn order_may_be_free_by_a_code() {
    let mut free = draft(vec![goda()], &[("goda", packs(1, 0))]);
    free.discount = Some(per_cent(100));
    let priced = price(&free, 0, NOW_MS).unwrap();
    assert_eq!(priced.total, Paise::ZERO);
    assert_eq!(priced.discount.unwrap().amount, Paise::new(6_500));
}

#[test]
fn same_items_code_and_address_are_the_same_order() {
    let cart = draft(vec![goda()], &[("goda", packs(1, 1))]);
    let pending = placed(&cart, NOW_MS);
    let is_same =
        |draft: &OrderDraft, pending: &Order| price(draft, 0, NOW_MS).unwrap().is_same_as(pending);
    assert!(is_same(&cart, &pending));
    let deleted = Order {
        deleted_at_ms: Some(1),
        ..pending.clone()
    };
    assert!(!is_same(&cart, &deleted));
    let other_packs = draft(vec![goda()], &[("goda", packs(1, 2))]);
    let dearer = product("goda", (6_600, 12_000), plenty());
    let other_price = draft(vec![dearer], &[("goda", packs(1, 1))]);
    let mut other_address = cart.clone();
    other_address.address.name = "Ravi".into();
    let mut with_code = cart.clone();
    with_code.discount = Some(per_cent(10));
    for other in [other_packs, other_price, other_address, with_code] {
        assert!(!is_same(&other, &pending));
    }
}

#[test]
fn order_that_has_left_is_not_replaced() {
    let mut order = placed(&draft(vec![goda()], &[("goda", packs(1, 0))]), NOW_MS);
    assert!(can_be_replaced(&order));
    order.state.order_status = OrderStatus::Shipped;
    assert!(!can_be_replaced(&order));
}

prop_compose! {
    fn any_line()(of_50g in 0_u32..6, of_100g in 0_u32..6, small in 1_i64..40_000, large in 1_i64..40_000,
        grams in 0_i64..1_500, pouches_50g in 0_i64..8, pouches_100g in 0_i64..8, too_old_grams in 0_i64..800)
        -> (Packs, (i64, i64), Stock, i64) {
        let stock = Stock { grams, pouches_50g, pouches_100g };
        (packs(of_50g + 1, of_100g), (small, large), stock, too_old_grams)
    }
}

fn draft_of(lines: &[(Packs, (i64, i64), Stock, i64)]) -> OrderDraft {
    let ids: Vec<_> = (0..lines.len()).map(|at| format!("p{at}")).collect();
    let products = ids.iter().zip(lines).map(|(id, line)| Product {
        too_old_grams: line.3,
        ..product(id, line.1, line.2)
    });
    let ordered: Vec<_> = ids
        .iter()
        .zip(lines)
        .map(|(id, line)| (id.as_str(), line.0))
        .collect();
    draft(products.collect(), &ordered)
}

proptest! {
    #[test]
    fn total_is_the_price_of_the_packs_less_the_saving(
        lines in proptest::collection::vec(any_line(), 1..5), off in proptest::option::of(1_i64..=100),
    ) {
        let mut draft = draft_of(&lines);
        draft.discount = off.map(per_cent);
        let full: i64 = lines.iter().map(|(packs, prices, ..)| i64::from(packs.of_50g) * prices.0 + i64::from(packs.of_100g) * prices.1).sum();
        match price(&draft, 0, NOW_MS) {
            Err(refused) => {
                prop_assert_eq!(refused, OrderRefused::TotalTooLow);
                prop_assert!(Paise::new(full) < MIN_PAYMENT);
            }
            Ok(priced) => {
                let saving = priced.discount.as_ref().map_or(Paise::ZERO, |discount| discount.amount);
                prop_assert_eq!(priced.total + saving, Paise::new(full));
                prop_assert_eq!(total_of(&priced.lines), priced.total);
                prop_assert!(priced.lines.iter().all(|line| line.total >= Paise::ZERO && line.discount >= Paise::ZERO));
                let ordered: Vec<_> = priced.lines.iter().map(|line| (line.product.clone(), line.packs)).collect();
                prop_assert_eq!(&ordered, &draft.packs, "nothing is left out");
                draft.expected_total = Some(priced.total);
                prop_assert_eq!(price(&draft, 0, NOW_MS), Ok(priced.clone()));
                draft.expected_total = Some(priced.total + Paise::new(1));
                prop_assert_eq!(price(&draft, 0, NOW_MS), Err(OrderRefused::TotalChanged));
            }
        }
    }

    #[test]
    fn order_takes_its_packs_and_nothing_that_is_too_old(
        lines in proptest::collection::vec(any_line(), 1..5), released in proptest::option::of(any_line()),
    ) {
        let draft = draft_of(&lines);
        let Ok(priced) = price(&draft, 0, NOW_MS) else { return Ok(()) };
        // The first product, after an order that is replaced has ended.
        let released: Vec<_> = released.into_iter().map(|line| (draft.packs[0].0.clone(), line.2)).collect();
        let stock_of = |at: usize| released.first().filter(|_| at == 0).map_or(lines[at].2, |one| one.1);
        let is_enough = lines.iter().enumerate().all(|(at, line)| {
            stock_of(at).without_grams(line.3).check_available(line.0).is_ok()
        });
        match priced.stock_left(&draft.products, released.clone()) {
            Err(error) => {
                prop_assert!(!is_enough);
                prop_assert!(matches!(error, CartError::InsufficientStock(InsufficientStock::Spice | InsufficientStock::Pouches50g | InsufficientStock::Pouches100g)));
            }
            Ok(left) => {
                prop_assert!(is_enough);
                prop_assert_eq!(left.len(), lines.len());
                for (id, left) in left {
                    let at = draft.packs.iter().position(|(one, _)| *one == id).unwrap();
                    prop_assert!(!left.is_negative() && left.grams >= lines[at].3.min(stock_of(at).grams));
                    prop_assert_eq!(left + Stock::from(lines[at].0), stock_of(at));
                }
            }
        }
    }

    #[test]
    fn checking_out_again_does_not_prolong_a_reservation(left_ms in proptest::collection::vec(-PAY_WITHIN_MS..=PAY_WITHIN_MS, 0..4)) {
        let cart = draft(vec![goda()], &[("goda", packs(1, 0))]);
        let pending: Vec<_> = left_ms.iter().map(|left_ms| placed(&cart, NOW_MS + left_ms)).collect();
        let Replacement { ends, deadline_ms } = replace(pending, NOW_MS);
        prop_assert_eq!(ends.len(), left_ms.len());
        let first = left_ms.iter().min().filter(|left_ms| **left_ms >= MIN_PAGE_MS);
        prop_assert_eq!(deadline_ms, NOW_MS + first.unwrap_or(&PAY_WITHIN_MS));
        for ((_, end), left_ms) in ends.iter().zip(&left_ms) {
            let reason = if *left_ms >= MIN_PAGE_MS { EndReason::Replaced } else { EndReason::Expired };
            prop_assert_eq!(end.reason, reason);
            prop_assert!(!end.sends_email);
        }
    }
}
