//! The audit log: what admins did.

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    pub id: String,
    pub at_ms: i64,
    /// The admin's email, or `configuration`.
    pub actor: String,
    pub action: AdminAction,
    /// The product, order, user, message or review that was changed.
    pub subject_id: String,
    pub detail: String,
}

crate::text_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum AdminAction {
        ProductAdded = "product added",
        ProductChanged = "product changed",
        ProductShown = "product shown",
        ProductHidden = "product hidden",
        ProductDeleted = "product deleted",
        TrendingRankSet = "trending rank set",
        OrderStatusSet = "order status",
        OrderDeleted = "order deleted",
        OrderRestored = "order restored",
        AddressCorrected = "address corrected",
        ParcelRequested = "parcel requested",
        ParcelCancelled = "parcel cancelled",
        ParcelRetried = "parcel retried",
        TrackingSet = "tracking set",
        RefundRequested = "refund requested",
        RefundRetried = "refund retried",
        PaymentKept = "payment kept",
        ProblemResolved = "problem resolved",
        CancellationDecided = "cancellation decided",
        StockReleased = "stock released",
        StockCounted = "stock counted",
        StockReceived = "stock received",
        StockWrittenOff = "stock written off",
        BatchRecorded = "batch recorded",
        DiscountAdded = "discount added",
        DiscountChanged = "discount changed",
        UserChanged = "user changed",
        UserDeleted = "user deleted",
        MessageReplied = "message replied",
        MessageDone = "message done",
        MessageReopened = "message reopened",
        ReviewRepliedTo = "review replied to",
        ReviewHidden = "review hidden",
        ReviewShown = "review shown",
    }
}
