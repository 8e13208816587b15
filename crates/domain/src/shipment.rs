//! Parcels: the states of a shipment, the events that a courier reports, and the work that is left to do.

pub use crate::id::ShipmentId;
use crate::id::{OrderId, ProductId};
use crate::ist;
use crate::money::Paise;
use crate::order::OrderStatus;
use crate::order_event::Actor;
use crate::pack::Packs;
use serde::{Deserialize, Serialize};

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
/// A courier that reports nothing new is polled less and less often.
const FIRST_POLL_MS: i64 = 2 * MINUTE_MS;
const MAX_POLL_MS: i64 = 4 * HOUR_MS;
/// On the day of the delivery customers wait for it.
const MAX_POLL_ON_DELIVERY_DAY_MS: i64 = 30 * MINUTE_MS;
/// A step that failed is repeated after this time, which doubles up to the maximum.
const FIRST_RETRY_MS: i64 = 15_000;
const MAX_RETRY_MS: i64 = 15 * MINUTE_MS;
/// The same where the partner has rejected the request: only the owner can change that.
const MAX_REJECTED_RETRY_MS: i64 = HOUR_MS;

crate::text_enum! {
    /// Where a parcel is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum ShipmentStatus {
        /// It has no tracking number yet.
        Preparing = "preparing",
        /// It has a tracking number and waits for the courier.
        Ready = "ready",
        PickedUp = "picked_up",
        InTransit = "in_transit",
        OutForDelivery = "out_for_delivery",
        /// An attempt to deliver it has failed. The courier tries again or returns it.
        Undelivered = "undelivered",
        /// On its way back to the shop.
        Returning = "returning",
        Delivered = "delivered",
        /// Back at the shop.
        Returned = "returned",
        /// Lost, damaged or destroyed.
        Lost = "lost",
        Cancelled = "cancelled",
    }
}

impl ShipmentStatus {
    /// In words, for the history of the order.
    pub const fn title(self) -> &'static str {
        match self {
            ShipmentStatus::Preparing => "Parcel is being prepared",
            ShipmentStatus::Ready => "Parcel is ready for the courier",
            ShipmentStatus::PickedUp => "Picked up by the courier",
            ShipmentStatus::InTransit => "In transit",
            ShipmentStatus::OutForDelivery => "Out for delivery",
            ShipmentStatus::Undelivered => "Delivery attempt failed",
            ShipmentStatus::Returning => "On its way back to the shop",
            ShipmentStatus::Delivered => "Delivered",
            ShipmentStatus::Returned => "Returned to the shop",
            ShipmentStatus::Lost => "Lost or damaged",
            ShipmentStatus::Cancelled => "Parcel cancelled",
        }
    }

    /// A parcel never goes back to an earlier phase, whatever arrives late.
    const fn phase(self) -> u8 {
        match self {
            ShipmentStatus::Preparing => 0,
            ShipmentStatus::Ready => 1,
            ShipmentStatus::PickedUp
            | ShipmentStatus::InTransit
            | ShipmentStatus::OutForDelivery
            | ShipmentStatus::Undelivered => 2,
            ShipmentStatus::Returning => 3,
            ShipmentStatus::Delivered
            | ShipmentStatus::Returned
            | ShipmentStatus::Lost
            | ShipmentStatus::Cancelled => 4,
        }
    }

    pub const fn is_final(self) -> bool {
        self.phase() == 4
    }

    /// Whether the courier has the parcel, or has had it.
    pub const fn has_left_shop(self) -> bool {
        self.phase() >= 2 && !matches!(self, ShipmentStatus::Cancelled)
    }

    /// Whether another parcel may be sent for the same order.
    pub const fn allows_another(self) -> bool {
        matches!(
            self,
            ShipmentStatus::Cancelled | ShipmentStatus::Returned | ShipmentStatus::Lost
        )
    }

    /// The status that the order gets with this one, if it is not further already.
    pub fn order_status(self, current: OrderStatus) -> Option<OrderStatus> {
        let wanted = match self {
            ShipmentStatus::Delivered => OrderStatus::Delivered,
            status if status.has_left_shop() => OrderStatus::Shipped,
            _ => return None,
        };
        let is_open = matches!(
            current,
            OrderStatus::Pending | OrderStatus::Confirmed | OrderStatus::NotApplicable
        );
        let advances =
            is_open || (current == OrderStatus::Shipped && wanted == OrderStatus::Delivered);
        advances.then_some(wanted)
    }
}

/// The status of a parcel and the time of the event that set it, by the courier's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub status: ShipmentStatus,
    pub at_ms: i64,
}

impl Position {
    /// The position after an event. A later phase always counts, because clocks of hubs differ; within a phase only what
    /// is newer. None if the event changes nothing.
    #[must_use]
    pub fn after(self, event: Position) -> Option<Position> {
        if self.status.is_final() || event.status.phase() < self.status.phase() {
            return None;
        }
        let is_later_phase = event.status.phase() > self.status.phase();
        let is_newer = event.at_ms > self.at_ms && event.status != self.status;
        (is_later_phase || is_newer).then_some(event)
    }
}

crate::text_enum! {
    /// What the worker does next. The steps are repeated until they succeed, so each finds out first what an earlier attempt
    /// has done.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ShipmentStep {
        /// Register the parcel with the partner.
        Create = "create",
        /// Choose a courier and get a tracking number.
        Assign = "assign",
        /// Fetch the label.
        Label = "label",
        RequestPickup = "pickup",
        Manifest = "manifest",
        /// Ask where the parcel is.
        Track = "track",
        /// Cancel it at the partner.
        Cancel = "cancel",
        Done = "done",
    }
}

/// How the courier is chosen among those that serve the pincode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CourierRule {
    #[default]
    Cheapest,
    Fastest,
    /// By its number at the partner.
    Chosen(i64),
}

/// A parcel of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shipment {
    pub id: ShipmentId,
    pub order_id: OrderId,
    /// The order's number at the partner. New for every parcel of an order.
    pub reference: String,
    pub partner: Partner,
    pub rule: CourierRule,
    pub position: Position,
    pub step: ShipmentStep,
    /// Attempts at the present step.
    pub attempts: i64,
    /// Why the last attempt failed.
    pub error: Option<String>,
    /// The numbers of the order and of the shipment at the partner.
    pub partner_ids: Option<PartnerIds>,
    /// The number of the courier company at the partner, once it is chosen.
    pub courier_id: Option<i64>,
    /// The courier company.
    pub courier: String,
    pub tracking_number: String,
    pub tracking_url: String,
    /// With the packaging.
    pub weight_grams: i64,
    /// What is in it. All requests to the partner with this reference say the same. None: an earlier version has recorded
    /// the parcel.
    pub contents: Option<Vec<ParcelLine>>,
    /// Another parcel is booked once this one is cancelled, because the packs that are sent have changed.
    pub books_again: bool,
    /// What the partner charges for the way to the customer.
    pub cost: Option<Paise>,
    /// What it charges in addition if the parcel is returned.
    pub return_cost: Option<Paise>,
    pub expected_at_ms: Option<i64>,
    pub pickup_at_ms: Option<i64>,
    pub picked_up_at_ms: Option<i64>,
    /// When it was delivered or returned.
    pub ended_at_ms: Option<i64>,
    pub has_label: bool,
    /// When the label was first handed out in a file. None: not since it was fetched.
    pub label_printed_at_ms: Option<i64>,
    pub created_by: Actor,
    pub created_at_ms: i64,
    pub updated_at_ms: i64,
}

/// Packs of one product in a parcel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParcelLine {
    pub product: ProductId,
    pub packs: Packs,
}

crate::text_enum! {
    /// Who carries the parcel.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Partner {
        /// The configured delivery partner.
        Integrated = "integrated",
        /// A courier whose tracking number the owner has typed in.
        Manual = "manual",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartnerIds {
    pub order: i64,
    pub shipment: i64,
}

/// Something that a courier reports about a parcel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShipmentEvent {
    pub shipment_id: ShipmentId,
    pub at_ms: i64,
    pub status: ShipmentStatus,
    /// In the courier's words.
    pub activity: String,
    pub place: String,
}

impl Shipment {
    /// Applies an event, if it changes something.
    pub fn advance(&mut self, event: Position) {
        let Some(position) = self.position.after(event) else {
            return;
        };
        self.position = position;
        if position.status.has_left_shop() && self.picked_up_at_ms.is_none() {
            self.picked_up_at_ms = Some(position.at_ms);
        }
        if position.status.is_final() && position.status != ShipmentStatus::Cancelled {
            self.ended_at_ms = Some(position.at_ms);
        }
    }

    /// When the step is tried again after a failure.
    pub fn retry_delay_ms(&self, is_rejected: bool) -> i64 {
        let doubled = FIRST_RETRY_MS << self.attempts.clamp(1, 12).saturating_sub(1);
        doubled.min(if is_rejected {
            MAX_REJECTED_RETRY_MS
        } else {
            MAX_RETRY_MS
        })
    }

    /// When the parcel is polled again, after this many polls without a new scan.
    pub fn poll_delay_ms(&self, polls_without_scan: i64) -> i64 {
        let max = match self.position.status {
            ShipmentStatus::OutForDelivery => MAX_POLL_ON_DELIVERY_DAY_MS,
            _ => MAX_POLL_MS,
        };
        (FIRST_POLL_MS << polls_without_scan.clamp(0, 10)).min(max)
    }

    /// Whether the order's goods are in this parcel, or were delivered with it.
    pub fn is_current(&self) -> bool {
        !self.position.status.allows_another()
    }

    /// Whether the partner can still be told not to send it.
    pub fn is_cancellable(&self) -> bool {
        self.position.status.phase() < 2
            && !matches!(self.step, ShipmentStep::Cancel | ShipmentStep::Done)
    }

    /// Days between pick-up and delivery, by the calendar of India.
    pub fn days_under_way(&self) -> Option<i64> {
        Some(ist::day(self.ended_at_ms?) - ist::day(self.picked_up_at_ms?))
    }
}

/// Whether the courier has lost or returned the last parcel of an order that it had. The oldest parcel comes first.
pub fn is_to_be_sent_again(parcels: &[Shipment]) -> bool {
    let mut sent = parcels.iter().rev().map(|one| one.position.status);
    let last = sent.find(|status| *status != ShipmentStatus::Cancelled);
    matches!(last, Some(ShipmentStatus::Returned | ShipmentStatus::Lost))
}

#[cfg(test)]
mod tests;
