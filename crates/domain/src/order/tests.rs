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
fn short_id_is_the_end_in_capitals() {
    let short = |id: &str| short_id(&id.into());
    assert_eq!(short("01980000-0000-7000-8000-00ab9f3c21ab"), "9F3C21AB");
    assert_eq!(short("ab"), "AB");
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
