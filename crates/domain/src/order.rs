//! An order as a state machine. The payment moves from pending to completed or failed once, whoever tells
//! us first; what the owner does with the parcel is free.
//!
//! One thing can happen after the end: money that arrives once we had given up. Then the goods are taken
//! out of stock again if there are any, or the money goes back.

use crate::money::Paise;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaymentStatus {
    Pending,
    Completed,
    Failed,
}

impl PaymentStatus {
    pub const ALL: [PaymentStatus; 3] = [
        PaymentStatus::Pending,
        PaymentStatus::Completed,
        PaymentStatus::Failed,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            PaymentStatus::Pending => "pending",
            PaymentStatus::Completed => "completed",
            PaymentStatus::Failed => "failed",
        }
    }

    pub fn parse(text: &str) -> Option<PaymentStatus> {
        PaymentStatus::ALL
            .into_iter()
            .find(|status| status.as_str() == text)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderStatus {
    Pending,
    Confirmed,
    Shipped,
    Delivered,
    Cancelled,
    /// No delivery partner is integrated.
    NotApplicable,
}

impl OrderStatus {
    pub const ALL: [OrderStatus; 6] = [
        OrderStatus::Pending,
        OrderStatus::Confirmed,
        OrderStatus::Shipped,
        OrderStatus::Delivered,
        OrderStatus::Cancelled,
        OrderStatus::NotApplicable,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            OrderStatus::Pending => "pending",
            OrderStatus::Confirmed => "confirmed",
            OrderStatus::Shipped => "shipped",
            OrderStatus::Delivered => "delivered",
            OrderStatus::Cancelled => "cancelled",
            OrderStatus::NotApplicable => "N/A",
        }
    }

    pub fn parse(text: &str) -> Option<OrderStatus> {
        OrderStatus::ALL
            .into_iter()
            .find(|status| status.as_str() == text)
    }
}

/// As much of an order as its payment depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settlement {
    pub total: Paise,
    pub payment: PaymentStatus,
    pub order: OrderStatus,
    /// Whether the order's goods are out of stock for it now.
    pub holds_stock: bool,
}

/// News about one attempt at paying an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    /// The gateway has this much money for it.
    Paid(Paise),
    /// The gateway says that this attempt is over.
    Refused,
    /// Time is up, or the shopper began anew: we give up.
    GivenUp,
}

/// What has to be done, in the same transaction as the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing new.
    Known,
    /// Paid: confirm the order and take the bought packs out of the cart.
    Complete,
    /// Over: cancel the order and put its goods back.
    Fail,
    /// Money after the end: take the goods again and complete, or else refund.
    Revive,
    /// Money for an order that is paid already: give it back.
    RefundDouble,
    /// The gateway's amount is not the order's. Nothing is marked paid; a person must look.
    Mismatch,
}

impl Settlement {
    /// `is_current` says whether the news is about the attempt that the order now stands or falls with;
    /// `paid_by_this` whether the order was completed by this very attempt.
    pub fn judge(self, news: News, is_current: bool, paid_by_this: bool) -> Verdict {
        match (self.payment, news) {
            (_, News::Paid(amount)) if amount != self.total => Verdict::Mismatch,
            (PaymentStatus::Pending, News::Paid(_)) => Verdict::Complete,
            (PaymentStatus::Pending, News::Refused) if is_current => Verdict::Fail,
            (PaymentStatus::Pending, News::GivenUp) if is_current => Verdict::Fail,
            (PaymentStatus::Failed, News::Paid(_)) => Verdict::Revive,
            (PaymentStatus::Completed, News::Paid(_)) if !paid_by_this => Verdict::RefundDouble,
            _ => Verdict::Known,
        }
    }

    pub fn completed(self) -> Settlement {
        // The owner may have moved the parcel on already; only an untouched order is confirmed.
        let order = match self.order {
            OrderStatus::Pending | OrderStatus::Cancelled => OrderStatus::Confirmed,
            other => other,
        };
        Settlement {
            payment: PaymentStatus::Completed,
            order,
            holds_stock: true,
            ..self
        }
    }

    pub fn failed(self) -> Settlement {
        Settlement {
            payment: PaymentStatus::Failed,
            order: OrderStatus::Cancelled,
            holds_stock: false,
            ..self
        }
    }
}

/// How long to wait before asking the gateway again, by the age of the attempt in seconds: the schedule
/// that PhonePe asks its merchants to keep.
pub fn seconds_until_next_look(age_s: i64) -> i64 {
    match age_s {
        ..22 => 22 - age_s.max(0),
        22..52 => 3,
        52..112 => 6,
        112..172 => 10,
        172..232 => 30,
        _ => 60,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TOTAL: Paise = Paise::new(25_000);

    fn fresh() -> Settlement {
        Settlement {
            total: TOTAL,
            payment: PaymentStatus::Pending,
            order: OrderStatus::Pending,
            holds_stock: true,
        }
    }

    #[test]
    fn the_schedule_widens() {
        let mut age = 0;
        let mut looks = Vec::new();
        while age < 400 {
            age += seconds_until_next_look(age);
            looks.push(age);
        }
        assert_eq!(looks[0], 22);
        assert_eq!(
            looks.iter().filter(|at| (22..=52).contains(*at)).count(),
            11
        );
        assert!(looks.windows(2).all(|pair| pair[1] > pair[0]));
        assert_eq!(seconds_until_next_look(3600), 60);
    }

    #[test]
    fn a_wrong_amount_never_pays() {
        for payment in PaymentStatus::ALL {
            let order = Settlement { payment, ..fresh() };
            assert_eq!(
                order.judge(News::Paid(Paise::new(100)), true, false),
                Verdict::Mismatch
            );
        }
    }

    /// A small world around the rules: stock of one product, two attempts, an owner, a gateway that may
    /// tell anything in any order any number of times.
    #[derive(Debug, Clone, Copy)]
    enum Step {
        Tell { attempt: usize, news: News },
        OwnerSets(OrderStatus),
        SomebodyBuys,
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let news = prop_oneof![
            Just(News::Paid(TOTAL)),
            Just(News::Paid(Paise::new(1))),
            Just(News::Refused),
            Just(News::GivenUp)
        ];
        let step = prop_oneof![
            6 => (0_usize..2, news).prop_map(|(attempt, news)| Step::Tell { attempt, news }),
            1 => (0_usize..6).prop_map(|at| Step::OwnerSets(OrderStatus::ALL[at])),
            1 => Just(Step::SomebodyBuys),
        ];
        proptest::collection::vec(step, 0..40)
    }

    proptest! {
        #[test]
        fn whatever_happens_in_whatever_order_money_and_stock_agree(steps in steps()) {
            let (mut order, mut stock, mut sold_elsewhere) = (fresh(), 1_i64, 0_i64);
            let mut paid_by = None;
            let mut money_in = [false; 2];
            let mut refunded = [false; 2];
            let mut ends = 0;
            for step in steps {
                match step {
                    Step::OwnerSets(status) => order.order = status,
                    Step::SomebodyBuys => if stock > 0 { stock -= 1; sold_elsewhere += 1 },
                    Step::Tell { attempt, news } => {
                        if refunded[attempt] { continue } // a refund row exists: nothing more is done for this attempt
                        if let News::Paid(amount) = news && amount == TOTAL { money_in[attempt] = true }
                        match order.judge(news, attempt == 1, paid_by == Some(attempt)) {
                            Verdict::Known | Verdict::Mismatch => {}
                            Verdict::Complete => { ends += 1; paid_by = Some(attempt); order = order.completed() }
                            Verdict::Fail => { ends += 1; stock += 1; order = order.failed() }
                            Verdict::Revive if stock > 0 => { stock -= 1; paid_by = Some(attempt); order = order.completed() }
                            Verdict::Revive | Verdict::RefundDouble => refunded[attempt] = true,
                        }
                    }
                }
                prop_assert!(stock >= 0);
                prop_assert_eq!(stock + sold_elsewhere + i64::from(order.holds_stock), 2, "every pouch is explained");
                prop_assert!(ends <= 1, "the payment ends once");
                prop_assert_eq!(order.payment == PaymentStatus::Completed, paid_by.is_some());
                for attempt in 0..2 {
                    // Money is either for the goods, or on its way back: never kept for nothing, never both.
                    prop_assert_eq!(money_in[attempt], paid_by == Some(attempt) || refunded[attempt]);
                    prop_assert!(!(paid_by == Some(attempt) && refunded[attempt]));
                }
            }
        }
    }
}
