//! Fault injection for tests and for the page.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::SandboxCourier;
use crate::fault_settings::{Faults, use_one};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Endpoint {
    Login,
    Serviceability,
    Create,
    Search,
    Assign,
    Label,
    Pickup,
    Manifest,
    Track,
    Cancel,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WebhookFault {
    #[default]
    None,
    Lost,
    Doubled,
    /// The webhook about the scan before is sent once more, after the newest one.
    OutOfOrder,
    WrongKey,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct FaultSettings {
    /// Delay before every request.
    pub(super) latency_ms: u64,
    /// The partner is down: every request returns 503.
    pub(super) down: bool,
    /// The next requests hang without effect.
    pub(super) timeout: u32,
    /// The next requests take effect and then hang.
    pub(super) lost_responses: u32,
    /// The next requests return 500 without effect.
    pub(super) errors: u32,
    /// The next requests return 429 without effect.
    pub(super) too_many: u32,
    /// The next requests return 200 with an error inside, without effect.
    pub(super) hidden_errors: u32,
    /// The next parcels are created, but the response says that their order id exists already.
    pub(super) duplicate_ids: u32,
    /// The endpoints for the settings above. Empty: all except the login.
    pub(super) calls: Vec<Endpoint>,
    /// The login is refused, as after too many wrong passwords.
    pub(super) login_locked: bool,
    pub(super) webhook: WebhookFault,
    pub(super) webhook_delay_ms: u64,
}

/// The faults for one request.
#[derive(Default)]
pub(super) struct InjectedFault {
    pub(super) latency_ms: u64,
    pub(super) kind: Option<FaultKind>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FaultKind {
    Down,
    Hang,
    DropResponse,
    Error,
    RateLimited,
    HiddenError,
    DuplicateId,
}

pub(super) type FaultInjector = Faults<FaultSettings>;

impl FaultInjector {
    /// Counts this request.
    pub(super) fn next_fault(&self, endpoint: Endpoint) -> InjectedFault {
        let mut settings = self.lock();
        let applies = if settings.calls.is_empty() {
            endpoint != Endpoint::Login
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
        } else if use_one(&mut settings.hidden_errors) {
            Some(FaultKind::HiddenError)
        } else if endpoint == Endpoint::Create && use_one(&mut settings.duplicate_ids) {
            Some(FaultKind::DuplicateId)
        } else if settings.down {
            Some(FaultKind::Down)
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
    State(SandboxCourier(sandbox)): State<SandboxCourier>,
) -> Json<FaultSettings> {
    Json(sandbox.faults.current())
}

/// Changes the given settings and keeps the others. `revoke_tokens` is an action: it invalidates all tokens.
pub(super) async fn update_settings(
    State(SandboxCourier(sandbox)): State<SandboxCourier>,
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
    State(SandboxCourier(sandbox)): State<SandboxCourier>,
) -> Json<FaultSettings> {
    sandbox.faults.reset()
}
