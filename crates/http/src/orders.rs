//! Checkout, payment and the shopper's orders.

use axum::extract::{FromRequest as _, Path, Request, State};
use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use mirasa_app::payments::checkout::{CheckoutRedirect, CheckoutRequest};
use mirasa_app::ports::payment::{WebhookError, WebhookEvent};
use mirasa_app::{AppError, ErrorKind};
use mirasa_domain::order::PaymentStatus;

use crate::access::Me;
use crate::error::Answer;
use crate::json::Json;
use crate::site::Site;
use crate::wire::Done;
use crate::wire::order::{
    CheckoutAnswer, CheckoutBody, OrderAnswer, OrderWire, OrdersAnswer, PaidOrderAnswer,
};

impl From<CheckoutRedirect> for CheckoutAnswer {
    fn from(checkout: CheckoutRedirect) -> CheckoutAnswer {
        CheckoutAnswer {
            redirect_url: checkout.redirect_url,
            merchant_order_id: checkout.merchant_order_id,
        }
    }
}

pub async fn check_out(
    State(site): State<Site>,
    Me(user): Me,
    headers: HeaderMap,
    Json(body): Json<CheckoutBody>,
) -> Answer<Json<CheckoutAnswer>> {
    let key = headers
        .get("idempotency-key")
        .map(|key| key.to_str().map(str::to_owned))
        .transpose();
    let key = key.map_err(|_| AppError::invalid("Idempotency-Key must be plain text"))?;
    let ask = CheckoutRequest {
        address_id: body.address_id,
        expected_total: body.expected_total.map(|total| total.0),
        idempotency_key: key,
    };
    let _turn = site.checkouts.take(&user.id).await?;
    Ok(Json(site.shop.check_out(&user.id, ask).await?.into()))
}

pub async fn pay_again(
    State(site): State<Site>,
    Me(user): Me,
    Path(id): Path<String>,
) -> Answer<Json<CheckoutAnswer>> {
    let _turn = site.checkouts.take(&user.id).await?;
    Ok(Json(site.shop.pay_again(&user.id, id).await?.into()))
}

/// What the payment page shows and asks again while the payment is pending.
pub async fn paid_order(
    State(site): State<Site>,
    Me(user): Me,
    Path(id): Path<String>,
) -> Answer<Json<PaidOrderAnswer>> {
    let order = site.shop.order_by_payment(&user, &id).await?;
    let message = match order.state.payment_status {
        PaymentStatus::Completed => "Payment successful! Your order has been confirmed.".to_owned(),
        PaymentStatus::Failed => order
            .payment_error
            .clone()
            .unwrap_or_else(|| "Payment failed. Please try again.".into()),
        PaymentStatus::Pending => "Payment pending...".to_owned(),
    };
    Ok(Json(PaidOrderAnswer {
        success: true,
        message,
        order: order.into(),
    }))
}

pub async fn list(State(site): State<Site>, Me(user): Me) -> Answer<Json<OrdersAnswer>> {
    let orders = site
        .shop
        .orders_of(&user.id)
        .await?
        .into_iter()
        .map(OrderWire::from)
        .collect();
    Ok(Json(OrdersAnswer { orders }))
}

pub async fn one(
    State(site): State<Site>,
    Me(user): Me,
    Path(id): Path<String>,
) -> Answer<Json<OrderAnswer>> {
    let order = site.shop.order_visible_to(&user, id).await?;
    Ok(Json(OrderAnswer {
        order: order.into(),
    }))
}

/// The gateway's own call. Nothing of its body is read before its header has said that it is the gateway's.
/// It must be answered at once, so the looking is done afterwards; should that fail, the reconciler comes by
/// anyway.
pub async fn webhook(
    State(site): State<Site>,
    Path(provider): Path<String>,
    headers: HeaderMap,
    request: Request,
) -> Answer<(StatusCode, Json<Done>)> {
    if provider != "phonepe" {
        return Err(AppError::not_found("There is no such payment provider").into());
    }
    let authorization = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let gateway = &site.shop.gateway;
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
    let shop = site.shop.finishing();
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
    Ok((StatusCode::OK, Json(Done { success: true })))
}
