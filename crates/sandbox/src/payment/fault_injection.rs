//! Fault injection for tests.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::SandboxGateway;
use crate::fault_settings::{Faults, use_one};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Endpoint {
    Token,
    Pay,
    Status,
    Refund,
    RefundStatus,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WebhookTiming {
    BeforeReturn,
    #[default]
    AfterReturn,
    Never,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RefundBehaviour {
    #[default]
    Complete,
    Fail,
    StayPending,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct FaultSettings {
    /// Delay before every request.
    pub(super) latency_ms: u64,
    /// The next requests hang without effect.
    pub(super) timeout: u32,
    /// The next requests take effect and then hang.
    pub(super) lost_responses: u32,
    /// The next requests return 500 without effect.
    pub(super) errors: u32,
    /// The next requests return 429 without effect.
    pub(super) too_many: u32,
    /// The endpoints for the five settings above. Empty: all except the token endpoint.
    pub(super) calls: Vec<Endpoint>,

    pub(super) webhook: WebhookTiming,
    /// Delay after the browser's return, if the webhook is sent after it.
    pub(super) webhook_delay_ms: u64,
    /// Each webhook is sent this many additional times.
    pub(super) duplicate_webhooks: u32,
    /// This many webhooks about failed attempts precede each webhook about a payment.
    pub(super) failed_attempts: u32,
    pub(super) wrong_signature: bool,

    /// Status responses and webhooks state half the amount.
    pub(super) wrong_amount: bool,
    /// Overrides the lifetime of new orders.
    pub(super) expire_after_s: Option<u32>,
    /// The page allows paying an expired order.
    pub(super) late_payments: bool,
    pub(super) refunds: RefundBehaviour,
    /// How long a refund stays pending.
    pub(super) refund_ms: u32,
}

impl Default for FaultSettings {
    fn default() -> FaultSettings {
        FaultSettings {
            latency_ms: 0,
            timeout: 0,
            lost_responses: 0,
            errors: 0,
            too_many: 0,
            calls: Vec::new(),
            webhook: WebhookTiming::default(),
            webhook_delay_ms: 300,
            duplicate_webhooks: 0,
            failed_attempts: 0,
            wrong_signature: false,
            wrong_amount: false,
            expire_after_s: None,
            late_payments: false,
            refunds: RefundBehaviour::default(),
            refund_ms: 2_000,
        }
    }
}

/// The faults for one request.
#[derive(Default)]
pub(super) struct InjectedFault {
    pub(super) latency_ms: u64,
    pub(super) kind: Option<FaultKind>,
}

#[derive(Clone, Copy)]
pub(super) enum FaultKind {
    Hang,
    DropResponse,
    Error,
    RateLimited,
}

pub(super) type FaultInjector = Faults<FaultSettings>;

impl FaultInjector {
    /// Counts this request.
    pub(super) fn next_fault(&self, endpoint: Endpoint) -> InjectedFault {
        let mut settings = self.lock();
        let applies = if settings.calls.is_empty() {
            endpoint != Endpoint::Token
        } else {
            settings.calls.contains(&endpoint)
        };
        if !applies {
            return InjectedFault::default();
        }
        let kind = if use_one(&mut settings.timeout) {
            Some(FaultKind::Hang)
        } else if use_one(&mut settings.errors) {
            Some(FaultKind::Error)
        } else if use_one(&mut settings.too_many) {
            Some(FaultKind::RateLimited)
        } else if use_one(&mut settings.lost_responses) {
            Some(FaultKind::DropResponse)
        } else {
            None
        };
        InjectedFault {
            latency_ms: settings.latency_ms,
            kind,
        }
    }
}

pub(super) async fn get_settings(
    State(SandboxGateway(sandbox)): State<SandboxGateway>,
) -> Json<FaultSettings> {
    Json(sandbox.faults.current())
}

/// Changes the given settings and keeps the others. `revoke_tokens` is an action: it invalidates
/// all tokens.
pub(super) async fn update_settings(
    State(SandboxGateway(sandbox)): State<SandboxGateway>,
    Json(mut changes): Json<Map<String, Value>>,
) -> Response {
    let revoke = changes.remove("revoke_tokens") == Some(Value::Bool(true));
    let response = sandbox.faults.merge(changes);
    if revoke && response.status().is_success() {
        sandbox.tokens.revoke_all();
    }
    response
}

pub(super) async fn reset_settings(
    State(SandboxGateway(sandbox)): State<SandboxGateway>,
) -> Json<FaultSettings> {
    sandbox.faults.reset()
}
