//! Which parcels a group of the owner's list has, and which orders can be shipped.

use std::borrow::Cow;

use mirasa_app::repository::shipping::ShipmentGroup;

use crate::orders::work::{HAS_PACKS_TO_SEND, TO_PACK};

/// The owner must act on parcels whose step fails again and again, and decide about returned and lost ones while their order is still shipped.
pub(crate) const NEEDS_ATTENTION: &str = "(s.error is not null or s.status in ('returned', 'lost')) and ((s.error is not null and s.attempts > 2 and s.step <> 'done') or (s.status in ('returned', 'lost')
    and exists (select 1 from orders o where o.id = s.order_id and o.order_status = 'shipped' and o.deleted_at is null)
    and not exists (select 1 from shipments n where n.order_id = s.order_id and n.status <> 'cancelled'
        and (length(n.reference), n.reference) > (length(s.reference), s.reference))))";

pub(crate) const TO_SHIP: &str = "from orders where packed_at is not null and order_status = 'confirmed' and deleted_at is null
    and not exists (select 1 from shipments s where s.order_id = orders.id and s.status not in ('cancelled', 'returned', 'lost'))
    and not exists (select 1 from cancellation_requests c where c.order_id = orders.id and c.decided_at is null)";

/// Orders whose parcel is being booked, or is booked and its label was not printed. The parts about the label are the
/// condition of an index.
const TO_PRINT: &str = "from orders where packed_at is not null and order_status = 'confirmed' and deleted_at is null
    and id in (select order_id from shipments where status in ('preparing', 'ready') and label_printed_at is null
        and partner = 'integrated' and step not in ('cancel', 'done'))
    and not exists (select 1 from cancellation_requests c where c.order_id = orders.id and c.decided_at is null)";

/// The ids and times of the orders that are not packed, and with a partner also of those that are packed and not shipped, or
/// whose label was not printed.
pub(super) fn to_pack_and_ship(has_partner: bool) -> String {
    let to_pack =
        format!("select id, created_at from orders where {TO_PACK} and {HAS_PACKS_TO_SEND}");
    if !has_partner {
        return to_pack;
    }
    format!(
        "{to_pack} union all select id, created_at {TO_SHIP} and {HAS_PACKS_TO_SEND}
         union all select id, created_at {TO_PRINT} and {HAS_PACKS_TO_SEND}"
    )
}

/// Parcels that the partner has reported nothing about since a time. Those that need the owner's attention are not among them.
pub(crate) fn unscanned(since: &str) -> String {
    format!(
        "s.partner = 'integrated'
    and s.status in ('ready', 'picked_up', 'in_transit', 'out_for_delivery', 'undelivered', 'returning') and s.status_at < {since}
    and not exists (select 1 from shipment_events e where e.shipment_id = s.id and e.at >= {since})
    and not ({NEEDS_ATTENTION})"
    )
}

pub(super) fn condition(group: ShipmentGroup) -> Cow<'static, str> {
    let text = match group {
        ShipmentGroup::Unscanned { since_ms } => {
            return unscanned(&since_ms.to_string()).into();
        }
        ShipmentGroup::All => "true",
        ShipmentGroup::Attention => NEEDS_ATTENTION,
        ShipmentGroup::Preparing => "s.status in ('preparing', 'ready')",
        ShipmentGroup::UnderWay => {
            "s.status in ('picked_up', 'in_transit', 'out_for_delivery', 'undelivered', 'returning')"
        }
        ShipmentGroup::Delivered => "s.status = 'delivered'",
        ShipmentGroup::Returned => "s.status in ('returned', 'lost', 'cancelled')",
    };
    text.into()
}
