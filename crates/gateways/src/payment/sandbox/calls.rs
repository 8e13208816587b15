//! The calls of the protocol, and the gateway's record for whoever checks.

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

use super::super::is_merchant_number;
use super::books::{self, LEAST_AMOUNT, Order, Refund, Refusal, refusal};
use super::door::{BROKEN, TOKEN_SECONDS};
use super::journal::CannotWrite;
use super::switches::RefundFate;
use super::{Inner, SandboxGateway, webhooks};

const LIFE_S: std::ops::RangeInclusive<u32> = 300..=3600;

const NO_SUCH_ORDER: Refusal = refusal(
    StatusCode::NOT_FOUND,
    "INVALID_MERCHANT_ORDER_ID",
    "No entry found for given merchant order id",
);
const NO_SUCH_REFUND: Refusal = refusal(
    StatusCode::NOT_FOUND,
    "INVALID_MERCHANT_REFUND_ID",
    "No entry found for given merchant refund id",
);

const fn bad(message: &'static str) -> Refusal {
    refusal(StatusCode::BAD_REQUEST, "BAD_REQUEST", message)
}

impl From<CannotWrite> for Refusal {
    fn from(_: CannotWrite) -> Refusal {
        BROKEN
    }
}

#[derive(Deserialize)]
pub(super) struct TokenAsk {
    client_id: Option<String>,
    client_version: Option<String>,
    client_secret: Option<String>,
    grant_type: Option<String>,
}

pub(super) async fn token(
    State(SandboxGateway(sandbox)): State<SandboxGateway>,
    ask: Result<Form<TokenAsk>, FormRejection>,
) -> Result<Response, Refusal> {
    let Ok(Form(ask)) = ask else {
        return Err(bad("The form cannot be read"));
    };
    if ask.grant_type.as_deref() != Some("client_credentials") {
        return Err(bad("grant_type must be client_credentials"));
    }
    let secrets = &sandbox.secrets;
    let secret = ask.client_secret.unwrap_or_default();
    let right_secret = secret.as_bytes().ct_eq(secrets.client_secret.as_bytes());
    let right_client = ask.client_id.as_deref() == Some(&secrets.client_id)
        && ask.client_version.as_deref() == Some(&secrets.client_version);
    if !right_client || !bool::from(right_secret) {
        return Err(refusal(
            StatusCode::UNAUTHORIZED,
            "UNAUTHORIZED",
            "The client is unknown, or its secret is wrong",
        ));
    }
    let now_ms = sandbox.clock.now_ms();
    let token = sandbox.new_token(now_ms);
    let now = now_ms / 1000;
    Ok(answer(json!({
        "access_token": token,
        "encrypted_access_token": token,
        "token_type": "O-Bearer",
        "issued_at": now,
        "expires_at": now + TOKEN_SECONDS,
        "session_expires_at": now + TOKEN_SECONDS,
    })))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PayAsk {
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
    ask: Result<Json<PayAsk>, JsonRejection>,
) -> Result<Response, Refusal> {
    let Ok(Json(ask)) = ask else {
        return Err(bad("The request cannot be read"));
    };
    let life_s = check(&ask)?;
    let life_s = sandbox.switches.now().expire_after_s.unwrap_or(life_s);
    let now_ms = sandbox.clock.now_ms();
    let order = Order {
        order_id: format!("OMO{}", sandbox.ids.new_id().replace('-', "")),
        merchant_order_id: ask.merchant_order_id,
        amount: ask.amount,
        message: ask.payment_flow.message,
        redirect_url: ask.payment_flow.merchant_urls.redirect_url,
        meta_info: ask.meta_info,
        created_at: now_ms,
        expire_at: now_ms + i64::from(life_s) * 1000,
        state: books::State::Pending,
        settled_at: None,
        payment_mode: None,
        transaction_id: None,
        error_code: None,
        detailed_error_code: None,
    };
    let order = sandbox
        .journal
        .with(move |books| books.open_order(order))
        .await??;
    Ok(answer(json!({
        "orderId": order.order_id,
        "state": order.state,
        "expireAt": order.expire_at,
        "redirectUrl": format!("{}/{}", sandbox.pages, order.order_id),
    })))
}

/// Answers for how many seconds the order is open.
fn check(ask: &PayAsk) -> Result<u32, Refusal> {
    if !is_merchant_number(&ask.merchant_order_id) {
        return Err(bad(
            "merchantOrderId must be 1 to 63 letters, digits, underscores or hyphens",
        ));
    }
    if ask.amount < LEAST_AMOUNT {
        return Err(bad("amount must be at least 100 paise"));
    }
    let life_s = ask.expire_after.unwrap_or(*LIFE_S.end());
    if !LIFE_S.contains(&life_s) {
        return Err(bad("expireAfter must be 300 to 3600 seconds"));
    }
    if ask.payment_flow.r#type != "PG_CHECKOUT" {
        return Err(bad("paymentFlow.type must be PG_CHECKOUT"));
    }
    let back = Url::parse(&ask.payment_flow.merchant_urls.redirect_url);
    if !back.is_ok_and(|url| matches!(url.scheme(), "http" | "https")) {
        return Err(bad(
            "paymentFlow.merchantUrls.redirectUrl must be a web address",
        ));
    }
    Ok(life_s)
}

pub(super) async fn status(
    State(SandboxGateway(sandbox)): State<SandboxGateway>,
    Path(merchant_order_id): Path<String>,
) -> Result<Response, Refusal> {
    let now_ms = sandbox.clock.now_ms();
    let order = sandbox
        .journal
        .with(move |books| books.order(&merchant_order_id, now_ms))
        .await?
        .ok_or(NO_SUCH_ORDER)?;
    let wrong_amount = sandbox.switches.now().wrong_amount;
    Ok(answer(told(&order, wrong_amount)))
}

/// An order as states and webhooks tell it.
pub(super) fn told(order: &Order, wrong_amount: bool) -> Value {
    let amount = if wrong_amount {
        order.amount / 2
    } else {
        order.amount
    };
    let details = order.transaction_id.as_ref().map(|transaction_id| {
        json!({
            "transactionId": transaction_id,
            "paymentMode": order.payment_mode,
            "timestamp": order.settled_at,
            "amount": amount,
            "state": order.state,
            "errorCode": order.error_code,
            "detailedErrorCode": order.detailed_error_code,
        })
    });
    json!({
        "merchantOrderId": order.merchant_order_id,
        "orderId": order.order_id,
        "state": order.state,
        "amount": amount,
        "expireAt": order.expire_at,
        "errorCode": order.error_code,
        "detailedErrorCode": order.detailed_error_code,
        "metaInfo": order.meta_info,
        "paymentDetails": details.into_iter().collect::<Vec<_>>(),
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefundAsk {
    merchant_refund_id: String,
    original_merchant_order_id: String,
    amount: i64,
}

pub(super) async fn refund(
    State(gateway): State<SandboxGateway>,
    ask: Result<Json<RefundAsk>, JsonRejection>,
) -> Result<Response, Refusal> {
    let Ok(Json(ask)) = ask else {
        return Err(bad("The request cannot be read"));
    };
    if !is_merchant_number(&ask.merchant_refund_id) {
        return Err(bad(
            "merchantRefundId must be 1 to 63 letters, digits, underscores or hyphens",
        ));
    }
    let sandbox = &gateway.0;
    let switches = sandbox.switches.now();
    let now_ms = sandbox.clock.now_ms();
    let due_ms = now_ms + i64::from(switches.refund_ms);
    let refund = Refund {
        merchant_refund_id: ask.merchant_refund_id,
        original_merchant_order_id: ask.original_merchant_order_id,
        refund_id: format!("OMR{}", sandbox.ids.new_id().replace('-', "")),
        amount: ask.amount,
        created_at: now_ms,
        state: books::State::Pending,
        due: match switches.refunds {
            RefundFate::Complete => Some((due_ms, books::State::Completed)),
            RefundFate::Fail => Some((due_ms, books::State::Failed)),
            RefundFate::StayPending => None,
        },
        error_code: None,
    };
    let (refund, new) = sandbox
        .journal
        .with(move |books| books.open_refund(refund, now_ms))
        .await??;
    if new && refund.due.is_some() {
        let wait = Duration::from_millis(u64::from(switches.refund_ms));
        let id = refund.merchant_refund_id.clone();
        tokio::spawn(settle_refund(gateway.clone(), id, wait));
    }
    Ok(answer(json!({
        "refundId": refund.refund_id,
        "amount": refund.amount,
        "state": refund.state,
    })))
}

/// The bank is done: tells the shop.
async fn settle_refund(SandboxGateway(sandbox): SandboxGateway, id: String, wait: Duration) {
    tokio::time::sleep(wait).await;
    let now_ms = sandbox.clock.now_ms();
    let refund = sandbox
        .journal
        .with(move |books| books.refund(&id, now_ms))
        .await;
    if let Ok(Some(refund)) = refund {
        webhooks::tell_of_refund(&sandbox, told_refund(&refund), refund.state).await;
    }
}

fn told_refund(refund: &Refund) -> Value {
    json!({
        "merchantRefundId": refund.merchant_refund_id,
        "originalMerchantOrderId": refund.original_merchant_order_id,
        "refundId": refund.refund_id,
        "amount": refund.amount,
        "state": refund.state,
        "errorCode": refund.error_code,
    })
}

pub(super) async fn refund_status(
    State(SandboxGateway(sandbox)): State<SandboxGateway>,
    Path(merchant_refund_id): Path<String>,
) -> Result<Response, Refusal> {
    let now_ms = sandbox.clock.now_ms();
    let refund = sandbox
        .journal
        .with(move |books| books.refund(&merchant_refund_id, now_ms))
        .await?
        .ok_or(NO_SUCH_REFUND)?;
    Ok(answer(told_refund(&refund)))
}

pub(super) async fn record(
    State(SandboxGateway(sandbox)): State<SandboxGateway>,
) -> Result<Response, Refusal> {
    Ok(answer(sandbox.record().await?))
}

impl Inner {
    async fn record(&self) -> Result<Value, CannotWrite> {
        let now_ms = self.clock.now_ms();
        self.journal.with(move |books| books.record(now_ms)).await
    }
}

fn answer(body: Value) -> Response {
    ([(CACHE_CONTROL, "no-store")], Json(body)).into_response()
}
