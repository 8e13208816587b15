//! The cart. Each request returns the whole cart.

use axum::extract::{Path, State};
use mirasa_app::repository::reports::daily_sales::VisitStep;

use crate::api::cart::discount_types::EnterDiscountRequest;
use crate::api::cart::types::{AddToCartRequest, CartResponse, UpdateCartRequest, product_id};
use crate::error::ApiResult;
use crate::extract::json::Json;
use crate::guard::access::CurrentUser;
use crate::state::AppState;

pub async fn get(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
) -> ApiResult<Json<CartResponse>> {
    Ok(Json(state.shop.cart(&user.id).await?.into()))
}

pub async fn add(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Json(body): Json<AddToCartRequest>,
) -> ApiResult<Json<CartResponse>> {
    let (product, packs) = body.parse()?;
    let cart = state.shop.add_to_cart(&user.id, product, packs).await?;
    state.shop.visits.add(VisitStep::Cart);
    Ok(Json(cart.into()))
}

pub async fn update(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Json(body): Json<UpdateCartRequest>,
) -> ApiResult<Json<CartResponse>> {
    let version = body.version;
    let (product, packs) = body.parse()?;
    Ok(Json(
        state
            .shop
            .update_cart(&user.id, product, packs, version)
            .await?
            .into(),
    ))
}

pub async fn remove(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path(product): Path<String>,
) -> ApiResult<Json<CartResponse>> {
    let product = product_id(product, "Product ID is required to remove item from cart")?;
    Ok(Json(
        state.shop.remove_from_cart(&user.id, product).await?.into(),
    ))
}

pub async fn clear(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
) -> ApiResult<Json<CartResponse>> {
    Ok(Json(state.shop.clear_cart(&user.id).await?.into()))
}

pub async fn enter_discount(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Json(body): Json<EnterDiscountRequest>,
) -> ApiResult<Json<CartResponse>> {
    let cart = state.shop.enter_discount(&user.id, &body.code).await?;
    Ok(Json(cart.into()))
}

pub async fn remove_discount(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
) -> ApiResult<Json<CartResponse>> {
    Ok(Json(state.shop.remove_discount(&user.id).await?.into()))
}
