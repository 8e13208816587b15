//! Checkout, payment and the shopper's orders.

use axum::extract::{FromRequest as _, Path, Request, State};
use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use mirasa_app::payments::checkout::{CheckoutInput, CheckoutRedirect};
use mirasa_app::ports::payment::{WebhookError, WebhookEvent};
use mirasa_app::{AppError, ErrorKind};
use mirasa_domain::order::PaymentStatus;

use crate::access::CurrentUser;
use crate::dto::SuccessResponse;
use crate::dto::order::{
    CheckoutRequest, CheckoutResponse, OrderDto, OrderResponse, OrdersResponse,
    PaymentResultResponse,
};
use crate::error::ApiResult;
use crate::json::Json;
use crate::state::AppState;

impl From<CheckoutRedirect> for CheckoutResponse {
    fn from(checkout: CheckoutRedirect) -> CheckoutResponse {
        CheckoutResponse {
            redirect_url: checkout.redirect_url,
            merchant_order_id: checkout.merchant_order_id,
        }
    }
}

pub async fn check_out(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    headers: HeaderMap,
    Json(body): Json<CheckoutRequest>,
) -> ApiResult<Json<CheckoutResponse>> {
    let key = headers
        .get("idempotency-key")
        .map(|key| key.to_str().map(str::to_owned))
        .transpose();
    let key = key.map_err(|_| AppError::invalid("Idempotency-Key must be plain text"))?;
    let ask = CheckoutInput {
        address_id: body.address_id,
        expected_total: body.expected_total.map(|total| total.0),
        idempotency_key: key,
    };
    let _turn = state.checkout_queue.acquire(&user.id).await?;
    Ok(Json(state.shop.check_out(&user.id, ask).await?.into()))
}

pub async fn pay_again(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path(id): Path<String>,
) -> ApiResult<Json<CheckoutResponse>> {
    let _turn = state.checkout_queue.acquire(&user.id).await?;
    Ok(Json(state.shop.pay_again(&user.id, id).await?.into()))
}

/// What the payment page shows and asks again while the payment is pending.
pub async fn payment_result(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path(id): Path<String>,
) -> ApiResult<Json<PaymentResultResponse>> {
    let order = state.shop.order_by_payment(&user, &id).await?;
    let message = match order.state.payment_status {
        PaymentStatus::Completed => "Payment successful! Your order has been confirmed.".to_owned(),
        PaymentStatus::Failed => order
            .payment_error
            .clone()
            .unwrap_or_else(|| "Payment failed. Please try again.".into()),
        PaymentStatus::Pending => "Payment pending...".to_owned(),
    };
    Ok(Json(PaymentResultResponse {
        success: true,
        message,
        order: order.into(),
    }))
}

pub async fn list(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
) -> ApiResult<Json<OrdersResponse>> {
    let orders = state
        .shop
        .orders_of(&user.id)
        .await?
        .into_iter()
        .map(OrderDto::from)
        .collect();
    Ok(Json(OrdersResponse { orders }))
}

pub async fn get(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path(id): Path<String>,
) -> ApiResult<Json<OrderResponse>> {
    let order = state.shop.order_visible_to(&user, id).await?;
    Ok(Json(OrderResponse {
        order: order.into(),
    }))
}

/// The gateway's own call. Nothing of its body is read before its header has said that it is the gateway's.
/// It must be answered at once, so the looking is done afterwards; should that fail, the reconciler comes by
/// anyway.
pub async fn webhook(
    State(state): State<AppState>,
    Path(provider): Path<String>,
    headers: HeaderMap,
    request: Request,
) -> ApiResult<(StatusCode, Json<SuccessResponse>)> {
    if provider != "phonepe" {
        return Err(AppError::not_found("There is no such payment provider").into());
    }
    let authorization = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let gateway = &state.shop.gateway;
    if !gateway.is_signed(authorization) {
        return Err(AppError::not_authenticated().into());
    }
    let body = Bytes::from_request(request, &()).await;
    let body = body.map_err(|refusal| match refusal.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            AppError::new(ErrorKind::TooLarge, "The request is too large")
        }
        _ => AppError::invalid("The request body could not be read"),
    })?;
    let webhook = gateway
        .parse_webhook(authorization, &body)
        .map_err(|bad| match bad {
            WebhookError::Unauthenticated => AppError::not_authenticated(),
            WebhookError::Malformed => AppError::new(ErrorKind::Invalid, bad.to_string()),
        })?;
    let shop = state.shop.finishing();
    tokio::spawn(async move {
        let followed = match webhook {
            WebhookEvent::Payment { merchant_order_id } => {
                shop.handle_payment_webhook(&merchant_order_id).await
            }
            WebhookEvent::Refund { merchant_refund_id } => {
                shop.schedule_refund_now(merchant_refund_id).await
            }
            WebhookEvent::Other => Ok(()),
        };
        match followed {
            Err(fault) if fault.kind != ErrorKind::NotFound => {
                tracing::warn!(error = ?fault.source, "a webhook could not be followed up")
            }
            _ => {}
        }
    });
    Ok((StatusCode::OK, Json(SuccessResponse { success: true })))
}
