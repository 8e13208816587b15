//! Which failed refunds a new refund covers. A covered refund cannot be repeated: its packs or its amount would be refunded
//! twice.

use crate::id::RefundId;
use crate::money::Paise;
use crate::order::OrderLine;
use crate::pack::Packs;
use crate::refund::{Refund, RefundLine, RefundStatus};
use crate::refund_plan::{left_of, refundable, refunded};

/// Whether a failed refund still waits for an admin: nobody has repeated or replaced it. `refunds` are those of its order.
pub fn is_open(failed: &Refund, refunds: &[Refund]) -> bool {
    let is_repeated = |other: &Refund| other.retry_of.as_ref() == Some(&failed.id);
    failed.status == RefundStatus::Failed
        && failed.superseded_by.is_none()
        && !refunds.iter().any(is_repeated)
}

/// The failed refunds that `new` covers. `earlier` are all other refunds of the same payment, of which `received` is the
/// amount.
///
/// - A repetition covers the refund that it repeats.
/// - A failed refund is covered if what is still owed can be returned by the other failed ones, so that all are covered once
///   nothing is owed. Those that can no longer be repeated come first, then the oldest.
/// - A failed refund of which no pack is left, or of a payment of which nothing is left, is covered too.
pub fn covered_by(
    new: &Refund,
    order: &[OrderLine],
    received: Paise,
    earlier: &[Refund],
) -> Vec<RefundId> {
    let mut refunds = earlier.to_vec();
    refunds.push(new.clone());
    let is_nothing_left = refundable(left_of(received, &refunds)) == Paise::ZERO;
    let owed = Owed::after(order, &refunds);
    let (mut covered, mut open): (Vec<_>, Vec<_>) = earlier
        .iter()
        .filter(|one| is_open(one, earlier))
        .partition(|failed| {
            new.retry_of.as_ref() == Some(&failed.id)
                || is_nothing_left
                || has_no_packs_left(failed, order, &refunds)
        });
    open.sort_by_key(|failed| owed.includes(failed, order));
    for failed in open.clone() {
        let mut rest = owed.clone();
        for other in open.iter().filter(|other| other.id != failed.id) {
            rest.pay(other, order);
        }
        if rest.is_zero() {
            open.retain(|one| one.id != failed.id);
            covered.push(failed);
        }
    }
    covered.iter().map(|failed| failed.id.clone()).collect()
}

/// Whether all that a failed refund was for is still owed. Otherwise a part was requested otherwise since it failed, and a
/// repetition would return it twice. `refunds` are all refunds of its payment.
pub fn is_owed(failed: &Refund, order: &[OrderLine], refunds: &[Refund]) -> bool {
    Owed::after(order, refunds).includes(failed, order)
}

/// What has failed and was not requested since: packs, and amounts without packs.
#[derive(Debug, Clone, Default)]
struct Owed {
    packs: Vec<RefundLine>,
    amount: Paise,
}

impl Owed {
    /// A refund that fails adds what it was for. One that is requested afterwards pays it, as far as it is owed: what nobody
    /// owed is no credit for refunds that fail later.
    fn after(order: &[OrderLine], refunds: &[Refund]) -> Owed {
        let failures = refunds
            .iter()
            .filter(|one| one.status == RefundStatus::Failed)
            .map(|one| (one.updated_at_ms, true, one));
        let requests = refunds.iter().map(|one| (one.created_at_ms, false, one));
        let mut changes: Vec<_> = failures.chain(requests).collect();
        changes.sort_by_key(|(at_ms, is_failure, _)| (*at_ms, !is_failure));
        let mut owed = Owed::default();
        for (_, is_failure, refund) in changes {
            match is_failure {
                true if refund.lines.is_empty() => owed.amount = owed.amount + refund.amount,
                true => owed.packs.extend(refund.lines.clone()),
                false => drop(owed.pay(refund, order)),
            }
        }
        owed
    }

    fn includes(&self, refund: &Refund, order: &[OrderLine]) -> bool {
        self.clone().pay(refund, order)
    }

    fn is_zero(&self) -> bool {
        self.amount == Paise::ZERO && self.packs.iter().all(|line| line.packs.is_empty())
    }

    /// Takes off what the refund returns. Packs pay the same packs first, and amounts pay amounts first; what is left of them
    /// pays the others, by their price. False if not all of it was owed.
    fn pay(&mut self, refund: &Refund, order: &[OrderLine]) -> bool {
        let rest = match refund.lines.is_empty() {
            true => refund.amount,
            false => {
                let lines = refund.lines.iter();
                lines.map(|line| self.pay_packs(line, order)).sum()
            }
        };
        if rest > self.amount && refund.lines.is_empty() {
            // What is left of the packs' price is no longer owed for certain packs.
            let packs = self.packs.iter().map(|line| line.amount);
            self.amount = self.amount + packs.sum();
            self.packs.clear();
        }
        let is_owed = rest <= self.amount;
        self.amount = (self.amount - rest).max(Paise::ZERO);
        is_owed
    }

    /// Returns the price of the packs that are not owed.
    fn pay_packs(&mut self, paid: &RefundLine, order: &[OrderLine]) -> Paise {
        let mut rest = paid.packs;
        for line in &mut self.packs {
            if line.product == paid.product {
                let both = line.packs.min(rest);
                line.amount = line.amount - amount_of(both, line, order);
                line.packs = line.packs.saturating_sub(both);
                rest = rest.saturating_sub(both);
            }
        }
        amount_of(rest, paid, order)
    }
}

/// The part of a refund's line that is for these packs, by their prices.
fn amount_of(packs: Packs, of: &RefundLine, order: &[OrderLine]) -> Paise {
    if packs == of.packs {
        return of.amount;
    }
    let line = order.iter().find(|line| line.product == of.product);
    let price = |packs| line.map_or(0, |line| i128::from(line.prices.total(packs).get()));
    let part = i128::from(of.amount.get()) * price(packs) / price(of.packs).max(1);
    Paise::new(i64::try_from(part).unwrap_or(i64::MAX))
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
mod tests;
