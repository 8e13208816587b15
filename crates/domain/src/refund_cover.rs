//! Which failed refunds a new refund covers. A covered refund cannot be repeated: its packs or its amount would be refunded
//! twice.

use crate::money::Paise;
use crate::order::OrderLine;
use crate::pack::Packs;
use crate::product::ProductId;
use crate::refund::{Refund, RefundLine, RefundStatus};
use crate::refund_plan::{left_of, refundable, refunded};

/// Whether a failed refund still waits for an admin: nobody has repeated or replaced it. `refunds` are those of its order.
pub fn is_open(failed: &Refund, refunds: &[Refund]) -> bool {
    let is_repeated = |other: &Refund| other.retry_of.as_ref() == Some(&failed.id);
    failed.status == RefundStatus::Failed
        && failed.superseded_by.is_none()
        && !refunds.iter().any(is_repeated)
}

/// The failed refunds that `new` covers, the oldest first. `earlier` are all other refunds of the same payment, of which
/// `received` is the amount.
///
/// - A repetition covers the refund that it repeats.
/// - Packs cover a failed refund of the same packs, and a free amount covers failed free amounts up to it. Each pack and each
///   paisa covers once.
/// - A failed refund of which no pack is left, or of a payment of which nothing is left, is covered too.
pub fn covered_by(
    new: &Refund,
    order: &[OrderLine],
    received: Paise,
    earlier: &[Refund],
) -> Vec<String> {
    let mut refunds = earlier.to_vec();
    refunds.push(new.clone());
    let is_nothing_left = refundable(left_of(received, &refunds)) == Paise::ZERO;
    let mut pool = match new.retry_of {
        Some(_) => Pool::default(),
        None => Pool::of(new),
    };
    let open = earlier.iter().filter(|failed| is_open(failed, earlier));
    open.filter(|failed| {
        let is_repeated = new.retry_of.as_ref() == Some(&failed.id);
        is_repeated
            || is_nothing_left
            || pool.take(failed)
            || has_no_packs_left(failed, order, &refunds)
    })
    .map(|failed| failed.id.clone())
    .collect()
}

/// What of the new refund has not covered a failed one yet.
#[derive(Default)]
struct Pool {
    packs: Vec<(ProductId, Packs)>,
    amount: Paise,
}

impl Pool {
    fn of(new: &Refund) -> Pool {
        let packs = new
            .lines
            .iter()
            .map(|line| (line.product.clone(), line.packs));
        Pool {
            packs: packs.collect(),
            amount: if new.lines.is_empty() {
                new.amount
            } else {
                Paise::ZERO
            },
        }
    }

    /// Takes what the failed refund was for, if all of it is there.
    fn take(&mut self, failed: &Refund) -> bool {
        if failed.lines.is_empty() {
            let is_enough = failed.amount <= self.amount;
            if is_enough {
                self.amount = self.amount - failed.amount;
            }
            return is_enough;
        }
        let rest = |(product, packs): &(ProductId, Packs)| {
            let line = failed.lines.iter().find(|line| line.product == *product);
            let taken = line.map_or(Packs::ZERO, |line| line.packs);
            packs.checked_sub(taken).map(|rest| (product.clone(), rest))
        };
        let has = |line: &RefundLine| self.packs.iter().any(|(id, _)| *id == line.product);
        let rests: Option<Vec<_>> = self.packs.iter().map(rest).collect();
        match rests.filter(|_| failed.lines.iter().all(has)) {
            Some(rests) => {
                self.packs = rests;
                true
            }
            None => false,
        }
    }
}

/// Whether all packs of the sizes that the failed refund was for have been refunded.
fn has_no_packs_left(failed: &Refund, order: &[OrderLine], refunds: &[Refund]) -> bool {
    let is_none_left = |of: &RefundLine| {
        let line = order.iter().find(|line| line.product == of.product);
        let left = line.and_then(|line| line.packs.checked_sub(refunded(line, refunds).0));
        left.unwrap_or(Packs::ZERO).min(of.packs).is_empty()
    };
    !failed.lines.is_empty() && failed.lines.iter().all(is_none_left)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::order_event::Actor;
    use crate::pack::Prices;
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
            id: refunds.len().to_string(),
            merchant_order_id: String::new(),
            order_id: String::new(),
            amount: plan.amount,
            reason: String::new(),
            status: RefundStatus::Requested,
            requested_by: Actor::System,
            retry_of: None,
            superseded_by: None,
            error: None,
            deducted_from: None,
            lines: plan.lines,
            poll_count: 0,
            created_at_ms: 0,
            updated_at_ms: 0,
        })
    }

    /// Requests all of `failed`, lets them fail, and returns what the new refund covers of them.
    fn covered(failed: &[RefundSelection], new: RefundSelection) -> Vec<String> {
        let mut refunds = Vec::new();
        for selection in failed {
            let mut refund = request(&refunds, selection.clone()).unwrap();
            refund.status = RefundStatus::Failed;
            refunds.push(refund);
        }
        covered_by(&request(&refunds, new).unwrap(), &order(), TOTAL, &refunds)
    }

    #[test]
    fn the_same_packs_or_amount_cover_a_failed_refund() {
        assert_eq!(covered(&[goda(1, 0)], goda(1, 0)), ["0"]);
        assert_eq!(covered(&[goda(1, 0)], goda(2, 1)), ["0"], "more packs");
        assert_eq!(covered(&[goda(2, 0)], goda(1, 1)), [""; 0], "a part");
        assert_eq!(covered(&[goda(0, 1)], goda(1, 0)), [""; 0], "another size");
        assert_eq!(covered(&[amount(4_000)], amount(4_000)), ["0"]);
        assert_eq!(covered(&[amount(4_000)], amount(3_999)), [""; 0]);
        assert_eq!(covered(&[amount(4_000)], goda(1, 0)), [""; 0]);
        assert_eq!(covered(&[goda(1, 0)], amount(6_500)), [""; 0]);
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
    }

    #[test]
    fn the_last_part_covers_what_earlier_parts_have_begun() {
        let mut failed = request(&[], goda(2, 0)).unwrap();
        failed.status = RefundStatus::Failed;
        let first = request(std::slice::from_ref(&failed), goda(1, 0)).unwrap();
        assert!(covered_by(&first, &order(), TOTAL, std::slice::from_ref(&failed)).is_empty());
        let mut refunds = vec![failed, first];
        let last = request(&refunds, goda(1, 1)).unwrap();
        assert_eq!(covered_by(&last, &order(), TOTAL, &refunds), ["0"]);
        refunds[0].superseded_by = Some("2".into());
        assert!(
            covered_by(&last, &order(), TOTAL, &refunds).is_empty(),
            "once"
        );
    }

    #[test]
    fn a_repetition_covers_the_refund_that_it_repeats() {
        let mut refunds = Vec::new();
        for _ in 0..2 {
            let mut refund = request(&refunds, amount(4_000)).unwrap();
            refund.status = RefundStatus::Failed;
            refunds.push(refund);
        }
        let mut retry = request(&refunds, RefundSelection::of(&refunds[1])).unwrap();
        retry.retry_of = Some("1".into());
        assert_eq!(covered_by(&retry, &order(), TOTAL, &refunds), ["1"]);
    }

    proptest! {
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
                let Some(new) = request(&refunds, selection) else { continue };
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
}
