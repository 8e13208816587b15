//! Order issues: entries that an admin must resolve.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IssueKind {
    /// The gateway reports an amount that differs from the order's total.
    AmountMismatch,
    /// Paid after the order had ended; the stock was still there.
    LatePayment,
    /// A payment is refunded to the customer.
    Refund,
    RefundFailed,
    EmailNotSent,
    /// The delivery partner has rejected a parcel.
    ParcelRejected,
    /// The parcel came back. The owner decides about refund and restock.
    ParcelReturned,
    /// Lost, damaged or destroyed.
    ParcelLost,
    /// The parcel of a cancelled order is on its way.
    ParcelOfCancelledOrder,
    /// A paid order ended, and its money was not refunded. An admin refunds it or says why it is kept.
    PaymentKept,
    /// An unpaid order was set to shipped or delivered.
    LeftUnpaid,
    /// The order was set to shipped or delivered after its packs were refunded or put back into stock.
    LeftRefunded,
    /// A cancelled replacement was set back, although its packs were replaced or refunded otherwise.
    MadeGoodTwice,
}

impl IssueKind {
    pub const ALL: [IssueKind; 13] = [
        IssueKind::AmountMismatch,
        IssueKind::LatePayment,
        IssueKind::Refund,
        IssueKind::RefundFailed,
        IssueKind::EmailNotSent,
        IssueKind::ParcelRejected,
        IssueKind::ParcelReturned,
        IssueKind::ParcelLost,
        IssueKind::ParcelOfCancelledOrder,
        IssueKind::PaymentKept,
        IssueKind::LeftUnpaid,
        IssueKind::LeftRefunded,
        IssueKind::MadeGoodTwice,
    ];

    /// As it is stored and as the API reports it.
    pub const fn as_str(self) -> &'static str {
        match self {
            IssueKind::AmountMismatch => "amount mismatch",
            IssueKind::LatePayment => "late payment",
            IssueKind::Refund => "refund",
            IssueKind::RefundFailed => "refund failed",
            IssueKind::EmailNotSent => "mail not sent",
            IssueKind::ParcelRejected => "parcel rejected",
            IssueKind::ParcelReturned => "parcel returned",
            IssueKind::ParcelLost => "parcel lost",
            IssueKind::ParcelOfCancelledOrder => "parcel of a cancelled order",
            IssueKind::PaymentKept => "paid, cancelled, not refunded",
            IssueKind::LeftUnpaid => "shipped, not paid",
            IssueKind::LeftRefunded => "shipped, refunded",
            IssueKind::MadeGoodTwice => "made good twice",
        }
    }

    pub fn parse(text: &str) -> Option<IssueKind> {
        IssueKind::ALL
            .into_iter()
            .find(|kind| kind.as_str() == text)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderIssue {
    pub id: String,
    pub order_id: String,
    pub kind: IssueKind,
    /// The payment attempt, refund, email, parcel or order that it is about. There is one issue per kind and subject.
    pub subject_id: String,
    pub detail: String,
    pub created_at_ms: i64,
    /// Read from the order, not stored with the issue.
    pub order_is_deleted: bool,
}
