//! Issues of an order that an admin must resolve.

/// Something about money that a person must look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderIssue {
    pub id: String,
    pub order_id: String,
    pub kind: String,
    pub subject_id: String,
    pub detail: String,
    pub created_at_ms: i64,
    /// Known where it is read; nothing to be stored.
    pub order_is_deleted: bool,
}
