//! The sandbox's front door: checks who sends the browser and where it would go back to, then shows
//! the page, or goes straight back with a code where `login_hint` says who it is.

use axum::Form;
use axum::extract::State;
use axum::extract::rejection::FormRejection;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use url::Url;

use super::{Inner, SandboxGoogle, page, people, token};

const CODE_MS: i64 = 60 * 1000;

/// The request as OpenID Connect has it. Picking somebody on the page is the same request again,
/// with `login_hint`.
#[derive(Deserialize, Default)]
pub(super) struct Ask {
    pub(super) client_id: Option<String>,
    pub(super) redirect_uri: Option<String>,
    pub(super) response_type: Option<String>,
    pub(super) scope: Option<String>,
    pub(super) state: Option<String>,
    pub(super) nonce: Option<String>,
    pub(super) code_challenge: Option<String>,
    pub(super) code_challenge_method: Option<String>,
    pub(super) login_hint: Option<String>,
}

/// What a code stands for.
#[derive(Serialize, Deserialize)]
pub(super) struct Grant {
    /// Two codes are never the same one.
    pub(super) id: String,
    pub(super) email: String,
    pub(super) nonce: Option<String>,
    pub(super) code_challenge: String,
    pub(super) expires_at_ms: i64,
}

pub(super) async fn authorize(
    State(SandboxGoogle(sandbox)): State<SandboxGoogle>,
    ask: Result<Form<Ask>, FormRejection>,
) -> Response {
    let Ok(Form(ask)) = ask else {
        return page::refusal("This sign-in request cannot be read.");
    };
    // Nothing is sent to an address that we do not know, not even an error.
    if ask.client_id.as_deref() != Some(&sandbox.client_id) {
        return page::refusal(
            "This sign-in was not begun by the shop: its client is unknown here.",
        );
    }
    if ask.redirect_uri.as_deref() != Some(&sandbox.redirect_uri) {
        return page::refusal("This sign-in would not lead back to the shop.");
    }
    let code_challenge = match code_challenge(&ask) {
        Ok(code_challenge) => code_challenge.to_owned(),
        Err(error) => return back(&sandbox, &ask, &[("error", error)]),
    };
    let typed = ask.login_hint.as_deref().unwrap_or_default();
    let Some(email) = people::email(typed) else {
        let cancel = callback(&sandbox, &ask, &[("error", "access_denied")]);
        return page::pick(&sandbox, &ask, typed, cancel.as_deref());
    };
    let grant = Grant {
        id: sandbox.ids.new_id(),
        email,
        nonce: ask.nonce.clone(),
        code_challenge,
        expires_at_ms: sandbox.clock.now_ms() + CODE_MS,
    };
    match sandbox.codes.close(&grant) {
        Ok(code) => back(&sandbox, &ask, &[("code", &code)]),
        Err(error) => token::broken(&error.into()),
    }
}

/// The challenge of an authorization-code request with PKCE, or OAuth's word for what is wrong.
fn code_challenge(ask: &Ask) -> Result<&str, &'static str> {
    if ask.response_type.as_deref() != Some("code") {
        return Err("unsupported_response_type");
    }
    let scope = ask.scope.as_deref().unwrap_or_default();
    if !scope.split(' ').any(|scope| scope == "openid") {
        return Err("invalid_scope");
    }
    match (&ask.code_challenge, ask.code_challenge_method.as_deref()) {
        (Some(challenge), Some("S256")) if !challenge.is_empty() => Ok(challenge),
        _ => Err("invalid_request"),
    }
}

fn back(sandbox: &Inner, ask: &Ask, answer: &[(&str, &str)]) -> Response {
    match callback(sandbox, ask, answer) {
        Some(url) => (
            StatusCode::SEE_OTHER,
            [(LOCATION, url.as_str()), (CACHE_CONTROL, "no-store")],
        )
            .into_response(),
        None => page::refusal("The shop's own address cannot be read."),
    }
}

fn callback(sandbox: &Inner, ask: &Ask, answer: &[(&str, &str)]) -> Option<String> {
    let mut url = Url::parse(&sandbox.redirect_uri).ok()?;
    url.query_pairs_mut()
        .extend_pairs(answer)
        .extend_pairs(ask.state.iter().map(|state| ("state", state)));
    Some(url.into())
}
