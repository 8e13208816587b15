//! The product calls: answered from memory, for anybody.

use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};
use mirasa_app::AppError;
use mirasa_domain::cart::CartError;
use mirasa_domain::product::ProductId;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::error::ApiResult;
use crate::middleware;
use crate::precompressed::Precompressed;
use crate::product_list_query::ProductListQuery;
use crate::query::Query;
use crate::response_cache::search_body;
use crate::state::AppState;

/// A browser may keep the answer but asks each time whether it still holds.
const NO_CACHE: &str = "no-cache";
const JSON: &str = "application/json";

pub fn respond(state: &AppState, answer: &Precompressed, headers: &HeaderMap) -> Response {
    answer.respond(headers, StatusCode::OK, JSON, NO_CACHE, |head| {
        middleware::add_security_headers(state, head);
    })
}

pub async fn shop(State(state): State<AppState>, headers: HeaderMap) -> Response {
    respond(&state, &state.response_cache.shop(), &headers)
}

pub async fn trending(State(state): State<AppState>, headers: HeaderMap) -> Response {
    respond(
        &state,
        &state
            .response_cache
            .trending(&state.shop.catalogue.snapshot()),
        &headers,
    )
}

pub async fn list(
    State(state): State<AppState>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let query = ProductListQuery::parse(&query.unwrap_or_default())?;
    let answer = state
        .response_cache
        .product_list(&state.shop.catalogue.snapshot(), &query);
    Ok(respond(&state, &answer, &headers))
}

pub async fn filters(State(state): State<AppState>, headers: HeaderMap) -> Response {
    respond(
        &state,
        &state
            .response_cache
            .filters(&state.shop.catalogue.snapshot()),
        &headers,
    )
}

pub async fn get(
    State(state): State<AppState>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> ApiResult<Response> {
    let answer = state
        .response_cache
        .product(&state.shop.catalogue.snapshot(), &ProductId(id));
    let answer = answer.ok_or_else(|| AppError::from(CartError::ProductNotFound))?;
    Ok(respond(&state, &answer, &headers))
}

pub async fn related(State(state): State<AppState>, Path(id): Path<String>) -> ApiResult<Response> {
    let body = state
        .response_cache
        .related(&state.shop.catalogue.snapshot(), &ProductId(id));
    let body = body.ok_or_else(|| AppError::from(CartError::ProductNotFound))?;
    Ok(uncached_json(body))
}

#[derive(Deserialize, IntoParams)]
pub struct SearchQuery {
    /// Part of a product's name or category.
    #[serde(default)]
    q: String,
}

pub async fn search(State(state): State<AppState>, Query(query): Query<SearchQuery>) -> Response {
    search_response(&state, &query.q)
}

pub fn search_response(state: &AppState, words: &str) -> Response {
    let mut response = uncached_json(search_body(&state.shop.catalogue.snapshot(), words));
    middleware::add_security_headers(state, response.headers_mut());
    response
}

fn uncached_json(body: Vec<u8>) -> Response {
    (
        [
            (header::CONTENT_TYPE, JSON),
            (header::CACHE_CONTROL, NO_CACHE),
        ],
        body,
    )
        .into_response()
}
