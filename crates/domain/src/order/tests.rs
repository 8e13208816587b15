use super::*;
use proptest::prelude::*;

const TOTAL: Paise = Paise::new(25_000);

fn pending() -> OrderState {
    OrderState {
        total: TOTAL,
        payment_status: PaymentStatus::Pending,
        order_status: OrderStatus::Pending,
        stock_reserved: true,
        end_reason: None,
    }
}

#[test]
fn payment_with_a_wrong_amount_is_reported() {
    for payment in PaymentStatus::ALL {
        let order = OrderState {
            payment_status: payment,
            ..pending()
        };
        assert_eq!(
            order.decide(PaymentEvent::Paid(Paise::new(100)), true, false),
            SettlementAction::ReportMismatch
        );
    }
}

#[test]
fn unpaid_order_is_ended_deliberately_once() {
    let ended = pending().ended_deliberately(EndReason::Released).unwrap();
    assert_eq!(ended, pending().failed(EndReason::Released));
    assert_eq!(ended.ended_deliberately(EndReason::Deleted), None);
    let expired = pending().failed(EndReason::Expired);
    let deleted = expired.ended_deliberately(EndReason::Deleted).unwrap();
    assert_eq!(deleted, pending().failed(EndReason::Deleted));
    assert_eq!(
        pending().completed().ended_deliberately(EndReason::Deleted),
        None
    );
}

/// A model with the stock of one product, two payment attempts and an admin. Events of the gateway come in any
/// order and any number of times.
#[derive(Debug, Clone, Copy)]
enum Step {
    Payment { attempt: usize, event: PaymentEvent },
    AdminSetsStatus(OrderStatus),
    AdminEndsOrder(EndReason),
    AnotherOrder,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let event = prop_oneof![
        3 => Just(PaymentEvent::Paid(TOTAL)),
        1 => Just(PaymentEvent::Paid(Paise::new(1))),
        3 => Just(PaymentEvent::Failed),
        3 => Just(PaymentEvent::Abandoned)
    ];
    let deliberate: Vec<_> = EndReason::ALL
        .into_iter()
        .filter(|reason| reason.is_deliberate())
        .collect();
    let step = prop_oneof![
        6 => (0_usize..2, event).prop_map(|(attempt, event)| Step::Payment { attempt, event }),
        1 => (0_usize..6).prop_map(|at| Step::AdminSetsStatus(OrderStatus::ALL[at])),
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

proptest! {
    #[test]
    fn money_and_stock_agree_after_any_sequence_of_events(steps in steps()) {
        let (mut order, mut stock, mut sold_elsewhere) = (pending(), 1_i64, 0_i64);
        let mut paid_by = None;
        let mut money = [Money::default(); 2];
        let mut ends = 0;
        let mut ended_deliberately = false;
        for step in steps {
            match step {
                Step::AdminSetsStatus(status) => order.order_status = status,
                Step::AnotherOrder => if stock > 0 { stock -= 1; sold_elsewhere += 1 },
                Step::AdminEndsOrder(reason) => if let Some(ended) = order.ended_deliberately(reason) {
                    if order.stock_reserved { ends += 1; stock += 1 }
                    order = ended;
                    ended_deliberately = true;
                },
                Step::Payment { attempt, event } => {
                    let account = &mut money[attempt];
                    // A paid attempt is closed. Later events of it are ignored.
                    if account.received > Paise::ZERO { continue }
                    let action = order.decide(event, attempt == 1, paid_by == Some(attempt));
                    if let PaymentEvent::Paid(amount) = event { account.received = amount }
                    match action {
                        SettlementAction::Nothing => {}
                        SettlementAction::ReportMismatch => account.disputed = account.received,
                        SettlementAction::Complete => { ends += 1; paid_by = Some(attempt); account.kept = TOTAL; order = order.completed() }
                        SettlementAction::Fail => { ends += 1; stock += 1; order = order.failed(EndReason::Failed) }
                        SettlementAction::CompleteLate if stock > 0 => { stock -= 1; paid_by = Some(attempt); account.kept = TOTAL; order = order.completed() }
                        SettlementAction::CompleteLate | SettlementAction::RefundDuplicate | SettlementAction::RefundEnded(_) => account.refunded = TOTAL,
                    }
                }
            }
            prop_assert!(stock >= 0);
            prop_assert_eq!(stock + sold_elsewhere + i64::from(order.stock_reserved), 2, "every pack is accounted for");
            prop_assert!(ends <= 1, "the payment ends once");
            prop_assert_eq!(order.payment_status == PaymentStatus::Completed, paid_by.is_some());
            prop_assert_eq!(order.payment_status == PaymentStatus::Failed, order.end_reason.is_some());
            prop_assert!(!(ended_deliberately && paid_by.is_some()), "a deliberate end is final");
            for account in money {
                let parts = [account.kept, account.refunded, account.disputed];
                prop_assert_eq!(account.received, parts.into_iter().sum(), "all money is accounted for");
                prop_assert!(parts.iter().filter(|part| **part > Paise::ZERO).count() <= 1, "it is not divided");
            }
            prop_assert!(money.iter().filter(|account| account.kept > Paise::ZERO).count() <= 1, "an order is paid once");
        }
    }
}

#[test]
fn unpaid_order_that_has_left_does_not_end_by_itself() {
    for status in [OrderStatus::Shipped, OrderStatus::Delivered] {
        let left = OrderState {
            order_status: status,
            ..pending()
        };
        for event in [PaymentEvent::Failed, PaymentEvent::Abandoned] {
            assert_eq!(left.decide(event, true, false), SettlementAction::Nothing);
        }
        let paid = left.decide(PaymentEvent::Paid(TOTAL), true, false);
        assert_eq!(paid, SettlementAction::Complete);
        assert_eq!(left.completed().order_status, status);
    }
}
