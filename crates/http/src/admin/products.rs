//! Managing products and their pictures.

use std::sync::Arc;

use axum::extract::{Multipart, Path, Query, State};
use http::{HeaderMap, StatusCode};
use mirasa_app::ports::images::{ImageFolder, MAX_UPLOAD_BYTES};
use mirasa_app::{AppError, ErrorKind};
use mirasa_domain::product::{ProductId, TrendingRank};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::access::Me;
use crate::error::Answer;
use crate::json::Json;
use crate::site::Site;
use crate::upload_gate::Uploader;
use crate::wire::Done;
use crate::wire::admin::{
    FilesAnswer, ProductBody, ProductPageAnswer, RankAnswer, RankBody, VisibilityAnswer,
};
use crate::wire::product::{ProductAnswer, ProductWire};

#[derive(Deserialize, IntoParams)]
pub struct ProductsQuery {
    /// Part of a name, a category or an id.
    #[serde(default)]
    search: String,
    page: Option<usize>,
    /// 1 to 1000; 1000 where it is not given.
    limit: Option<usize>,
}

/// From memory, hidden ones too.
pub async fn list(
    State(site): State<Site>,
    Query(query): Query<ProductsQuery>,
) -> Answer<Json<ProductPageAnswer>> {
    let limit = query.limit.unwrap_or(1000);
    let page = query.page.unwrap_or(1);
    if !(1..=1000).contains(&limit) || page < 1 {
        return Err(AppError::invalid("page must be 1 or more, limit from 1 to 1000").into());
    }
    let snapshot = site.shop.catalogue.snapshot();
    let found = snapshot.search_all(&query.search);
    let (total, pages) = (found.len(), found.len().div_ceil(limit).max(1));
    let products = found
        .into_iter()
        .skip(limit.saturating_mul(page - 1))
        .take(limit)
        .map(|product| ProductWire::from(&**product))
        .collect();
    Ok(Json(ProductPageAnswer {
        products,
        total,
        page,
        pages,
    }))
}

pub async fn add(
    State(site): State<Site>,
    Me(who): Me,
    Json(body): Json<ProductBody>,
) -> Answer<(StatusCode, Json<ProductAnswer>)> {
    let product = site.shop.add_product(&who, body.into_new()?).await?;
    Ok((
        StatusCode::CREATED,
        Json(ProductAnswer {
            product: (&product).into(),
        }),
    ))
}

pub async fn update(
    State(site): State<Site>,
    Me(who): Me,
    Path(id): Path<String>,
    Json(body): Json<ProductBody>,
) -> Answer<Json<ProductAnswer>> {
    let product = site
        .shop
        .update_product(&who, ProductId(id), |was| body.clone().into_edit(was))
        .await?;
    Ok(Json(ProductAnswer {
        product: (&product).into(),
    }))
}

pub async fn delete(
    State(site): State<Site>,
    Me(who): Me,
    Path(id): Path<String>,
) -> Answer<Json<Done>> {
    site.shop.delete_product(&who, ProductId(id)).await?;
    Ok(Json(Done { success: true }))
}

pub async fn set_rank(
    State(site): State<Site>,
    Me(who): Me,
    Path(id): Path<String>,
    Json(body): Json<RankBody>,
) -> Answer<Json<RankAnswer>> {
    let rank = body
        .trending_rank
        .map(TrendingRank::new)
        .transpose()
        .map_err(AppError::from)?;
    site.shop
        .set_trending_rank(&who, ProductId(id), rank)
        .await?;
    Ok(Json(RankAnswer {
        trending_rank: body.trending_rank,
    }))
}

pub async fn toggle_visibility(
    State(site): State<Site>,
    Me(who): Me,
    Path(id): Path<String>,
) -> Answer<Json<VisibilityAnswer>> {
    let is_visible = site.shop.toggle_visibility(&who, ProductId(id)).await?;
    Ok(Json(VisibilityAnswer { is_visible }))
}

/// One file after the other, so that only one is in memory. What was stored before a bad one stays on the
/// shelf, named by its name and content; sending it again costs nothing.
pub async fn upload(
    State(site): State<Site>,
    headers: HeaderMap,
    mut form: Multipart,
) -> Answer<Json<FilesAnswer>> {
    // Nothing of the body has been read yet.
    let gate = site.upload_gate.enter(Uploader::Admin, &headers);
    let body_memory = Arc::new(gate.await?);
    let unreadable = |error: axum::extract::multipart::MultipartError| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            AppError::new(ErrorKind::TooLarge, "The upload is too large")
        }
        _ => AppError::invalid("The upload could not be read"),
    };
    let mut files = Vec::new();
    while let Some(mut field) = form.next_field().await.map_err(unreadable)? {
        if field.name() != Some("images") {
            continue;
        }
        let name = field.file_name().unwrap_or("the picture").to_owned();
        let mut bytes = Vec::new();
        while let Some(chunk) = field.chunk().await.map_err(unreadable)? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > MAX_UPLOAD_BYTES {
                return Err(AppError::new(
                    ErrorKind::TooLarge,
                    format!("{name} is larger than 20 MB or 50 megapixels"),
                )
                .into());
            }
        }
        let (pictures, body_memory) = (Arc::clone(&site.shop.pictures), Arc::clone(&body_memory));
        let storing = tokio::spawn(async move {
            let _body_memory = body_memory;
            pictures
                .import(ImageFolder::Products, &name, false, bytes)
                .await
        });
        files.push(storing.await.map_err(AppError::internal)??.file);
    }
    if files.is_empty() {
        return Err(AppError::invalid("images is required").into());
    }
    Ok(Json(FilesAnswer { files }))
}
