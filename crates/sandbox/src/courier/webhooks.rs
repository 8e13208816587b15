//! Sends webhooks to the shop, with retries.

use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use serde_json::Value;

use super::Inner;
use super::fault_injection::WebhookFault;
use super::representation::webhook_json;
use super::state::Parcel;

const DELIVERY_TIMEOUT: Duration = Duration::from_secs(3);
const INITIAL_BACKOFF: Duration = Duration::from_millis(500);
const MAX_ATTEMPTS: u32 = 5;

pub(super) struct WebhookSender {
    client: reqwest::Client,
    url: String,
    token: String,
}

impl WebhookSender {
    pub(super) fn new(url: String, token: String) -> Result<WebhookSender, reqwest::Error> {
        if rustls::crypto::CryptoProvider::get_default().is_none() {
            // The server installs one at its start; a test may not.
            let _ = rustls::crypto::ring::default_provider().install_default();
        }
        let client = reqwest::Client::builder()
            .redirect(Policy::none())
            .timeout(DELIVERY_TIMEOUT)
            .tls_certs_only([])
            .no_proxy()
            .build()?;
        Ok(WebhookSender { client, url, token })
    }

    /// A response other than 200 counts as a failure.
    async fn send(&self, token: &str, body: &Value) {
        let mut backoff = INITIAL_BACKOFF;
        for _ in 0..MAX_ATTEMPTS {
            let request = self.client.post(&self.url).header("x-api-key", token);
            let result = request.json(body).send().await;
            if result.is_ok_and(|response| response.status() == reqwest::StatusCode::OK) {
                return;
            }
            tokio::time::sleep(backoff).await;
            backoff *= 2;
        }
    }
}

/// Reports the last scan of a parcel, in the background.
pub(super) fn send_tracking_event(sandbox: &Arc<Inner>, parcel: Parcel) {
    let sandbox = sandbox.clone();
    tokio::spawn(async move {
        let faults = sandbox.faults.current();
        tokio::time::sleep(Duration::from_millis(faults.webhook_delay_ms)).await;
        let Some((last, before)) = parcel.scans.split_last() else {
            return;
        };
        let sender = &sandbox.webhooks;
        let body = webhook_json(&parcel, last);
        match faults.webhook {
            WebhookFault::Lost => {}
            WebhookFault::WrongKey => sender.send("not-the-key", &body).await,
            WebhookFault::None => sender.send(&sender.token, &body).await,
            WebhookFault::Doubled => {
                sender.send(&sender.token, &body).await;
                sender.send(&sender.token, &body).await;
            }
            WebhookFault::OutOfOrder => {
                sender.send(&sender.token, &body).await;
                if let Some(earlier) = before.last() {
                    let late = webhook_json(&parcel, earlier);
                    sender.send(&sender.token, &late).await;
                }
            }
        }
    });
}
