//! An OpenID provider inside the server, for a shop without Google credentials: discovery, a page
//! to choose an account, the code exchange, keys and user info. It checks its client as Google
//! does, but it needs no password.
//!
//! Instances with the same secret accept each other's codes and tokens: all keys are derived from
//! it, and a code contains its grant. Each instance remembers used codes for itself, which is
//! enough for a sandbox.

mod accounts;
mod authorize;
mod page;
mod protocol;
mod signed_payload;
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

pub use accounts::{DEMO_ADMIN, DEMO_SHOPPER, subject};
use signed_payload::PayloadSigner;
use signing_key::SigningKey;

/// The shop's callback: the only path to which this provider redirects.
const CALLBACK_PATH: &str = "/api/auth/google/callback";
/// Where the server nests the router.
pub const PATH: &str = "/sandbox/google";

pub struct SandboxSettings {
    /// The shop's URL for browsers, such as `http://127.0.0.1:8080`.
    pub public_url: String,
    /// The shop's name on the page.
    pub shop_name: String,
    /// All keys are derived from it. It must be the same on every instance.
    pub secret: [u8; 32],
}

impl std::fmt::Debug for SandboxSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SandboxSettings")
            .field("public_url", &self.public_url)
            .finish_non_exhaustive()
    }
}

/// What a client of this provider needs.
#[derive(Clone)]
pub struct Credentials {
    pub issuer: String,
    pub client_id: String,
    pub client_secret: String,
    /// Where the server reaches the issuer, if not at its URL.
    pub internal_base_url: Option<String>,
}

/// Contains no secrets.
impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credentials")
            .field("issuer", &self.issuer)
            .field("client_id", &self.client_id)
            .field("internal_base_url", &self.internal_base_url)
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
    codes: PayloadSigner,
    access_tokens: PayloadSigner,
    key: SigningKey,
    /// Used codes with their expiry timestamps.
    used_codes: Mutex<HashMap<String, i64>>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdGenerator>,
}

impl SandboxGoogle {
    pub fn new(
        settings: SandboxSettings,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdGenerator>,
    ) -> anyhow::Result<SandboxGoogle> {
        let public_url = settings.public_url.trim_end_matches('/');
        let derive = |purpose| signed_payload::derive(&settings.secret, purpose);
        Ok(SandboxGoogle(Arc::new(Inner {
            issuer: format!("{public_url}{PATH}"),
            redirect_uri: format!("{public_url}{CALLBACK_PATH}"),
            shop_name: settings.shop_name,
            client_id: "mirasa-sandbox".into(),
            client_secret: base16ct::lower::encode_string(&derive("client secret")),
            codes: PayloadSigner::new(derive("codes")),
            access_tokens: PayloadSigner::new(derive("access tokens")),
            key: SigningKey::from_seed(derive("signing key"))?,
            used_codes: Mutex::default(),
            clock,
            ids,
        })))
    }

    /// `server_url` is where the server reaches itself, such as `http://127.0.0.1:8080`, if the
    /// public URL may not lead back to it.
    pub fn credentials(&self, server_url: Option<&str>) -> Credentials {
        Credentials {
            issuer: self.0.issuer.clone(),
            client_id: self.0.client_id.clone(),
            client_secret: self.0.client_secret.clone(),
            internal_base_url: server_url
                .map(|base| format!("{}{PATH}", base.trim_end_matches('/'))),
        }
    }

    /// To be nested at [`PATH`]. Sets its own headers, including the content security policy.
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
        "id_token_signing_alg_values_supported": [signing_key::ALGORITHM],
        "scopes_supported": ["openid", "email", "profile"],
        "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
        "claims_supported": ["aud", "email", "email_verified", "exp", "iat", "iss", "name", "nonce", "sub"],
        "code_challenge_methods_supported": ["S256"],
    });
    ([(CACHE_CONTROL, "no-store")], Json(document)).into_response()
}

async fn jwks(State(SandboxGoogle(sandbox)): State<SandboxGoogle>) -> Response {
    let keys = json!({ "keys": [sandbox.key.public_jwk()] });
    ([(CACHE_CONTROL, "no-store")], Json(keys)).into_response()
}
