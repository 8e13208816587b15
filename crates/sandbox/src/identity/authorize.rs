//! The authorization endpoint: checks the client and the redirect URI, then shows the account page,
//! or redirects with a code if `login_hint` names an account.

use axum::Form;
use axum::extract::State;
use axum::extract::rejection::FormRejection;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::response::{IntoResponse, Response};
use url::Url;

use super::protocol::{AuthorizeParams, Grant, server_error};
use super::{Inner, SandboxGoogle, accounts, page};

const CODE_TTL_MS: i64 = 60 * 1000;

pub(super) async fn authorize(
    State(SandboxGoogle(sandbox)): State<SandboxGoogle>,
    params: Result<Form<AuthorizeParams>, FormRejection>,
) -> Response {
    let Ok(Form(params)) = params else {
        return page::error_page("This sign-in request cannot be read.");
    };
    // Never redirect to an unknown URL, not even with an error.
    if params.client_id.as_deref() != Some(&sandbox.client_id) {
        return page::error_page(
            "This sign-in was not begun by the shop: its client is unknown here.",
        );
    }
    if params.redirect_uri.as_deref() != Some(&sandbox.redirect_uri) {
        return page::error_page("This sign-in would not lead back to the shop.");
    }
    let code_challenge = match code_challenge(&params) {
        Ok(code_challenge) => code_challenge.to_owned(),
        Err(error) => return redirect_back(&sandbox, &params, &[("error", error)]),
    };
    let entered = params.login_hint.as_deref().unwrap_or_default();
    let Some(email) = accounts::parse_email(entered) else {
        let cancel = callback(&sandbox, &params, &[("error", "access_denied")]);
        return page::account_page(&sandbox, &params, entered, cancel.as_deref());
    };
    let grant = Grant {
        id: sandbox.ids.new_id(),
        email,
        nonce: params.nonce.clone(),
        code_challenge,
        expires_at_ms: sandbox.clock.now_ms() + CODE_TTL_MS,
    };
    match sandbox.codes.sign(&grant) {
        Ok(code) => redirect_back(&sandbox, &params, &[("code", &code)]),
        Err(error) => server_error(&error.into()),
    }
}

/// The challenge of an authorization-code request with PKCE, or an OAuth error code.
fn code_challenge(params: &AuthorizeParams) -> Result<&str, &'static str> {
    if params.response_type.as_deref() != Some("code") {
        return Err("unsupported_response_type");
    }
    let scope = params.scope.as_deref().unwrap_or_default();
    if !scope.split(' ').any(|scope| scope == "openid") {
        return Err("invalid_scope");
    }
    match (
        &params.code_challenge,
        params.code_challenge_method.as_deref(),
    ) {
        (Some(challenge), Some("S256")) if !challenge.is_empty() => Ok(challenge),
        _ => Err("invalid_request"),
    }
}

fn redirect_back(sandbox: &Inner, params: &AuthorizeParams, result: &[(&str, &str)]) -> Response {
    match callback(sandbox, params, result) {
        Some(url) => (
            StatusCode::SEE_OTHER,
            [(LOCATION, url.as_str()), (CACHE_CONTROL, "no-store")],
        )
            .into_response(),
        None => page::error_page("The shop's own address cannot be read."),
    }
}

fn callback(sandbox: &Inner, params: &AuthorizeParams, result: &[(&str, &str)]) -> Option<String> {
    let mut url = Url::parse(&sandbox.redirect_uri).ok()?;
    url.query_pairs_mut()
        .extend_pairs(result)
        .extend_pairs(params.state.iter().map(|state| ("state", state)));
    Some(url.into())
}
