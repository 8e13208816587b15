//! Fault injection for tests and for the page. The settings are in memory only; a restart resets them.

use std::sync::{Mutex, PoisonError};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::SandboxCourier;

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

#[derive(Default)]
pub(super) struct FaultInjector(Mutex<FaultSettings>);

impl FaultInjector {
    pub(super) fn current(&self) -> FaultSettings {
        self.lock().clone()
    }

    pub(super) fn update(&self, change: impl FnOnce(&mut FaultSettings)) {
        change(&mut self.lock());
    }

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
        let mut use_one = |count: fn(&mut FaultSettings) -> &mut u32| {
            let left = count(&mut settings);
            let any = *left > 0;
            *left = left.saturating_sub(1);
            any
        };
        let kind = if use_one(|settings| &mut settings.timeout) {
            Some(FaultKind::Hang)
        } else if use_one(|settings| &mut settings.errors) {
            Some(FaultKind::Error)
        } else if use_one(|settings| &mut settings.too_many) {
            Some(FaultKind::RateLimited)
        } else if use_one(|settings| &mut settings.lost_responses) {
            Some(FaultKind::DropResponse)
        } else if use_one(|settings| &mut settings.hidden_errors) {
            Some(FaultKind::HiddenError)
        } else if endpoint == Endpoint::Create && use_one(|settings| &mut settings.duplicate_ids) {
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

    fn lock(&self) -> std::sync::MutexGuard<'_, FaultSettings> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
    if changes.remove("revoke_tokens") == Some(Value::Bool(true)) {
        sandbox.revoke_tokens();
    }
    let mut settings = sandbox.faults.lock();
    let merged = match serde_json::to_value(&*settings) {
        Ok(Value::Object(mut all)) => {
            all.extend(changes);
            serde_json::from_value::<FaultSettings>(Value::Object(all))
        }
        Ok(_) => Ok(FaultSettings::default()),
        Err(error) => Err(error),
    };
    match merged {
        Ok(merged) => {
            *settings = merged.clone();
            Json(merged).into_response()
        }
        Err(error) => {
            let text = error.to_string();
            let body = json!({ "error": text, "message": text });
            (StatusCode::BAD_REQUEST, Json(body)).into_response()
        }
    }
}

pub(super) async fn reset_settings(
    State(SandboxCourier(sandbox)): State<SandboxCourier>,
) -> Json<FaultSettings> {
    *sandbox.faults.lock() = FaultSettings::default();
    Json(sandbox.faults.current())
}
