//! Shiprocket's numbers of shipment statuses. Orders have other numbers for the same words, which are not used here.

use mirasa_domain::shipment::ShipmentStatus;

/// None for numbers that say nothing about the way of the parcel.
pub(super) fn shipment_status(number: i64) -> Option<ShipmentStatus> {
    Some(match number {
        // Assigned, label, pickup and manifest; pickup problems; packed in a warehouse.
        1..=5 | 11 | 13 | 15 | 16 | 19 | 20 | 27 | 52 | 59..=63 | 67 | 71 | 72 => {
            ShipmentStatus::Ready
        }
        42 => ShipmentStatus::PickedUp,
        // Shipped, in transit, delayed, at a hub, misrouted, in flight, customs.
        6 | 18 | 22 | 38 | 39 | 48..=51 | 54..=57 | 68 => ShipmentStatus::InTransit,
        17 => ShipmentStatus::OutForDelivery,
        21 | 77 => ShipmentStatus::Undelivered,
        7 | 23 | 26 | 43 => ShipmentStatus::Delivered,
        8 | 45 => ShipmentStatus::Cancelled,
        9 | 40 | 41 | 46 | 75 | 78 => ShipmentStatus::Returning,
        10 | 14 => ShipmentStatus::Returned,
        12 | 24 | 25 | 44 | 76 => ShipmentStatus::Lost,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_shipments_are_not_those_of_orders() {
        for (number, status) in [
            (7, ShipmentStatus::Delivered),
            // As an order's number this would be "ePayment failed".
            (8, ShipmentStatus::Cancelled),
            (17, ShipmentStatus::OutForDelivery),
            // As an order's number this would be "cancellation requested".
            (18, ShipmentStatus::InTransit),
            (10, ShipmentStatus::Returned),
            (42, ShipmentStatus::PickedUp),
            (12, ShipmentStatus::Lost),
        ] {
            assert_eq!(shipment_status(number), Some(status), "{number}");
        }
        assert_eq!(shipment_status(0), None);
        assert_eq!(shipment_status(999), None);
    }
}
