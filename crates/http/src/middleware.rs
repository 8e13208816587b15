//! What is done for every request: its id, the checks before the handler, metrics, and the headers of each response.
//! It is one layer, because each layer costs every request a little.

use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use futures::FutureExt as _;
use http::{HeaderName, HeaderValue, Method};
use metrics::Histogram;
use mirasa_app::ErrorCode;
use mirasa_app::runtime::telemetry;
use tracing::Instrument as _;

use crate::error::{self, ErrorFormat};
use crate::guard::csrf::reject_cross_site;
use crate::guard::rate_limit::check::check_request;
use crate::guard::rate_limit::limits::{RateClass, RateLimit};
use crate::guard::security_headers::add_security_headers;
use crate::paths::is_api_path;
use crate::route_table::index::{Matched, RouteIndex};
use crate::state::AppState;

/// The route label of pages and files in the metrics.
pub const PAGE: &str = "page";

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Clients can invent methods, and each would become a time series that is never removed.
pub fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "OTHER",
    }
}

thread_local! {
    /// Finding a histogram by its labels costs more than most responses, so each thread keeps those it has found. The
    /// key has pointers: a route's text is not moved while the router exists.
    static HISTOGRAMS: RefCell<HashMap<(*const u8, *const u8, u16), Histogram>> = RefCell::default();
}

/// `route` must not be moved or freed while the program runs.
pub fn record_duration(route: &str, method: &'static str, status: u16, took: Duration) {
    let key = (route.as_ptr(), method.as_ptr(), status);
    HISTOGRAMS.with_borrow_mut(|found| {
        let histogram = found.entry(key).or_insert_with(|| {
            metrics::histogram!("http_request_duration_seconds", "route" => route.to_owned(), "method" => method, "status" => status.to_string())
        });
        histogram.record(took);
    });
}

/// Gives the request an id, measures and logs it, and sets the security headers. The path is logged without the query,
/// because sign-in has secrets there.
pub async fn common(
    State((state, routes)): State<(AppState, Arc<RouteIndex>)>,
    request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let id = state.shop.ids.new_id();
    let matched_path = request.extensions().get::<MatchedPath>().cloned();
    let method = method_label(request.method());
    let span = tracing::info_span!("request", id, method, path = request.uri().path());
    let handled = async {
        let route = routes.find(&request);
        if let Some(rejection) = check_request(&state, limits(&route, &request), &request)
            .or_else(|| reject_cross_site(&state.settings, &route, &request))
            .or_else(|| error::reject_nul_in_url(&request))
        {
            return rejection;
        }
        let format = ErrorFormat::of(request.uri());
        format.normalise(catch_panic(next.run(request)).await).await
    };
    let mut response = handled.instrument(span.clone()).await;

    let seconds = started.elapsed();
    let status = response.status().as_u16();
    span.in_scope(|| tracing::debug!(status, ms = seconds.as_millis(), "response"));
    let route = matched_path.as_ref().map_or(PAGE, MatchedPath::as_str);
    record_duration(route, method, status, seconds);
    telemetry::record_route(method, route);

    add_security_headers(&state.settings, response.headers_mut());
    set_request_id(&mut response, &id);
    response
}

/// The rate limits of a request. The table has them for its own routes.
fn limits(route: &Matched<'_>, request: &Request) -> &'static [RateLimit] {
    let class = match route {
        Matched::Route(route) => route.rate_class,
        Matched::Sandbox => RateClass::Unlimited,
        Matched::Other => match (request.uri().path(), request.method()) {
            (path, _) if path.starts_with("/assets/") => RateClass::Unlimited,
            (path, _) if !is_api_path(path) => RateClass::Page,
            (_, &Method::GET | &Method::HEAD | &Method::OPTIONS) => RateClass::Read,
            _ => RateClass::Write,
        },
    };
    class.limits()
}

/// A handler that panics costs one response, not the connection.
async fn catch_panic(response: impl Future<Output = Response>) -> Response {
    let internal_error = |_| {
        metrics::counter!("http_panics_total").increment(1);
        error::error_response(ErrorCode::Internal, "Something went wrong.")
    };
    AssertUnwindSafe(response)
        .catch_unwind()
        .await
        .unwrap_or_else(internal_error)
}

pub fn set_request_id(response: &mut Response, id: &str) {
    if let Ok(id) = HeaderValue::from_str(id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
}

#[cfg(test)]
mod tests {
    #[tokio::test]
    async fn panicking_handler_returns_a_response() {
        let response = super::catch_panic(async { panic!("on purpose") }).await;
        assert_eq!(response.status(), 500);
    }
}
