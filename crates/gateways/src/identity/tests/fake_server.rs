//! A fake provider with configurable responses: valid ID tokens, and invalid ones of every kind.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use mirasa_app::ports::clock::Clock as _;
use serde_json::{Value, json};
use sha2::Sha256;

use super::signing_key::known_key;
use super::{GoogleSettings, GoogleSignIn, ManualClock, adapter, listener, serve};

pub(super) const CLIENT_ID: &str = "the-shop";
pub(super) const CLIENT_SECRET: &str = "the-shop's-secret";

/// The response of an endpoint.
#[derive(Clone)]
pub(super) enum Reply {
    Json(u16, Value),
    Text(u16, &'static str),
    Redirect(String),
    Slow(Duration),
    Huge,
}

impl Reply {
    async fn into_response(self) -> Response {
        match self {
            Reply::Json(status, json) => {
                (StatusCode::from_u16(status).unwrap(), Json(json)).into_response()
            }
            Reply::Text(status, text) => {
                (StatusCode::from_u16(status).unwrap(), text).into_response()
            }
            Reply::Redirect(to) => (StatusCode::FOUND, [(header::LOCATION, to)]).into_response(),
            Reply::Slow(time) => {
                tokio::time::sleep(time).await;
                Json(json!({})).into_response()
            }
            Reply::Huge => {
                let padding = "x".repeat(4 * 1024 * 1024);
                Json(json!({ "padding": padding })).into_response()
            }
        }
    }
}

pub(super) struct FakeState {
    pub(super) description: Option<Reply>,
    pub(super) token: Reply,
    pub(super) keys: Vec<Value>,
}

#[derive(Clone)]
pub(super) struct FakeServer {
    pub(super) issuer: String,
    pub(super) address: String,
    pub(super) clock: Arc<ManualClock>,
    pub(super) state: Arc<Mutex<FakeState>>,
    fetches: Arc<[AtomicUsize; 2]>,
}

impl FakeServer {
    pub(super) async fn start() -> FakeServer {
        FakeServer::start_as(None).await
    }

    /// A provider whose issuer is not its URL.
    pub(super) async fn start_as(issuer: Option<&str>) -> FakeServer {
        let (listener, address) = listener().await;
        let server = FakeServer {
            issuer: issuer.map_or_else(|| address.clone(), str::to_owned),
            address,
            clock: ManualClock::new(),
            state: Arc::new(Mutex::new(FakeState {
                description: None,
                token: Reply::Text(500, "no token was scripted"),
                keys: vec![known_key().public_jwk()],
            })),
            fetches: Arc::default(),
        };
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(serve_description))
            .route("/jwks", get(keys))
            .route("/token", post(token))
            .layer(middleware::from_fn_with_state(
                server.clone(),
                count_fetches,
            ))
            .with_state(server.clone());
        serve(listener, router);
        server
    }

    pub(super) fn settings(&self) -> GoogleSettings {
        GoogleSettings {
            issuer: self.issuer.clone(),
            client_id: CLIENT_ID.into(),
            client_secret: CLIENT_SECRET.into(),
            prompt: None,
            internal_base_url: (self.issuer != self.address).then(|| self.address.clone()),
            timeout: GoogleSettings::TIMEOUT,
        }
    }

    pub(super) fn adapter(&self) -> GoogleSignIn {
        adapter(self.settings(), &self.clock)
    }

    /// For tests that wait for the timeout.
    pub(super) fn adapter_with_short_timeout(&self) -> GoogleSignIn {
        let settings = GoogleSettings {
            timeout: Duration::from_secs(2),
            ..self.settings()
        };
        adapter(settings, &self.clock)
    }

    pub(super) fn update(&self, update: impl FnOnce(&mut FakeState)) {
        update(&mut self.state.lock().unwrap());
    }

    pub(super) fn respond_with_token(&self, id_token: &str) {
        let tokens =
            json!({ "access_token": "access", "token_type": "Bearer", "id_token": id_token });
        self.update(|state| state.token = Reply::Json(200, tokens));
    }

    /// How often the discovery document and the keys were fetched.
    pub(super) fn fetch_counts(&self) -> (usize, usize) {
        let [description, keys] = &*self.fetches;
        (
            description.load(Ordering::SeqCst),
            keys.load(Ordering::SeqCst),
        )
    }

    /// The claims of a valid token of this provider.
    pub(super) fn claims(&self, nonce: &str) -> Value {
        let now = self.clock.now_ms() / 1000;
        json!({
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "azp": CLIENT_ID,
            "sub": "1234567890",
            "iat": now,
            "exp": now + 3600,
            "nonce": nonce,
            "email": "asha@example.com",
            "email_verified": true,
            "name": "Asha",
            "picture": "https://pictures.example/asha.png",
        })
    }

    fn description(&self) -> Value {
        let issuer = &self.issuer;
        json!({
            "issuer": issuer,
            "authorization_endpoint": format!("{issuer}/authorize"),
            "token_endpoint": format!("{issuer}/token"),
            "jwks_uri": format!("{issuer}/jwks"),
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            // Announces more than any client should accept.
            "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
        })
    }
}

async fn count_fetches(State(server): State<FakeServer>, request: Request, next: Next) -> Response {
    match request.uri().path() {
        "/.well-known/openid-configuration" => server.fetches[0].fetch_add(1, Ordering::SeqCst),
        "/jwks" => server.fetches[1].fetch_add(1, Ordering::SeqCst),
        _ => 0,
    };
    next.run(request).await
}

async fn serve_description(State(server): State<FakeServer>) -> Response {
    let configured_reply = server.state.lock().unwrap().description.clone();
    let reply = configured_reply.unwrap_or_else(|| Reply::Json(200, server.description()));
    reply.into_response().await
}

async fn keys(State(server): State<FakeServer>) -> Json<Value> {
    Json(json!({ "keys": server.state.lock().unwrap().keys }))
}

async fn token(State(server): State<FakeServer>) -> Response {
    let reply = server.state.lock().unwrap().token.clone();
    reply.into_response().await
}

/// A token with any header and any signature.
pub(super) fn forge(header: Value, claims: &Value, sign: impl FnOnce(&str) -> Vec<u8>) -> String {
    let part = |json: &Value| URL_SAFE_NO_PAD.encode(json.to_string());
    let signed = format!("{}.{}", part(&header), part(claims));
    let signature = URL_SAFE_NO_PAD.encode(sign(&signed));
    format!("{signed}.{signature}")
}

pub(super) fn hs256(key: &[u8], message: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(message.as_bytes());
    mac.finalize().into_bytes().to_vec()
}
