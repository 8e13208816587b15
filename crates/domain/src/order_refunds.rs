//! What refunds leave of a paid order: the money that is kept, and the packs that are still to be sent.

use crate::money::Paise;
use crate::order::{Order, OrderLine, OrderStatus};
use crate::pack::Packs;
use crate::refund::Refund;
use crate::refund_plan::MIN_REFUND;

impl Order {
    /// The sum of the refunds of its payment. Failed ones returned nothing, and a second payment is not part of the sale.
    /// `refunds` may contain those of other orders.
    pub fn refunded(&self, refunds: &[Refund]) -> Paise {
        refunds
            .iter()
            .filter(|refund| self.counts(refund))
            .map(|refund| refund.amount)
            .sum()
    }

    fn counts(&self, refund: &Refund) -> bool {
        refund.order_id == self.id
            && refund.counts()
            && self.paid_by_attempt.as_ref() == Some(&refund.merchant_order_id)
    }

    /// Whether all money went back, whatever packs the refunds named. A rest that the gateway cannot refund stays.
    pub fn is_refunded(&self, refunds: &[Refund]) -> bool {
        let refunded = self.refunded(refunds);
        refunded > Paise::ZERO && self.state.total - refunded < MIN_REFUND
    }

    /// The packs of a line that are still to be sent: without those that were refunded or put back into stock. These are
    /// not always the same: a refund of an amount names no packs, and one that failed does not count.
    pub fn packs_to_send(&self, line: &OrderLine, refunds: &[Refund]) -> Packs {
        let not_in_stock = line.packs.saturating_sub(line.restocked);
        self.packs_owed(line, refunds).min(not_in_stock)
    }

    /// The packs of a line that the customer is to get, wherever they are.
    pub fn packs_owed(&self, line: &OrderLine, refunds: &[Refund]) -> Packs {
        if self.sends_refunded {
            return line.packs;
        }
        if self.is_refunded(refunds) {
            return Packs::ZERO;
        }
        let refunded = refunds
            .iter()
            .filter(|refund| self.counts(refund))
            .flat_map(|refund| &refund.lines)
            .filter(|refunded| refunded.product == line.product)
            .fold(Packs::ZERO, |sum, refunded| sum + refunded.packs);
        line.packs.saturating_sub(refunded)
    }

    pub fn has_packs_to_send(&self, refunds: &[Refund]) -> bool {
        let mut lines = self.lines.iter();
        lines.any(|line| !self.packs_to_send(line, refunds).is_empty())
    }

    /// Whether it is paid and all of it went back, as money or into stock.
    pub fn has_nothing_to_send(&self, refunds: &[Refund]) -> bool {
        self.is_paid() && !self.has_packs_to_send(refunds)
    }

    /// Packs that are in stock again may be sold to others, so they cannot be sent.
    pub fn is_in_stock_again(&self) -> bool {
        let mut lines = self.lines.iter();
        lines.all(|line| {
            line.packs
                .checked_sub(line.restocked)
                .is_none_or(Packs::is_empty)
        })
    }

    /// What the shop keeps of the payment of an order that is cancelled or deleted. None if the order has not ended, or
    /// if the rest is less than the gateway refunds.
    pub fn kept_after_end(&self, refunds: &[Refund]) -> Option<Paise> {
        let kept = self.state.total - self.refunded(refunds);
        (self.is_paid() && self.has_ended() && kept >= MIN_REFUND).then_some(kept)
    }

    /// Whether it is cancelled or deleted.
    pub fn has_ended(&self) -> bool {
        self.deleted_at_ms.is_some() || self.state.order_status == OrderStatus::Cancelled
    }

    /// An admin has set an unpaid order to shipped or delivered.
    pub fn has_left_unpaid(&self) -> bool {
        !self.is_paid() && self.state.order_status.has_left_shop() && self.deleted_at_ms.is_none()
    }

    /// Whether its end puts packs back into stock that may be gone.
    pub fn releases_what_left(&self) -> bool {
        self.has_left_unpaid() && self.state.stock_reserved
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::id::ProductId;
    use crate::order::{self, OrderState, PaymentStatus};
    use crate::refund::{self, RefundLine, RefundStatus};
    use crate::refund_plan::{RefundSelection, plan, refunded};

    const TWO: Packs = Packs {
        of_50g: 2,
        of_100g: 0,
    };
    const ONE: Packs = Packs {
        of_50g: 1,
        of_100g: 0,
    };

    /// Two packs at ₹50.
    fn paid() -> Order {
        let state = OrderState {
            total: Paise::new(10_000),
            payment_status: PaymentStatus::Completed,
            order_status: OrderStatus::Confirmed,
            stock_reserved: true,
            end_reason: None,
        };
        Order {
            paid_by_attempt: Some("M1".into()),
            lines: vec![order::fixture::line(TWO)],
            ..order::fixture::order(state)
        }
    }

    fn refund(amount: i64, packs: Packs) -> Refund {
        let amount = Paise::new(amount);
        let line = RefundLine {
            product: ProductId("goda".into()),
            packs,
            amount,
        };
        Refund {
            lines: if packs.is_empty() {
                Vec::new()
            } else {
                vec![line]
            },
            ..refund::fixture::refund(amount, RefundStatus::Requested)
        }
    }

    fn to_send(order: &Order, refunds: &[Refund]) -> u32 {
        order.packs_to_send(&order.lines[0], refunds).of_50g
    }

    #[test]
    fn refunded_and_restocked_packs_are_not_sent() {
        let order = paid();
        assert_eq!(to_send(&order, &[]), 2);
        assert_eq!(to_send(&order, &[refund(5_000, ONE)]), 1);
        assert_eq!(to_send(&order, &[refund(5_000, Packs::ZERO)]), 2);
        // All money went back, in amounts; a rest below ₹1 stays.
        let parts = [refund(5_000, Packs::ZERO), refund(4_950, Packs::ZERO)];
        assert_eq!(to_send(&order, &parts), 0);
        assert!(!order.has_packs_to_send(&parts));
        let failed = Refund {
            status: RefundStatus::Failed,
            ..refund(10_000, TWO)
        };
        assert_eq!(to_send(&order, &[failed]), 2);
        let second_payment = Refund {
            merchant_order_id: "M2".into(),
            ..refund(10_000, Packs::ZERO)
        };
        assert_eq!(to_send(&order, &[second_payment]), 2);
        let names_packs = Refund {
            merchant_order_id: "M2".into(),
            ..refund(10_000, TWO)
        };
        assert_eq!(to_send(&order, &[names_packs]), 2);
        let mut restocked = paid();
        restocked.lines[0].restocked = ONE;
        assert_eq!(to_send(&restocked, &[]), 1);
        assert!(!restocked.is_in_stock_again());
    }

    #[test]
    fn admin_may_send_refunded_packs_but_none_from_stock() {
        let mut order = paid();
        order.sends_refunded = true;
        order.lines[0].restocked = ONE;
        assert_eq!(to_send(&order, &[refund(10_000, TWO)]), 1);
        order.lines[0].restocked = TWO;
        assert!(order.is_in_stock_again());
        assert_eq!(to_send(&order, &[]), 0);
    }

    #[test]
    fn money_of_an_ended_order_is_kept_until_it_is_refunded() {
        let mut order = paid();
        assert_eq!(order.kept_after_end(&[]), None);
        order.state.order_status = OrderStatus::Cancelled;
        assert_eq!(order.kept_after_end(&[]), Some(Paise::new(10_000)));
        let part = refund(9_900, Packs::ZERO);
        assert_eq!(order.kept_after_end(&[part]), Some(Paise::new(100)));
        let nearly_all = refund(9_901, Packs::ZERO);
        assert_eq!(order.kept_after_end(&[nearly_all]), None);
        order.state.order_status = OrderStatus::Delivered;
        order.deleted_at_ms = Some(1);
        assert!(order.kept_after_end(&[]).is_some());
    }

    proptest! {
        /// Refunds of packs that are restocked, fail and are requested anew: each pack comes back once, and those that are
        /// neither refunded nor back are sent.
        #[test]
        fn packs_come_back_once_although_refunds_fail(
            steps in prop::collection::vec((1_u32..3, any::<bool>(), any::<bool>()), 1..8),
        ) {
            let mut order = paid();
            order.lines[0].packs.of_50g = 8;
            order.lines[0].total = Paise::new(40_000);
            order.state.total = Paise::new(40_000);
            let mut refunds = Vec::new();
            for (of_50g, restock, fails) in steps {
                let packs = Packs { of_50g, of_100g: 0 };
                let chosen = RefundSelection::Packs(vec![(ProductId("goda".into()), packs)]);
                let Ok(plan) = plan(&order.lines, order.state.total, &refunds, chosen) else { continue };
                let (line, earlier) = (&order.lines[0], refunds.clone());
                let (refunded_before, _) = refunded(line, &earlier);
                let before = line.restocked;
                if restock {
                    let back = plan.restock(&order, &earlier).unwrap();
                    let back = back.packs().first().map_or(0, |(_, packs)| packs.of_50g);
                    order.lines[0].restocked.of_50g += back;
                    let most = before.of_50g.max(refunded_before.of_50g + of_50g);
                    prop_assert!(order.lines[0].restocked.of_50g <= most, "no more than were refunded");
                    let is_enough = order.lines[0].restocked.of_50g >= of_50g.min(most);
                    prop_assert!(is_enough, "what is refunded comes back");
                }
                let status = if fails { RefundStatus::Failed } else { RefundStatus::Completed };
                refunds.push(Refund { status, ..refund(plan.amount.get(), packs) });
                if !fails {
                    let line = &order.lines[0];
                    let sent = order.packs_to_send(line, &refunds);
                    let neither = line.packs.of_50g - line.restocked.of_50g.max(refunded(line, &refunds).0.of_50g);
                    prop_assert_eq!(sent.of_50g, neither);
                }
            }
        }
    }
}
