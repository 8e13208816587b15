//! Stock: what is there, its ledger, counting, receiving and writing off.

use axum::extract::{Path, State};
use http::HeaderMap;
use mirasa_domain::ist;
use mirasa_domain::product::ProductId;

use crate::api::orders::handlers::idempotency_key;
use crate::api::stock::types::{
    DeliveryRequest, ProductStockDto, ProductStockResponse, StockMovementDto, StockMovementRequest,
    StockMovementsResponse, StockResponse,
};
use crate::api::types::SuccessResponse;
use crate::error::ApiResult;
use crate::extract::json::Json;
use crate::extract::pagination::PageQuery;
use crate::extract::query::Query;
use crate::guard::access::CurrentUser;
use crate::state::AppState;

pub async fn list(State(state): State<AppState>) -> ApiResult<Json<StockResponse>> {
    let today = ist::day(state.shop.now_ms());
    let stock = state.shop.stock().await?;
    let products = stock.into_iter();
    Ok(Json(StockResponse {
        products: products
            .map(|stock| ProductStockDto::new(stock, today))
            .collect(),
        low_days: state.shop.settings.low_stock_days,
    }))
}

pub async fn ledger(
    State(state): State<AppState>,
    Path(id): Path<String>,
    Query(part): Query<PageQuery>,
) -> ApiResult<Json<StockMovementsResponse>> {
    let page = part.page()?;
    let ledger = state
        .shop
        .stock_ledger(ProductId(id), page.skip(), page.limit);
    let (entries, total) = ledger.await?;
    Ok(Json(StockMovementsResponse {
        movements: entries.into_iter().map(StockMovementDto::from).collect(),
        total,
        page: page.number,
        pages: ((total + page.limit - 1) / page.limit).max(1),
    }))
}

pub async fn add_movement(
    State(state): State<AppState>,
    CurrentUser(admin): CurrentUser,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(body): Json<StockMovementRequest>,
) -> ApiResult<Json<ProductStockResponse>> {
    let key = idempotency_key(&headers)?;
    let input = body.input()?;
    let moved = state
        .shop
        .move_stock(&admin, ProductId(id), input, &body.note, key.as_deref());
    let product = ProductStockDto::new(moved.await?, ist::day(state.shop.now_ms()));
    Ok(Json(ProductStockResponse { product }))
}

pub async fn receive_delivery(
    State(state): State<AppState>,
    CurrentUser(admin): CurrentUser,
    headers: HeaderMap,
    Json(body): Json<DeliveryRequest>,
) -> ApiResult<Json<SuccessResponse>> {
    let key = idempotency_key(&headers)?;
    state
        .shop
        .receive_delivery(&admin, body.lines(), &body.note, key.as_deref())
        .await?;
    Ok(Json(SuccessResponse { success: true }))
}
