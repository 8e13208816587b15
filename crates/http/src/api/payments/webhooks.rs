//! Webhooks of the payment gateway and of the delivery partner.

use axum::extract::{FromRequest as _, Path, Request, State};
use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use mirasa_app::ports::payment::{WebhookError, WebhookEvent};
use mirasa_app::{AppError, ErrorCode, ErrorKind};
use tracing::Instrument as _;

use crate::api::types::SuccessResponse;
use crate::error::ApiResult;
use crate::extract::json::Json;
use crate::state::AppState;

/// The body is read only after the header has proved that the request comes from the gateway. The gateway expects a
/// response at once, so the payment is polled afterwards; if that fails, the reconciler polls it later.
pub async fn receive(
    State(state): State<AppState>,
    Path(provider): Path<String>,
    headers: HeaderMap,
    request: Request,
) -> ApiResult<Json<SuccessResponse>> {
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
    let body = read_body(request).await?;
    let webhook = gateway
        .parse_webhook(authorization, &body)
        .map_err(into_app_error)?;
    let shop = state.shop.finishing();
    let handling = async move {
        let handled = match webhook {
            WebhookEvent::Payment { merchant_order_id } => {
                shop.handle_payment_webhook(&merchant_order_id).await
            }
            WebhookEvent::Refund { merchant_refund_id } => {
                shop.schedule_refund_now(merchant_refund_id).await
            }
            WebhookEvent::Other => Ok(()),
        };
        match handled {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                tracing::warn!(error = ?error.source, "a webhook could not be followed up")
            }
            _ => {}
        }
    };
    tokio::spawn(handling.in_current_span());
    Ok(Json(SuccessResponse { success: true }))
}

/// Also only a trigger. The parcel becomes due in the database, so nothing is lost if the server stops; the worker polls it
/// within a second. An unknown parcel is no error: the partner would repeat the webhook.
pub async fn receive_from_courier(
    State(state): State<AppState>,
    headers: HeaderMap,
    request: Request,
) -> ApiResult<Json<SuccessResponse>> {
    let courier = state.shop.courier.clone();
    let courier = courier.ok_or_else(|| AppError::not_found("There is no delivery partner"))?;
    let key = headers
        .get("x-api-key")
        .and_then(|value| value.to_str().ok());
    if !courier.is_authentic(key) {
        return Err(AppError::not_authenticated().into());
    }
    let body = read_body(request).await?;
    let webhook = courier.parse_webhook(key, &body).map_err(into_app_error)?;
    state
        .shop
        .finishing()
        .handle_courier_webhook(webhook)
        .await?;
    Ok(Json(SuccessResponse { success: true }))
}

async fn read_body(request: Request) -> Result<Bytes, AppError> {
    let body = Bytes::from_request(request, &()).await;
    body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            AppError::new(ErrorCode::TooLarge, "The request is too large")
        }
        _ => AppError::invalid("The request body could not be read"),
    })
}

fn into_app_error(error: WebhookError) -> AppError {
    match error {
        WebhookError::Unauthenticated => AppError::not_authenticated(),
        WebhookError::Malformed => AppError::invalid(error.to_string()),
    }
}
