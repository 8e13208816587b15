use proptest::prelude::*;

use super::*;
use crate::pack::Prices;
use crate::refund::{RefundStatus, fixture};

fn packs(of_50g: u32, of_100g: u32) -> Packs {
    Packs { of_50g, of_100g }
}

fn line(product: &str, ordered: Packs, prices: (i64, i64), total: i64) -> OrderLine {
    OrderLine {
        product: ProductId(product.into()),
        product_name: product.into(),
        image: String::new(),
        packs: ordered,
        prices: Prices {
            of_50g: Some(Paise::new(prices.0)),
            of_100g: Some(Paise::new(prices.1)),
        },
        discount: Paise::ZERO,
        total: Paise::new(total),
        restocked: Packs::ZERO,
    }
}

fn refund(plan: &RefundPlan, status: RefundStatus) -> Refund {
    Refund {
        lines: plan.lines.clone(),
        ..fixture::refund(plan.amount, status)
    }
}

fn goda() -> ProductId {
    ProductId("goda".into())
}

#[test]
fn amount_beyond_the_payment_is_refused() {
    let order = [line("goda", packs(2, 1), (6_500, 12_000), 25_000)];
    let total = Paise::new(25_000);
    let amount = |paise| RefundSelection::Amount(Paise::new(paise));
    let first = plan(&order, total, &[], amount(20_000)).unwrap();
    let refunds = [refund(&first, RefundStatus::Pending)];
    let left = Paise::new(5_000);
    assert_eq!(
        plan(&order, total, &refunds, amount(5_001)),
        Err(RefundError::TooMuch { left })
    );
    assert_eq!(
        plan(&order, total, &refunds, amount(99)),
        Err(RefundError::TooSmall)
    );
    let all = RefundSelection::Packs(vec![(goda(), packs(2, 1))]);
    assert_eq!(
        plan(&order, total, &refunds, all.clone()),
        Err(RefundError::TooMuch { left })
    );
    let rest = plan(&order, total, &refunds, RefundSelection::Everything).unwrap();
    assert_eq!((rest.amount, rest.lines), (left, Vec::new()));
    assert_eq!(rest.goods, RefundedGoods::Everything);
    let failed = [refund(&first, RefundStatus::Failed)];
    assert_eq!(plan(&order, total, &failed, all).unwrap().amount, total);
    let done = [refund(
        &plan(&order, total, &[], RefundSelection::Everything).unwrap(),
        RefundStatus::Completed,
    )];
    assert_eq!(
        plan(&order, total, &done, amount(100)),
        Err(RefundError::NothingLeft)
    );
}

#[test]
fn packs_are_refunded_once() {
    let order = [line("goda", packs(2, 1), (6_500, 12_000), 25_000)];
    let total = Paise::new(25_000);
    let of = |of_50g, of_100g| RefundSelection::Packs(vec![(goda(), packs(of_50g, of_100g))]);
    let first = plan(&order, total, &[], of(1, 1)).unwrap();
    assert_eq!(first.amount, Paise::new(18_500));
    let refunds = [refund(&first, RefundStatus::Requested)];
    let too_many = RefundError::TooManyPacks("goda".into());
    assert_eq!(
        plan(&order, total, &refunds, of(0, 1)),
        Err(too_many.clone())
    );
    assert_eq!(plan(&order, total, &refunds, of(2, 0)), Err(too_many));
    assert_eq!(
        plan(&order, total, &refunds, of(0, 0)),
        Err(RefundError::NoPacks)
    );
    assert_eq!(
        plan(&order, total, &refunds, of(1, 0)).unwrap().amount,
        Paise::new(6_500)
    );
    let unknown = RefundSelection::Packs(vec![(ProductId("chai".into()), packs(1, 0))]);
    assert_eq!(
        plan(&order, total, &refunds, unknown),
        Err(RefundError::UnknownProduct("chai".into()))
    );
}

#[test]
fn less_than_a_rupee_is_kept_and_said() {
    let order = [line("goda", packs(2, 1), (6_500, 12_000), 25_000)];
    let total = Paise::new(25_000);
    let amount = |paise| RefundSelection::Amount(Paise::new(paise));
    let most = plan(&order, total, &[], amount(24_950)).unwrap();
    assert_eq!(most.rest_kept, Paise::new(50));
    let refunds = [refund(&most, RefundStatus::Pending)];
    let kept = RefundError::RestKept(Paise::new(50));
    assert_eq!(
        kept.to_string(),
        "₹0.50 is kept: the gateway refunds ₹1.00 or more."
    );
    let one = RefundSelection::Packs(vec![(goda(), packs(1, 0))]);
    for selection in [RefundSelection::Everything, amount(50), amount(6_500), one] {
        assert_eq!(plan(&order, total, &refunds, selection), Err(kept.clone()));
    }
    let all_but_one = plan(&order, total, &[], amount(24_900)).unwrap();
    assert_eq!(all_but_one.rest_kept, Paise::ZERO);
    let refunds = [refund(&all_but_one, RefundStatus::Completed)];
    let rest = plan(&order, total, &refunds, RefundSelection::Everything).unwrap();
    assert_eq!((rest.amount, rest.rest_kept), (MIN_REFUND, Paise::ZERO));
}

prop_compose! {
    /// The total may be less than the prices, as after a discount.
    fn any_line()(small in 0_u32..6, large in 0_u32..6, price in 100_i64..40_000, other in 100_i64..40_000, per_cent in 1_i64..=100)
        -> OrderLine {
        let ordered = packs(small + 1, large);
        let full = price * i64::from(small + 1) + other * i64::from(large);
        line("goda", ordered, (price, other), full * per_cent / 100)
    }
}

proptest! {
    #[test]
    fn shares_add_up_to_the_line(line in any_line(), steps in prop::collection::vec((0_u32..3, 0_u32..3, any::<bool>()), 0..12)) {
        let (order, total) = ([line.clone()], line.total);
        let mut refunds = Vec::new();
        for (of_50g, of_100g, fails) in steps {
            let selection = RefundSelection::Packs(vec![(goda(), packs(of_50g, of_100g))]);
            if let Ok(part) = plan(&order, total, &refunds, selection) {
                refunds.push(refund(&part, if fails { RefundStatus::Failed } else { RefundStatus::Completed }));
            }
            let (taken, amount) = refunded(&line, &refunds);
            prop_assert!(amount <= total && line.packs.checked_sub(taken).is_some());
            prop_assert_eq!(left_of(total, &refunds), total - amount);
        }
        if let Ok(rest) = plan(&order, total, &refunds, RefundSelection::Everything) {
            prop_assert_eq!(rest.lines.iter().map(|line| line.amount).sum::<Paise>(), rest.amount);
            refunds.push(refund(&rest, RefundStatus::Completed));
            prop_assert_eq!(refunded(&line, &refunds), (line.packs, total));
        }
    }
}
