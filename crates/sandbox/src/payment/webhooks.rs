//! Sends webhooks to the shop, with retries.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::AUTHORIZATION;
use reqwest::redirect::Policy;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::Inner;
use super::ensure_tls_provider;
use super::fault_injection::{FaultSettings, WebhookTiming};
use super::representation::order_json;
use super::state::{Order, State};

/// PhonePe expects a response within this time.
const DELIVERY_TIMEOUT: Duration = Duration::from_secs(3);
const INITIAL_BACKOFF: Duration = Duration::from_millis(500);
const MAX_ATTEMPTS: u32 = 6;

pub(super) struct WebhookSender {
    client: reqwest::Client,
    url: String,
    authorization: String,
}

impl WebhookSender {
    pub(super) fn new(
        url: String,
        username: &str,
        password: &str,
    ) -> Result<WebhookSender, reqwest::Error> {
        ensure_tls_provider();
        let client = reqwest::Client::builder()
            .redirect(Policy::none())
            .timeout(DELIVERY_TIMEOUT)
            .tls_certs_only([])
            .no_proxy()
            .build()?;
        Ok(WebhookSender {
            client,
            url,
            authorization: base16ct::lower::encode_string(&Sha256::digest(format!(
                "{username}:{password}"
            ))),
        })
    }

    async fn send(&self, faults: &FaultSettings, event: &str, payload: &Value) {
        let body = json!({ "event": event, "payload": payload });
        let authorization = if faults.wrong_signature {
            "not-the-signature"
        } else {
            &self.authorization
        };
        for _ in 0..=faults.duplicate_webhooks {
            let mut backoff = INITIAL_BACKOFF;
            for _ in 0..MAX_ATTEMPTS {
                let request = self
                    .client
                    .post(&self.url)
                    .header(AUTHORIZATION, authorization);
                let result = request.json(&body).send().await;
                if result.is_ok_and(|response| response.status().is_success()) {
                    break;
                }
                tokio::time::sleep(backoff).await;
                backoff *= 2;
            }
        }
    }
}

/// Sends the webhook for an order. Returns when the browser may be redirected.
pub(super) async fn send_order_event(sandbox: &Arc<Inner>, order: Order) {
    let faults = sandbox.faults.current();
    let timing = faults.webhook;
    let delay = match timing {
        WebhookTiming::Never => return,
        WebhookTiming::BeforeReturn => Duration::ZERO,
        WebhookTiming::AfterReturn => Duration::from_millis(faults.webhook_delay_ms),
    };
    let sender = sandbox.clone();
    let delivery = tokio::spawn(async move {
        tokio::time::sleep(delay).await;
        let payload = order_json(&order, faults.wrong_amount);
        let mut attempt = payload.clone();
        attempt["state"] = json!(State::Pending);
        attempt["paymentDetails"] = json!([]);
        for _ in 0..faults.failed_attempts {
            let event = "checkout.transaction.attempt.failed";
            sender.webhooks.send(&faults, event, &attempt).await;
        }
        let event = match order.state {
            State::Completed => "checkout.order.completed",
            State::Failed => "checkout.order.failed",
            State::Pending => return,
        };
        sender.webhooks.send(&faults, event, &payload).await;
    });
    if timing == WebhookTiming::BeforeReturn {
        // A shop that does not respond must not keep the customer on the page.
        let _ = tokio::time::timeout(DELIVERY_TIMEOUT, delivery).await;
    }
}

pub(super) async fn send_refund_event(sandbox: &Inner, payload: Value, state: State) {
    let faults = sandbox.faults.current();
    if faults.webhook == WebhookTiming::Never {
        return;
    }
    let event = match state {
        State::Completed => "pg.refund.completed",
        State::Failed => "pg.refund.failed",
        State::Pending => "pg.refund.accepted",
    };
    sandbox.webhooks.send(&faults, event, &payload).await;
}
