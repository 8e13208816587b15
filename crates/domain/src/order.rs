//! The order as a state machine. Its payment moves from pending to completed or failed once, whichever source reports it
//! first. What an admin does with the shipment is free.
//!
//! One event can follow the end: a payment that arrives after the order was abandoned. Then the stock is reserved again
//! if there is enough, or the payment is refunded. If the order was ended deliberately, the payment is always refunded.

use crate::address::Address;
use crate::end_reason::EndReason;
use crate::money::Paise;
use crate::pack::{PackSize, Packs, Prices, SizedPacks};
use crate::product::ProductId;
use crate::user::UserId;

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
pub struct OrderState {
    pub total: Paise,
    pub payment_status: PaymentStatus,
    pub order_status: OrderStatus,
    /// Whether the order's goods are out of stock for it now.
    pub stock_reserved: bool,
    /// Why it ended unpaid. Orders that failed before reasons were stored have none.
    pub end_reason: Option<EndReason>,
}

/// What happened to one payment attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaymentEvent {
    /// The gateway has this much money for it.
    Paid(Paise),
    /// The gateway says that this attempt is over.
    Failed,
    /// Time is up, or the shopper began anew: we give up.
    Abandoned,
}

/// What has to be done, in the same transaction as the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettlementAction {
    /// Nothing new.
    Nothing,
    /// Paid: confirm the order and take the bought packs out of the cart.
    Complete,
    /// Over: cancel the order and put its goods back.
    Fail,
    /// Money after the end: take the goods again and complete, or else refund.
    CompleteLate,
    /// Money for an order that was ended on purpose: return it.
    RefundEnded(EndReason),
    /// Money for an order that is paid already: give it back.
    RefundDuplicate,
    /// The gateway's amount is not the order's. Nothing is marked paid; a person must look.
    ReportMismatch,
}

impl OrderState {
    /// `is_current` says whether the news is about the attempt that the order now stands or falls with;
    /// `paid_by_this` whether the order was completed by this very attempt.
    pub fn decide(
        self,
        news: PaymentEvent,
        is_current: bool,
        paid_by_this: bool,
    ) -> SettlementAction {
        match (self.payment_status, news) {
            (_, PaymentEvent::Paid(amount)) if amount != self.total => {
                SettlementAction::ReportMismatch
            }
            (PaymentStatus::Pending, PaymentEvent::Paid(_)) => SettlementAction::Complete,
            (PaymentStatus::Pending, PaymentEvent::Failed) if is_current => SettlementAction::Fail,
            (PaymentStatus::Pending, PaymentEvent::Abandoned) if is_current => {
                SettlementAction::Fail
            }
            (PaymentStatus::Failed, PaymentEvent::Paid(_)) => match self.end_reason {
                Some(reason) if reason.is_deliberate() => SettlementAction::RefundEnded(reason),
                _ => SettlementAction::CompleteLate,
            },
            (PaymentStatus::Completed, PaymentEvent::Paid(_)) if !paid_by_this => {
                SettlementAction::RefundDuplicate
            }
            _ => SettlementAction::Nothing,
        }
    }

    pub fn completed(self) -> OrderState {
        // The owner may have moved the parcel on already; only an untouched order is confirmed.
        let order = match self.order_status {
            OrderStatus::Pending | OrderStatus::Cancelled => OrderStatus::Confirmed,
            other => other,
        };
        OrderState {
            payment_status: PaymentStatus::Completed,
            order_status: order,
            stock_reserved: true,
            end_reason: None,
            ..self
        }
    }

    pub fn failed(self, reason: EndReason) -> OrderState {
        OrderState {
            payment_status: PaymentStatus::Failed,
            order_status: OrderStatus::Cancelled,
            stock_reserved: false,
            end_reason: Some(reason),
            ..self
        }
    }

    /// The same order after somebody has decided that it is over. A paid order stays as it is, and the first
    /// decision stays the reason. None if nothing changes.
    pub fn ended_on_purpose(self, reason: EndReason) -> Option<OrderState> {
        let is_decided = self.end_reason.is_some_and(EndReason::is_deliberate);
        match self.payment_status {
            PaymentStatus::Pending => Some(self.failed(reason)),
            PaymentStatus::Failed if !is_decided => Some(OrderState {
                end_reason: Some(reason),
                ..self
            }),
            PaymentStatus::Failed | PaymentStatus::Completed => None,
        }
    }
}

/// How long to wait before asking the gateway again, by the age of the attempt in seconds: the schedule
/// that PhonePe asks its merchants to keep.
pub fn poll_delay_s(age_s: i64) -> i64 {
    match age_s {
        ..22 => 22 - age_s.max(0),
        22..52 => 3,
        52..112 => 6,
        112..172 => 10,
        172..232 => 30,
        _ => 60,
    }
}

/// The same for an attempt whose order has ended or has a newer attempt. Nobody waits for it, and the gateway's
/// webhook reports money at once; polling only finds what a lost webhook would have told.
pub fn seconds_until_next_look_after_end(age_s: i64) -> i64 {
    if age_s < 30 * 60 { 5 * 60 } else { 60 * 60 }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub id: String,
    pub user: UserId,
    /// Of the newest attempt.
    pub merchant_order_id: String,
    pub state: OrderState,
    pub payment_error: Option<String>,
    pub paid_by_attempt: Option<String>,
    /// A copy of what the shopper chose.
    pub address: Address,
    pub expires_at_ms: i64,
    pub created_at_ms: i64,
    pub updated_at_ms: i64,
    pub deleted_at_ms: Option<i64>,
    pub lines: Vec<OrderLine>,
}

impl Order {
    pub fn is_payable_again(&self) -> bool {
        self.state.payment_status == PaymentStatus::Failed
    }
}

/// Names and prices as they were when the order was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderLine {
    pub product: ProductId,
    pub product_name: String,
    pub image: String,
    pub packs: Packs,
    pub prices: Prices,
    pub total: Paise,
}

impl OrderLine {
    /// One item for each pack size that was bought; their totals add up to the line's.
    pub fn items(&self) -> impl Iterator<Item = SizedPacks> {
        self.prices.by_size(self.packs)
    }

    /// `Goda Masala (100 g)`, for texts with one line for each item.
    pub fn item_name(&self, size: PackSize) -> String {
        format!("{} ({size})", self.product_name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TOTAL: Paise = Paise::new(25_000);

    fn fresh() -> OrderState {
        OrderState {
            total: TOTAL,
            payment_status: PaymentStatus::Pending,
            order_status: OrderStatus::Pending,
            stock_reserved: true,
            end_reason: None,
        }
    }

    /// How often an attempt is looked at in its first minutes.
    fn looks_within(minutes: i64, next: impl Fn(i64) -> i64) -> usize {
        let mut age = 0;
        let mut looks = 0;
        while age <= minutes * 60 {
            age += next(age);
            looks += 1;
        }
        looks
    }

    #[test]
    fn an_ended_order_is_polled_on_a_thinner_schedule() {
        assert_eq!(looks_within(15, poll_delay_s), 41);
        assert_eq!(looks_within(15, seconds_until_next_look_after_end), 4);
        let a_day = looks_within(24 * 60, seconds_until_next_look_after_end);
        assert!((25..=31).contains(&a_day), "{a_day}");
    }

    #[test]
    fn the_schedule_widens() {
        let mut age = 0;
        let mut looks = Vec::new();
        while age < 400 {
            age += poll_delay_s(age);
            looks.push(age);
        }
        assert_eq!(looks[0], 22);
        assert_eq!(
            looks.iter().filter(|at| (22..=52).contains(*at)).count(),
            11
        );
        assert!(looks.windows(2).all(|pair| pair[1] > pair[0]));
        assert_eq!(poll_delay_s(3600), 60);
    }

    #[test]
    fn a_wrong_amount_never_pays() {
        for payment in PaymentStatus::ALL {
            let order = OrderState {
                payment_status: payment,
                ..fresh()
            };
            assert_eq!(
                order.decide(PaymentEvent::Paid(Paise::new(100)), true, false),
                SettlementAction::ReportMismatch
            );
        }
    }

    #[test]
    fn an_end_on_purpose_is_decided_once_and_only_for_unpaid_orders() {
        let ended = fresh().ended_on_purpose(EndReason::Released).unwrap();
        assert_eq!(ended, fresh().failed(EndReason::Released));
        assert_eq!(ended.ended_on_purpose(EndReason::Deleted), None);
        let expired = fresh().failed(EndReason::Expired);
        let marked = expired.ended_on_purpose(EndReason::Deleted).unwrap();
        assert_eq!(marked, fresh().failed(EndReason::Deleted));
        assert_eq!(
            fresh().completed().ended_on_purpose(EndReason::Deleted),
            None
        );
    }

    /// A small world around the rules: stock of one product, two attempts, an owner, a gateway that may
    /// tell anything in any order any number of times.
    #[derive(Debug, Clone, Copy)]
    enum Step {
        Tell { attempt: usize, news: PaymentEvent },
        OwnerSets(OrderStatus),
        OwnerEnds(EndReason),
        SomebodyBuys,
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let news = prop_oneof![
            3 => Just(PaymentEvent::Paid(TOTAL)),
            1 => Just(PaymentEvent::Paid(Paise::new(1))),
            3 => Just(PaymentEvent::Failed),
            3 => Just(PaymentEvent::Abandoned)
        ];
        let on_purpose: Vec<_> = EndReason::ALL
            .into_iter()
            .filter(|reason| reason.is_deliberate())
            .collect();
        let step = prop_oneof![
            6 => (0_usize..2, news).prop_map(|(attempt, news)| Step::Tell { attempt, news }),
            1 => (0_usize..6).prop_map(|at| Step::OwnerSets(OrderStatus::ALL[at])),
            1 => proptest::sample::select(on_purpose).prop_map(Step::OwnerEnds),
            1 => Just(Step::SomebodyBuys),
        ];
        proptest::collection::vec(step, 0..40)
    }

    /// Where the money of one attempt is.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    struct Money {
        came_in: Paise,
        kept: Paise,
        returned: Paise,
        /// An amount that is not the order's: an entry for the owner, who decides.
        in_question: Paise,
    }

    proptest! {
        #[test]
        fn whatever_happens_in_whatever_order_money_and_stock_agree(steps in steps()) {
            let (mut order, mut stock, mut sold_elsewhere) = (fresh(), 1_i64, 0_i64);
            let mut paid_by = None;
            let mut money = [Money::default(); 2];
            let mut ends = 0;
            let mut ended_on_purpose = false;
            for step in steps {
                match step {
                    Step::OwnerSets(status) => order.order_status = status,
                    Step::SomebodyBuys => if stock > 0 { stock -= 1; sold_elsewhere += 1 },
                    Step::OwnerEnds(reason) => if let Some(ended) = order.ended_on_purpose(reason) {
                        if order.stock_reserved { ends += 1; stock += 1 }
                        order = ended;
                        ended_on_purpose = true;
                    },
                    Step::Tell { attempt, news } => {
                        let purse = &mut money[attempt];
                        // An attempt whose money has come is closed: nothing more is done for it.
                        if purse.came_in > Paise::ZERO { continue }
                        let verdict = order.decide(news, attempt == 1, paid_by == Some(attempt));
                        if let PaymentEvent::Paid(amount) = news { purse.came_in = amount }
                        match verdict {
                            SettlementAction::Nothing => {}
                            SettlementAction::ReportMismatch => purse.in_question = purse.came_in,
                            SettlementAction::Complete => { ends += 1; paid_by = Some(attempt); purse.kept = TOTAL; order = order.completed() }
                            SettlementAction::Fail => { ends += 1; stock += 1; order = order.failed(EndReason::Failed) }
                            SettlementAction::CompleteLate if stock > 0 => { stock -= 1; paid_by = Some(attempt); purse.kept = TOTAL; order = order.completed() }
                            SettlementAction::CompleteLate | SettlementAction::RefundDuplicate | SettlementAction::RefundEnded(_) => purse.returned = TOTAL,
                        }
                    }
                }
                prop_assert!(stock >= 0);
                prop_assert_eq!(stock + sold_elsewhere + i64::from(order.stock_reserved), 2, "every pouch is explained");
                prop_assert!(ends <= 1, "the payment ends once");
                prop_assert_eq!(order.payment_status == PaymentStatus::Completed, paid_by.is_some());
                prop_assert_eq!(order.payment_status == PaymentStatus::Failed, order.end_reason.is_some());
                prop_assert!(!(ended_on_purpose && paid_by.is_some()), "what was ended on purpose stays ended");
                for purse in money {
                    let went = [purse.kept, purse.returned, purse.in_question];
                    prop_assert_eq!(purse.came_in, went.into_iter().sum(), "all money is accounted for");
                    prop_assert!(went.iter().filter(|part| **part > Paise::ZERO).count() <= 1, "and goes one way only");
                }
                prop_assert!(money.iter().filter(|purse| purse.kept > Paise::ZERO).count() <= 1, "an order is paid once");
            }
        }
    }
}
