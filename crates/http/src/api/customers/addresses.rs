//! Saved addresses, for both groups of paths in the specification.

use axum::extract::{Path, State};
use mirasa_domain::address::AddressId;

use crate::api::customers::address_types::{
    AddressDto, AddressRequest, AddressResponse, AddressesResponse,
};
use crate::api::types::SuccessResponse;
use crate::error::ApiResult;
use crate::extract::json::{Created, Json};
use crate::guard::access::CurrentUser;
use crate::state::AppState;

pub async fn list(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
) -> ApiResult<Json<AddressesResponse>> {
    let addresses = state
        .shop
        .addresses(&user.id)
        .await?
        .into_iter()
        .map(AddressDto::from)
        .collect();
    Ok(Json(AddressesResponse { addresses }))
}

pub async fn add(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Json(body): Json<AddressRequest>,
) -> ApiResult<Created<AddressResponse>> {
    let is_default = body.is_default;
    let saved = state
        .shop
        .add_address(&user.id, &body.into(), is_default)
        .await?;
    Ok(Created(AddressResponse {
        address: saved.into(),
    }))
}

pub async fn update(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path(id): Path<AddressId>,
    Json(body): Json<AddressRequest>,
) -> ApiResult<Json<AddressResponse>> {
    let is_default = body.is_default;
    let saved = state
        .shop
        .update_address(&user.id, id, &body.into(), is_default)
        .await?;
    Ok(Json(AddressResponse {
        address: saved.into(),
    }))
}

pub async fn make_default(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path(id): Path<AddressId>,
) -> ApiResult<Json<AddressResponse>> {
    let saved = state.shop.make_default_address(&user.id, id).await?;
    Ok(Json(AddressResponse {
        address: saved.into(),
    }))
}

pub async fn delete(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Path(id): Path<AddressId>,
) -> ApiResult<Json<SuccessResponse>> {
    state.shop.delete_address(&user.id, id).await?;
    Ok(Json(SuccessResponse { success: true }))
}
