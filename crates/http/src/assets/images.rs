//! Images in the size and format that the browser asks for.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use mirasa_app::AppError;
use mirasa_app::ports::images::{Format, ImageFolder, ImageRequest};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::error::ApiResult;
use crate::extract::query::Query;
use crate::state::AppState;

#[derive(Deserialize, IntoParams)]
pub struct ImageQuery {
    /// The width on the screen, in device pixels.
    w: Option<u32>,
    /// The image's version. A URL with the current version never changes.
    v: Option<String>,
}

impl ImageQuery {
    pub fn width(&self) -> Option<u32> {
        self.w
    }
}

pub async fn get(
    State(state): State<AppState>,
    headers: HeaderMap,
    Path((folder, file)): Path<(String, String)>,
    Query(query): Query<ImageQuery>,
) -> ApiResult<Response> {
    let none = || AppError::not_found("There is no such picture");
    let folder = ImageFolder::parse_public(&folder).ok_or_else(none)?;
    let request = ImageRequest {
        folder,
        file,
        width: query.w,
        formats: accepted_formats(&headers),
    };
    let picture = state
        .shop
        .images
        .get(request)
        .await
        .map_err(AppError::internal)?
        .ok_or_else(none)?;

    let cache = match (picture.exact, query.v.as_deref()) {
        // A profile picture is for the user's own browser only, and not for long after sign-out.
        _ if folder == ImageFolder::People => "private, max-age=300",
        (true, Some(version)) if version == picture.version => {
            "public, max-age=31536000, immutable"
        }
        (true, _) => "public, max-age=3600",
        // A substitute: the requested rendition is being made.
        (false, _) => "no-cache",
    };
    let etag = format!(
        "\"{}-{}-{}\"",
        picture.version,
        picture.bytes.len(),
        picture.content_type.trim_start_matches("image/")
    );
    let common = [
        (header::CACHE_CONTROL, HeaderValue::from_static(cache)),
        (header::VARY, HeaderValue::from_static("accept")),
        (
            header::ETAG,
            HeaderValue::from_str(&etag).map_err(AppError::internal)?,
        ),
    ];
    if headers
        .get(header::IF_NONE_MATCH)
        .is_some_and(|known| known == etag.as_str())
    {
        return Ok((StatusCode::NOT_MODIFIED, common).into_response());
    }
    Ok((
        common,
        [(header::CONTENT_TYPE, picture.content_type)],
        picture.bytes,
    )
        .into_response())
}

/// Every browser reads JPEG, so it is always the last choice.
pub(crate) fn accepted_formats(headers: &HeaderMap) -> Vec<Format> {
    let accept = headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let mut formats = Vec::with_capacity(3);
    if accept.contains("image/avif") {
        formats.push(Format::Avif);
    }
    if accept.contains("image/webp") {
        formats.push(Format::WebP);
    }
    formats.push(Format::Jpeg);
    formats
}
