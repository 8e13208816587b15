//! Rejects requests that another site's page sends in the name of the user.

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::{Method, header};
use mirasa_app::{AppError, ErrorCode};

use crate::error::ApiError;
use crate::paths::is_api_path;
use crate::route_table::index::Matched;
use crate::settings::HttpSettings;

/// Rejects a state-changing request from another site's page, with or without a cookie. A request without an Origin
/// header does not come from a page in a browser.
pub fn reject_cross_site(
    settings: &HttpSettings,
    route: &Matched<'_>,
    request: &Request,
) -> Option<Response> {
    let changes = !matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    let is_checked = match route {
        Matched::Route(route) => !route.allows_cross_site,
        Matched::Other => is_api_path(request.uri().path()),
        Matched::Sandbox => false,
    };
    let rejected = changes && is_checked && is_cross_site(settings, request);
    let message = "This call must come from the shop's own pages";
    rejected.then(|| ApiError(AppError::new(ErrorCode::CrossSiteRequest, message)).into_response())
}

fn is_cross_site(settings: &HttpSettings, request: &Request) -> bool {
    let header = |name| {
        request
            .headers()
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
    if header(header::HeaderName::from_static("sec-fetch-site")) == Some("cross-site") {
        return true;
    }
    let Some(origin) = request.headers().get(header::ORIGIN) else {
        return false;
    };
    let Ok(origin) = origin.to_str() else {
        return true;
    };
    let same_host = || {
        header(header::HOST).is_some_and(|host| {
            origin
                .split_once("://")
                .is_some_and(|(_, authority)| authority == host)
        })
    };
    settings.public_url != origin && !same_host()
}
