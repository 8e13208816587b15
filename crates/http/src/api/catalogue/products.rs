//! The responses of the catalogue, from memory.

use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use mirasa_app::AppError;
use mirasa_domain::cart::CartError;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::cache::response_cache::{CacheRequest, CachedBody, CachedResponse};
use crate::error::ApiResult;
use crate::guard::security_headers::add_security_headers;
use crate::state::AppState;

/// A browser may keep the response but asks each time whether it is current.
const NO_CACHE: &str = "no-cache";
const JSON: &str = "application/json";
/// The text of a search as the shop spells it, form-encoded, where no product contains it as it was typed.
const CORRECTED_TO: HeaderName = HeaderName::from_static("x-corrected-to");

/// The parameters of a search, for the OpenAPI description.
#[derive(Deserialize, IntoParams)]
#[allow(dead_code)]
pub struct SearchParams {
    /// Part of a product's name or category; close spellings, synonyms and ingredients are found as well. If no product
    /// contains the text as it is, the header `x-corrected-to` has the text that was searched for, form-encoded.
    #[serde(default)]
    q: String,
}

/// The parameters of suggestions, for the OpenAPI description.
#[derive(Deserialize, IntoParams)]
#[allow(dead_code)]
pub struct SuggestionParams {
    /// What was typed. It is compared as in a search.
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
        CachedBody::Built(body) => built(state, body.into(), None),
        CachedBody::Searched(found) => {
            built(state, found.plain.clone(), found.corrected_to.as_deref())
        }
    })
}

fn built(state: &AppState, body: Bytes, corrected_to: Option<&str>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, JSON),
        (header::CACHE_CONTROL, NO_CACHE),
    ];
    let mut response = (headers, body).into_response();
    if let Some(text) = corrected_to {
        let encoded: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
        if let Ok(value) = HeaderValue::from_str(&encoded) {
            response.headers_mut().insert(CORRECTED_TO, value);
        }
    }
    add_security_headers(&state.settings, response.headers_mut());
    response
}
