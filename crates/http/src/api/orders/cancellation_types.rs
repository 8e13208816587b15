//! Requests of customers to cancel a packed order.

use mirasa_app::orders::CancellationAnswer;
use mirasa_domain::cancellation::{CancellationOutcome, CancellationRequest};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::orders::history_types::Viewer;
use crate::api::text::{ApiEnum, Text};
use crate::api::types::to_iso8601;

pub type CancellationOutcomeDto = Text<CancellationOutcome>;

impl ApiEnum for CancellationOutcome {
    const NAME: &'static str = "CancellationOutcome";
}

/// The customer asks to cancel the order.
#[derive(Serialize, ToSchema)]
#[schema(as = Cancellation)]
#[serde(rename_all = "camelCase")]
pub struct CancellationDto {
    pub requested_at: String,
    /// When the shop answers at the latest.
    pub due_at: String,
    /// Nobody has answered in time.
    pub overdue: bool,
    /// Null while it is open. `closed`: the order was cancelled in another way.
    #[schema(required)]
    pub decision: Option<CancellationOutcomeDto>,
    #[schema(required)]
    pub decided_at: Option<String>,
    /// The email address of the admin, for admins.
    #[schema(required)]
    pub decided_by: Option<String>,
    /// What the shop wrote.
    pub message: String,
}

impl CancellationDto {
    pub fn new(request: CancellationRequest, viewer: Viewer, now_ms: i64) -> CancellationDto {
        let due_at_ms = request.due_at_ms();
        let (mut decided_at, mut decided_by) = (None, None);
        let (mut decision, mut message) = (None, String::new());
        if let Some(decided) = request.decision {
            decision = Some(decided.outcome.into());
            decided_at = Some(to_iso8601(decided.at_ms));
            decided_by = Some(viewer.name_of(decided.by)).filter(|_| viewer == Viewer::Admin);
            message = decided.message;
        }
        CancellationDto {
            requested_at: to_iso8601(request.requested_at_ms),
            due_at: to_iso8601(due_at_ms),
            overdue: decision.is_none() && now_ms > due_at_ms,
            decision,
            decided_at,
            decided_by,
            message,
        }
    }
}

#[derive(Deserialize, ToSchema)]
pub struct CancellationDecisionRequest {
    /// Cancels the order and refunds what is left of its payment, or declines.
    pub accept: bool,
    /// With `accept`: the packs go back into stock.
    #[serde(default)]
    pub restock: bool,
    /// For the customer. Required to decline.
    #[serde(default)]
    #[schema(max_length = 2000)]
    pub message: String,
}

impl CancellationDecisionRequest {
    pub fn answer(&self) -> CancellationAnswer {
        match self.accept {
            true => CancellationAnswer::Accept {
                restock: self.restock,
            },
            false => CancellationAnswer::Decline,
        }
    }
}
