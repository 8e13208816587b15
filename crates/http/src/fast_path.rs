//! The counter at the door. What most visitors ask for lies ready in memory; it is handed out before the
//! router is asked, because finding the way through it costs more than such an answer does. Everything
//! else goes through the router, where `middleware::wrap` does what is done here in one breath.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use http::{HeaderMap, Method};
use mirasa_domain::product::ProductId;
use tower::Service as _;

use crate::page_routes::{self, PageMatch};
use crate::pages::{self, Page};
use crate::precompressed::Precompressed;
use crate::product_list_query::ProductListQuery;
use crate::state::AppState;
use crate::{middleware, products, rate_limit, routes};

/// The whole shop as a connection sees it.
#[derive(Clone)]
pub struct HttpService {
    state: AppState,
    router: Router,
}

impl HttpService {
    /// `sandbox` holds the built-in providers' own pages, where they are switched on.
    pub fn new(state: AppState, sandbox: Router) -> HttpService {
        HttpService {
            router: routes::router(state.clone(), sandbox),
            state,
        }
    }

    pub async fn handle(&self, request: Request) -> Response {
        if let Some(response) = try_cached(&self.state, &request) {
            return response;
        }
        let Ok(response) = self.router.clone().call(request).await;
        response
    }
}

/// What can be handed out. A list or a search may have to be made first: not before the limits were asked.
enum CachedRoute<'a> {
    Page(Arc<Page>),
    Json(&'static str, Arc<Precompressed>),
    ProductList(&'static str, ProductListQuery),
    Search(Cow<'a, str>),
}

impl CachedRoute<'_> {
    /// The name under which its answers are counted.
    fn route(&self) -> &'static str {
        match self {
            CachedRoute::Page(_) => middleware::PAGE,
            CachedRoute::Json(route, _) | CachedRoute::ProductList(route, _) => route,
            CachedRoute::Search(_) => SEARCH,
        }
    }

    fn respond(&self, state: &AppState, headers: &HeaderMap) -> Response {
        match self {
            CachedRoute::Page(page) => page.respond(state, headers),
            CachedRoute::Json(_, text) => products::respond(state, text, headers),
            CachedRoute::ProductList(_, query) => {
                let text = state
                    .response_cache
                    .product_list(&state.shop.catalogue.snapshot(), query);
                products::respond(state, &text, headers)
            }
            CachedRoute::Search(words) => products::search_response(state, words),
        }
    }
}

fn try_cached(state: &AppState, request: &Request) -> Option<Response> {
    let started = Instant::now();
    let ready = match_cached(state, request)?;
    let mut response = match rate_limit::check(state, request) {
        Some(mut refusal) => {
            middleware::add_security_headers(state, refusal.headers_mut());
            refusal
        }
        None => ready.respond(state, request.headers()),
    };
    let id = state.shop.ids.new_id();
    middleware::set_request_id(&mut response, &id);
    let (status, took) = (response.status().as_u16(), started.elapsed());
    let path = request.uri().path();
    tracing::debug!(id, path, status, ms = took.as_millis(), "answered");
    middleware::record_duration(ready.route(), "GET", status, took);
    Some(response)
}

const SHOP: &str = "/api/shop";
const TRENDING: &str = "/api/products/api/trending";
const FILTERS: &str = "/api/products/api/filters";
const PRODUCT_LIST: &str = "/api/products/api/productInfo";
const PRODUCT_LIST_ALIAS: &str = "/api/products";
const PRODUCT: &str = "/api/products/api/productInfo/{id}";
const PRODUCT_ALIAS: &str = "/api/products/{id}";
const SEARCH: &str = "/api/api/products/search";

/// Only what is plainly asked for and surely there: whatever needs a refusal, a redirect or a decoded
/// address is the router's.
fn match_cached<'a>(state: &AppState, request: &'a Request) -> Option<CachedRoute<'a>> {
    if request.method() != Method::GET {
        return None;
    }
    let address = request.uri();
    let (path, query) = (address.path(), address.query().unwrap_or_default());
    let snapshot = state.shop.catalogue.snapshot();
    if !pages::is_api_path(path) {
        // An address that is no page may still be a file's.
        let found = page_routes::match_page(address, &snapshot);
        let name = found.cache_key().filter(|_| found != PageMatch::NoPage)?;
        return state
            .pages
            .ready(name, snapshot.content_revision)
            .map(CachedRoute::Page);
    }
    if path.contains('%') || query.contains("%00") {
        return None;
    }
    let product_list = |route| {
        let query = ProductListQuery::parse(query).ok()?;
        Some(CachedRoute::ProductList(route, query))
    };
    let product = |route: &'static str| {
        let id = path.strip_prefix(route.strip_suffix("{id}")?)?;
        let found = state
            .response_cache
            .product(&snapshot, &ProductId(id.to_owned()))?;
        Some(CachedRoute::Json(route, found))
    };
    match path {
        SHOP => Some(CachedRoute::Json(SHOP, state.response_cache.shop())),
        TRENDING => Some(CachedRoute::Json(
            TRENDING,
            state.response_cache.trending(&snapshot),
        )),
        FILTERS => Some(CachedRoute::Json(
            FILTERS,
            state.response_cache.filters(&snapshot),
        )),
        PRODUCT_LIST => product_list(PRODUCT_LIST),
        PRODUCT_LIST_ALIAS => product_list(PRODUCT_LIST_ALIAS),
        SEARCH => {
            let mut pairs = url::form_urlencoded::parse(query.as_bytes());
            let only = pairs.next().filter(|(name, _)| name == "q")?.1;
            pairs.next().is_none().then_some(CachedRoute::Search(only))
        }
        _ => product(PRODUCT).or_else(|| product(PRODUCT_ALIAS)),
    }
}
