use proptest::prelude::*;

use super::*;
use crate::id::ProductId;
use crate::pack::Prices;
use crate::refund::fixture;
use crate::refund_plan::{RefundSelection, plan};

const TOTAL: Paise = Paise::new(31_000);

/// Two packs of 50 g and one of 100 g of one product, one of 50 g of another.
fn order() -> [OrderLine; 2] {
    let line = |product: &str, of_50g, of_100g| {
        let prices = Prices {
            of_50g: Some(Paise::new(6_500)),
            of_100g: Some(Paise::new(11_500)),
        };
        let packs = Packs { of_50g, of_100g };
        OrderLine {
            product: ProductId(product.into()),
            product_name: product.into(),
            image: String::new(),
            packs,
            prices,
            discount: Paise::ZERO,
            total: prices.total(packs),
            restocked: Packs::ZERO,
        }
    };
    [line("goda", 2, 1), line("chai", 1, 0)]
}

fn goda(of_50g: u32, of_100g: u32) -> RefundSelection {
    RefundSelection::Packs(vec![(ProductId("goda".into()), Packs { of_50g, of_100g })])
}

fn amount(paise: i64) -> RefundSelection {
    RefundSelection::Amount(Paise::new(paise))
}

fn request(refunds: &[Refund], selection: RefundSelection) -> Option<Refund> {
    let plan = plan(&order(), TOTAL, refunds, selection).ok()?;
    Some(Refund {
        id: refunds.len().to_string().into(),
        lines: plan.lines,
        ..fixture::refund(plan.amount, RefundStatus::Requested)
    })
}

/// Requests it after all others have failed.
fn request_later(refunds: &[Refund], selection: RefundSelection) -> Option<Refund> {
    let at_ms = refunds.iter().map(|one| one.updated_at_ms).max();
    Some(Refund {
        created_at_ms: at_ms.unwrap_or_default() + 1,
        ..request(refunds, selection)?
    })
}

fn fail(refund: &mut Refund) {
    refund.status = RefundStatus::Failed;
    refund.updated_at_ms = refund.created_at_ms + 1;
}

/// Requests all of `failed`, lets them fail, and returns what the new refund covers of them.
fn covered(failed: &[RefundSelection], new: RefundSelection) -> Vec<String> {
    let mut refunds = Vec::new();
    for selection in failed {
        let mut refund = request(&refunds, selection.clone()).unwrap();
        fail(&mut refund);
        refunds.push(refund);
    }
    let new = request_later(&refunds, new).unwrap();
    let covered = covered_by(&new, &order(), TOTAL, &refunds);
    covered.into_iter().map(|id| id.0).collect()
}

#[test]
fn the_same_packs_or_amount_cover_a_failed_refund() {
    assert_eq!(covered(&[goda(1, 0)], goda(1, 0)), ["0"]);
    assert_eq!(covered(&[goda(1, 0)], goda(2, 1)), ["0"], "more packs");
    assert_eq!(covered(&[goda(2, 0)], goda(1, 1)), [""; 0], "a part");
    assert_eq!(covered(&[goda(0, 1)], goda(1, 0)), [""; 0], "another size");
    assert_eq!(covered(&[amount(4_000)], amount(4_000)), ["0"]);
    assert_eq!(covered(&[amount(4_000)], amount(3_999)), [""; 0]);
    assert_eq!(covered(&[amount(4_000)], goda(1, 0)), ["0"], "more money");
    assert_eq!(covered(&[amount(6_501)], goda(1, 0)), [""; 0]);
    assert_eq!(covered(&[goda(1, 0)], amount(6_500)), ["0"], "its price");
    assert_eq!(covered(&[goda(1, 0)], amount(6_499)), [""; 0]);
    let all = RefundSelection::Everything;
    assert_eq!(covered(&[goda(1, 0), amount(4_000)], all), ["0", "1"]);
    assert_eq!(
        covered(&[goda(1, 0)], amount(30_950)),
        ["0"],
        "nothing is left"
    );
}

#[test]
fn each_pack_and_each_paisa_covers_once() {
    assert_eq!(covered(&[goda(1, 0), goda(1, 0)], goda(1, 0)), ["0"]);
    assert_eq!(covered(&[goda(1, 0), goda(1, 0)], goda(2, 0)), ["0", "1"]);
    assert_eq!(
        covered(&[amount(4_000), amount(4_000)], amount(4_000)),
        ["0"]
    );
    assert_eq!(covered(&[amount(4_000), amount(500)], amount(600)), ["1"]);
    assert_eq!(covered(&[goda(1, 0), amount(500)], goda(1, 0)), ["0"]);
    assert_eq!(covered(&[amount(500), goda(1, 0)], goda(1, 0)), ["1"]);
    assert_eq!(
        covered(&[amount(500), goda(1, 0)], goda(2, 0)),
        ["1", "0"],
        "no such pack is left, and the rest of its price pays the amount"
    );
}

#[test]
fn the_last_part_covers_what_earlier_parts_have_begun() {
    let mut failed = request(&[], goda(2, 0)).unwrap();
    fail(&mut failed);
    let mut refunds = vec![failed];
    let is_first_owed = |refunds: &[Refund]| is_owed(&refunds[0], &order(), refunds);
    assert!(is_first_owed(&refunds));
    let first = request_later(&refunds, goda(1, 0)).unwrap();
    assert!(covered_by(&first, &order(), TOTAL, &refunds).is_empty());
    refunds.push(first);
    assert!(!is_first_owed(&refunds));
    let last = request_later(&refunds, goda(1, 1)).unwrap();
    assert_eq!(covered_by(&last, &order(), TOTAL, &refunds), ["0".into()]);
    refunds[0].superseded_by = Some("2".into());
    assert!(
        covered_by(&last, &order(), TOTAL, &refunds).is_empty(),
        "once"
    );
}

#[test]
fn what_was_requested_before_the_failure_does_not_cover() {
    let failed = request(&[], goda(1, 0)).unwrap();
    let mut refunds = vec![failed];
    refunds.push(request(&refunds, goda(1, 0)).unwrap());
    fail(&mut refunds[0]);
    assert!(is_owed(&refunds[0], &order(), &refunds));
    let other = request_later(&refunds, amount(100)).unwrap();
    assert!(covered_by(&other, &order(), TOTAL, &refunds).is_empty());
}

#[test]
fn a_repetition_covers_the_refund_that_it_repeats() {
    let mut refunds = Vec::new();
    for _ in 0..2 {
        let mut refund = request(&refunds, amount(4_000)).unwrap();
        fail(&mut refund);
        refunds.push(refund);
    }
    let mut retry = request_later(&refunds, RefundSelection::of(&refunds[1])).unwrap();
    retry.retry_of = Some("1".into());
    assert_eq!(covered_by(&retry, &order(), TOTAL, &refunds), ["1".into()]);
}

#[derive(Debug, Clone, Copy)]
enum Step {
    /// A new refund of as many packs, or of their price.
    New(u32, bool),
    Retry(usize),
    End(usize, bool),
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (1_u32..4, any::<bool>()).prop_map(|(packs, is_amount)| Step::New(packs, is_amount)),
        (0_usize..4).prop_map(Step::Retry),
        (0_usize..4, any::<bool>()).prop_map(|(at, fails)| Step::End(at, fails)),
    ]
}

const PRICE: i64 = 6_500;

fn packs_or_price(packs: u32, is_amount: bool) -> RefundSelection {
    match is_amount {
        true => amount(i64::from(packs) * PRICE),
        false => goda(packs, 0),
    }
}

proptest! {
    /// The owner owes some packs, and requests what is missing, in parts, as packs or amounts. Whatever fails and is
    /// repeated, no more than that is returned; the owner is told until it is, and no longer.
    #[test]
    fn parts_return_what_is_owed_once(
        claims in prop::collection::vec((1_u32..4, any::<bool>()), 1..3),
        steps in prop::collection::vec(any_step(), 1..24),
    ) {
        let [mut line, _] = order();
        line.packs = Packs { of_50g: 12, of_100g: 0 };
        line.total = line.prices.total(line.packs);
        let (order, received) = ([line.clone()], line.total);
        let owed: i64 = claims.iter().map(|(packs, _)| i64::from(*packs) * PRICE).sum();
        let (mut refunds, mut now_ms) = (Vec::<Refund>::new(), 0);
        let returned = |refunds: &[Refund]| (received - left_of(received, refunds)).get();
        let add = |refunds: &mut Vec<Refund>, selection, retry_of: Option<RefundId>, now_ms| {
            let Ok(plan) = plan(&order, received, refunds, selection) else { return };
            let new = Refund {
                id: refunds.len().to_string().into(),
                amount: plan.amount,
                lines: plan.lines,
                retry_of,
                created_at_ms: now_ms,
                updated_at_ms: now_ms,
                ..request(&[], amount(100)).unwrap()
            };
            for id in covered_by(&new, &order, received, refunds) {
                let failed = refunds.iter_mut().find(|one| one.id == id).unwrap();
                failed.superseded_by = Some(new.id.clone());
            }
            refunds.push(new);
        };
        // All claims are requested before one of them fails.
        for (packs, is_amount) in claims {
            add(&mut refunds, packs_or_price(packs, is_amount), None, now_ms);
        }
        let ends = (0..64).map(|_| Step::End(0, false));
        let mut trace = Vec::new();
        for step in steps.into_iter().chain(ends) {
            now_ms += 1;
            match step {
                Step::New(packs, is_amount) => {
                    if returned(&refunds) + i64::from(packs) * PRICE <= owed {
                        add(&mut refunds, packs_or_price(packs, is_amount), None, now_ms);
                    }
                }
                Step::Retry(at) => {
                    let mut open = refunds.iter().filter(|one| is_open(one, &refunds));
                    if let Some(failed) = open.nth(at).cloned()
                        && is_owed(&failed, &order, &refunds)
                    {
                        let selection = RefundSelection::of(&failed);
                        add(&mut refunds, selection, Some(failed.id), now_ms);
                    }
                }
                Step::End(at, fails) => {
                    let under_way = |one: &&mut Refund| one.status == RefundStatus::Requested;
                    let Some(refund) = refunds.iter_mut().filter(under_way).nth(at) else { continue };
                    refund.status = if fails { RefundStatus::Failed } else { RefundStatus::Completed };
                    refund.updated_at_ms = now_ms;
                }
            }
            trace.push(step);
            let open = refunds.iter().filter(|one| is_open(one, &refunds)).count();
            prop_assert!(returned(&refunds) <= owed, "{} of {owed}: {trace:?}", returned(&refunds));
            prop_assert!(returned(&refunds) == owed || open > 0, "nobody is told: {trace:?}");
            prop_assert!(returned(&refunds) < owed || open == 0, "still open: {trace:?}");
        }
    }

    /// Whatever fails and is repeated, no pack and no paisa is refunded twice, and what cannot be repeated even in part
    /// is covered.
    #[test]
    fn nothing_is_refunded_twice(steps in prop::collection::vec((0_u8..5, 0_u32..3, 0_u32..2, any::<bool>()), 1..16)) {
        let (order, mut refunds) = (order(), Vec::<Refund>::new());
        for (kind, small, large, fails) in steps {
            let failed = refunds.iter().find(|one| is_open(one, &refunds)).cloned();
            let (selection, retry_of) = match (kind, failed) {
                (0, _) => (amount(i64::from(small) * 2_000 + 150), None),
                (1, _) => (RefundSelection::Everything, None),
                (2 | 3, Some(failed)) => (RefundSelection::of(&failed), Some(failed.id)),
                _ => (goda(small, large), None),
            };
            let Some(new) = request_later(&refunds, selection) else { continue };
            let new = Refund { retry_of, ..new };
            for id in covered_by(&new, &order, TOTAL, &refunds) {
                let failed = refunds.iter_mut().find(|one| one.id == id).unwrap();
                failed.superseded_by = Some(new.id.clone());
            }
            let status = if fails { RefundStatus::Failed } else { RefundStatus::Completed };
            refunds.push(Refund { status, ..new });
            prop_assert!(left_of(TOTAL, &refunds) >= Paise::ZERO);
            for line in &order {
                let (packs, paid) = refunded(line, &refunds);
                prop_assert!(line.packs.checked_sub(packs).is_some() && paid <= line.total);
            }
            let repeated = refunds.iter().filter_map(|one| one.retry_of.clone());
            let mut repeated: Vec<_> = repeated.collect();
            repeated.sort_unstable();
            prop_assert!(repeated.is_sorted_by(|one, next| one < next), "each at most once");
        }
    }
}
