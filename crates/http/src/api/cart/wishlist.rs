//! The wishlist. Each request returns the whole wishlist.

use axum::extract::{Path, State};
use mirasa_domain::product::ProductId;
use mirasa_domain::user::UserId;

use crate::api::cart::types::{WishlistItemDto, WishlistResponse};
use crate::error::ApiResult;
use crate::extract::json::Json;
use crate::guard::access::CurrentUser;
use crate::state::AppState;

async fn response(state: &AppState, user: &UserId) -> ApiResult<Json<WishlistResponse>> {
    let wishlist = state
        .shop
        .wishlist(user)
        .await?
        .iter()
        .map(|product| WishlistItemDto::from(&**product))
        .collect();
    Ok(Json(WishlistResponse {
        success: true,
        wishlist,
    }))
}

pub async fn show(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
) -> ApiResult<Json<WishlistResponse>> {
    response(&state, &user.id).await
}

pub async fn add(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path(id): Path<String>,
) -> ApiResult<Json<WishlistResponse>> {
    state.shop.add_to_wishlist(&user.id, ProductId(id)).await?;
    response(&state, &user.id).await
}

pub async fn remove(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path(id): Path<String>,
) -> ApiResult<Json<WishlistResponse>> {
    state
        .shop
        .remove_from_wishlist(&user.id, ProductId(id))
        .await?;
    response(&state, &user.id).await
}

pub async fn move_to_cart(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path(id): Path<String>,
) -> ApiResult<Json<WishlistResponse>> {
    state.shop.move_to_cart(&user.id, ProductId(id)).await?;
    response(&state, &user.id).await
}
