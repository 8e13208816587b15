//! The adapter against two providers over HTTP: the sandbox, and a fake server with configurable
//! responses.

mod caching;
mod failures;
mod fake_server;
mod sandbox;
mod sandbox_shop;
mod signing_key;
mod tokens;
mod untrusted_input;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use axum::Router;
use mirasa_app::ports::clock::{Clock, SystemIdGenerator};
use mirasa_app::ports::identity::{
    AuthorizationCallback, AuthorizationRedirect, AuthorizationRequest, Identity, IdentityError,
};
use tokio::net::TcpListener;

use super::{GoogleSettings, GoogleSignIn};

const CALLBACK: &str = "/api/auth/google/callback";

/// A clock that is set by the test.
pub(super) struct ManualClock(AtomicI64);

impl ManualClock {
    fn new() -> Arc<ManualClock> {
        Arc::new(ManualClock(AtomicI64::new(1_800_000_000_000)))
    }

    fn advance_ms(&self, ms: i64) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// A free port on loopback. An issuer needs its URL before it is served.
async fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address: SocketAddr = listener.local_addr().unwrap();
    (listener, format!("http://{address}"))
}

fn serve(listener: TcpListener, router: Router) {
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
}

fn adapter(settings: GoogleSettings, clock: &Arc<ManualClock>) -> GoogleSignIn {
    GoogleSignIn::new(settings, clock.clone(), Arc::new(SystemIdGenerator)).unwrap()
}

fn authorization_request(shop: &str, login_hint: Option<&str>) -> AuthorizationRequest {
    AuthorizationRequest {
        redirect_uri: format!("{shop}{CALLBACK}"),
        login_hint: login_hint.map(str::to_owned),
    }
}

fn callback(shop: &str, redirect: &AuthorizationRedirect, code: &str) -> AuthorizationCallback {
    AuthorizationCallback {
        redirect_uri: format!("{shop}{CALLBACK}"),
        code: code.to_owned(),
        nonce: redirect.nonce.clone(),
        pkce_verifier: redirect.pkce_verifier.clone(),
    }
}

/// The outcome as text, for comparisons.
fn outcome_text(outcome: Result<Identity, IdentityError>) -> String {
    match outcome {
        Ok(identity) => format!("signed in {}", identity.email),
        Err(IdentityError::Rejected(reason)) => format!("refused: {reason}"),
        Err(IdentityError::Unreachable(error)) => format!("unreachable: {error:#}"),
    }
}
