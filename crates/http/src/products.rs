//! The responses of the catalogue, from memory.

use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};
use mirasa_app::AppError;
use mirasa_domain::cart::CartError;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::error::ApiResult;
use crate::response_cache::{CacheRequest, CachedBody, CachedResponse};
use crate::security_headers::add_security_headers;
use crate::state::AppState;

/// A browser may keep the response but asks each time whether it is current.
const NO_CACHE: &str = "no-cache";
const JSON: &str = "application/json";

/// The parameters of a search, for the OpenAPI description.
#[derive(Deserialize, IntoParams)]
#[allow(dead_code)]
pub struct SearchParams {
    /// Part of a product's name or category.
    #[serde(default)]
    q: String,
}

pub async fn cached(
    response: CachedResponse,
    State(state): State<AppState>,
    headers: HeaderMap,
    id: Option<Path<String>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let (Path(id), query) = (
        id.unwrap_or_else(|| Path(String::new())),
        query.unwrap_or_default(),
    );
    let request = response.request(&id, &query)?;
    respond(&state, &request, &headers)
}

pub fn respond(
    state: &AppState,
    request: &CacheRequest<'_>,
    headers: &HeaderMap,
) -> ApiResult<Response> {
    let snapshot = state.shop.catalogue.snapshot();
    let body = state.response_cache.get(&snapshot, request);
    let not_found = || AppError::from(CartError::ProductNotFound);
    Ok(match body.ok_or_else(not_found)? {
        CachedBody::Kept(body) => body.respond(headers, StatusCode::OK, JSON, NO_CACHE, |head| {
            add_security_headers(&state.settings, head);
        }),
        CachedBody::Built(body) => {
            let headers = [
                (header::CONTENT_TYPE, JSON),
                (header::CACHE_CONTROL, NO_CACHE),
            ];
            let mut response = (headers, body).into_response();
            add_security_headers(&state.settings, response.headers_mut());
            response
        }
    })
}
