//! For search engines: sitemap.xml and robots.txt.

use std::fmt::Write as _;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header;

use crate::dto::to_iso8601;
use crate::pages::escape;
use crate::state::AppState;

const PAGES: [&str; 9] = [
    "/",
    "/sub-products",
    "/products",
    "/about-us",
    "/contact-us",
    "/cancellation-policy",
    "/privacy-policy",
    "/shipping-policy",
    "/terms-and-conditions",
];

pub async fn sitemap(State(state): State<AppState>) -> Response {
    let base = &state.settings.public_url;
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for page in PAGES {
        let _ = writeln!(xml, "  <url><loc>{base}{page}</loc></url>");
    }
    for product in state.shop.catalogue.snapshot().visible() {
        let day = to_iso8601(product.updated_at_ms);
        let day = day.split('T').next().unwrap_or_default();
        let _ = writeln!(
            xml,
            "  <url><loc>{base}/product/{}</loc><lastmod>{day}</lastmod></url>",
            escape(&product.id.0)
        );
    }
    xml.push_str("</urlset>\n");
    (
        [
            (header::CONTENT_TYPE, "application/xml; charset=utf-8"),
            (header::CACHE_CONTROL, "no-cache"),
        ],
        xml,
    )
        .into_response()
}

pub async fn robots(State(state): State<AppState>) -> Response {
    let text = format!(
        "User-agent: *\nDisallow: /api/\nDisallow: /admins\nDisallow: /checkout\nDisallow: /user/\nDisallow: /orders\nDisallow: /wishlist\n\
         Disallow: /payment/\nDisallow: /search\nAllow: /\n\nSitemap: {}/sitemap.xml\n",
        state.settings.public_url
    );
    (
        [
            (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
            (header::CACHE_CONTROL, "public, max-age=3600"),
        ],
        text,
    )
        .into_response()
}
