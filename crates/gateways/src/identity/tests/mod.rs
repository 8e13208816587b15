//! The adapter against two providers over real HTTP: the sandbox, and a scripted one that lies.

mod faults;
mod foreign_bytes;
mod memory;
mod sandbox;
mod sandbox_shop;
mod scripted;
mod tokens;

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

/// A clock that moves only when the test says so.
pub(super) struct HeldClock(AtomicI64);

impl HeldClock {
    fn new() -> Arc<HeldClock> {
        Arc::new(HeldClock(AtomicI64::new(1_800_000_000_000)))
    }

    fn advance_ms(&self, ms: i64) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }
}

impl Clock for HeldClock {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// A port of its own on loopback, before anybody serves it: issuers name their own address.
async fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address: SocketAddr = listener.local_addr().unwrap();
    (listener, format!("http://{address}"))
}

fn serve(listener: TcpListener, router: Router) {
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
}

fn adapter(settings: GoogleSettings, clock: &Arc<HeldClock>) -> GoogleSignIn {
    GoogleSignIn::new(settings, clock.clone(), Arc::new(SystemIdGenerator)).unwrap()
}

fn ask(shop: &str, login_hint: Option<&str>) -> AuthorizationRequest {
    AuthorizationRequest {
        redirect_uri: format!("{shop}{CALLBACK}"),
        login_hint: login_hint.map(str::to_owned),
    }
}

fn answer(shop: &str, begun: &AuthorizationRedirect, code: &str) -> AuthorizationCallback {
    AuthorizationCallback {
        redirect_uri: format!("{shop}{CALLBACK}"),
        code: code.to_owned(),
        nonce: begun.nonce.clone(),
        pkce_verifier: begun.pkce_verifier.clone(),
    }
}

/// What an outcome is about, in a form that a table can name.
fn verdict(outcome: Result<Identity, IdentityError>) -> String {
    match outcome {
        Ok(identity) => format!("signed in {}", identity.email),
        Err(IdentityError::Rejected(reason)) => format!("refused: {reason}"),
        Err(IdentityError::Unreachable(error)) => format!("unreachable: {error:#}"),
    }
}
