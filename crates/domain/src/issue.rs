//! Order issues: entries that an admin must resolve.

pub use crate::id::IssueId;
use crate::id::OrderId;

crate::text_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum IssueKind {
        /// The gateway reports an amount that differs from the order's total.
        AmountMismatch = "amount mismatch",
        /// Paid after the order had ended; the stock was still there.
        LatePayment = "late payment",
        /// A payment is refunded to the customer.
        Refund = "refund",
        RefundFailed = "refund failed",
        EmailNotSent = "mail not sent",
        /// The delivery partner has rejected a parcel.
        ParcelRejected = "parcel rejected",
        /// The parcel came back. The owner decides about refund and restock.
        ParcelReturned = "parcel returned",
        /// Lost, damaged or destroyed.
        ParcelLost = "parcel lost",
        /// The parcel of a cancelled order is on its way.
        ParcelOfCancelledOrder = "parcel of a cancelled order",
        /// A paid order ended, and its money was not refunded. An admin refunds it or says why it is kept.
        PaymentKept = "paid, cancelled, not refunded",
        /// An unpaid order was set to shipped or delivered.
        LeftUnpaid = "shipped, not paid",
        /// The order was set to shipped or delivered after its packs were refunded or put back into stock.
        LeftRefunded = "shipped, refunded",
        /// A cancelled replacement was set back, although its packs were replaced or refunded otherwise.
        MadeGoodTwice = "made good twice",
    }
}

crate::text_enum! {
    /// Where the list of what is to do counts an issue.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum IssueGroup {
        FailedRefunds = "failedRefunds",
        KeptPayments = "keptPayments",
        Issues = "issues",
        /// It is counted as something else: a failed refund of the same order, a parcel, or an email.
        Elsewhere = "",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderIssue {
    pub id: IssueId,
    pub order_id: OrderId,
    pub kind: IssueKind,
    /// The payment attempt, refund, email, parcel or order that it is about. There is one issue per kind and subject.
    pub subject_id: String,
    pub detail: String,
    pub created_at_ms: i64,
    /// Read from the order, not stored with the issue.
    pub order_is_deleted: bool,
}
