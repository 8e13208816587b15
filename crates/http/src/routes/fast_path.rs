//! Serves cached responses before the router: finding a route costs more than such a response. Everything else goes
//! through the router, where `middleware::common` does what is done here in one function.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, Method};
use mirasa_app::repository::reports::daily_sales::VisitStep;
use mirasa_app::runtime::telemetry;
use tower::Service as _;
use tracing::{Instrument as _, Span, field};

use crate::api::catalogue::products;
use crate::api::reports::visits;
use crate::cache::cached_routes;
use crate::cache::response_cache::CacheRequest;
use crate::guard::rate_limit::check::check_request;
use crate::guard::rate_limit::limits::RateClass;
use crate::guard::security_headers::add_security_headers;
use crate::middleware;
use crate::pages::page_cache::Page;
use crate::pages::page_routes::{self, PageMatch};
use crate::paths::is_api_path;
use crate::routes;
use crate::state::AppState;

/// The whole shop as a connection sees it.
#[derive(Clone)]
pub struct HttpService {
    state: AppState,
    router: Router,
}

impl HttpService {
    /// `sandbox` has the pages of the built-in providers, where they are enabled.
    pub fn new(state: AppState, sandbox: Router) -> HttpService {
        HttpService {
            router: routes::router(state.clone(), sandbox),
            state,
        }
    }

    pub async fn handle(&self, request: Request) -> Response {
        let span = request_span(&request);
        if span.is_disabled() {
            return self.respond(request).await;
        }
        let response = self.respond(request).instrument(span.clone()).await;
        span.record("http.response.status_code", response.status().as_u16());
        if response.status().is_server_error() {
            span.record("otel.status_code", "ERROR");
        }
        response
    }

    async fn respond(&self, request: Request) -> Response {
        let is_entry = visits::is_entry(&request);
        let response = match try_cached(&self.state, &request) {
            Some(response) => response,
            None => {
                let Ok(response) = self.router.clone().call(request).await;
                response
            }
        };
        if is_entry && response.status().is_success() {
            self.state.shop.visits.add(VisitStep::Visit);
        }
        response
    }
}

/// The span of a trace, if traces are exported. The path and the query are not part of it; the route is set when it is
/// known.
fn request_span(request: &Request) -> Span {
    tracing::info_span!(
        target: telemetry::TARGET,
        "request",
        otel.kind = "server",
        otel.name = field::Empty,
        otel.status_code = field::Empty,
        traceparent = header_text(request, "traceparent"),
        http.request.method = middleware::method_label(request.method()),
        http.route = field::Empty,
        http.response.status_code = field::Empty,
    )
}

fn header_text<'r>(request: &'r Request, name: &str) -> &'r str {
    let value = request.headers().get(name);
    value
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

/// A request that is served from memory. The body may still have to be built, so the rate limits are checked first.
enum CachedMatch<'a> {
    Page(Arc<Page>),
    Api(&'static str, CacheRequest<'a>),
}

impl CachedMatch<'_> {
    /// The route label in the metrics.
    fn route(&self) -> &'static str {
        match self {
            CachedMatch::Page(_) => middleware::PAGE,
            CachedMatch::Api(path, _) => path,
        }
    }

    fn rate_class(&self) -> RateClass {
        match self {
            CachedMatch::Page(_) => RateClass::Page,
            CachedMatch::Api(..) => RateClass::Read,
        }
    }

    fn respond(&self, state: &AppState, headers: &HeaderMap) -> Response {
        match self {
            CachedMatch::Page(page) => page.respond(&state.template, &state.settings, headers),
            CachedMatch::Api(_, request) => products::respond(state, request, headers)
                .unwrap_or_else(|error| {
                    let mut response = error.into_response();
                    add_security_headers(&state.settings, response.headers_mut());
                    response
                }),
        }
    }
}

fn try_cached(state: &AppState, request: &Request) -> Option<Response> {
    let started = Instant::now();
    let found = match_cached(state, request)?;
    let mut response = match check_request(state, found.rate_class().limits(), request) {
        Some(mut rejection) => {
            add_security_headers(&state.settings, rejection.headers_mut());
            rejection
        }
        None => found.respond(state, request.headers()),
    };
    let id = state.shop.ids.new_id();
    middleware::set_request_id(&mut response, &id);
    let (status, took) = (response.status().as_u16(), started.elapsed());
    let path = request.uri().path();
    tracing::debug!(id, path, status, ms = took.as_millis(), "response");
    middleware::record_duration(found.route(), "GET", status, took);
    telemetry::record_route("GET", found.route());
    Some(response)
}

/// None for a request that needs a redirect, a decoded path or an error: the router handles those.
fn match_cached<'a>(state: &AppState, request: &'a Request) -> Option<CachedMatch<'a>> {
    if request.method() != Method::GET {
        return None;
    }
    let uri = request.uri();
    let (path, query) = (uri.path(), uri.query().unwrap_or_default());
    if !is_api_path(path) {
        let snapshot = state.shop.catalogue.snapshot();
        let found = page_routes::match_page(uri, &snapshot);
        // A path without a page may be a file's.
        let name = found.cache_key().filter(|_| found != PageMatch::NoPage)?;
        let page = state.page_cache.get(name, snapshot.content_revision);
        return page.map(CachedMatch::Page);
    }
    if path.contains('%') || query.contains("%00") {
        return None;
    }
    let (route, id) = cached_routes::find(path)?;
    let request = route.response.request(id, query).ok()?;
    Some(CachedMatch::Api(route.path, request))
}
