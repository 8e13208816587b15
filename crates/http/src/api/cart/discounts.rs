//! Discount codes.

use axum::extract::{Path, State};
use mirasa_domain::discount::DiscountId;

use crate::api::cart::discount_types::{
    DiscountDto, DiscountRequest, DiscountResponse, DiscountsResponse,
};
use crate::error::ApiResult;
use crate::extract::json::{Created, Json};
use crate::guard::access::CurrentUser;
use crate::state::AppState;

pub async fn list(State(state): State<AppState>) -> ApiResult<Json<DiscountsResponse>> {
    let discounts = state.shop.discounts().await?;
    Ok(Json(DiscountsResponse {
        discounts: discounts.into_iter().map(DiscountDto::from).collect(),
    }))
}

pub async fn add(
    State(state): State<AppState>,
    CurrentUser(admin): CurrentUser,
    Json(body): Json<DiscountRequest>,
) -> ApiResult<Created<DiscountResponse>> {
    let (code, terms) = body.into_parts();
    let discount = state.shop.add_discount(&admin, &code, terms).await?.into();
    Ok(Created(DiscountResponse { discount }))
}

pub async fn update(
    State(state): State<AppState>,
    CurrentUser(admin): CurrentUser,
    Path(id): Path<DiscountId>,
    Json(body): Json<DiscountRequest>,
) -> ApiResult<Json<DiscountResponse>> {
    let (code, terms) = body.into_parts();
    let changed = state.shop.change_discount(&admin, id, &code, terms).await?;
    Ok(Json(DiscountResponse {
        discount: changed.into(),
    }))
}
