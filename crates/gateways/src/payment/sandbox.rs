//! A payment gateway inside the program, for a shop without PhonePe: tokens, payments, their states,
//! refunds, a page to pay on, and webhooks. It checks what it is asked as PhonePe would; only the money
//! is not there.
//!
//! What it knows is written to a file of its own before anybody is told, so that its record can be held
//! against the shop's after a crash. One instance of the program serves it; others reach it there.

mod books;
mod calls;
mod door;
mod journal;
mod page;
mod record;
mod switches;
mod visit;
mod webhooks;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use axum::routing::{MethodRouter, get, post};
use axum::{Router, middleware};
use mirasa_app::ports::clock::{Clock, IdGenerator};
use sha2::{Digest, Sha256};

use super::PhonePeSettings;
use door::Call;
use journal::Journal;
use switches::SwitchBoard;
use webhooks::Webhooks;

/// Where the shop nests the router.
pub const PATH: &str = "/sandbox/phonepe";
/// The shop's ear for this gateway.
const WEBHOOK: &str = "/api/payment/webhook/phonepe";

pub struct SandboxSettings {
    /// Where browsers see the shop, such as `https://shop.example`.
    pub public_url: String,
    /// Where the program hears itself, such as `http://127.0.0.1:8080`.
    pub reach_shop_at: String,
    /// What the page calls the shop.
    pub shop_name: String,
    /// The client's and the webhook's secrets come from it. The same on every instance of the shop.
    pub secret: [u8; 32],
    /// Where the gateway keeps its own record, `gateway.jsonl`.
    pub folder: PathBuf,
}

impl std::fmt::Debug for SandboxSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SandboxSettings")
            .field("public_url", &self.public_url)
            .field("reach_shop_at", &self.reach_shop_at)
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, thiserror::Error)]
pub enum CannotOpen {
    #[error("cannot open the sandbox gateway's record in {0}")]
    Record(PathBuf, #[source] std::io::Error),
    #[error("no HTTP client for the sandbox gateway's webhooks")]
    HttpClient(#[source] reqwest::Error),
}

#[derive(Clone)]
pub struct SandboxGateway(Arc<Inner>);

struct Inner {
    /// Where browsers find the payment pages.
    pages: String,
    /// Where the adapter finds the calls.
    reached_at: String,
    shop_name: String,
    secrets: Secrets,
    /// Each with the moment at which it expires.
    tokens: Mutex<HashMap<String, i64>>,
    journal: Journal,
    switches: SwitchBoard,
    webhooks: Webhooks,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdGenerator>,
}

struct Secrets {
    client_id: String,
    client_version: String,
    client_secret: String,
    webhook_username: String,
    webhook_password: String,
}

impl SandboxGateway {
    /// Reads back the record that an earlier run has left.
    pub fn new(
        settings: SandboxSettings,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdGenerator>,
    ) -> Result<SandboxGateway, CannotOpen> {
        let derive = |purpose: &str| {
            let digest = Sha256::new()
                .chain_update(settings.secret)
                .chain_update(format!("sandbox phonepe: {purpose}"));
            base16ct::lower::encode_string(&digest.finalize())
        };
        let secrets = Secrets {
            client_id: "MIRASA_SANDBOX".into(),
            client_version: "1".into(),
            client_secret: derive("client secret"),
            webhook_username: "mirasa-sandbox".into(),
            webhook_password: derive("webhook password"),
        };
        let shop = settings.reach_shop_at.trim_end_matches('/');
        let webhooks = Webhooks::new(
            format!("{shop}{WEBHOOK}"),
            &secrets.webhook_username,
            &secrets.webhook_password,
        )
        .map_err(CannotOpen::HttpClient)?;
        let journal = Journal::open(&settings.folder)
            .map_err(|error| CannotOpen::Record(settings.folder.clone(), error))?;
        Ok(SandboxGateway(Arc::new(Inner {
            pages: format!("{}{PATH}/pay", settings.public_url.trim_end_matches('/')),
            reached_at: format!("{shop}{PATH}"),
            shop_name: settings.shop_name,
            secrets,
            tokens: Mutex::default(),
            journal,
            switches: SwitchBoard::default(),
            webhooks,
            clock,
            ids,
        })))
    }

    /// What the adapter needs to be this gateway's client.
    pub fn client_settings(&self) -> PhonePeSettings {
        let secrets = &self.0.secrets;
        PhonePeSettings {
            payment_base: self.0.reached_at.clone(),
            token_base: self.0.reached_at.clone(),
            client_id: secrets.client_id.clone(),
            client_version: secrets.client_version.clone(),
            client_secret: secrets.client_secret.clone(),
            webhook_username: secrets.webhook_username.clone(),
            webhook_password: secrets.webhook_password.clone(),
            timeout: PhonePeSettings::TIMEOUT,
        }
    }

    /// To be nested at [`PATH`]. Sets its own headers, its content security policy among them.
    pub fn router(&self) -> Router {
        let behind_the_door = |route: MethodRouter<SandboxGateway>, call: Call| {
            let state = (self.clone(), call);
            route.layer(middleware::from_fn_with_state(state, door::keep))
        };
        Router::new()
            .route(
                "/v1/oauth/token",
                behind_the_door(post(calls::token), Call::Token),
            )
            .route(
                "/checkout/v2/pay",
                behind_the_door(post(calls::pay), Call::Pay),
            )
            .route(
                "/checkout/v2/order/{merchant_order_id}/status",
                behind_the_door(get(calls::status), Call::Status),
            )
            .route(
                "/payments/v2/refund",
                behind_the_door(post(calls::refund), Call::Refund),
            )
            .route(
                "/payments/v2/refund/{merchant_refund_id}/status",
                behind_the_door(get(calls::refund_status), Call::RefundStatus),
            )
            .route("/pay/{order_id}", get(visit::look).post(visit::decide))
            .with_state(self.clone())
    }

    /// Everybody's payments, and the switches that make the gateway misbehave. To be nested beside the other, for
    /// whoever runs the shop.
    pub fn control_router(&self) -> Router {
        Router::new()
            .route("/orders", get(calls::record))
            .route(
                "/switches",
                get(switches::read)
                    .post(switches::change)
                    .delete(switches::reset),
            )
            .with_state(self.clone())
    }
}
