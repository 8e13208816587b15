use super::*;
use proptest::prelude::*;

fn position(status: ShipmentStatus, at_ms: i64) -> Position {
    Position { status, at_ms }
}

#[test]
fn second_attempt_follows_a_failed_one_but_not_an_older_scan() {
    let failed = position(ShipmentStatus::Undelivered, 50);
    let again = position(ShipmentStatus::OutForDelivery, 60);
    assert_eq!(failed.after(again), Some(again));
    assert_eq!(
        failed.after(position(ShipmentStatus::OutForDelivery, 40)),
        None
    );
    // The clock of the hub is behind that of the driver.
    let delivered = position(ShipmentStatus::Delivered, 45);
    assert_eq!(failed.after(delivered), Some(delivered));
    assert_eq!(delivered.after(position(ShipmentStatus::Lost, 99)), None);
}

#[test]
fn order_gets_the_status_of_its_parcel_once() {
    let confirmed = OrderStatus::Confirmed;
    let status = |parcel: ShipmentStatus, order| parcel.order_status(order);
    assert_eq!(status(ShipmentStatus::Ready, confirmed), None);
    assert_eq!(
        status(ShipmentStatus::PickedUp, confirmed),
        Some(OrderStatus::Shipped)
    );
    assert_eq!(
        status(ShipmentStatus::Delivered, OrderStatus::Shipped),
        Some(OrderStatus::Delivered)
    );
    for parcel in ShipmentStatus::ALL {
        assert_eq!(status(parcel, OrderStatus::Cancelled), None, "{parcel:?}");
        assert_eq!(status(parcel, OrderStatus::Delivered), None, "{parcel:?}");
    }
    assert_eq!(
        status(ShipmentStatus::InTransit, OrderStatus::Shipped),
        None
    );
}

proptest! {
    /// Events arrive late, twice, in any order, or not at all.
    #[test]
    fn parcel_never_goes_back_and_ends_once(
        events in proptest::collection::vec((0_usize..11, 0_i64..20), 0..60)
    ) {
        let mut now = position(ShipmentStatus::Preparing, 0);
        let mut ends = 0;
        for (status, at_ms) in events {
            let event = position(ShipmentStatus::ALL[status], at_ms);
            let Some(next) = now.after(event) else { continue };
            prop_assert!(next.status.phase() >= now.status.phase());
            prop_assert!(next.status.phase() > now.status.phase() || next.at_ms > now.at_ms);
            prop_assert_eq!(next.after(event), None, "a repeated event changes nothing");
            ends += i32::from(next.status.is_final());
            now = next;
        }
        prop_assert!(ends <= 1);
    }
}
