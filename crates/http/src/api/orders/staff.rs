//! The page of an order for staff.

use axum::extract::{Path, State};
use mirasa_domain::order::OrderId;

use crate::api::orders::handlers::details;
use crate::api::orders::history_types::Viewer;
use crate::api::orders::staff_types::{
    DeliveryAddressRequest, OrderNoteDto, OrderNoteRequest, OrderNoteResponse, StaffOrderResponse,
};
use crate::api::orders::types::OrderResponse;
use crate::error::ApiResult;
use crate::extract::json::{Created, Json};
use crate::guard::access::CurrentUser;
use crate::state::AppState;

pub async fn get(
    State(state): State<AppState>,
    Path(id): Path<OrderId>,
) -> ApiResult<Json<StaffOrderResponse>> {
    let found = state.shop.staff_order(id).await?;
    Ok(Json(StaffOrderResponse {
        order: details(&state, found.order, Viewer::Admin).await?,
        notes: found.notes.into_iter().map(OrderNoteDto::from).collect(),
        customer: found.customer.map(Into::into),
    }))
}

pub async fn add_note(
    State(state): State<AppState>,
    CurrentUser(who): CurrentUser,
    Path(id): Path<OrderId>,
    Json(body): Json<OrderNoteRequest>,
) -> ApiResult<Created<OrderNoteResponse>> {
    let note = state.shop.add_order_note(&who, id, &body.text).await?;
    Ok(Created(OrderNoteResponse { note: note.into() }))
}

pub async fn correct_address(
    State(state): State<AppState>,
    CurrentUser(who): CurrentUser,
    Path(id): Path<OrderId>,
    Json(body): Json<DeliveryAddressRequest>,
) -> ApiResult<Json<OrderResponse>> {
    let (seen, input) = body.parse();
    let order = state
        .shop
        .correct_delivery_address(&who, id, seen, input)
        .await?;
    let order = details(&state, order, Viewer::Admin).await?;
    Ok(Json(OrderResponse { order }))
}
