//! Requests of customers to cancel an order that is packed or has a parcel. The owner accepts or declines.

use crate::id::OrderId;
use crate::ist::DAY_MS;
use crate::order::Order;
use crate::order_event::Actor;
use crate::shipment::Shipment;

/// The policy: the owner answers within a day.
const ANSWER_WITHIN_MS: i64 = DAY_MS;

crate::text_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum CancellationOutcome {
        Accepted = "accepted",
        Declined = "declined",
        /// The order was cancelled or deleted in another way.
        Closed = "closed",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CancellationDecision {
    pub outcome: CancellationOutcome,
    pub at_ms: i64,
    pub by: Actor,
    /// What the shop wrote to the customer.
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CancellationRequest {
    pub id: String,
    pub order_id: OrderId,
    pub requested_at_ms: i64,
    /// None: it is open.
    pub decision: Option<CancellationDecision>,
}

impl CancellationRequest {
    pub fn is_open(&self) -> bool {
        self.decision.is_none()
    }

    /// Whether the customer may not ask again.
    pub fn is_final(&self) -> bool {
        let outcome = self.decision.as_ref().map(|decision| decision.outcome);
        outcome != Some(CancellationOutcome::Closed)
    }

    pub fn due_at_ms(&self) -> i64 {
        self.requested_at_ms + ANSWER_WITHIN_MS
    }
}

/// Open requests that were made before this time are overdue.
pub fn overdue_before_ms(now_ms: i64) -> i64 {
    now_ms - ANSWER_WITHIN_MS
}

/// Whether the customer cannot cancel the order at once, because it may have been handed over: it is packed, or it has a
/// parcel or a tracking number.
pub fn needs_request<'s>(order: &Order, shipments: impl IntoIterator<Item = &'s Shipment>) -> bool {
    let mut statuses = shipments.into_iter().map(|one| one.position.status);
    order.packed_at_ms.is_some() || statuses.any(|status| !status.allows_another())
}
