use super::*;

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
