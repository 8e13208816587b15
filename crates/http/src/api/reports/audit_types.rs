//! The audit log.

use mirasa_domain::audit::AuditEntry;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::types::to_iso8601;

#[derive(Serialize, ToSchema)]
pub struct AuditResponse {
    pub entries: Vec<AuditEntryDto>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = AuditEntry)]
pub struct AuditEntryDto {
    pub at: String,
    pub who: String,
    pub action: String,
    pub detail: String,
}

impl From<AuditEntry> for AuditEntryDto {
    fn from(entry: AuditEntry) -> AuditEntryDto {
        AuditEntryDto {
            at: to_iso8601(entry.at_ms),
            who: entry.actor,
            action: entry.action.as_str().to_owned(),
            detail: entry.detail,
        }
    }
}
