//! A provider that says whatever a test wants: a right ID token by default, and every wrong one.

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
use tokio::sync::OnceCell;

use super::super::sandbox::{LazySigningKey, SigningKey};
use super::{GoogleSettings, GoogleSignIn, HeldClock, adapter, listener, serve};

pub(super) const CLIENT_ID: &str = "the-shop";
pub(super) const CLIENT_SECRET: &str = "the-shop's-secret";

/// Making an RSA key takes a moment: all tests share these two.
pub(super) async fn known_key() -> &'static SigningKey {
    static KEY: OnceCell<LazySigningKey> = OnceCell::const_new();
    shared(&KEY, 1).await
}

pub(super) async fn other_key() -> &'static SigningKey {
    static KEY: OnceCell<LazySigningKey> = OnceCell::const_new();
    shared(&KEY, 2).await
}

async fn shared(cell: &'static OnceCell<LazySigningKey>, seed: u8) -> &'static SigningKey {
    cell.get_or_init(|| async move { LazySigningKey::new([seed; 32]) })
        .await
        .get()
        .await
        .unwrap()
}

/// How one of the provider's endpoints answers.
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

pub(super) struct Script {
    pub(super) description: Option<Reply>,
    pub(super) token: Reply,
    pub(super) keys: Vec<Value>,
}

#[derive(Clone)]
pub(super) struct Scripted {
    pub(super) issuer: String,
    pub(super) address: String,
    pub(super) clock: Arc<HeldClock>,
    pub(super) script: Arc<Mutex<Script>>,
    calls: Arc<[AtomicUsize; 2]>,
}

impl Scripted {
    pub(super) async fn start() -> Scripted {
        Scripted::start_as(None).await
    }

    /// A provider that calls itself by another name than its address.
    pub(super) async fn start_as(issuer: Option<&str>) -> Scripted {
        let (listener, address) = listener().await;
        let scripted = Scripted {
            issuer: issuer.map_or_else(|| address.clone(), str::to_owned),
            address,
            clock: HeldClock::new(),
            script: Arc::new(Mutex::new(Script {
                description: None,
                token: Reply::Text(500, "no token was scripted"),
                keys: vec![known_key().await.public_jwk()],
            })),
            calls: Arc::default(),
        };
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(describe))
            .route("/jwks", get(keys))
            .route("/token", post(token))
            .layer(middleware::from_fn_with_state(scripted.clone(), count))
            .with_state(scripted.clone());
        serve(listener, router);
        scripted
    }

    pub(super) fn settings(&self) -> GoogleSettings {
        GoogleSettings {
            issuer: self.issuer.clone(),
            client_id: CLIENT_ID.into(),
            client_secret: CLIENT_SECRET.into(),
            prompt: None,
            reach_at: (self.issuer != self.address).then(|| self.address.clone()),
            timeout: GoogleSettings::TIMEOUT,
        }
    }

    pub(super) fn adapter(&self) -> GoogleSignIn {
        adapter(self.settings(), &self.clock)
    }

    /// For tests that wait until it gives up.
    pub(super) fn impatient_adapter(&self) -> GoogleSignIn {
        let settings = GoogleSettings {
            timeout: Duration::from_secs(2),
            ..self.settings()
        };
        adapter(settings, &self.clock)
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Script)) {
        change(&mut self.script.lock().unwrap());
    }

    pub(super) fn will_send(&self, id_token: &str) {
        let tokens =
            json!({ "access_token": "access", "token_type": "Bearer", "id_token": id_token });
        self.change(|script| script.token = Reply::Json(200, tokens));
    }

    /// How often the provider was asked what it is, and how often for its keys.
    pub(super) fn asked(&self) -> (usize, usize) {
        let [description, keys] = &*self.calls;
        (
            description.load(Ordering::SeqCst),
            keys.load(Ordering::SeqCst),
        )
    }

    /// What a right token of this provider says.
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
            // A careless provider that announces more than anybody should accept.
            "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
        })
    }
}

async fn count(State(scripted): State<Scripted>, request: Request, next: Next) -> Response {
    match request.uri().path() {
        "/.well-known/openid-configuration" => scripted.calls[0].fetch_add(1, Ordering::SeqCst),
        "/jwks" => scripted.calls[1].fetch_add(1, Ordering::SeqCst),
        _ => 0,
    };
    next.run(request).await
}

async fn describe(State(scripted): State<Scripted>) -> Response {
    let scripted_reply = scripted.script.lock().unwrap().description.clone();
    let reply = scripted_reply.unwrap_or_else(|| Reply::Json(200, scripted.description()));
    reply.into_response().await
}

async fn keys(State(scripted): State<Scripted>) -> Json<Value> {
    Json(json!({ "keys": scripted.script.lock().unwrap().keys }))
}

async fn token(State(scripted): State<Scripted>) -> Response {
    let reply = scripted.script.lock().unwrap().token.clone();
    reply.into_response().await
}

/// A token under any header, with any "signature" over it.
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
