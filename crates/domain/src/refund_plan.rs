//! What a refund returns: an amount, and the packs that it is for.
//!
//! The amount of chosen packs is their share of the order line's total. Shares are computed from the packs that have been
//! refunded so far, so that the last share takes the remainder and all shares add up to the line.

use crate::id::ProductId;
use crate::money::Paise;
use crate::order::{Order, OrderLine};
use crate::pack::Packs;
use crate::refund::{Refund, RefundLine};
use crate::restock::Restock;

/// The smallest amount that the gateway refunds.
pub const MIN_REFUND: Paise = Paise::new(100);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundSelection {
    /// Everything that has not been refunded yet.
    Everything,
    Amount(Paise),
    Packs(Vec<(ProductId, Packs)>),
}

impl RefundSelection {
    /// What a failed refund was for, to request it again.
    pub fn of(refund: &Refund) -> RefundSelection {
        if refund.lines.is_empty() {
            return RefundSelection::Amount(refund.amount);
        }
        let packs = refund.lines.iter();
        RefundSelection::Packs(
            packs
                .map(|line| (line.product.clone(), line.packs))
                .collect(),
        )
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RefundError {
    #[error("Everything that was paid for this order has been refunded.")]
    NothingLeft,
    #[error("{}.", rest_kept_text(*.0))]
    RestKept(Paise),
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
    /// What is left of the payment afterwards and is too little to be refunded.
    pub rest_kept: Paise,
    goods: RefundedGoods,
}

/// The packs that a refund is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RefundedGoods {
    Everything,
    /// Those of the lines.
    Chosen,
    None,
}

impl RefundPlan {
    /// The packs that it is about, also if its amount is not their price.
    pub fn packs(&self, order: &Order) -> Vec<(ProductId, Packs)> {
        let (lines, all) = (self.lines.iter(), order.lines.iter());
        match self.goods {
            RefundedGoods::Everything => all.map(|one| (one.product.clone(), one.packs)).collect(),
            RefundedGoods::Chosen => lines.map(|one| (one.product.clone(), one.packs)).collect(),
            RefundedGoods::None => Vec::new(),
        }
    }

    /// The packs that go back into stock, if the owner wants that. None for a part of the payment without packs. Chosen packs
    /// that came back with an earlier refund, which failed, do not come back again. `refunds` are the earlier ones of the
    /// payment.
    pub fn restock(&self, order: &Order, refunds: &[Refund]) -> Option<Restock> {
        match self.goods {
            RefundedGoods::Everything => Some(Restock::everything(order)),
            RefundedGoods::Chosen => {
                let lines = self.lines.iter();
                let packs: Vec<_> = lines
                    .map(|of| {
                        let line = order.lines.iter().find(|line| line.product == of.product);
                        let back = line.map_or(Packs::ZERO, |line| {
                            line.restocked.saturating_sub(refunded(line, refunds).0)
                        });
                        (of.product.clone(), of.packs.saturating_sub(back))
                    })
                    .collect();
                Some(Restock::chosen(order, &packs))
            }
            RefundedGoods::None => None,
        }
    }
}

/// What of a payment has not been refunded.
pub fn left_of(received: Paise, refunds: &[Refund]) -> Paise {
    let returned: Paise = refunds
        .iter()
        .filter(|refund| refund.counts())
        .map(|refund| refund.amount)
        .sum();
    (received - returned).max(Paise::ZERO)
}

/// How much can still be refunded of what is left of a payment. The gateway does not refund less than `MIN_REFUND`.
pub fn refundable(left: Paise) -> Paise {
    if left < MIN_REFUND { Paise::ZERO } else { left }
}

/// What is left of a payment and is too little to be refunded.
pub fn rest_kept(left: Paise) -> Paise {
    left - refundable(left)
}

/// What a cancelled order returns of its payment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReturnedPayment {
    /// None if nothing was left to refund.
    pub refund: Option<Paise>,
    /// What is too little to be refunded.
    pub rest_kept: Paise,
}

/// `₹0.50 is kept: the gateway refunds ₹1.00 or more`
pub fn rest_kept_text(rest: Paise) -> String {
    let (rest, least) = (rest.two_decimals(), MIN_REFUND.two_decimals());
    format!("{rest} is kept: the gateway refunds {least} or more")
}

/// `received` is the amount of one payment, and `refunds` are all refunds of it.
pub fn plan(
    order: &[OrderLine],
    received: Paise,
    refunds: &[Refund],
    selection: RefundSelection,
) -> Result<RefundPlan, RefundError> {
    let left = left_of(received, refunds);
    if left == Paise::ZERO {
        return Err(RefundError::NothingLeft);
    }
    if refundable(left) == Paise::ZERO {
        return Err(RefundError::RestKept(left));
    }
    let (amount, lines, goods) = match selection {
        RefundSelection::Everything => everything(order, left, refunds),
        RefundSelection::Amount(amount) if amount == left => everything(order, left, refunds),
        RefundSelection::Amount(amount) => (amount, Vec::new(), RefundedGoods::None),
        RefundSelection::Packs(packs) => {
            let lines = chosen(order, refunds, &packs)?;
            let amount = lines.iter().map(|line| line.amount).sum();
            (amount, lines, RefundedGoods::Chosen)
        }
    };
    if amount > left {
        return Err(RefundError::TooMuch { left });
    }
    if amount < MIN_REFUND {
        return Err(RefundError::TooSmall);
    }
    Ok(RefundPlan {
        amount,
        lines,
        rest_kept: rest_kept(left - amount),
        goods,
    })
}

fn everything(
    order: &[OrderLine],
    left: Paise,
    refunds: &[Refund],
) -> (Paise, Vec<RefundLine>, RefundedGoods) {
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
    let lines = if is_exact { lines } else { Vec::new() };
    (left, lines, RefundedGoods::Everything)
}

fn chosen(
    order: &[OrderLine],
    refunds: &[Refund],
    packs: &[(ProductId, Packs)],
) -> Result<Vec<RefundLine>, RefundError> {
    let mut lines = Vec::<RefundLine>::new();
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
    }
    if lines.is_empty() {
        return Err(RefundError::NoPacks);
    }
    Ok(lines)
}

/// The packs of a line that have been refunded, and their amount.
pub(crate) fn refunded(line: &OrderLine, refunds: &[Refund]) -> (Packs, Paise) {
    refunds
        .iter()
        .filter(|refund| refund.counts())
        .flat_map(|refund| &refund.lines)
        .filter(|refunded| refunded.product == line.product)
        .fold((Packs::ZERO, Paise::ZERO), |(packs, amount), refunded| {
            (packs + refunded.packs, amount + refunded.amount)
        })
}

impl OrderLine {
    /// The share of these packs in the line's total, in whole paise, by their prices.
    pub fn share(&self, packs: Packs) -> Paise {
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
mod tests;
