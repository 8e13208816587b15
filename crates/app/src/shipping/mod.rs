//! Parcels, from the packed order to the delivery, one file per step:
//!
//! 1. `estimates`: whether the partner serves a pincode, and by which day. Asked before buying.
//! 2. `ship`: records a parcel for each packed order. The row is the job.
//! 3. `steps`: the worker. It creates the parcel at the partner, orders the transport, fetches the label, requests the
//!    pickup and closes the manifest. Each step can be repeated: it asks first what an earlier attempt has done.
//! 4. `tracking`: polls the partner, after a webhook and on a widening schedule, and applies what it reports to the order.
//! 5. `labels`: labels of several parcels in one PDF file.
//! 6. `book_again`: another parcel instead of one whose packs were refunded before it was booked.
//! 7. `send_again`: another parcel for an order whose parcel was lost or came back.
//!
//! `pack_and_ship` is the packing table: it packs and ships several orders and prints their papers.
//!
//! `list` is what the owner sees of parcels, `cancel` cancels them or repeats a step, and `manual_tracking` is for a courier that
//! is not integrated.

mod book_again;
mod cancel;
mod contents;
pub mod estimates;
mod labels;
mod list;
mod manual_tracking;
pub mod pack_and_ship;
mod partner_calls;
mod send_again;
mod ship;
pub mod steps;
mod tracking;

use mirasa_domain::shipment::{CourierRule, Shipment, ShipmentEvent};

pub use crate::shipping::labels::Labels;
pub use crate::shipping::list::{OrderToShip, ShipmentPage};
pub use crate::shipping::manual_tracking::ManualTracking;

/// What the shop itself decides about parcels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShippingSettings {
    /// The weight of the packaging.
    pub tare_grams: u32,
    pub rule: CourierRule,
    /// A parcel that is not scanned for longer is reported to the owner.
    pub unscanned_days: u32,
}

/// A parcel and what was reported about it, oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShipmentDetails {
    pub shipment: Shipment,
    pub events: Vec<ShipmentEvent>,
}
