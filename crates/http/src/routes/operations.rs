//! For machines that watch the shop, search engines, and readers of the API. They are not part of the description.

use utoipa::openapi::OpenApi;

use crate::api::operations;
use crate::guard::access::Access::Public;
use crate::guard::rate_limit::limits::RateClass;
use crate::pages::{feeds, seo};
use crate::route_table::route::{Route, get};

pub fn operations(openapi: fn() -> &'static OpenApi) -> Vec<Route> {
    let description = move || async move { operations::api_docs::json(openapi()) };
    let docs = move || async move { operations::api_docs::html(openapi()) };
    let routes = [
        get(Public, "/api/openapi.json", description),
        get(Public, "/api/docs", docs),
        get(Public, "/sitemap.xml", seo::sitemap).rate(RateClass::Page),
        get(Public, "/feeds/google.xml", feeds::google).rate(RateClass::Page),
        get(Public, "/robots.txt", seo::robots).rate(RateClass::Page),
        get(Public, "/healthz", operations::health::liveness).rate(RateClass::Unlimited),
        get(Public, "/readyz", operations::health::readiness).rate(RateClass::Unlimited),
        // Protected by a token of its own.
        get(Public, "/metrics", operations::health::metrics).rate(RateClass::Unlimited),
    ];
    routes.into_iter().map(Route::undocumented).collect()
}
