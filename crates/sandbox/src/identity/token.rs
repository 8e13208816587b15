//! The token and user info endpoints, for the shop's server.

use std::sync::PoisonError;

use axum::extract::State;
use axum::extract::rejection::FormRejection;
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Form, Json};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq as _;
use url::form_urlencoded;

use super::protocol::{Grant, oauth_error, server_error};
use super::{Inner, SandboxGoogle, accounts};

const TOKEN_TTL_S: i64 = 60 * 60;

#[derive(Deserialize)]
pub(super) struct TokenRequest {
    grant_type: Option<String>,
    code: Option<String>,
    redirect_uri: Option<String>,
    code_verifier: Option<String>,
    client_id: Option<String>,
    client_secret: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Access {
    email: String,
    expires_at_ms: i64,
}

pub(super) async fn token(
    State(SandboxGoogle(sandbox)): State<SandboxGoogle>,
    headers: HeaderMap,
    request: Result<Form<TokenRequest>, FormRejection>,
) -> Response {
    let Ok(Form(request)) = request else {
        return oauth_error(StatusCode::BAD_REQUEST, "invalid_request");
    };
    if !is_our_client(&sandbox, &headers, &request) {
        return oauth_error(StatusCode::UNAUTHORIZED, "invalid_client");
    }
    if request.grant_type.as_deref() != Some("authorization_code") {
        return oauth_error(StatusCode::BAD_REQUEST, "unsupported_grant_type");
    }
    let Some(grant) = redeem_code(&sandbox, &request) else {
        return oauth_error(StatusCode::BAD_REQUEST, "invalid_grant");
    };
    match tokens(&sandbox, grant) {
        Ok(tokens) => ([(CACHE_CONTROL, "no-store")], Json(tokens)).into_response(),
        Err(error) => server_error(&error),
    }
}

pub(super) async fn user_info(
    State(SandboxGoogle(sandbox)): State<SandboxGoogle>,
    headers: HeaderMap,
) -> Response {
    let access = authorization(&headers, "Bearer")
        .and_then(|token| sandbox.access_tokens.verify::<Access>(token))
        .filter(|access| access.expires_at_ms > sandbox.clock.now_ms());
    match access {
        Some(access) => (
            [(CACHE_CONTROL, "no-store")],
            Json(accounts::claims(&access.email)),
        )
            .into_response(),
        None => (
            [(WWW_AUTHENTICATE, "Bearer error=\"invalid_token\"")],
            oauth_error(StatusCode::UNAUTHORIZED, "invalid_token"),
        )
            .into_response(),
    }
}

/// The id and secret come in the form or, each form-encoded, as HTTP basic authentication.
fn is_our_client(sandbox: &Inner, headers: &HeaderMap, request: &TokenRequest) -> bool {
    let (id, secret) = match authorization(headers, "Basic") {
        Some(basic) => match basic_pair(basic) {
            Some(pair) => pair,
            None => return false,
        },
        None => (
            request.client_id.clone().unwrap_or_default(),
            request.client_secret.clone().unwrap_or_default(),
        ),
    };
    let secret_matches = secret.as_bytes().ct_eq(sandbox.client_secret.as_bytes());
    id == sandbox.client_id && bool::from(secret_matches)
}

fn basic_pair(basic: &str) -> Option<(String, String)> {
    let pair = String::from_utf8(STANDARD.decode(basic).ok()?).ok()?;
    let (id, secret) = pair.split_once(':')?;
    let decode = |encoded: &str| {
        form_urlencoded::parse(format!("x={encoded}").as_bytes())
            .next()
            .map(|(_, value)| value.into_owned())
    };
    Some((decode(id)?, decode(secret)?))
}

fn authorization<'h>(headers: &'h HeaderMap, scheme: &str) -> Option<&'h str> {
    let (given, value) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    given.eq_ignore_ascii_case(scheme).then_some(value)
}

/// The grant of a code if it is valid, unexpired, unused, and the verifier matches. Presenting a
/// code uses it up, even with a wrong verifier, so that there is only one guess.
fn redeem_code(sandbox: &Inner, request: &TokenRequest) -> Option<Grant> {
    let grant: Grant = sandbox.codes.verify(request.code.as_deref()?)?;
    let now_ms = sandbox.clock.now_ms();
    let is_unused = {
        let mut used = sandbox
            .used_codes
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        used.retain(|_, expires_at_ms| *expires_at_ms > now_ms);
        used.insert(grant.id.clone(), grant.expires_at_ms).is_none()
    };
    let verifier = request.code_verifier.as_deref()?;
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
    let is_valid = is_unused
        && grant.expires_at_ms > now_ms
        && request.redirect_uri.as_deref() == Some(&sandbox.redirect_uri)
        && challenge == grant.code_challenge;
    is_valid.then_some(grant)
}

fn tokens(sandbox: &Inner, grant: Grant) -> anyhow::Result<Value> {
    let now = sandbox.clock.now_ms() / 1000;
    let expires = now + TOKEN_TTL_S;
    let mut claims = accounts::claims(&grant.email);
    claims["iss"] = json!(sandbox.issuer);
    claims["aud"] = json!(sandbox.client_id);
    claims["azp"] = json!(sandbox.client_id);
    claims["iat"] = json!(now);
    claims["exp"] = json!(expires);
    if let Some(nonce) = grant.nonce {
        claims["nonce"] = json!(nonce);
    }
    let access = Access {
        email: grant.email,
        expires_at_ms: expires * 1000,
    };
    Ok(json!({
        "access_token": sandbox.access_tokens.sign(&access)?,
        "token_type": "Bearer",
        "expires_in": TOKEN_TTL_S,
        "scope": "openid email profile",
        "id_token": sandbox.key.sign(&claims),
    }))
}
