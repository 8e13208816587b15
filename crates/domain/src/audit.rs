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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdminAction {
    ProductAdded,
    ProductChanged,
    ProductShown,
    ProductHidden,
    ProductDeleted,
    TrendingRankSet,
    OrderStatusSet,
    OrderDeleted,
    OrderRestored,
    ParcelRequested,
    ParcelCancelled,
    ParcelRetried,
    TrackingSet,
    RefundRequested,
    RefundRetried,
    PaymentKept,
    ProblemResolved,
    CancellationDecided,
    StockReleased,
    StockCounted,
    StockReceived,
    StockWrittenOff,
    BatchRecorded,
    DiscountAdded,
    DiscountChanged,
    UserChanged,
    UserDeleted,
    MessageReplied,
    MessageDone,
    MessageReopened,
    ReviewRepliedTo,
    ReviewHidden,
    ReviewShown,
}

impl AdminAction {
    pub const ALL: [AdminAction; 33] = [
        AdminAction::ProductAdded,
        AdminAction::ProductChanged,
        AdminAction::ProductShown,
        AdminAction::ProductHidden,
        AdminAction::ProductDeleted,
        AdminAction::TrendingRankSet,
        AdminAction::OrderStatusSet,
        AdminAction::OrderDeleted,
        AdminAction::OrderRestored,
        AdminAction::ParcelRequested,
        AdminAction::ParcelCancelled,
        AdminAction::ParcelRetried,
        AdminAction::TrackingSet,
        AdminAction::RefundRequested,
        AdminAction::RefundRetried,
        AdminAction::PaymentKept,
        AdminAction::ProblemResolved,
        AdminAction::CancellationDecided,
        AdminAction::StockReleased,
        AdminAction::StockCounted,
        AdminAction::StockReceived,
        AdminAction::StockWrittenOff,
        AdminAction::BatchRecorded,
        AdminAction::DiscountAdded,
        AdminAction::DiscountChanged,
        AdminAction::UserChanged,
        AdminAction::UserDeleted,
        AdminAction::MessageReplied,
        AdminAction::MessageDone,
        AdminAction::MessageReopened,
        AdminAction::ReviewRepliedTo,
        AdminAction::ReviewHidden,
        AdminAction::ReviewShown,
    ];

    /// As it is stored and as the API reports it.
    pub const fn as_str(self) -> &'static str {
        match self {
            AdminAction::ProductAdded => "product added",
            AdminAction::ProductChanged => "product changed",
            AdminAction::ProductShown => "product shown",
            AdminAction::ProductHidden => "product hidden",
            AdminAction::ProductDeleted => "product deleted",
            AdminAction::TrendingRankSet => "trending rank set",
            AdminAction::OrderStatusSet => "order status",
            AdminAction::OrderDeleted => "order deleted",
            AdminAction::OrderRestored => "order restored",
            AdminAction::ParcelRequested => "parcel requested",
            AdminAction::ParcelCancelled => "parcel cancelled",
            AdminAction::ParcelRetried => "parcel retried",
            AdminAction::TrackingSet => "tracking set",
            AdminAction::RefundRequested => "refund requested",
            AdminAction::RefundRetried => "refund retried",
            AdminAction::PaymentKept => "payment kept",
            AdminAction::ProblemResolved => "problem resolved",
            AdminAction::CancellationDecided => "cancellation decided",
            AdminAction::StockReleased => "stock released",
            AdminAction::StockCounted => "stock counted",
            AdminAction::StockReceived => "stock received",
            AdminAction::StockWrittenOff => "stock written off",
            AdminAction::BatchRecorded => "batch recorded",
            AdminAction::DiscountAdded => "discount added",
            AdminAction::DiscountChanged => "discount changed",
            AdminAction::UserChanged => "user changed",
            AdminAction::UserDeleted => "user deleted",
            AdminAction::MessageReplied => "message replied",
            AdminAction::MessageDone => "message done",
            AdminAction::MessageReopened => "message reopened",
            AdminAction::ReviewRepliedTo => "review replied to",
            AdminAction::ReviewHidden => "review hidden",
            AdminAction::ReviewShown => "review shown",
        }
    }

    pub fn parse(text: &str) -> Option<AdminAction> {
        AdminAction::ALL
            .into_iter()
            .find(|action| action.as_str() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn admin_action_parses_its_stored_text() {
        for action in AdminAction::ALL {
            assert_eq!(AdminAction::parse(action.as_str()), Some(action));
        }
        assert_eq!(AdminAction::parse("product eaten"), None);
    }
}
