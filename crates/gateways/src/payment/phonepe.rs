//! The adapter: asks PhonePe for a payment page, for the state of a payment and for refunds, and reads
//! its webhooks. Asking twice is safe for states alone, so only those calls are tried again.

mod failure_text;
mod http_client;
mod tokens;
mod webhook;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use async_trait::async_trait;
use mirasa_app::ports::clock::Clock;
use mirasa_app::ports::payment::{
    CreatePaymentRequest, GatewayPayment, GatewayRefund, PaymentError, PaymentGateway, PaymentPage,
    RefundRequest, WebhookError, WebhookEvent,
};
use mirasa_app::secret::SharedSecret;
use reqwest::{Method, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use url::Url;

use super::is_merchant_number;
use http_client::{Fault, GatewayHttp, Request};
use tokens::Tokens;
use wire::{OrderStatus, PayAnswer, RefundAnswer};

/// A call that only asks is tried this often.
const TRIES: u32 = 3;
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// What PhonePe says of an order number that it does not have.
const NO_SUCH_ORDER: &str = "INVALID_MERCHANT_ORDER_ID";

pub struct PhonePeSettings {
    /// `https://api.phonepe.com/apis/pg`
    pub payment_base: String,
    /// `https://api.phonepe.com/apis/identity-manager`
    pub token_base: String,
    pub client_id: String,
    pub client_version: String,
    pub client_secret: String,
    /// As set beside the webhook's address on PhonePe's dashboard.
    pub webhook_username: String,
    pub webhook_password: String,
    /// How long one call may take, its whole answer included.
    pub timeout: Duration,
}

impl PhonePeSettings {
    pub const TIMEOUT: Duration = Duration::from_secs(10);
}

impl std::fmt::Debug for PhonePeSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PhonePeSettings")
            .field("payment_base", &self.payment_base)
            .field("token_base", &self.token_base)
            .field("client_id", &self.client_id)
            .field("client_version", &self.client_version)
            .finish_non_exhaustive()
    }
}

/// Settings with which no payment could ever work.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    #[error("the payment gateway's address {0:?} is not one")]
    Address(String),
    #[error("no HTTP client for payments")]
    HttpClient(#[source] reqwest::Error),
}

pub struct PhonePe {
    payment_base: String,
    http: GatewayHttp,
    tokens: Tokens,
    webhook_signature: SharedSecret,
}

impl std::fmt::Debug for PhonePe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PhonePe")
            .field("payment_base", &self.payment_base)
            .finish_non_exhaustive()
    }
}

impl PhonePe {
    /// Talks to nobody yet: the first call fetches the first token.
    pub fn new(settings: PhonePeSettings, clock: Arc<dyn Clock>) -> Result<PhonePe, Unusable> {
        let address = |base: &str| match Url::parse(base) {
            Ok(url) if url.has_host() && matches!(url.scheme(), "http" | "https") => {
                Ok(base.trim_end_matches('/').to_owned())
            }
            _ => Err(Unusable::Address(base.to_owned())),
        };
        let payment_base = address(&settings.payment_base)?;
        let token_base = address(&settings.token_base)?;
        let encrypted = [&payment_base, &token_base]
            .iter()
            .all(|base| base.starts_with("https://"));
        let http = GatewayHttp::new(settings.timeout, encrypted).map_err(Unusable::HttpClient)?;
        Ok(PhonePe {
            http,
            payment_base,
            webhook_signature: webhook::signature(
                &settings.webhook_username,
                &settings.webhook_password,
            ),
            tokens: Tokens::new(
                format!("{token_base}/v1/oauth/token"),
                [
                    ("client_id", settings.client_id),
                    ("client_version", settings.client_version),
                    ("client_secret", settings.client_secret),
                    ("grant_type", "client_credentials".into()),
                ],
                clock,
            ),
        })
    }

    /// One call with a good token. A token that is refused is replaced at once, and the call made once
    /// more: nothing was done for who was not let in.
    async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<T, Fault> {
        let url = format!("{}{path}", self.payment_base);
        let request = |token: &str| Request {
            method: method.clone(),
            url: &url,
            token: token.to_owned(),
            body,
        };
        let token = self.tokens.good(&self.http).await?;
        match self.http.json(request(token.text())).await {
            Err(Fault::Status {
                status: StatusCode::UNAUTHORIZED,
                ..
            }) => {
                let newer = self.tokens.newer_than(&token, &self.http).await?;
                self.http.json(request(newer.text())).await
            }
            answer => answer,
        }
    }

    async fn change<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &Value,
    ) -> Result<T, PaymentError> {
        self.call(Method::POST, path, Some(body))
            .await
            .map_err(in_the_shops_words)
    }

    /// A call that changes nothing, so that it may be made again after a fault that may pass.
    async fn look<T: DeserializeOwned>(&self, path: &str) -> Result<Option<T>, PaymentError> {
        let mut pause = FIRST_PAUSE;
        for _ in 1..TRIES {
            match self.call(Method::GET, path, None).await {
                Err(fault) if fault.may_pass() => {
                    tracing::debug!("asking the payment gateway again: {fault}");
                    tokio::time::sleep(pause).await;
                    pause *= 2;
                }
                answer => return found(answer),
            }
        }
        found(self.call(Method::GET, path, None).await)
    }
}

#[async_trait]
impl PaymentGateway for PhonePe {
    async fn create_payment(&self, ask: CreatePaymentRequest) -> Result<PaymentPage, PaymentError> {
        let body = json!({
            "merchantOrderId": ask.merchant_order_id,
            "amount": ask.amount.get(),
            "expireAfter": ask.expire_after_s,
            "paymentFlow": {
                "type": "PG_CHECKOUT",
                "message": ask.message,
                "merchantUrls": { "redirectUrl": ask.redirect_url },
            },
        });
        self.change::<PayAnswer>("/checkout/v2/pay", &body)
            .await?
            .page()
            .ok_or_else(|| unreachable("the answer to a payment names no page to pay on"))
    }

    async fn payment_status(
        &self,
        merchant_order_id: &str,
    ) -> Result<Option<GatewayPayment>, PaymentError> {
        if !is_merchant_number(merchant_order_id) {
            return Ok(None);
        }
        let path = format!("/checkout/v2/order/{merchant_order_id}/status?details=false");
        let Some(status) = self.look::<OrderStatus>(&path).await? else {
            return Ok(None);
        };
        status
            .report(merchant_order_id)
            .map(Some)
            .map_err(unreachable)
    }

    async fn create_refund(&self, ask: RefundRequest) -> Result<GatewayRefund, PaymentError> {
        let body = json!({
            "merchantRefundId": ask.merchant_refund_id,
            "originalMerchantOrderId": ask.merchant_order_id,
            "amount": ask.amount.get(),
        });
        let answer: RefundAnswer = self.change("/payments/v2/refund", &body).await?;
        Ok(answer.report(Some(ask.amount)))
    }

    async fn refund_status(
        &self,
        merchant_refund_id: &str,
    ) -> Result<Option<GatewayRefund>, PaymentError> {
        if !is_merchant_number(merchant_refund_id) {
            return Ok(None);
        }
        let path = format!("/payments/v2/refund/{merchant_refund_id}/status");
        let answer = self.look::<RefundAnswer>(&path).await?;
        Ok(answer.map(|answer| answer.report(None)))
    }

    fn is_signed(&self, authorization: Option<&str>) -> bool {
        self.webhook_signature
            .matches(authorization.unwrap_or_default())
    }

    fn parse_webhook(
        &self,
        authorization: Option<&str>,
        body: &[u8],
    ) -> Result<WebhookEvent, WebhookError> {
        webhook::read(&self.webhook_signature, authorization, body)
    }
}

/// "Never heard of it" is an answer too, but only from PhonePe itself: a 404 without its error body
/// comes from something in between, and must not make a payment disappear.
fn found<T>(answer: Result<T, Fault>) -> Result<Option<T>, PaymentError> {
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(Fault::Status {
            status,
            said: Some(said),
        }) if status == StatusCode::NOT_FOUND
            || (status.is_client_error() && said.code == NO_SUCH_ORDER) =>
        {
            Ok(None)
        }
        Err(fault) => Err(in_the_shops_words(fault)),
    }
}

/// Refused is only what PhonePe says no to in its own words; of all else nobody knows the outcome.
fn in_the_shops_words(fault: Fault) -> PaymentError {
    match fault {
        Fault::Status {
            status,
            said: Some(said),
        } if status.is_client_error()
            && !matches!(
                status,
                StatusCode::UNAUTHORIZED
                    | StatusCode::REQUEST_TIMEOUT
                    | StatusCode::TOO_MANY_REQUESTS
            ) =>
        {
            PaymentError::Rejected(said.to_string())
        }
        fault => PaymentError::OutcomeUnknown(fault.into()),
    }
}

fn unreachable(why: &'static str) -> PaymentError {
    PaymentError::OutcomeUnknown(anyhow!(why))
}
