//! Checkout, payment and the customer's orders.

use axum::extract::{Path, State};
use http::HeaderMap;
use mirasa_app::AppError;
use mirasa_app::payments::checkout::{CheckoutInput, CheckoutRedirect};
use mirasa_domain::order::{Order, OrderId, PaymentStatus};
use mirasa_domain::payment::AttemptId;

use crate::api::orders::buy_again_types::BuyAgainResponse;
use crate::api::orders::history_types::Viewer;
use crate::api::orders::request_types::{CheckoutRequest, CheckoutResponse};
use crate::api::orders::types::{OrderDto, OrderResponse, OrdersResponse, PaymentResultResponse};
use crate::error::ApiResult;
use crate::extract::json::Json;
use crate::guard::access::CurrentUser;
use crate::state::AppState;

impl From<CheckoutRedirect> for CheckoutResponse {
    fn from(checkout: CheckoutRedirect) -> CheckoutResponse {
        CheckoutResponse {
            redirect_url: checkout.redirect_url,
            merchant_order_id: checkout.merchant_order_id.0,
        }
    }
}

pub async fn check_out(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    headers: HeaderMap,
    Json(body): Json<CheckoutRequest>,
) -> ApiResult<Json<CheckoutResponse>> {
    let key = idempotency_key(&headers)?;
    let ask = CheckoutInput {
        address_id: body.address_id.into(),
        expected_total: body.expected_total.map(|total| total.0),
        idempotency_key: key,
    };
    let _turn = state.checkout_queue.acquire(&user.id).await?;
    Ok(Json(state.shop.check_out(&user.id, ask).await?.into()))
}

pub async fn pay_again(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path(id): Path<OrderId>,
) -> ApiResult<Json<CheckoutResponse>> {
    let _turn = state.checkout_queue.acquire(&user.id).await?;
    Ok(Json(state.shop.pay_again(&user.id, id).await?.into()))
}

/// Polled by the result page while the payment is pending.
pub async fn payment_result(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path(id): Path<AttemptId>,
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
        order: details(&state, order, Viewer::Customer).await?,
    }))
}

pub async fn list(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
) -> ApiResult<Json<OrdersResponse>> {
    let orders = state.shop.orders_of(&user.id).await?;
    let orders = list_details(&state, orders, Viewer::Customer).await?;
    Ok(Json(OrdersResponse { orders }))
}

pub async fn get(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path(id): Path<OrderId>,
) -> ApiResult<Json<OrderResponse>> {
    let order = state.shop.order_visible_to(&user, id).await?;
    let order = details(&state, order, Viewer::Customer).await?;
    Ok(Json(OrderResponse { order }))
}

pub async fn cancel(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path(id): Path<OrderId>,
) -> ApiResult<Json<OrderResponse>> {
    let order = state.shop.cancel_order(&user.id, id).await?;
    let order = details(&state, order, Viewer::Customer).await?;
    Ok(Json(OrderResponse { order }))
}

pub async fn buy_again(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path(id): Path<OrderId>,
) -> ApiResult<Json<BuyAgainResponse>> {
    let (cart, changed) = state.shop.buy_again(&user, id).await?;
    Ok(Json(BuyAgainResponse::new(cart, changed)))
}

pub fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, AppError> {
    let key = headers
        .get("idempotency-key")
        .map(|key| key.to_str().map(str::to_owned))
        .transpose();
    key.map_err(|_| {
        AppError::invalid("Idempotency-Key must be plain text").with_field("Idempotency-Key")
    })
}

/// The orders with their refunds, history and problems.
pub async fn list_details(
    state: &AppState,
    orders: Vec<Order>,
    viewer: Viewer,
) -> ApiResult<Vec<OrderDto>> {
    let now_ms = state.shop.now_ms();
    let details = state.shop.with_details(orders).await?;
    Ok(details
        .into_iter()
        .map(|order| OrderDto::new(order, viewer, now_ms))
        .collect())
}

pub async fn details(state: &AppState, order: Order, viewer: Viewer) -> ApiResult<OrderDto> {
    let details = state.shop.order_details(order).await?;
    Ok(OrderDto::new(details, viewer, state.shop.now_ms()))
}
