//! For machines that watch the shop, search engines, and readers of the API. They are not part of the description.

use utoipa::openapi::OpenApi;

use crate::access::Access::Public;
use crate::rate_limit::limits::RateClass;
use crate::route_table::route::{Route, get};
use crate::{api_docs, feeds, health, seo};

pub fn operations(openapi: fn() -> &'static OpenApi) -> Vec<Route> {
    let description = move || async move { api_docs::json(openapi()) };
    let docs = move || async move { api_docs::html(openapi()) };
    let routes = [
        get(Public, "/api/openapi.json", description),
        get(Public, "/api/docs", docs),
        get(Public, "/sitemap.xml", seo::sitemap).rate(RateClass::Page),
        get(Public, "/feeds/google.xml", feeds::google).rate(RateClass::Page),
        get(Public, "/robots.txt", seo::robots).rate(RateClass::Page),
        get(Public, "/healthz", health::liveness).rate(RateClass::Unlimited),
        get(Public, "/readyz", health::readiness).rate(RateClass::Unlimited),
        // Protected by a token of its own.
        get(Public, "/metrics", health::metrics).rate(RateClass::Unlimited),
    ];
    routes.into_iter().map(Route::undocumented).collect()
}
