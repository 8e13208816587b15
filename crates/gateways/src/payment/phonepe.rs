//! The PhonePe adapter: creates payments and refunds, reads their status and parses webhooks. Only
//! status requests are retried, because they change nothing.

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
use mirasa_domain::payment::AttemptId;
use mirasa_domain::refund::RefundId;
use reqwest::{Method, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tracing::instrument;
use url::Url;

use super::is_valid_merchant_id;
use crate::count_error;
use http_client::{GatewayHttp, HttpError, Request};
use tokens::TokenCache;
use wire::{CreatePaymentResponse, OrderStatusResponse, RefundResponse};

/// For requests that change nothing.
const MAX_ATTEMPTS: u32 = 3;
const INITIAL_BACKOFF: Duration = Duration::from_millis(200);
/// PhonePe's error code for an unknown order.
const ORDER_NOT_FOUND: &str = "INVALID_MERCHANT_ORDER_ID";

pub struct PhonePeSettings {
    /// `https://api.phonepe.com/apis/pg`
    pub payment_base: String,
    /// `https://api.phonepe.com/apis/identity-manager`
    pub token_base: String,
    pub client_id: String,
    pub client_version: String,
    pub client_secret: String,
    /// As configured for the webhook on PhonePe's dashboard.
    pub webhook_username: String,
    pub webhook_password: String,
    /// For one request, including the whole response.
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

/// Settings with which no payment can work.
#[derive(Debug, thiserror::Error)]
pub enum PhonePeConfigError {
    #[error("the payment gateway's address {0:?} is not one")]
    InvalidUrl(String),
    #[error("no HTTP client for payments")]
    HttpClient(#[source] reqwest::Error),
}

pub struct PhonePe {
    payment_base: String,
    http: GatewayHttp,
    tokens: TokenCache,
    webhook_authorization: SharedSecret,
}

impl std::fmt::Debug for PhonePe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PhonePe")
            .field("payment_base", &self.payment_base)
            .finish_non_exhaustive()
    }
}

impl PhonePe {
    /// Sends no request yet. The first request fetches the first token.
    pub fn new(
        settings: PhonePeSettings,
        clock: Arc<dyn Clock>,
    ) -> Result<PhonePe, PhonePeConfigError> {
        let parse_base = |base: &str| match Url::parse(base) {
            Ok(url) if url.has_host() && matches!(url.scheme(), "http" | "https") => {
                Ok(base.trim_end_matches('/').to_owned())
            }
            _ => Err(PhonePeConfigError::InvalidUrl(base.to_owned())),
        };
        let payment_base = parse_base(&settings.payment_base)?;
        let token_base = parse_base(&settings.token_base)?;
        let https_only = [&payment_base, &token_base]
            .iter()
            .all(|base| base.starts_with("https://"));
        let http = GatewayHttp::new(settings.timeout, https_only)
            .map_err(PhonePeConfigError::HttpClient)?;
        Ok(PhonePe {
            http,
            payment_base,
            webhook_authorization: webhook::authorization_value(
                &settings.webhook_username,
                &settings.webhook_password,
            ),
            tokens: TokenCache::new(
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

    /// One request with a valid token. If PhonePe responds with 401, the token is replaced and the
    /// request sent once more: an unauthenticated request has had no effect.
    async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<T, HttpError> {
        let url = format!("{}{path}", self.payment_base);
        let request = |token: &str| Request {
            method: method.clone(),
            url: &url,
            token: token.to_owned(),
            body,
        };
        let token = self.tokens.get(&self.http).await?;
        match self.http.json(request(token.text())).await {
            Err(HttpError::Status {
                status: StatusCode::UNAUTHORIZED,
                ..
            }) => {
                let new_token = self.tokens.replace(&token, &self.http).await?;
                self.http.json(request(new_token.text())).await
            }
            response => response,
        }
    }

    async fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> Result<T, PaymentError> {
        self.send(Method::POST, path, Some(body))
            .await
            .map_err(into_payment_error)
    }

    /// For requests that change nothing: retries after transient errors.
    async fn get_with_retry<T: DeserializeOwned>(
        &self,
        path: &str,
    ) -> Result<Option<T>, PaymentError> {
        let mut backoff = INITIAL_BACKOFF;
        for _ in 1..MAX_ATTEMPTS {
            match self.send(Method::GET, path, None).await {
                Err(error) if error.is_transient() => {
                    tracing::debug!("retrying a request to the payment gateway: {error}");
                    tokio::time::sleep(backoff).await;
                    backoff *= 2;
                }
                result => return none_if_not_found(result),
            }
        }
        none_if_not_found(self.send(Method::GET, path, None).await)
    }
}

#[async_trait]
impl PaymentGateway for PhonePe {
    #[instrument(target = "telemetry", name = "phonepe create_payment", skip_all, err, fields(otel.kind = "client"))]
    async fn create_payment(
        &self,
        request: CreatePaymentRequest,
    ) -> Result<PaymentPage, PaymentError> {
        let body = json!({
            "merchantOrderId": request.merchant_order_id,
            "amount": request.amount.get(),
            "expireAfter": request.expire_after_s,
            "paymentFlow": {
                "type": "PG_CHECKOUT",
                "message": request.message,
                "merchantUrls": { "redirectUrl": request.redirect_url },
            },
        });
        self.post::<CreatePaymentResponse>("/checkout/v2/pay", &body)
            .await?
            .into_page()
            .ok_or_else(|| outcome_unknown("the response to a payment has no page URL"))
    }

    #[instrument(target = "telemetry", name = "phonepe payment_status", skip_all, err, fields(otel.kind = "client"))]
    async fn payment_status(
        &self,
        merchant_order_id: &AttemptId,
    ) -> Result<Option<GatewayPayment>, PaymentError> {
        if !is_valid_merchant_id(merchant_order_id.as_str()) {
            return Ok(None);
        }
        let path = format!("/checkout/v2/order/{merchant_order_id}/status?details=false");
        let Some(status) = self.get_with_retry::<OrderStatusResponse>(&path).await? else {
            return Ok(None);
        };
        status
            .into_payment(merchant_order_id.as_str())
            .map(Some)
            .map_err(outcome_unknown)
    }

    #[instrument(target = "telemetry", name = "phonepe create_refund", skip_all, err, fields(otel.kind = "client"))]
    async fn create_refund(&self, request: RefundRequest) -> Result<GatewayRefund, PaymentError> {
        let body = json!({
            "merchantRefundId": request.merchant_refund_id,
            "originalMerchantOrderId": request.merchant_order_id,
            "amount": request.amount.get(),
        });
        let response: RefundResponse = self.post("/payments/v2/refund", &body).await?;
        Ok(response.into_refund(Some(request.amount)))
    }

    #[instrument(target = "telemetry", name = "phonepe refund_status", skip_all, err, fields(otel.kind = "client"))]
    async fn refund_status(
        &self,
        merchant_refund_id: &RefundId,
    ) -> Result<Option<GatewayRefund>, PaymentError> {
        if !is_valid_merchant_id(merchant_refund_id.as_str()) {
            return Ok(None);
        }
        let path = format!("/payments/v2/refund/{merchant_refund_id}/status");
        let response = self.get_with_retry::<RefundResponse>(&path).await?;
        Ok(response.map(|response| response.into_refund(None)))
    }

    fn is_signed(&self, authorization: Option<&str>) -> bool {
        self.webhook_authorization
            .matches(authorization.unwrap_or_default())
    }

    fn parse_webhook(
        &self,
        authorization: Option<&str>,
        body: &[u8],
    ) -> Result<WebhookEvent, WebhookError> {
        webhook::parse(&self.webhook_authorization, authorization, body)
    }
}

/// None only if PhonePe itself says so in its error body. A 404 without it comes from a proxy, and
/// must not make a payment disappear.
fn none_if_not_found<T>(result: Result<T, HttpError>) -> Result<Option<T>, PaymentError> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(HttpError::Status {
            status,
            body: Some(body),
        }) if status == StatusCode::NOT_FOUND
            || (status.is_client_error() && body.code == ORDER_NOT_FOUND) =>
        {
            Ok(None)
        }
        Err(error) => Err(into_payment_error(error)),
    }
}

/// Rejected only if PhonePe returns an error body with a client error. In every other case the
/// outcome is unknown.
fn into_payment_error(error: HttpError) -> PaymentError {
    match error {
        HttpError::Status {
            status,
            body: Some(body),
        } if status.is_client_error()
            && !matches!(
                status,
                StatusCode::UNAUTHORIZED
                    | StatusCode::REQUEST_TIMEOUT
                    | StatusCode::TOO_MANY_REQUESTS
            ) =>
        {
            PaymentError::Rejected(body.to_string())
        }
        error => {
            count_error("phonepe");
            PaymentError::OutcomeUnknown(error.into())
        }
    }
}

fn outcome_unknown(reason: &'static str) -> PaymentError {
    count_error("phonepe");
    PaymentError::OutcomeUnknown(anyhow!(reason))
}
