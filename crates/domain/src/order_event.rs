//! The history of an order: what happened, when, and who did it.

use std::fmt;

use crate::id::OrderId;
use crate::order::OrderStatus;

/// Who changed an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    Customer,
    /// By email address.
    Admin(String),
    /// The shop's own rules, such as the end of the time to pay.
    System,
}

impl Actor {
    /// As it is stored. An email address contains an `@`, so it is never one of the two words.
    pub fn as_str(&self) -> &str {
        match self {
            Actor::Customer => "customer",
            Actor::Admin(email) => email,
            Actor::System => "system",
        }
    }

    pub fn parse(text: &str) -> Actor {
        match text {
            "customer" => Actor::Customer,
            "system" => Actor::System,
            email => Actor::Admin(email.to_owned()),
        }
    }
}

crate::text_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum OrderEventKind {
        /// The first event. It is not stored: the order has the time.
        Placed = "placed",
        Paid = "paid",
        /// Ended unpaid.
        Ended = "ended",
        /// The detail is the status.
        StatusSet = "status_set",
        /// At once, because it was not packed.
        CancelledByCustomer = "cancelled_by_customer",
        CancellationRequested = "cancellation_requested",
        CancellationAccepted = "cancellation_accepted",
        CancellationDeclined = "cancellation_declined",
        Restocked = "restocked",
        RefundRequested = "refund_requested",
        RefundCompleted = "refund_completed",
        RefundFailed = "refund_failed",
        /// The rest of the payment is too little to be refunded.
        RestKept = "rest_kept",
        Deleted = "deleted",
        Restored = "restored",
        ProblemReported = "problem_reported",
        ProblemResolved = "problem_resolved",
        /// A replacement was ordered, or this order is one.
        Replaced = "replaced",
        /// Another parcel, after one that was lost or came back. The detail names the packs that were taken out of stock.
        SentAgain = "sent_again",
        /// Not stored: the order has the time.
        Packed = "packed",
        /// The detail is the number. Not stored: the invoice has it.
        Invoiced = "invoiced",
        /// The same of a credit note.
        CreditNoteIssued = "credit_note_issued",
        /// An admin has booked a parcel or typed in its tracking number. What a courier reports about it is not stored: the
        /// shipment has it.
        Parcel = "parcel",
        /// An admin confirmed that the money of an ended order is kept. The detail is the reason.
        PaymentKept = "payment_kept",
        /// The detail has the address before and after. It is empty if the account was erased.
        AddressCorrected = "address_corrected",
    }
}

impl OrderEventKind {
    /// Whether the customer sees it. The rest is about the shop's own work.
    pub const fn is_public(self) -> bool {
        !matches!(
            self,
            OrderEventKind::Restocked
                | OrderEventKind::RefundFailed
                | OrderEventKind::Deleted
                | OrderEventKind::Restored
                | OrderEventKind::PaymentKept
        )
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderEvent {
    pub id: String,
    pub order_id: OrderId,
    pub at_ms: i64,
    pub kind: OrderEventKind,
    pub actor: Actor,
    /// Completes the text, such as the amount of a refund.
    pub detail: String,
}

impl OrderEvent {
    /// The status that the order has since this event, if it changed it.
    pub fn status(&self) -> Option<OrderStatus> {
        match self.kind {
            OrderEventKind::StatusSet => OrderStatus::parse(&self.detail),
            OrderEventKind::Paid => Some(OrderStatus::Confirmed),
            OrderEventKind::Ended
            | OrderEventKind::CancelledByCustomer
            | OrderEventKind::CancellationAccepted => Some(OrderStatus::Cancelled),
            _ => None,
        }
    }
}

/// What happened, in words.
impl fmt::Display for OrderEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let detail = &self.detail;
        match self.kind {
            OrderEventKind::Placed => f.write_str("Order placed"),
            OrderEventKind::Paid => f.write_str("Payment received"),
            OrderEventKind::Ended => f.write_str(detail),
            OrderEventKind::StatusSet => write!(f, "Status set to {detail}"),
            OrderEventKind::CancelledByCustomer => f.write_str("Cancelled by the customer"),
            OrderEventKind::CancellationRequested => f.write_str("Cancellation requested"),
            OrderEventKind::CancellationAccepted => f.write_str("Cancellation accepted"),
            OrderEventKind::CancellationDeclined => f.write_str("Cancellation declined"),
            OrderEventKind::Restocked => write!(f, "Back in stock: {detail}"),
            OrderEventKind::RefundRequested => write!(f, "Refund requested: {detail}"),
            OrderEventKind::RefundCompleted => write!(f, "Refund completed: {detail}"),
            OrderEventKind::RefundFailed => write!(f, "Refund failed: {detail}"),
            OrderEventKind::Deleted => f.write_str("Order deleted"),
            OrderEventKind::Restored => f.write_str("Order restored"),
            OrderEventKind::ProblemReported => f.write_str("Problem reported"),
            OrderEventKind::ProblemResolved => f.write_str(detail),
            OrderEventKind::RestKept | OrderEventKind::Replaced | OrderEventKind::Parcel => {
                f.write_str(detail)
            }
            OrderEventKind::SentAgain => write!(f, "Sent again: {detail}"),
            OrderEventKind::Packed => f.write_str("Packed"),
            OrderEventKind::Invoiced => write!(f, "Invoice {detail}"),
            OrderEventKind::CreditNoteIssued => write!(f, "Credit note {detail}"),
            OrderEventKind::AddressCorrected if detail.is_empty() => {
                f.write_str("Delivery address corrected")
            }
            OrderEventKind::AddressCorrected => {
                write!(f, "Delivery address corrected: {detail}")
            }
            OrderEventKind::PaymentKept => write!(f, "The money is kept: {detail}"),
        }
    }
}

/// Whether the order was set to shipped or delivered at any time, whatever it was set to afterwards.
pub fn has_left_shop(events: &[OrderEvent]) -> bool {
    let mut set = events.iter().filter_map(OrderEvent::status);
    set.any(OrderStatus::has_left_shop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actor_parses_its_stored_text() {
        for actor in [
            Actor::Customer,
            Actor::System,
            Actor::Admin("a@mirasa.example".into()),
        ] {
            assert_eq!(Actor::parse(actor.as_str()), actor);
        }
    }
}
