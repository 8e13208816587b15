//! An OpenID provider inside the program, for a shop without Google: discovery, a page to pick who
//! you are, the code exchange, keys and user info. It checks its client as Google would; only the
//! person it takes at their word.
//!
//! Instances of the program that share one secret honour each other's codes and tokens: all keys are
//! derived from it, and a code carries what it stands for. That a code works once is remembered by
//! each instance alone, which is enough for a sandbox.

mod authorize;
mod page;
mod people;
mod seal;
mod signing_key;
mod token;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use mirasa_app::ports::clock::{Clock, IdGenerator};
use serde_json::json;

use super::GoogleSettings;
use seal::Seal;
pub(super) use signing_key::LazySigningKey;
#[cfg(test)]
pub(super) use signing_key::SigningKey;

/// Where the shop takes the browser back: the one address this provider sends anybody to.
const CALLBACK: &str = "/api/auth/google/callback";
/// Where the shop nests the router.
pub const PATH: &str = "/sandbox/google";

pub struct SandboxSettings {
    /// Where browsers see the shop, such as `http://127.0.0.1:8080`.
    pub public_url: String,
    /// What the page calls the shop.
    pub shop_name: String,
    /// All keys come from it. The same on every instance of the shop.
    pub secret: [u8; 32],
}

impl std::fmt::Debug for SandboxSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SandboxSettings")
            .field("public_url", &self.public_url)
            .finish_non_exhaustive()
    }
}

#[derive(Clone)]
pub struct SandboxGoogle(Arc<Inner>);

struct Inner {
    issuer: String,
    redirect_uri: String,
    shop_name: String,
    client_id: String,
    client_secret: String,
    codes: Seal,
    access_tokens: Seal,
    key: LazySigningKey,
    /// Codes that were presented, each with the moment after which it is worthless anyway.
    used_codes: Mutex<HashMap<String, i64>>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdGenerator>,
}

impl SandboxGoogle {
    pub fn new(
        settings: SandboxSettings,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdGenerator>,
    ) -> SandboxGoogle {
        let public_url = settings.public_url.trim_end_matches('/');
        let derive = |purpose| seal::derive(&settings.secret, purpose);
        SandboxGoogle(Arc::new(Inner {
            issuer: format!("{public_url}{PATH}"),
            redirect_uri: format!("{public_url}{CALLBACK}"),
            shop_name: settings.shop_name,
            client_id: "mirasa-sandbox".into(),
            client_secret: base16ct::lower::encode_string(&derive("client secret")),
            codes: Seal::new(derive("codes")),
            access_tokens: Seal::new(derive("access tokens")),
            key: LazySigningKey::new(derive("signing key")),
            used_codes: Mutex::default(),
            clock,
            ids,
        }))
    }

    /// What the adapter needs to be this provider's client. `reach_at` is where the program hears
    /// itself, such as `http://127.0.0.1:8080`, if the public address may not lead back to it.
    pub fn client_settings(&self, reach_at: Option<&str>) -> GoogleSettings {
        GoogleSettings {
            issuer: self.0.issuer.clone(),
            client_id: self.0.client_id.clone(),
            client_secret: self.0.client_secret.clone(),
            prompt: None,
            reach_at: reach_at.map(|base| format!("{}{PATH}", base.trim_end_matches('/'))),
            timeout: GoogleSettings::TIMEOUT,
        }
    }

    /// To be nested at [`PATH`]. Sets its own headers, its content security policy among them.
    pub fn router(&self) -> Router {
        Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route(
                "/authorize",
                get(authorize::authorize).post(authorize::authorize),
            )
            .route("/token", axum::routing::post(token::token))
            .route("/userinfo", get(token::user_info).post(token::user_info))
            .route("/jwks", get(jwks))
            .with_state(self.clone())
    }
}

async fn discovery(State(SandboxGoogle(sandbox)): State<SandboxGoogle>) -> Response {
    let issuer = &sandbox.issuer;
    let document = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "userinfo_endpoint": format!("{issuer}/userinfo"),
        "jwks_uri": format!("{issuer}/jwks"),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "scopes_supported": ["openid", "email", "profile"],
        "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
        "claims_supported": ["aud", "email", "email_verified", "exp", "iat", "iss", "name", "nonce", "sub"],
        "code_challenge_methods_supported": ["S256"],
    });
    ([(CACHE_CONTROL, "no-store")], Json(document)).into_response()
}

async fn jwks(State(SandboxGoogle(sandbox)): State<SandboxGoogle>) -> Response {
    match sandbox.key.get().await {
        Ok(key) => {
            let keys = json!({ "keys": [key.public_jwk()] });
            ([(CACHE_CONTROL, "no-store")], Json(keys)).into_response()
        }
        Err(error) => token::broken(&error),
    }
}
