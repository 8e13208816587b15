//! The product calls: answered from memory, for anybody.

use axum::extract::{Path, Query, RawQuery, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};
use mirasa_app::AppError;
use mirasa_domain::product::ProductId;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::answers::search_body;
use crate::encoded::Encoded;
use crate::error::Answer;
use crate::security;
use crate::shelf_query::ShelfQuery;
use crate::site::Site;

/// A browser may keep the answer but asks each time whether it still holds.
const REVALIDATE: &str = "no-cache";
const JSON: &str = "application/json";

pub fn respond(site: &Site, answer: &Encoded, headers: &HeaderMap) -> Response {
    answer.respond(headers, StatusCode::OK, JSON, REVALIDATE, |head| {
        security::dress(site, head);
    })
}

pub async fn shop(State(site): State<Site>, headers: HeaderMap) -> Response {
    respond(&site, &site.answers.shop(), &headers)
}

pub async fn trending(State(site): State<Site>, headers: HeaderMap) -> Response {
    respond(
        &site,
        &site.answers.trending(&site.shop.catalogue.snapshot()),
        &headers,
    )
}

pub async fn all(
    State(site): State<Site>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Answer<Response> {
    let query = ShelfQuery::parse(&query.unwrap_or_default())?;
    let answer = site.answers.shelf(&site.shop.catalogue.snapshot(), &query);
    Ok(respond(&site, &answer, &headers))
}

pub async fn filters(State(site): State<Site>, headers: HeaderMap) -> Response {
    respond(
        &site,
        &site.answers.filters(&site.shop.catalogue.snapshot()),
        &headers,
    )
}

pub async fn one(
    State(site): State<Site>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Answer<Response> {
    let answer = site
        .answers
        .one(&site.shop.catalogue.snapshot(), &ProductId(id));
    let answer = answer.ok_or_else(|| AppError::not_found("Product not found."))?;
    Ok(respond(&site, &answer, &headers))
}

pub async fn related(State(site): State<Site>, Path(id): Path<String>) -> Answer<Response> {
    let body = site
        .answers
        .related(&site.shop.catalogue.snapshot(), &ProductId(id));
    let body = body.ok_or_else(|| AppError::not_found("Product not found."))?;
    Ok(fresh_json(body))
}

#[derive(Deserialize, IntoParams)]
pub struct SearchQuery {
    /// Part of a product's name or category.
    #[serde(default)]
    q: String,
}

pub async fn search(State(site): State<Site>, Query(query): Query<SearchQuery>) -> Response {
    found(&site, &query.q)
}

pub fn found(site: &Site, words: &str) -> Response {
    let mut response = fresh_json(search_body(&site.shop.catalogue.snapshot(), words));
    security::dress(site, response.headers_mut());
    response
}

fn fresh_json(body: Vec<u8>) -> Response {
    (
        [
            (header::CONTENT_TYPE, JSON),
            (header::CACHE_CONTROL, REVALIDATE),
        ],
        body,
    )
        .into_response()
}
