//! Paid orders that are packed, shipped and printed together.

use axum::extract::State;
use axum::response::Response;
use http::HeaderValue;
use mirasa_app::orders::LeavingConfirmation;
use mirasa_domain::order::OrderId;

use crate::api::invoices::files::pdf;
use crate::api::orders::handlers::list_details;
use crate::api::orders::history_types::Viewer;
use crate::api::orders::packing_types::{NotPackedDto, PackRequest, PackingQuery};
use crate::api::shipping::pack_and_ship_types::{
    OrderToPackAndShipDto, PackAndShipResponse, ParcelCostDto, ParcelCostsResponse,
    WaitingOrdersResponse,
};
use crate::error::ApiResult;
use crate::extract::json::Json;
use crate::extract::query::Query;
use crate::guard::access::CurrentUser;
use crate::state::AppState;

/// The orders that are not in the file, by their short numbers, separated by commas.
const LEFT_OUT: &str = "x-left-out";

pub async fn list(State(state): State<AppState>) -> ApiResult<Json<WaitingOrdersResponse>> {
    let waiting = state.shop.orders_to_pack_and_ship().await?;
    let orders = waiting.orders.iter().map(|row| row.order.clone());
    let orders = list_details(&state, orders.collect(), Viewer::Admin).await?;
    let rows = waiting.orders.into_iter().zip(orders);
    Ok(Json(WaitingOrdersResponse {
        orders: rows
            .map(|(row, order)| OrderToPackAndShipDto::new(row, order))
            .collect(),
        total: waiting.total,
        has_partner: waiting.has_partner,
    }))
}

pub async fn pack_and_ship(
    State(state): State<AppState>,
    CurrentUser(admin): CurrentUser,
    Json(body): Json<PackRequest>,
) -> ApiResult<Json<PackAndShipResponse>> {
    let confirmed = LeavingConfirmation {
        even_if_refunded: body.even_if_refunded,
        ..LeavingConfirmation::default()
    };
    let seen = body.seen.into_iter();
    let seen = seen.map(|one| (OrderId(one.id), one.version)).collect();
    let ids = body.orders.into_iter().map(OrderId).collect();
    let shop = &state.shop;
    let result = shop.pack_and_ship(&admin, ids, seen, confirmed).await?;
    let refused = result.refused.into_iter().map(NotPackedDto::from);
    Ok(Json(PackAndShipResponse {
        done: result.done.into_iter().map(|id| id.0).collect(),
        refused: refused.collect(),
    }))
}

pub async fn costs(
    State(state): State<AppState>,
    Query(query): Query<PackingQuery>,
) -> ApiResult<Json<ParcelCostsResponse>> {
    let costs = state.shop.parcel_costs(query.ids()).await?;
    Ok(Json(ParcelCostsResponse {
        costs: costs.into_iter().map(ParcelCostDto::from).collect(),
    }))
}

pub async fn papers(
    State(state): State<AppState>,
    Query(query): Query<PackingQuery>,
) -> ApiResult<Response> {
    let papers = state.shop.papers_pdf(query.ids()).await?;
    let mut response = pdf(papers.file);
    if !papers.left_out.is_empty()
        && let Ok(orders) = HeaderValue::from_str(&papers.left_out.join(","))
    {
        response.headers_mut().insert(LEFT_OUT, orders);
    }
    Ok(response)
}
