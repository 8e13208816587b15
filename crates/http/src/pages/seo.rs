//! For search engines: sitemap.xml, with the images of the products, and robots.txt.

use std::fmt::Write as _;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};
use mirasa_app::catalogue::Snapshot;

use crate::api::types::to_iso8601;
use crate::assets::product_images::ImageUrls;
use crate::guard::security_headers::add_security_headers;
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

pub async fn sitemap(State(state): State<AppState>, headers: HeaderMap) -> Response {
    let snapshot = state.shop.catalogue.snapshot();
    let settings = &state.settings;
    let map = state.response_cache.sitemap(&snapshot, || {
        let hosts = &settings.identity.image_hosts;
        sitemap_xml(&snapshot, &settings.public_url, hosts).into_bytes()
    });
    let xml = "application/xml; charset=utf-8";
    map.respond(&headers, StatusCode::OK, xml, "no-cache", |head| {
        add_security_headers(settings, head);
    })
}

fn sitemap_xml(snapshot: &Snapshot, base: &str, image_hosts: &[String]) -> String {
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\n",
    );
    for page in PAGES {
        let _ = writeln!(xml, "  <url><loc>{base}{page}</loc></url>");
    }
    let images = ImageUrls::new(base, image_hosts);
    for product in snapshot.visible() {
        let day = to_iso8601(product.updated_at_ms);
        let day = day.split('T').next().unwrap_or_default();
        let _ = write!(
            xml,
            "  <url><loc>{base}/product/{}</loc><lastmod>{day}</lastmod>",
            escape(&product.id.0)
        );
        for image in images.of(product) {
            let _ = write!(
                xml,
                "<image:image><image:loc>{}</image:loc></image:image>",
                escape(&image)
            );
        }
        xml.push_str("</url>\n");
    }
    xml.push_str("</urlset>\n");
    xml
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
