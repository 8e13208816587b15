//! Orders, requests and facts as tests need them: one of a kind, or any.

use proptest::prelude::*;

use crate::discount::NotApplicable;
use crate::end_reason::EndReason;
use crate::leaving::LeavingConfirmation;
use crate::money::Paise;
use crate::order::fixture::{self, line};
use crate::order::{Order, OrderState, OrderStatus, PaymentStatus};
use crate::order_changes::SeenOrder;
use crate::pack::Packs;
use crate::payment::PaymentAttemptState;
use crate::refund::{self, Refund, RefundStatus};
use crate::restock::Whereabouts;
use crate::shipment::ShipmentStatus;
use crate::status_change::{StatusFacts, StatusOptions, StatusRequest};

/// Three packs, of which the shop has ten in all.
const PACKS: Packs = Packs {
    of_50g: 2,
    of_100g: 1,
};
pub(super) const ALL_PACKS: u32 = 10;
const VERSION: i64 = 7;

fn select<T: Clone + std::fmt::Debug + 'static>(
    values: impl IntoIterator<Item = T>,
) -> impl Strategy<Value = T> {
    proptest::sample::select(values.into_iter().collect::<Vec<_>>())
}

fn any_status() -> impl Strategy<Value = OrderStatus> {
    select(OrderStatus::ALL)
}

pub(super) fn any_order() -> impl Strategy<Value = Order> {
    let reason = proptest::option::of(select(EndReason::ALL));
    // Paid orders have the most to them.
    let payment = prop_oneof![select(PaymentStatus::ALL), Just(PaymentStatus::Completed)];
    let state = (payment, any_status(), reason);
    let flags = (
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
        0_u32..=PACKS.of_50g,
    );
    (state, flags).prop_map(|((payment_status, order_status, reason), flags)| {
        let (sends_refunded, is_packed, is_restocked, restocked_50g) = flags;
        let is_failed = payment_status == PaymentStatus::Failed;
        let is_paid = payment_status == PaymentStatus::Completed;
        let mut order = order(OrderState {
            payment_status,
            order_status,
            stock_reserved: !is_failed,
            end_reason: reason.filter(|_| is_failed),
            ..pending()
        });
        if is_paid {
            order.lines[0].restocked.of_50g = restocked_50g;
            order.lines[0].restocked.of_100g = u32::from(is_restocked);
        }
        order.packed_at_ms = (is_paid && is_packed).then_some(1);
        order.sends_refunded = is_paid && sends_refunded;
        order.version = VERSION;
        order
    })
}

pub(super) fn order(state: OrderState) -> Order {
    let is_paid = state.payment_status == PaymentStatus::Completed;
    Order {
        paid_by_attempt: is_paid.then(|| "M2".into()),
        lines: vec![line(PACKS)],
        ..fixture::order(state)
    }
}

pub(super) fn any_options() -> impl Strategy<Value = StatusOptions> {
    let seen = select([
        SeenOrder::default(),
        SeenOrder {
            version: Some(VERSION),
            status: None,
        },
    ]);
    let flags = proptest::array::uniform6(any::<bool>());
    (seen, flags).prop_map(|(seen, flags)| {
        let [
            refund,
            restock,
            came_back,
            even_if_repeated,
            even_if_refunded,
            even_if_unpaid,
        ] = flags;
        StatusOptions {
            seen,
            confirmed: LeavingConfirmation {
                even_if_refunded,
                even_if_unpaid,
            },
            refund,
            restock,
            came_back,
            even_if_repeated,
        }
    })
}

pub(super) fn any_request() -> impl Strategy<Value = StatusRequest> {
    let status = prop_oneof![
        any_status(),
        Just(OrderStatus::Cancelled),
        Just(OrderStatus::Shipped)
    ];
    let now_ms = 0..2 * order(pending()).expires_at_ms;
    (status, any_options(), now_ms).prop_map(|(status, mut options, now_ms)| {
        let cancels = status == OrderStatus::Cancelled;
        options.refund &= cancels;
        options.restock &= cancels;
        StatusRequest::new(status, options, now_ms).unwrap()
    })
}

pub(super) fn pending() -> OrderState {
    OrderState {
        total: line(PACKS).total,
        payment_status: PaymentStatus::Pending,
        order_status: OrderStatus::Pending,
        stock_reserved: true,
        end_reason: None,
    }
}

pub(super) fn refund(amount: Paise) -> Refund {
    Refund {
        merchant_order_id: "M2".into(),
        ..refund::fixture::refund(amount, RefundStatus::Requested)
    }
}

/// Usually nothing stands against a request.
pub(super) fn any_facts() -> impl Strategy<Value = StatusFacts> {
    let rarely = || proptest::bool::weighted(0.15);
    let parcels = proptest::collection::vec(select(ShipmentStatus::ALL), 0..3);
    let attempt = proptest::option::of(select(PaymentAttemptState::ALL));
    let amount = prop_oneof![Just(0), Just(line(PACKS).total.get()), 1_i64..19_000];
    let against = (rarely(), rarely(), rarely(), rarely(), rarely());
    (against, rarely(), parcels, attempt, amount).prop_map(
        |((has_left, code, replaced, made_good, asks), has_parcels, parcels, attempt, amount)| {
            let text = |is: bool, text: &str| is.then(|| text.to_owned());
            let refunds = (amount > 0).then(|| refund(Paise::new(amount)));
            StatusFacts {
                whereabouts: Whereabouts {
                    parcels: if has_parcels { parcels } else { Vec::new() },
                    has_left_shop: has_left,
                },
                code_refused: code.then_some(NotApplicable::Paused),
                replaced: text(replaced, "replaced"),
                made_good: text(made_good, "made good"),
                refunds: refunds.into_iter().collect(),
                customer_asks_to_cancel: asks,
                attempt,
            }
        },
    )
}
