//! The gateway's own calls to the shop, repeated until they are heard or given up.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::AUTHORIZATION;
use reqwest::redirect::Policy;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::super::ensure_tls_provider;
use super::books::{Order, State};
use super::switches::{Switches, WebhookTime};
use super::{Inner, calls};

/// PhonePe wants an answer within this.
const PATIENCE: Duration = Duration::from_secs(3);
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const TRIES: u32 = 6;

pub(super) struct Webhooks {
    client: reqwest::Client,
    url: String,
    signature: String,
}

impl Webhooks {
    pub(super) fn new(
        url: String,
        username: &str,
        password: &str,
    ) -> Result<Webhooks, reqwest::Error> {
        ensure_tls_provider();
        let client = reqwest::Client::builder()
            .redirect(Policy::none())
            .timeout(PATIENCE)
            .tls_certs_only([])
            .no_proxy()
            .build()?;
        Ok(Webhooks {
            client,
            url,
            signature: base16ct::lower::encode_string(&Sha256::digest(format!(
                "{username}:{password}"
            ))),
        })
    }

    async fn send(&self, switches: &Switches, event: &str, payload: &Value) {
        let body = json!({ "event": event, "payload": payload });
        let signature = if switches.wrong_signature {
            "not-the-signature"
        } else {
            &self.signature
        };
        for _ in 0..=switches.duplicate_webhooks {
            let mut pause = FIRST_PAUSE;
            for _ in 0..TRIES {
                let request = self.client.post(&self.url).header(AUTHORIZATION, signature);
                let heard = request.json(&body).send().await;
                if heard.is_ok_and(|answer| answer.status().is_success()) {
                    break;
                }
                tokio::time::sleep(pause).await;
                pause *= 2;
            }
        }
    }
}

/// Tells the shop what happened to its order. Comes back when the browser may be sent back.
pub(super) async fn tell_of_order(sandbox: &Arc<Inner>, order: Order) {
    let switches = sandbox.switches.now();
    let time = switches.webhook;
    let delay = match time {
        WebhookTime::Never => return,
        WebhookTime::BeforeReturn => Duration::ZERO,
        WebhookTime::AfterReturn => Duration::from_millis(switches.webhook_delay_ms),
    };
    let sender = sandbox.clone();
    let telling = tokio::spawn(async move {
        tokio::time::sleep(delay).await;
        let payload = calls::told(&order, switches.wrong_amount);
        let mut attempt = payload.clone();
        attempt["state"] = json!(State::Pending);
        attempt["paymentDetails"] = json!([]);
        for _ in 0..switches.failed_attempts {
            let event = "checkout.transaction.attempt.failed";
            sender.webhooks.send(&switches, event, &attempt).await;
        }
        let event = match order.state {
            State::Completed => "checkout.order.completed",
            State::Failed => "checkout.order.failed",
            State::Pending => return,
        };
        sender.webhooks.send(&switches, event, &payload).await;
    });
    if time == WebhookTime::BeforeReturn {
        // A shop that does not listen must not keep the shopper on the page.
        let _ = tokio::time::timeout(PATIENCE, telling).await;
    }
}

pub(super) async fn tell_of_refund(sandbox: &Inner, payload: Value, state: State) {
    let switches = sandbox.switches.now();
    if switches.webhook == WebhookTime::Never {
        return;
    }
    let event = match state {
        State::Completed => "pg.refund.completed",
        State::Failed => "pg.refund.failed",
        State::Pending => "pg.refund.accepted",
    };
    sandbox.webhooks.send(&switches, event, &payload).await;
}
