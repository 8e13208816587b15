//! The endpoints of PhonePe's API, and the list of all payments.

use std::time::Duration;

use axum::extract::rejection::{FormRejection, JsonRejection};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use axum::{Form, Json};
use serde::Deserialize;
use serde_json::{Value, json};
use subtle::ConstantTimeEq as _;
use url::Url;

use super::fault_injection::RefundBehaviour;
use super::is_valid_merchant_id;
use super::journal::WriteFailed;
use super::middleware::{INTERNAL_ERROR, TOKEN_TTL_S};
use super::representation::{order_json, refund_json};
use super::state::{self, ApiError, MIN_AMOUNT, Order, Refund, api_error};
use super::{Inner, SandboxGateway, webhooks};

const EXPIRY_RANGE_S: std::ops::RangeInclusive<u32> = 300..=3600;

const ORDER_NOT_FOUND: ApiError = api_error(
    StatusCode::NOT_FOUND,
    "INVALID_MERCHANT_ORDER_ID",
    "No entry found for given merchant order id",
);
const REFUND_NOT_FOUND: ApiError = api_error(
    StatusCode::NOT_FOUND,
    "INVALID_MERCHANT_REFUND_ID",
    "No entry found for given merchant refund id",
);

const fn bad_request(message: &'static str) -> ApiError {
    api_error(StatusCode::BAD_REQUEST, "BAD_REQUEST", message)
}

impl From<WriteFailed> for ApiError {
    fn from(_: WriteFailed) -> ApiError {
        INTERNAL_ERROR
    }
}

#[derive(Deserialize)]
pub(super) struct TokenRequest {
    client_id: Option<String>,
    client_version: Option<String>,
    client_secret: Option<String>,
    grant_type: Option<String>,
}

pub(super) async fn token(
    State(SandboxGateway(sandbox)): State<SandboxGateway>,
    request: Result<Form<TokenRequest>, FormRejection>,
) -> Result<Response, ApiError> {
    let Ok(Form(request)) = request else {
        return Err(bad_request("The form cannot be read"));
    };
    if request.grant_type.as_deref() != Some("client_credentials") {
        return Err(bad_request("grant_type must be client_credentials"));
    }
    let credentials = &sandbox.credentials;
    let secret = request.client_secret.unwrap_or_default();
    let secret_matches = secret
        .as_bytes()
        .ct_eq(credentials.client_secret.as_bytes());
    let client_matches = request.client_id.as_deref() == Some(&credentials.client_id)
        && request.client_version.as_deref() == Some(&credentials.client_version);
    if !client_matches || !bool::from(secret_matches) {
        return Err(api_error(
            StatusCode::UNAUTHORIZED,
            "UNAUTHORIZED",
            "The client is unknown, or its secret is wrong",
        ));
    }
    let now_ms = sandbox.clock.now_ms();
    let token = sandbox.new_token(now_ms);
    let now = now_ms / 1000;
    Ok(respond(json!({
        "access_token": token,
        "encrypted_access_token": token,
        "token_type": "O-Bearer",
        "issued_at": now,
        "expires_at": now + TOKEN_TTL_S,
        "session_expires_at": now + TOKEN_TTL_S,
    })))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreatePaymentRequest {
    merchant_order_id: String,
    amount: i64,
    expire_after: Option<u32>,
    #[serde(default)]
    meta_info: Value,
    payment_flow: PaymentFlow,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PaymentFlow {
    r#type: String,
    #[serde(default)]
    message: String,
    merchant_urls: MerchantUrls,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MerchantUrls {
    redirect_url: String,
}

pub(super) async fn pay(
    State(SandboxGateway(sandbox)): State<SandboxGateway>,
    request: Result<Json<CreatePaymentRequest>, JsonRejection>,
) -> Result<Response, ApiError> {
    let Ok(Json(request)) = request else {
        return Err(bad_request("The request cannot be read"));
    };
    let expire_after_s = validate(&request)?;
    let expire_after_s = sandbox
        .faults
        .current()
        .expire_after_s
        .unwrap_or(expire_after_s);
    let now_ms = sandbox.clock.now_ms();
    let order = Order {
        order_id: format!("OMO{}", sandbox.ids.new_id().replace('-', "")),
        merchant_order_id: request.merchant_order_id,
        amount: request.amount,
        message: request.payment_flow.message,
        redirect_url: request.payment_flow.merchant_urls.redirect_url,
        meta_info: request.meta_info,
        created_at: now_ms,
        expire_at: now_ms + i64::from(expire_after_s) * 1000,
        state: state::State::Pending,
        settled_at: None,
        payment_mode: None,
        transaction_id: None,
        error_code: None,
        detailed_error_code: None,
    };
    let order = sandbox
        .journal
        .run(move |state| state.create_order(order))
        .await??;
    Ok(respond(json!({
        "orderId": order.order_id,
        "state": order.state,
        "expireAt": order.expire_at,
        "redirectUrl": format!("{}/{}", sandbox.pages_url, order.order_id),
    })))
}

/// Returns for how many seconds the order is open.
fn validate(request: &CreatePaymentRequest) -> Result<u32, ApiError> {
    if !is_valid_merchant_id(&request.merchant_order_id) {
        return Err(bad_request(
            "merchantOrderId must be 1 to 63 letters, digits, underscores or hyphens",
        ));
    }
    if request.amount < MIN_AMOUNT {
        return Err(bad_request("amount must be at least 100 paise"));
    }
    let expire_after_s = request.expire_after.unwrap_or(*EXPIRY_RANGE_S.end());
    if !EXPIRY_RANGE_S.contains(&expire_after_s) {
        return Err(bad_request("expireAfter must be 300 to 3600 seconds"));
    }
    if request.payment_flow.r#type != "PG_CHECKOUT" {
        return Err(bad_request("paymentFlow.type must be PG_CHECKOUT"));
    }
    let redirect_url = Url::parse(&request.payment_flow.merchant_urls.redirect_url);
    if !redirect_url.is_ok_and(|url| matches!(url.scheme(), "http" | "https")) {
        return Err(bad_request(
            "paymentFlow.merchantUrls.redirectUrl must be a web address",
        ));
    }
    Ok(expire_after_s)
}

pub(super) async fn status(
    State(SandboxGateway(sandbox)): State<SandboxGateway>,
    Path(merchant_order_id): Path<String>,
) -> Result<Response, ApiError> {
    let now_ms = sandbox.clock.now_ms();
    let order = sandbox
        .journal
        .run(move |state| state.order(&merchant_order_id, now_ms))
        .await?
        .ok_or(ORDER_NOT_FOUND)?;
    let wrong_amount = sandbox.faults.current().wrong_amount;
    Ok(respond(order_json(&order, wrong_amount)))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefundRequest {
    merchant_refund_id: String,
    original_merchant_order_id: String,
    amount: i64,
}

pub(super) async fn refund(
    State(gateway): State<SandboxGateway>,
    request: Result<Json<RefundRequest>, JsonRejection>,
) -> Result<Response, ApiError> {
    let Ok(Json(request)) = request else {
        return Err(bad_request("The request cannot be read"));
    };
    if !is_valid_merchant_id(&request.merchant_refund_id) {
        return Err(bad_request(
            "merchantRefundId must be 1 to 63 letters, digits, underscores or hyphens",
        ));
    }
    let sandbox = &gateway.0;
    let faults = sandbox.faults.current();
    let now_ms = sandbox.clock.now_ms();
    let due_ms = now_ms + i64::from(faults.refund_ms);
    let refund = Refund {
        merchant_refund_id: request.merchant_refund_id,
        original_merchant_order_id: request.original_merchant_order_id,
        refund_id: format!("OMR{}", sandbox.ids.new_id().replace('-', "")),
        amount: request.amount,
        created_at: now_ms,
        state: state::State::Pending,
        due: match faults.refunds {
            RefundBehaviour::Complete => Some((due_ms, state::State::Completed)),
            RefundBehaviour::Fail => Some((due_ms, state::State::Failed)),
            RefundBehaviour::StayPending => None,
        },
        error_code: None,
    };
    let (refund, new) = sandbox
        .journal
        .run(move |state| state.create_refund(refund, now_ms))
        .await??;
    if new && refund.due.is_some() {
        let wait = Duration::from_millis(u64::from(faults.refund_ms));
        let id = refund.merchant_refund_id.clone();
        tokio::spawn(settle_refund(gateway.clone(), id, wait));
    }
    Ok(respond(json!({
        "refundId": refund.refund_id,
        "amount": refund.amount,
        "state": refund.state,
    })))
}

/// Completes the refund when it is due and sends the webhook.
async fn settle_refund(SandboxGateway(sandbox): SandboxGateway, id: String, wait: Duration) {
    tokio::time::sleep(wait).await;
    let now_ms = sandbox.clock.now_ms();
    let refund = sandbox
        .journal
        .run(move |state| state.refund(&id, now_ms))
        .await;
    if let Ok(Some(refund)) = refund {
        webhooks::send_refund_event(&sandbox, refund_json(&refund), refund.state).await;
    }
}

pub(super) async fn refund_status(
    State(SandboxGateway(sandbox)): State<SandboxGateway>,
    Path(merchant_refund_id): Path<String>,
) -> Result<Response, ApiError> {
    let now_ms = sandbox.clock.now_ms();
    let refund = sandbox
        .journal
        .run(move |state| state.refund(&merchant_refund_id, now_ms))
        .await?
        .ok_or(REFUND_NOT_FOUND)?;
    Ok(respond(refund_json(&refund)))
}

pub(super) async fn list_payments(
    State(SandboxGateway(sandbox)): State<SandboxGateway>,
) -> Result<Response, ApiError> {
    Ok(respond(sandbox.payments().await?))
}

impl Inner {
    async fn payments(&self) -> Result<Value, WriteFailed> {
        let now_ms = self.clock.now_ms();
        self.journal.run(move |state| state.dump(now_ms)).await
    }
}

fn respond(body: Value) -> Response {
    ([(CACHE_CONTROL, "no-store")], Json(body)).into_response()
}
