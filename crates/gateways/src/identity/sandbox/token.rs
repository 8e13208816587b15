//! The sandbox's back door, for the shop's server alone: a code for tokens, an access token for claims.

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

use super::authorize::Grant;
use super::{Inner, SandboxGoogle, people};

const TOKEN_SECONDS: i64 = 60 * 60;

#[derive(Deserialize)]
pub(super) struct Exchange {
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
    exchange: Result<Form<Exchange>, FormRejection>,
) -> Response {
    let Ok(Form(exchange)) = exchange else {
        return refused(StatusCode::BAD_REQUEST, "invalid_request");
    };
    if !is_our_client(&sandbox, &headers, &exchange) {
        return refused(StatusCode::UNAUTHORIZED, "invalid_client");
    }
    if exchange.grant_type.as_deref() != Some("authorization_code") {
        return refused(StatusCode::BAD_REQUEST, "unsupported_grant_type");
    }
    let Some(grant) = redeem(&sandbox, &exchange) else {
        return refused(StatusCode::BAD_REQUEST, "invalid_grant");
    };
    match tokens(&sandbox, grant).await {
        Ok(tokens) => ([(CACHE_CONTROL, "no-store")], Json(tokens)).into_response(),
        Err(error) => broken(&error),
    }
}

pub(super) async fn user_info(
    State(SandboxGoogle(sandbox)): State<SandboxGoogle>,
    headers: HeaderMap,
) -> Response {
    let access = authorization(&headers, "Bearer")
        .and_then(|token| sandbox.access_tokens.open::<Access>(token))
        .filter(|access| access.expires_at_ms > sandbox.clock.now_ms());
    match access {
        Some(access) => (
            [(CACHE_CONTROL, "no-store")],
            Json(people::claims(&access.email)),
        )
            .into_response(),
        None => (
            [(WWW_AUTHENTICATE, "Bearer error=\"invalid_token\"")],
            refused(StatusCode::UNAUTHORIZED, "invalid_token"),
        )
            .into_response(),
    }
}

/// The id and secret come in the form or, each form-encoded, as HTTP's basic authentication.
fn is_our_client(sandbox: &Inner, headers: &HeaderMap, exchange: &Exchange) -> bool {
    let (id, secret) = match authorization(headers, "Basic") {
        Some(basic) => match basic_pair(basic) {
            Some(pair) => pair,
            None => return false,
        },
        None => (
            exchange.client_id.clone().unwrap_or_default(),
            exchange.client_secret.clone().unwrap_or_default(),
        ),
    };
    let right_secret = secret.as_bytes().ct_eq(sandbox.client_secret.as_bytes());
    id == sandbox.client_id && bool::from(right_secret)
}

fn basic_pair(basic: &str) -> Option<(String, String)> {
    let pair = String::from_utf8(STANDARD.decode(basic).ok()?).ok()?;
    let (id, secret) = pair.split_once(':')?;
    let plain = |encoded: &str| {
        form_urlencoded::parse(format!("x={encoded}").as_bytes())
            .next()
            .map(|(_, value)| value.into_owned())
    };
    Some((plain(id)?, plain(secret)?))
}

fn authorization<'h>(headers: &'h HeaderMap, scheme: &str) -> Option<&'h str> {
    let (given, value) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    given.eq_ignore_ascii_case(scheme).then_some(value)
}

/// The grant behind a code, if it is ours, fresh, unused, and of whoever began. A code is spent by
/// presenting it, even with a wrong verifier: who guesses has one guess.
fn redeem(sandbox: &Inner, exchange: &Exchange) -> Option<Grant> {
    let grant: Grant = sandbox.codes.open(exchange.code.as_deref()?)?;
    let now_ms = sandbox.clock.now_ms();
    let first_time = {
        let mut used = sandbox
            .used_codes
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        used.retain(|_, expires_at_ms| *expires_at_ms > now_ms);
        used.insert(grant.id.clone(), grant.expires_at_ms).is_none()
    };
    let verifier = exchange.code_verifier.as_deref()?;
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
    let good = first_time
        && grant.expires_at_ms > now_ms
        && exchange.redirect_uri.as_deref() == Some(&sandbox.redirect_uri)
        && challenge == grant.code_challenge;
    good.then_some(grant)
}

async fn tokens(sandbox: &Inner, grant: Grant) -> anyhow::Result<Value> {
    let now = sandbox.clock.now_ms() / 1000;
    let expires = now + TOKEN_SECONDS;
    let mut claims = people::claims(&grant.email);
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
        "access_token": sandbox.access_tokens.close(&access)?,
        "token_type": "Bearer",
        "expires_in": TOKEN_SECONDS,
        "scope": "openid email profile",
        "id_token": sandbox.key.get().await?.sign(&claims)?,
    }))
}

fn refused(status: StatusCode, error: &str) -> Response {
    (
        status,
        [(CACHE_CONTROL, "no-store")],
        Json(json!({ "error": error })),
    )
        .into_response()
}

pub(super) fn broken(error: &anyhow::Error) -> Response {
    tracing::error!("the sandbox sign-in cannot answer: {error:#}");
    refused(StatusCode::INTERNAL_SERVER_ERROR, "server_error")
}
