//! A payment gateway inside the server, for a shop without PhonePe credentials: tokens, payments,
//! their status, refunds, a payment page and webhooks. It validates requests as PhonePe does; only
//! no money is moved.
//!
//! Every change is written to its own file before a response is sent, so that its state can be
//! compared with the shop's after a crash. One instance of the server serves it; other instances
//! send their requests there.

mod api;
mod fault_injection;
mod journal;
mod middleware;
mod payment_options;
mod payment_page;
mod payment_page_html;
mod representation;
mod state;
mod webhooks;

use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, get, post};
use fault_injection::{Endpoint, FaultInjector};
use journal::Journal;
use mirasa_app::ports::clock::{Clock, IdGenerator};
use sha2::{Digest, Sha256};
use webhooks::WebhookSender;

use crate::tokens::Tokens;

/// Where the server nests the router.
pub const PATH: &str = "/sandbox/phonepe";
/// The shop's webhook endpoint.
const WEBHOOK_PATH: &str = "/api/payment/webhook/phonepe";

pub struct SandboxSettings {
    /// The shop's URL for browsers, such as `https://shop.example`.
    pub public_url: String,
    /// Where the server reaches itself, such as `http://127.0.0.1:8080`.
    pub shop_base_url: String,
    /// The shop's name on the page.
    pub shop_name: String,
    /// The client's and the webhook's secrets are derived from it. It must be the same on every
    /// instance.
    pub secret: [u8; 32],
    /// The folder of `gateway.jsonl`.
    pub folder: PathBuf,
}

impl std::fmt::Debug for SandboxSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SandboxSettings")
            .field("public_url", &self.public_url)
            .field("shop_base_url", &self.shop_base_url)
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    #[error("cannot open the sandbox gateway's record in {0}")]
    Log(PathBuf, #[source] std::io::Error),
    #[error("no HTTP client for the sandbox gateway's webhooks")]
    HttpClient(#[source] reqwest::Error),
}

#[derive(Clone)]
pub struct SandboxGateway(Arc<Inner>);

struct Inner {
    /// Base URL of the payment pages.
    pages_url: String,
    shop_name: String,
    credentials: Credentials,
    tokens: Tokens,
    journal: Journal,
    faults: FaultInjector,
    webhooks: WebhookSender,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdGenerator>,
}

/// What a client of this gateway needs.
#[derive(Clone)]
pub struct Credentials {
    /// Base URL of the API.
    pub base_url: String,
    pub client_id: String,
    pub client_version: String,
    pub client_secret: String,
    pub webhook_username: String,
    pub webhook_password: String,
}

/// Contains no secrets.
impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credentials")
            .field("base_url", &self.base_url)
            .field("client_id", &self.client_id)
            .finish_non_exhaustive()
    }
}

impl SandboxGateway {
    /// Restores the state that an earlier run has written.
    pub fn new(
        settings: SandboxSettings,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdGenerator>,
    ) -> Result<SandboxGateway, SandboxError> {
        let derive = |purpose: &str| {
            let digest = Sha256::new()
                .chain_update(settings.secret)
                .chain_update(format!("sandbox phonepe: {purpose}"));
            base16ct::lower::encode_string(&digest.finalize())
        };
        let shop = settings.shop_base_url.trim_end_matches('/');
        let credentials = Credentials {
            base_url: format!("{shop}{PATH}"),
            client_id: "MIRASA_SANDBOX".into(),
            client_version: "1".into(),
            client_secret: derive("client secret"),
            webhook_username: "mirasa-sandbox".into(),
            webhook_password: derive("webhook password"),
        };
        let webhooks = WebhookSender::new(
            format!("{shop}{WEBHOOK_PATH}"),
            &credentials.webhook_username,
            &credentials.webhook_password,
        )
        .map_err(SandboxError::HttpClient)?;
        let journal = Journal::open(&settings.folder)
            .map_err(|error| SandboxError::Log(settings.folder.clone(), error))?;
        Ok(SandboxGateway(Arc::new(Inner {
            pages_url: format!("{}{PATH}/pay", settings.public_url.trim_end_matches('/')),
            shop_name: settings.shop_name,
            credentials,
            tokens: Tokens::default(),
            journal,
            faults: FaultInjector::default(),
            webhooks,
            clock,
            ids,
        })))
    }

    pub fn credentials(&self) -> Credentials {
        self.0.credentials.clone()
    }

    /// To be nested at [`PATH`]. Sets its own headers, including the content security policy.
    pub fn router(&self) -> Router {
        let protected = |route: MethodRouter<SandboxGateway>, endpoint: Endpoint| {
            let state = (self.clone(), endpoint);
            route.layer(from_fn_with_state(
                state,
                middleware::authenticate_and_inject,
            ))
        };
        Router::new()
            .route(
                "/v1/oauth/token",
                protected(post(api::token), Endpoint::Token),
            )
            .route("/checkout/v2/pay", protected(post(api::pay), Endpoint::Pay))
            .route(
                "/checkout/v2/order/{merchant_order_id}/status",
                protected(get(api::status), Endpoint::Status),
            )
            .route(
                "/payments/v2/refund",
                protected(post(api::refund), Endpoint::Refund),
            )
            .route(
                "/payments/v2/refund/{merchant_refund_id}/status",
                protected(get(api::refund_status), Endpoint::RefundStatus),
            )
            .route(
                "/pay/{order_id}",
                get(payment_page::show).post(payment_page::submit),
            )
            .with_state(self.clone())
    }

    /// All payments, and the fault injection settings. To be nested beside the other router, for
    /// the operator of the shop only.
    pub fn control_router(&self) -> Router {
        Router::new()
            .route("/orders", get(api::list_payments))
            .route(
                "/faults",
                get(fault_injection::get_settings)
                    .post(fault_injection::update_settings)
                    .delete(fault_injection::reset_settings),
            )
            .with_state(self.clone())
    }
}

/// Ids of payment attempts and refunds are chosen by the shop, within PhonePe's rules.
fn is_valid_merchant_id(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (1..=63).contains(&text.len()) && text.bytes().all(is_allowed)
}

/// reqwest panics without a crypto provider. The server installs one at its start; a test may not.
fn ensure_tls_provider() {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        let _ = rustls::crypto::ring::default_provider().install_default();
    }
}
