//! What admins did, for the audit log.

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    pub id: String,
    pub at_ms: i64,
    pub actor: String,
    pub action: String,
    pub subject_id: String,
    pub detail: String,
}
