//! How the gateway misbehaves when a test wants it to. Held in memory: a restart forgets them.

use std::sync::{Mutex, PoisonError};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::SandboxGateway;
use super::door::Call;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WebhookTime {
    BeforeReturn,
    #[default]
    AfterReturn,
    Never,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RefundFate {
    #[default]
    Complete,
    Fail,
    StayPending,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Switches {
    /// Every call waits this long first.
    pub(super) latency_ms: u64,
    /// This many next calls hang, and nothing is done.
    pub(super) timeout: u32,
    /// This many next calls are done, and then hang.
    pub(super) lost_answers: u32,
    /// This many next calls answer 500, and nothing is done.
    pub(super) errors: u32,
    /// This many next calls answer 429, and nothing is done.
    pub(super) too_many: u32,
    /// Which calls the five above are about. Empty: all but the token's.
    pub(super) calls: Vec<Call>,

    pub(super) webhook: WebhookTime,
    /// How long after the browser's return, where it comes after.
    pub(super) webhook_delay_ms: u64,
    /// Each webhook is sent this many times more.
    pub(super) duplicate_webhooks: u32,
    /// Each webhook about a payment follows this many about attempts that failed.
    pub(super) failed_attempts: u32,
    pub(super) wrong_signature: bool,

    /// States and webhooks tell half the amount.
    pub(super) wrong_amount: bool,
    /// New orders live this long, whatever was asked.
    pub(super) expire_after_s: Option<u32>,
    /// The page lets an order be paid whose time is over.
    pub(super) late_payments: bool,
    pub(super) refunds: RefundFate,
    /// How long a refund stays pending.
    pub(super) refund_ms: u32,
}

impl Default for Switches {
    fn default() -> Switches {
        Switches {
            latency_ms: 0,
            timeout: 0,
            lost_answers: 0,
            errors: 0,
            too_many: 0,
            calls: Vec::new(),
            webhook: WebhookTime::default(),
            webhook_delay_ms: 300,
            duplicate_webhooks: 0,
            failed_attempts: 0,
            wrong_signature: false,
            wrong_amount: false,
            expire_after_s: None,
            late_payments: false,
            refunds: RefundFate::default(),
            refund_ms: 2_000,
        }
    }
}

/// What happens to one call.
#[derive(Default)]
pub(super) struct Mood {
    pub(super) latency_ms: u64,
    pub(super) trouble: Option<Trouble>,
}

#[derive(Clone, Copy)]
pub(super) enum Trouble {
    Hang,
    LoseAnswer,
    Error,
    TooMany,
}

#[derive(Default)]
pub(super) struct SwitchBoard(Mutex<Switches>);

impl SwitchBoard {
    pub(super) fn now(&self) -> Switches {
        self.lock().clone()
    }

    /// Counts this call.
    pub(super) fn mood(&self, call: Call) -> Mood {
        let mut switches = self.lock();
        let concerned = if switches.calls.is_empty() {
            call != Call::Token
        } else {
            switches.calls.contains(&call)
        };
        if !concerned {
            return Mood::default();
        }
        let mut take = |count: fn(&mut Switches) -> &mut u32| {
            let left = count(&mut switches);
            let any = *left > 0;
            *left = left.saturating_sub(1);
            any
        };
        let trouble = if take(|switches| &mut switches.timeout) {
            Some(Trouble::Hang)
        } else if take(|switches| &mut switches.errors) {
            Some(Trouble::Error)
        } else if take(|switches| &mut switches.too_many) {
            Some(Trouble::TooMany)
        } else if take(|switches| &mut switches.lost_answers) {
            Some(Trouble::LoseAnswer)
        } else {
            None
        };
        Mood {
            latency_ms: switches.latency_ms,
            trouble,
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Switches> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) async fn read(State(SandboxGateway(sandbox)): State<SandboxGateway>) -> Json<Switches> {
    Json(sandbox.switches.now())
}

/// Sets what is named and leaves the rest. `revoke_tokens` is no switch but a deed: every token given
/// out so far is refused from now on.
pub(super) async fn change(
    State(SandboxGateway(sandbox)): State<SandboxGateway>,
    Json(mut wanted): Json<Map<String, Value>>,
) -> Response {
    let revoke = wanted.remove("revoke_tokens") == Some(Value::Bool(true));
    let mut switches = sandbox.switches.lock();
    let merged = match serde_json::to_value(&*switches) {
        Ok(Value::Object(mut all)) => {
            all.extend(wanted);
            serde_json::from_value::<Switches>(Value::Object(all))
        }
        Ok(_) => Ok(Switches::default()),
        Err(error) => Err(error),
    };
    match merged {
        Ok(merged) => {
            *switches = merged.clone();
            drop(switches);
            if revoke {
                sandbox.revoke_tokens();
            }
            Json(merged).into_response()
        }
        Err(error) => {
            let text = error.to_string();
            let body = json!({ "error": text, "message": text });
            (StatusCode::BAD_REQUEST, Json(body)).into_response()
        }
    }
}

pub(super) async fn reset(State(SandboxGateway(sandbox)): State<SandboxGateway>) -> Json<Switches> {
    *sandbox.switches.lock() = Switches::default();
    Json(sandbox.switches.now())
}
