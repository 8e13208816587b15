//! Products and their images.

use std::sync::Arc;

use axum::extract::{Multipart, Path, State};
use http::HeaderMap;
use mirasa_app::ports::images::{ImageFolder, MAX_UPLOAD_BYTES};
use mirasa_app::{AppError, ErrorCode};
use mirasa_domain::cart::CartError;
use mirasa_domain::product::{ProductId, TrendingRank};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::catalogue::admin_types::{
    ProductPageResponse, ProductRequest, TrendingRankRequest, TrendingRankResponse, UploadResponse,
    VisibilityResponse,
};
use crate::api::catalogue::types::{ProductDto, ProductResponse};
use crate::api::orders::problems::multipart_error;
use crate::api::types::SuccessResponse;
use crate::error::ApiResult;
use crate::extract::json::{Created, Json};
use crate::extract::pagination::out_of_range;
use crate::extract::query::Query;
use crate::guard::access::CurrentUser;
use crate::guard::upload_gate::Uploader;
use crate::state::AppState;

#[derive(Deserialize, IntoParams)]
pub struct ProductsQuery {
    /// Part of a name, a category or an id.
    #[serde(default)]
    search: String,
    page: Option<usize>,
    /// 1 to 1000; 1000 by default.
    limit: Option<usize>,
}

/// From memory, including hidden products.
pub async fn list(
    State(state): State<AppState>,
    Query(query): Query<ProductsQuery>,
) -> ApiResult<Json<ProductPageResponse>> {
    let limit = query.limit.unwrap_or(1000);
    let page = query.page.unwrap_or(1);
    if page < 1 {
        return Err(out_of_range("page").into());
    }
    if !(1..=1000).contains(&limit) {
        return Err(out_of_range("limit").into());
    }
    let snapshot = state.shop.catalogue.snapshot();
    let found = snapshot.search_all(&query.search);
    let (total, pages) = (found.len(), found.len().div_ceil(limit).max(1));
    let products = found
        .into_iter()
        .skip(limit.saturating_mul(page - 1))
        .take(limit)
        .map(|product| ProductDto::for_admin(product))
        .collect();
    Ok(Json(ProductPageResponse {
        products,
        total,
        page,
        pages,
    }))
}

/// From memory, also if it is hidden.
pub async fn show(
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> ApiResult<Json<ProductResponse>> {
    let snapshot = state.shop.catalogue.snapshot();
    let product = snapshot
        .find(&ProductId(id))
        .ok_or(AppError::from(CartError::ProductNotFound))?;
    Ok(Json(ProductResponse {
        product: ProductDto::for_admin(product),
    }))
}

pub async fn add(
    State(state): State<AppState>,
    CurrentUser(who): CurrentUser,
    Json(body): Json<ProductRequest>,
) -> ApiResult<Created<ProductResponse>> {
    let product = state.shop.add_product(&who, body.into_new()?).await?;
    Ok(Created(ProductResponse {
        product: ProductDto::for_admin(&product),
    }))
}

pub async fn update(
    State(state): State<AppState>,
    CurrentUser(who): CurrentUser,
    Path(id): Path<String>,
    Json(body): Json<ProductRequest>,
) -> ApiResult<Json<ProductResponse>> {
    let product = state
        .shop
        .update_product(&who, ProductId(id), |was| body.clone().into_edit(was))
        .await?;
    Ok(Json(ProductResponse {
        product: ProductDto::for_admin(&product),
    }))
}

pub async fn delete(
    State(state): State<AppState>,
    CurrentUser(who): CurrentUser,
    Path(id): Path<String>,
) -> ApiResult<Json<SuccessResponse>> {
    state.shop.delete_product(&who, ProductId(id)).await?;
    Ok(Json(SuccessResponse { success: true }))
}

pub async fn set_rank(
    State(state): State<AppState>,
    CurrentUser(who): CurrentUser,
    Path(id): Path<String>,
    Json(body): Json<TrendingRankRequest>,
) -> ApiResult<Json<TrendingRankResponse>> {
    let rank = body
        .trending_rank
        .map(TrendingRank::new)
        .transpose()
        .map_err(AppError::from)?;
    state
        .shop
        .set_trending_rank(&who, ProductId(id), rank)
        .await?;
    Ok(Json(TrendingRankResponse {
        trending_rank: body.trending_rank,
    }))
}

pub async fn toggle_visibility(
    State(state): State<AppState>,
    CurrentUser(who): CurrentUser,
    Path(id): Path<String>,
) -> ApiResult<Json<VisibilityResponse>> {
    let is_visible = state.shop.toggle_visibility(&who, ProductId(id)).await?;
    Ok(Json(VisibilityResponse { is_visible }))
}

/// One file after the other, so that only one is in memory. Files before a bad one stay stored under a name made of their
/// name and content, so uploading them again changes nothing.
pub async fn upload(
    State(state): State<AppState>,
    headers: HeaderMap,
    mut form: Multipart,
) -> ApiResult<Json<UploadResponse>> {
    // The body has not been read yet.
    let gate = state.upload_gate.enter(Uploader::Admin, &headers);
    let body_memory = Arc::new(gate.await?);
    let mut files = Vec::new();
    while let Some(mut field) = form.next_field().await.map_err(multipart_error)? {
        if field.name() != Some("images") {
            continue;
        }
        let name = field.file_name().unwrap_or("the picture").to_owned();
        let mut bytes = Vec::new();
        while let Some(chunk) = field.chunk().await.map_err(multipart_error)? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > MAX_UPLOAD_BYTES {
                return Err(AppError::new(
                    ErrorCode::ImageTooLarge,
                    format!("{name} is larger than 20 MB or 50 megapixels"),
                )
                .with_field("images")
                .into());
            }
        }
        let (images, body_memory) = (Arc::clone(&state.shop.images), Arc::clone(&body_memory));
        let storing = tokio::spawn(async move {
            let _body_memory = body_memory;
            images
                .import(ImageFolder::Products, &name, false, bytes)
                .await
        });
        let stored = storing.await.map_err(AppError::internal)?;
        files.push(stored.map_err(|error| error.for_field("images"))?.file);
    }
    if files.is_empty() {
        return Err(AppError::invalid("images is required")
            .with_field("images")
            .into());
    }
    Ok(Json(UploadResponse { files }))
}
