//! The counter at the door. What most visitors ask for lies ready in memory; it is handed out before the
//! router is asked, because finding the way through it costs more than such an answer does. Everything
//! else goes through the router, where `security::wrap` does what is done here in one breath.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use http::{HeaderMap, Method};
use mirasa_domain::product::ProductId;
use tower::Service as _;

use crate::encoded::Encoded;
use crate::page_routes::{self, Found};
use crate::pages::{self, Page};
use crate::shelf_query::ShelfQuery;
use crate::site::Site;
use crate::{limits, products, router, security};

/// The whole shop as a connection sees it.
#[derive(Clone)]
pub struct Front {
    site: Site,
    router: Router,
}

impl Front {
    /// `sandbox` holds the built-in providers' own pages, where they are switched on.
    pub fn new(site: Site, sandbox: Router) -> Front {
        Front {
            router: router::router(site.clone(), sandbox),
            site,
        }
    }

    pub async fn answer(&self, request: Request) -> Response {
        if let Some(response) = at_once(&self.site, &request) {
            return response;
        }
        let Ok(response) = self.router.clone().call(request).await;
        response
    }
}

/// What can be handed out. A list or a search may have to be made first: not before the limits were asked.
enum Ready<'a> {
    Page(Arc<Page>),
    Json(&'static str, Arc<Encoded>),
    Shelf(&'static str, ShelfQuery),
    Search(Cow<'a, str>),
}

impl Ready<'_> {
    /// The name under which its answers are counted.
    fn route(&self) -> &'static str {
        match self {
            Ready::Page(_) => security::PAGE,
            Ready::Json(route, _) | Ready::Shelf(route, _) => route,
            Ready::Search(_) => SEARCH,
        }
    }

    fn respond(&self, site: &Site, headers: &HeaderMap) -> Response {
        match self {
            Ready::Page(page) => page.respond(site, headers),
            Ready::Json(_, text) => products::respond(site, text, headers),
            Ready::Shelf(_, query) => {
                let text = site.answers.shelf(&site.shop.catalogue.snapshot(), query);
                products::respond(site, &text, headers)
            }
            Ready::Search(words) => products::found(site, words),
        }
    }
}

fn at_once(site: &Site, request: &Request) -> Option<Response> {
    let started = Instant::now();
    let ready = find(site, request)?;
    let mut response = match limits::refuse(site, request) {
        Some(mut refusal) => {
            security::dress(site, refusal.headers_mut());
            refusal
        }
        None => ready.respond(site, request.headers()),
    };
    let id = site.shop.ids.new_id();
    security::number(&mut response, &id);
    let (status, took) = (response.status().as_u16(), started.elapsed());
    let path = request.uri().path();
    tracing::debug!(id, path, status, ms = took.as_millis(), "answered");
    security::record(ready.route(), "GET", status, took);
    Some(response)
}

const SHOP: &str = "/api/shop";
const TRENDING: &str = "/api/products/api/trending";
const FILTERS: &str = "/api/products/api/filters";
const SHELF: &str = "/api/products/api/productInfo";
const SHELF_TOO: &str = "/api/products";
const ONE: &str = "/api/products/api/productInfo/{id}";
const ONE_TOO: &str = "/api/products/{id}";
const SEARCH: &str = "/api/api/products/search";

/// Only what is plainly asked for and surely there: whatever needs a refusal, a redirect or a decoded
/// address is the router's.
fn find<'a>(site: &Site, request: &'a Request) -> Option<Ready<'a>> {
    if request.method() != Method::GET {
        return None;
    }
    let address = request.uri();
    let (path, query) = (address.path(), address.query().unwrap_or_default());
    let snapshot = site.shop.catalogue.snapshot();
    if !pages::is_call(path) {
        // An address that is no page may still be a file's.
        let found = page_routes::find(address, &snapshot);
        let name = found.kept_as().filter(|_| found != Found::NoPage)?;
        return site
            .pages
            .ready(name, snapshot.content_revision)
            .map(Ready::Page);
    }
    if path.contains('%') || query.contains("%00") {
        return None;
    }
    let shelf = |route| {
        let query = ShelfQuery::parse(query).ok()?;
        Some(Ready::Shelf(route, query))
    };
    let one = |route: &'static str| {
        let id = path.strip_prefix(route.strip_suffix("{id}")?)?;
        let product = site.answers.one(&snapshot, &ProductId(id.to_owned()))?;
        Some(Ready::Json(route, product))
    };
    match path {
        SHOP => Some(Ready::Json(SHOP, site.answers.shop())),
        TRENDING => Some(Ready::Json(TRENDING, site.answers.trending(&snapshot))),
        FILTERS => Some(Ready::Json(FILTERS, site.answers.filters(&snapshot))),
        SHELF => shelf(SHELF),
        SHELF_TOO => shelf(SHELF_TOO),
        SEARCH => {
            let mut pairs = url::form_urlencoded::parse(query.as_bytes());
            let only = pairs.next().filter(|(name, _)| name == "q")?.1;
            pairs.next().is_none().then_some(Ready::Search(only))
        }
        _ => one(ONE).or_else(|| one(ONE_TOO)),
    }
}
