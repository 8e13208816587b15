//! Parcels: ship packed orders, labels, tracking numbers.

use axum::extract::{Path, State};
use axum::response::Response;
use http::HeaderValue;
use mirasa_app::orders::LeavingConfirmation;
use mirasa_app::repository::shipping::ShipmentGroup;
use mirasa_app::{AppError, Shop};
use mirasa_domain::order::OrderId;
use mirasa_domain::shipment::ShipmentId;

use crate::api::invoices::files::pdf;
use crate::api::orders::handlers::details;
use crate::api::orders::history_types::Viewer;
use crate::api::orders::types::OrderResponse;
use crate::api::shipping::types::{
    CourierQuoteDto, CourierQuotesResponse, OrderToShipDto, ParcelsQuery, ShipRequest, ShipmentDto,
    ShipmentPageResponse, ShipmentResponse, ShipmentsQuery, ShipmentsResponse, TrackingRequest,
};
use crate::error::ApiResult;
use crate::extract::json::Json;
use crate::extract::pagination::PageQuery;
use crate::extract::query::Query;
use crate::guard::access::CurrentUser;
use crate::state::AppState;

/// The orders whose parcels have no label, by their short numbers, separated by commas.
const MISSING_LABELS: &str = "x-missing-labels";

impl ShipmentsQuery {
    fn parse(&self, shop: &Shop) -> Result<ShipmentGroup, AppError> {
        Ok(match self.group.as_str() {
            "" | "all" => ShipmentGroup::All,
            "attention" => ShipmentGroup::Attention,
            "unscanned" => shop.unscanned_parcels(),
            "preparing" => ShipmentGroup::Preparing,
            "underway" => ShipmentGroup::UnderWay,
            "delivered" => ShipmentGroup::Delivered,
            "returned" => ShipmentGroup::Returned,
            _ => {
                let message = "group is not a group of parcels";
                return Err(AppError::invalid(message).with_field("group"));
            }
        })
    }
}

impl ParcelsQuery {
    fn ids(&self) -> Vec<ShipmentId> {
        let ids = self.shipments.split(',').filter(|id| !id.is_empty());
        ids.map(ShipmentId::from).collect()
    }
}

pub async fn ship(
    State(state): State<AppState>,
    CurrentUser(admin): CurrentUser,
    Json(body): Json<ShipRequest>,
) -> ApiResult<Json<ShipmentsResponse>> {
    let rule = body.rule();
    let confirmed = LeavingConfirmation {
        even_if_refunded: body.even_if_refunded,
        ..LeavingConfirmation::default()
    };
    let ids = body.orders.into_iter().map(OrderId).collect();
    let shipped = state.shop.ship_orders(&admin, ids, rule, confirmed).await?;
    let shipments = shipped.into_iter().map(ShipmentDto::from).collect();
    Ok(Json(ShipmentsResponse { shipments }))
}

pub async fn list(
    State(state): State<AppState>,
    Query(query): Query<ShipmentsQuery>,
    Query(part): Query<PageQuery>,
) -> ApiResult<Json<ShipmentPageResponse>> {
    let page = part.page()?;
    let shop = &state.shop;
    let found = shop
        .shipments(query.parse(shop)?, page.skip(), page.limit)
        .await?;
    Ok(Json(ShipmentPageResponse {
        shipments: found.shipments.into_iter().map(ShipmentDto::from).collect(),
        total: found.total,
        page: page.number,
        pages: ((found.total + page.limit - 1) / page.limit).max(1),
        attention: found.attention,
        to_ship: found
            .to_ship
            .into_iter()
            .map(OrderToShipDto::from)
            .collect(),
        to_ship_total: found.to_ship_total,
        summary: found.summary.into(),
        has_partner: shop.courier.is_some(),
    }))
}

pub async fn cancel(
    State(state): State<AppState>,
    CurrentUser(admin): CurrentUser,
    Path(id): Path<ShipmentId>,
) -> ApiResult<Json<ShipmentResponse>> {
    let shipment = state.shop.cancel_shipment(&admin, id).await?.into();
    Ok(Json(ShipmentResponse { shipment }))
}

pub async fn retry(
    State(state): State<AppState>,
    CurrentUser(admin): CurrentUser,
    Path(id): Path<ShipmentId>,
) -> ApiResult<Json<ShipmentResponse>> {
    let shipment = state.shop.retry_shipment(&admin, id).await?.into();
    Ok(Json(ShipmentResponse { shipment }))
}

pub async fn couriers(
    State(state): State<AppState>,
    Path(id): Path<OrderId>,
) -> ApiResult<Json<CourierQuotesResponse>> {
    let quotes = state.shop.courier_quotes(id).await?;
    let couriers = quotes.into_iter().map(CourierQuoteDto::from).collect();
    Ok(Json(CourierQuotesResponse { couriers }))
}

pub async fn set_tracking(
    State(state): State<AppState>,
    CurrentUser(admin): CurrentUser,
    Path(id): Path<OrderId>,
    Json(body): Json<TrackingRequest>,
) -> ApiResult<Json<OrderResponse>> {
    let order = state
        .shop
        .set_manual_tracking(&admin, id, body.into())
        .await?;
    let order = details(&state, order, Viewer::Admin).await?;
    Ok(Json(OrderResponse { order }))
}

pub async fn labels(
    State(state): State<AppState>,
    Query(query): Query<ParcelsQuery>,
) -> ApiResult<Response> {
    let labels = state.shop.labels_pdf(query.ids()).await?;
    let mut response = pdf(labels.file);
    if !labels.missing.is_empty()
        && let Ok(orders) = HeaderValue::from_str(&labels.missing.join(","))
    {
        response.headers_mut().insert(MISSING_LABELS, orders);
    }
    Ok(response)
}

pub async fn manifest(
    State(state): State<AppState>,
    Query(query): Query<ParcelsQuery>,
) -> ApiResult<Response> {
    Ok(pdf(state.shop.manifest_pdf(query.ids()).await?))
}
