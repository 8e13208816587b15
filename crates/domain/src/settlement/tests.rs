use proptest::prelude::*;

use super::*;
use crate::order::fixture::order;
use crate::order::{OrderState, OrderStatus};

const TOTAL: Paise = Paise::new(25_000);
const MINUTE_MS: i64 = 60_000;
const DEADLINE_MS: i64 = 15 * MINUTE_MS;
const OLD: &str = "M1";
const NEWEST: &str = "M2";

fn pending() -> OrderState {
    OrderState {
        total: TOTAL,
        payment_status: PaymentStatus::Pending,
        order_status: OrderStatus::Pending,
        stock_reserved: true,
        end_reason: None,
    }
}

fn attempt(id: &str, state: PaymentAttemptState) -> PaymentAttempt {
    PaymentAttempt {
        merchant_order_id: id.into(),
        order_id: "O1".into(),
        amount: TOTAL,
        state,
        redirect_url: None,
        expires_at_ms: DEADLINE_MS,
        created_at_ms: 0,
        polled_at_ms: 0,
    }
}

fn settled(state: OrderState, report: PaymentReport, at_ms: i64) -> Settlement {
    let open = attempt(NEWEST, PaymentAttemptState::Open);
    settle(&order(state), &open, report, at_ms)
}

fn any_report() -> impl Strategy<Value = PaymentReport> {
    prop_oneof![
        3 => Just(PaymentReport::Paid(TOTAL)),
        1 => Just(PaymentReport::Paid(Paise::new(1))),
        3 => Just(PaymentReport::Declined(None)),
        1 => Just(PaymentReport::Declined(Some("Not enough money".into()))),
        2 => Just(PaymentReport::Pending),
        2 => Just(PaymentReport::Unknown),
        2 => Just(PaymentReport::NoResponse),
    ]
}

fn any_state() -> impl Strategy<Value = OrderState> {
    let status = proptest::sample::select(OrderStatus::ALL.to_vec());
    let reason = proptest::option::of(proptest::sample::select(EndReason::ALL.to_vec()));
    let payment = proptest::sample::select(PaymentStatus::ALL.to_vec());
    (payment, status, reason).prop_map(|(payment_status, order_status, reason)| OrderState {
        payment_status,
        order_status,
        end_reason: reason.filter(|_| payment_status == PaymentStatus::Failed),
        ..pending()
    })
}

fn any_attempt() -> impl Strategy<Value = PaymentAttempt> {
    let state = proptest::sample::select(PaymentAttemptState::ALL.to_vec());
    (any::<bool>(), state).prop_map(|(is_newest, state)| {
        let id = if is_newest { NEWEST } else { OLD };
        attempt(id, state)
    })
}

/// Often close to one of the limits.
fn any_time() -> impl Strategy<Value = i64> {
    let limits = [
        0,
        EXPIRY_GRACE_MS,
        DEADLINE_MS,
        DEADLINE_MS + EXPIRY_GRACE_MS,
        DEADLINE_MS + NO_RESPONSE_GRACE_MS,
        DEADLINE_MS + LATE_PAYMENT_WINDOW_MS,
    ];
    let near = (proptest::sample::select(limits.to_vec()), -1_i64..=1);
    prop_oneof![
        near.prop_map(|(limit, more)| limit + more),
        0..2 * LATE_PAYMENT_WINDOW_MS
    ]
}

#[test]
fn payment_with_a_wrong_amount_is_reported_and_ends_only_a_waiting_order() {
    let received = Paise::new(100);
    for payment_status in PaymentStatus::ALL {
        let state = OrderState {
            payment_status,
            ..pending()
        };
        let Settlement { attempt, order } = settled(state, PaymentReport::Paid(received), 0);
        assert_eq!(attempt, AttemptChange::Complete(received));
        let end = OrderEnd::new(EndReason::AmountMismatch);
        let end = (payment_status == PaymentStatus::Pending).then_some(end);
        assert_eq!(order, OrderChange::ReportMismatch { received, end });
    }
}

#[test]
fn declined_payment_ends_the_order_with_the_message_of_the_gateway() {
    let message = Some("Not enough money".to_owned());
    let report = PaymentReport::Declined(message.clone());
    let Settlement { attempt, order } = settled(pending(), report, MINUTE_MS);
    assert_eq!(attempt, AttemptChange::Fail);
    let end = OrderEnd::declined(DEADLINE_MS, message, MINUTE_MS);
    assert_eq!(
        (end.message.as_str(), end.reason),
        ("Not enough money", EndReason::Failed)
    );
    assert_eq!(order, OrderChange::End(end));
}

#[test]
fn silence_of_the_gateway_is_waited_for_longer() {
    let expired = OrderChange::End(OrderEnd::new(EndReason::Expired));
    let after = |report, grace_ms| settled(pending(), report, DEADLINE_MS + grace_ms).order;
    for (report, grace_ms) in [
        (PaymentReport::Pending, EXPIRY_GRACE_MS),
        (PaymentReport::NoResponse, NO_RESPONSE_GRACE_MS),
    ] {
        assert_eq!(after(report.clone(), grace_ms), OrderChange::Nothing);
        assert_eq!(after(report, grace_ms + 1), expired);
    }
    let not_started = OrderChange::End(OrderEnd::new(EndReason::NotStarted));
    let unknown = after(PaymentReport::Unknown, EXPIRY_GRACE_MS + 1);
    assert_eq!(unknown, not_started);
}

#[test]
fn refund_causes_are_read_by_an_admin() {
    let ended = |reason| RefundCause::Ended(reason).to_string();
    assert_eq!(
        ended(EndReason::CancelledByCustomer),
        "Paid after the customer cancelled the order"
    );
    assert_eq!(
        ended(EndReason::Released),
        "Paid after its reserved stock was released"
    );
    assert_eq!(
        RefundCause::NoUseLeft(NotApplicable::Paused).to_string(),
        "Paid after the order had ended, and its code has no use left (This code is not valid at the moment.)"
    );
}

/// A model with the stock of one product, two payment attempts and an admin. Reports of the gateway come in any order and
/// any number of times.
#[derive(Debug, Clone)]
enum Step {
    Report {
        attempt: usize,
        report: PaymentReport,
        at_ms: i64,
    },
    AdminSetsStatus(OrderStatus),
    AdminEndsOrder(EndReason),
    AnotherOrder,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let deliberate: Vec<_> = EndReason::ALL
        .into_iter()
        .filter(|reason| reason.is_deliberate())
        .collect();
    let report =
        (0_usize..2, any_report(), any_time()).prop_map(|(attempt, report, at_ms)| Step::Report {
            attempt,
            report,
            at_ms,
        });
    let step = prop_oneof![
        6 => report,
        1 => proptest::sample::select(OrderStatus::ALL.to_vec()).prop_map(Step::AdminSetsStatus),
        1 => proptest::sample::select(deliberate).prop_map(Step::AdminEndsOrder),
        1 => Just(Step::AnotherOrder),
    ];
    proptest::collection::vec(step, 0..40)
}

/// What became of the money of one attempt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Money {
    received: Paise,
    kept: Paise,
    refunded: Paise,
    /// The amount is wrong, and an admin decides about it.
    disputed: Paise,
}

struct Model {
    order: Order,
    attempts: [PaymentAttempt; 2],
    money: [Money; 2],
    stock: i64,
    sold_elsewhere: i64,
    /// How often the pending order has ended, paid or unpaid.
    ends: usize,
    ended_deliberately: bool,
}

impl Model {
    fn new() -> Model {
        Model {
            order: order(pending()),
            attempts: [OLD, NEWEST].map(|id| attempt(id, PaymentAttemptState::Open)),
            money: [Money::default(); 2],
            stock: 1,
            sold_elsewhere: 0,
            ends: 0,
            ended_deliberately: false,
        }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::AdminSetsStatus(status) => self.order.state.order_status = status,
            Step::AnotherOrder if self.stock > 0 => {
                self.stock -= 1;
                self.sold_elsewhere += 1;
            }
            Step::AnotherOrder => {}
            Step::AdminEndsOrder(reason) => {
                if let Some(ended) = self.order.state.ended_deliberately(reason) {
                    if self.order.state.stock_reserved {
                        self.ends += 1;
                        self.stock += 1;
                    }
                    self.order.state = ended;
                    self.ended_deliberately = true;
                }
            }
            Step::Report {
                attempt,
                report,
                at_ms,
            } => {
                let settlement = settle(&self.order, &self.attempts[attempt], report, at_ms);
                self.apply(attempt, settlement);
            }
        }
    }

    fn apply(&mut self, at: usize, settlement: Settlement) {
        let (attempt, money) = (&mut self.attempts[at], &mut self.money[at]);
        match settlement.attempt {
            AttemptChange::Nothing | AttemptChange::PollAgain { .. } => {}
            AttemptChange::Complete(received) => {
                attempt.state = PaymentAttemptState::Completed;
                money.received = money.received + received;
            }
            AttemptChange::Fail | AttemptChange::GiveUp => {
                attempt.state = PaymentAttemptState::Failed;
            }
        }
        match settlement.order {
            OrderChange::Nothing => {}
            OrderChange::Complete => {
                self.ends += 1;
                money.kept = money.kept + TOTAL;
                self.complete(at);
            }
            OrderChange::CompleteLate if self.stock > 0 => {
                self.stock -= 1;
                money.kept = money.kept + TOTAL;
                self.complete(at);
            }
            OrderChange::CompleteLate | OrderChange::Refund(_) => {
                money.refunded = money.refunded + TOTAL
            }
            OrderChange::End(end) => self.end(end.reason),
            OrderChange::ReportMismatch { received, end } => {
                money.disputed = money.disputed + received;
                if let Some(end) = end {
                    self.end(end.reason);
                }
            }
        }
    }

    fn complete(&mut self, at: usize) {
        self.order.state = self.order.state.completed();
        self.order.paid_by_attempt = Some(self.attempts[at].merchant_order_id.clone());
    }

    fn end(&mut self, reason: EndReason) {
        self.ends += 1;
        self.stock += 1;
        self.order.state = self.order.state.failed(reason);
    }
}

proptest! {
    #[test]
    fn money_and_stock_agree_after_any_sequence_of_events(steps in steps()) {
        let mut model = Model::new();
        for step in steps {
            model.step(step);
            let Model { order, money, stock, sold_elsewhere, ends, ended_deliberately, .. } = &model;
            prop_assert!(*stock >= 0);
            prop_assert_eq!(stock + sold_elsewhere + i64::from(order.state.stock_reserved), 2, "every pack is accounted for");
            prop_assert!(*ends <= 1, "the payment ends once");
            prop_assert_eq!(order.is_paid(), order.paid_by_attempt.is_some());
            prop_assert_eq!(order.state.payment_status == PaymentStatus::Failed, order.state.end_reason.is_some());
            prop_assert!(!(*ended_deliberately && order.is_paid()), "a deliberate end is final");
            for account in money {
                let parts = [account.kept, account.refunded, account.disputed];
                prop_assert_eq!(account.received, parts.into_iter().sum(), "all money is accounted for");
                prop_assert!(parts.iter().filter(|part| **part > Paise::ZERO).count() <= 1, "it is not divided");
            }
            prop_assert!(money.iter().filter(|account| account.kept > Paise::ZERO).count() <= 1, "an order is paid once");
        }
    }

    #[test]
    fn report_that_is_repeated_changes_nothing(steps in steps(), report in any_report(), at_ms in any_time()) {
        let mut model = Model::new();
        for step in steps {
            model.step(step);
        }
        let first = settle(&model.order, &model.attempts[1], report.clone(), at_ms);
        let is_final = !matches!(first.attempt, AttemptChange::PollAgain { .. });
        model.apply(1, first);
        let again = settle(&model.order, &model.attempts[1], report, at_ms);
        prop_assert_eq!(again.order, OrderChange::Nothing);
        if is_final {
            prop_assert_eq!(again.attempt, AttemptChange::Nothing);
        }
    }

    #[test]
    fn only_the_newest_attempt_ends_an_order_and_none_that_has_left(
        state in any_state(), attempt in any_attempt(), report in any_report(), now_ms in any_time(),
    ) {
        let settlement = settle(&order(state), &attempt, report, now_ms);
        let ends = match &settlement.order {
            OrderChange::End(_) => true,
            OrderChange::ReportMismatch { end, .. } => end.is_some(),
            _ => false,
        };
        if ends {
            prop_assert_eq!(state.payment_status, PaymentStatus::Pending);
            prop_assert!(!state.order_status.has_left_shop());
            prop_assert_eq!(attempt.merchant_order_id.as_str(), NEWEST);
        }
    }

    #[test]
    fn every_open_attempt_is_polled_until_it_has_a_result(
        state in any_state(), attempt in any_attempt(), report in any_report(), now_ms in any_time(),
    ) {
        let settlement = settle(&order(state), &attempt, report.clone(), now_ms);
        let is_open = matches!(attempt.state, PaymentAttemptState::Opening | PaymentAttemptState::Open);
        match settlement.attempt {
            AttemptChange::PollAgain { delay_s } => prop_assert!(is_open && delay_s > 0),
            AttemptChange::GiveUp => prop_assert!(is_open && now_ms > DEADLINE_MS + LATE_PAYMENT_WINDOW_MS),
            AttemptChange::Fail => prop_assert!(is_open),
            AttemptChange::Complete(received) => prop_assert_eq!(report, PaymentReport::Paid(received)),
            AttemptChange::Nothing => prop_assert!(!is_open),
        }
    }

    #[test]
    fn attempts_that_are_rescheduled_together_need_no_settlement(
        state in any_state(), attempt in any_attempt(), report in any_report(), now_ms in any_time(),
    ) {
        prop_assume!(matches!(attempt.state, PaymentAttemptState::Opening | PaymentAttemptState::Open));
        let order = order(state);
        let is_waited_for = is_pending_with(&order, &attempt);
        if let Some(delay_s) = only_delay_s(&attempt, is_waited_for, &report, now_ms) {
            let settlement = settle(&order, &attempt, report, now_ms);
            prop_assert_eq!(settlement.attempt, AttemptChange::PollAgain { delay_s });
            prop_assert_eq!(settlement.order, OrderChange::Nothing);
        }
    }
}
