//! What a refund returns: an amount, the packs that it is for, and the packs that can go back into stock.
//!
//! The amount of chosen packs is their share of the order line's total. Shares are computed from the packs that have been
//! refunded so far, so that the last share takes the remainder and all shares add up to the line.

use crate::money::Paise;
use crate::order::OrderLine;
use crate::pack::Packs;
use crate::product::ProductId;
use crate::refund::{Refund, RefundLine};

/// The smallest amount that the gateway refunds.
pub const MIN_REFUND: Paise = Paise::new(100);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundSelection {
    /// Everything that has not been refunded yet.
    Everything,
    Amount(Paise),
    Packs(Vec<(ProductId, Packs)>),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RefundError {
    #[error("Everything that was paid for this order has been refunded.")]
    NothingLeft,
    #[error("Only {left} can still be refunded.")]
    TooMuch { left: Paise },
    #[error("A refund must be at least {MIN_REFUND}.")]
    TooSmall,
    #[error("Choose at least one pack to refund.")]
    NoPacks,
    #[error("{0} is not part of this order.")]
    UnknownProduct(String),
    #[error("{0} does not have that many packs left to refund.")]
    TooManyPacks(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundPlan {
    pub amount: Paise,
    /// Their amounts add up to `amount`. Empty for a free amount.
    pub lines: Vec<RefundLine>,
    /// The packs that go back into stock, if the owner wants that. Empty for a part of the payment without packs.
    pub restock: Vec<(ProductId, Packs)>,
}

/// How much of a payment can still be refunded.
pub fn refundable(received: Paise, refunds: &[Refund]) -> Paise {
    let returned: Paise = refunds
        .iter()
        .filter(|refund| refund.counts())
        .map(|refund| refund.amount)
        .sum();
    (received - returned).max(Paise::ZERO)
}

/// `received` is the amount of one payment, and `refunds` are all refunds of it.
pub fn plan(
    order: &[OrderLine],
    received: Paise,
    refunds: &[Refund],
    selection: RefundSelection,
) -> Result<RefundPlan, RefundError> {
    let left = refundable(received, refunds);
    if left == Paise::ZERO {
        return Err(RefundError::NothingLeft);
    }
    let plan = match selection {
        RefundSelection::Everything => everything(order, left, refunds),
        RefundSelection::Amount(amount) if amount == left => everything(order, left, refunds),
        RefundSelection::Amount(amount) => RefundPlan {
            amount,
            lines: Vec::new(),
            restock: Vec::new(),
        },
        RefundSelection::Packs(packs) => chosen(order, refunds, &packs)?,
    };
    if plan.amount > left {
        return Err(RefundError::TooMuch { left });
    }
    if plan.amount < MIN_REFUND {
        return Err(RefundError::TooSmall);
    }
    Ok(plan)
}

fn everything(order: &[OrderLine], left: Paise, refunds: &[Refund]) -> RefundPlan {
    let lines: Vec<_> = order
        .iter()
        .filter_map(|line| {
            let (packs, amount) = refunded(line, refunds);
            let packs = line
                .packs
                .checked_sub(packs)
                .filter(|rest| !rest.is_empty())?;
            Some(RefundLine {
                product: line.product.clone(),
                packs,
                amount: line.total - amount,
            })
        })
        .collect();
    // After a refund of a free amount, the rest is not the sum of the remaining packs.
    let is_exact = lines.iter().map(|line| line.amount).sum::<Paise>() == left;
    RefundPlan {
        amount: left,
        lines: if is_exact { lines } else { Vec::new() },
        restock: order.iter().filter_map(not_restocked).collect(),
    }
}

fn chosen(
    order: &[OrderLine],
    refunds: &[Refund],
    packs: &[(ProductId, Packs)],
) -> Result<RefundPlan, RefundError> {
    let mut lines = Vec::<RefundLine>::new();
    let mut restock = Vec::new();
    for (product, packs) in packs.iter().filter(|(_, packs)| !packs.is_empty()) {
        let unknown = || RefundError::UnknownProduct(product.0.clone());
        let line = order.iter().find(|line| line.product == *product);
        let line = line.ok_or_else(unknown)?;
        let too_many = || RefundError::TooManyPacks(line.product_name.clone());
        let (before, amount_before) = refunded(line, refunds);
        let after = before + *packs;
        let is_repeated = lines.iter().any(|line| line.product == *product);
        if is_repeated || line.packs.checked_sub(after).is_none() {
            return Err(too_many());
        }
        lines.push(RefundLine {
            product: product.clone(),
            packs: *packs,
            amount: (line.share(after) - amount_before).max(Paise::ZERO),
        });
        let (_, in_parcel) = not_restocked(line).unwrap_or((product.clone(), Packs::ZERO));
        restock.push((product.clone(), packs.min(in_parcel)));
    }
    if lines.is_empty() {
        return Err(RefundError::NoPacks);
    }
    restock.retain(|(_, packs)| !packs.is_empty());
    Ok(RefundPlan {
        amount: lines.iter().map(|line| line.amount).sum(),
        lines,
        restock,
    })
}

/// The packs of a line that have been refunded, and their amount.
fn refunded(line: &OrderLine, refunds: &[Refund]) -> (Packs, Paise) {
    refunds
        .iter()
        .filter(|refund| refund.counts())
        .flat_map(|refund| &refund.lines)
        .filter(|refunded| refunded.product == line.product)
        .fold((Packs::ZERO, Paise::ZERO), |(packs, amount), refunded| {
            (packs + refunded.packs, amount + refunded.amount)
        })
}

fn not_restocked(line: &OrderLine) -> Option<(ProductId, Packs)> {
    let packs = line.packs.checked_sub(line.restocked)?;
    (!packs.is_empty()).then(|| (line.product.clone(), packs))
}

impl OrderLine {
    /// The share of these packs in the line's total, in whole paise, by their prices.
    fn share(&self, packs: Packs) -> Paise {
        if packs == self.packs {
            return self.total;
        }
        let all = i128::from(self.prices.total(self.packs).get());
        let part = i128::from(self.prices.total(packs).get());
        if all == 0 {
            return Paise::ZERO;
        }
        let share = i128::from(self.total.get()) * part / all;
        Paise::new(i64::try_from(share).unwrap_or(i64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::order_event::Actor;
    use crate::pack::Prices;
    use crate::refund::RefundStatus;

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
            id: String::new(),
            merchant_order_id: String::new(),
            order_id: String::new(),
            amount: plan.amount,
            reason: String::new(),
            status,
            requested_by: Actor::System,
            retry_of: None,
            error: None,
            deducted_from: None,
            lines: plan.lines.clone(),
            poll_count: 0,
            created_at_ms: 0,
            updated_at_ms: 0,
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
        assert_eq!(rest.restock, [(goda(), packs(2, 1))]);
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
    fn packs_already_back_in_stock_are_not_restocked_again() {
        let mut order = [line("goda", packs(2, 1), (6_500, 12_000), 25_000)];
        order[0].restocked = packs(2, 0);
        let all = plan(&order, Paise::new(25_000), &[], RefundSelection::Everything).unwrap();
        assert_eq!(all.restock, [(goda(), packs(0, 1))]);
        let some = RefundSelection::Packs(vec![(goda(), packs(1, 0))]);
        let some = plan(&order, Paise::new(25_000), &[], some).unwrap();
        assert_eq!(some.restock, []);
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
                prop_assert_eq!(refundable(total, &refunds), total - amount);
            }
            if let Ok(rest) = plan(&order, total, &refunds, RefundSelection::Everything) {
                prop_assert_eq!(rest.lines.iter().map(|line| line.amount).sum::<Paise>(), rest.amount);
                refunds.push(refund(&rest, RefundStatus::Completed));
                prop_assert_eq!(refunded(&line, &refunds), (line.packs, total));
            }
        }
    }
}
