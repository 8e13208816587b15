//! How an order ends unpaid: the reason, the message that its customer reads, and whether an email says so.

use crate::end_reason::EndReason;

const PAYMENT_FAILED: &str = "Payment failed. Please try again.";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderEnd {
    pub reason: EndReason,
    pub message: String,
    pub sends_email: bool,
}

impl OrderEnd {
    pub fn new(reason: EndReason) -> OrderEnd {
        let message = match reason {
            EndReason::Failed => PAYMENT_FAILED,
            EndReason::Expired => "The time to pay was over.",
            EndReason::Replaced => "Replaced by a newer checkout.",
            EndReason::NotStarted => "The payment could not be started.",
            EndReason::AmountMismatch => {
                "The payment does not match this order. We are looking into it."
            }
            EndReason::CancelledByCustomer => {
                "You cancelled this order. Money paid for it is returned."
            }
            EndReason::Cancelled | EndReason::Deleted => {
                "The shop cancelled this order. Money paid for it is returned."
            }
            EndReason::AccountDeleted => {
                "The account was deleted. Money paid for this order is returned."
            }
            EndReason::Released => "The shop released the items that this order had reserved.",
        };
        OrderEnd {
            reason,
            message: message.to_owned(),
            // No email if the customer checked out again or never saw a payment page. A cancelled order has its own
            // email. After a mismatch, the email must not say that nothing was charged.
            sends_email: matches!(
                reason,
                EndReason::Failed | EndReason::Expired | EndReason::Released
            ),
        }
    }

    /// The gateway declined the payment, with or without a message of its own.
    pub fn declined(deadline_ms: i64, message: Option<String>, now_ms: i64) -> OrderEnd {
        let reason = EndReason::for_declined_payment(deadline_ms, now_ms);
        OrderEnd {
            message: message.unwrap_or_else(|| PAYMENT_FAILED.to_owned()),
            ..OrderEnd::new(reason)
        }
    }

    /// The customer has started another checkout.
    pub fn replaced(deadline_ms: i64, now_ms: i64) -> OrderEnd {
        OrderEnd {
            sends_email: false,
            ..OrderEnd::new(EndReason::for_replaced_order(deadline_ms, now_ms))
        }
    }
}
