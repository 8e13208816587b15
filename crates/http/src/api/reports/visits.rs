//! Counts visits and opened products, without cookies and without anything about the visitor.
//!
//! A visit is a page that a browser opens from outside the shop. Browsers say so themselves in the `Sec-Fetch` headers, so no
//! visitor has to be recognised. Programs that do not send these headers, crawlers and pages that are loaded ahead do not
//! count.

use axum::extract::{Path, Request, State};
use http::{HeaderMap, Method, header};
use mirasa_app::repository::reports::daily_sales::VisitStep;
use mirasa_domain::product::ProductId;

use crate::api::types::SuccessResponse;
use crate::extract::json::Json;
use crate::paths::{PAYMENT_REDIRECT, is_api_path};
use crate::state::AppState;

/// Parts of the names of crawlers, previews and test browsers, in lower case.
const ROBOTS: [&str; 8] = [
    "bot",
    "crawl",
    "spider",
    "slurp",
    "preview",
    "headless",
    "lighthouse",
    "monitor",
];

/// Pages that customers reach from the gateway, and the pages of admins.
const NO_ENTRIES: [&str; 3] = ["/payment/", PAYMENT_REDIRECT, "/admins"];

fn value<'h>(headers: &'h HeaderMap, name: &str) -> &'h str {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    value.unwrap_or_default()
}

fn is_robot(headers: &HeaderMap) -> bool {
    let agent = value(headers, header::USER_AGENT.as_str()).to_ascii_lowercase();
    agent.is_empty() || ROBOTS.iter().any(|name| agent.contains(name))
}

/// Whether a browser opens a page from outside the shop.
pub fn is_entry(request: &Request) -> bool {
    let headers = request.headers();
    // The first condition is false for most requests.
    value(headers, "sec-fetch-dest") == "document"
        && *request.method() == Method::GET
        && !matches!(value(headers, "sec-fetch-site"), "same-origin" | "")
        && !headers.contains_key("sec-purpose")
        && !headers.contains_key("purpose")
        && !is_api_path(request.uri().path())
        && !NO_ENTRIES
            .iter()
            .any(|start| request.uri().path().starts_with(start))
        && !is_robot(headers)
}

/// The page of a product reports that it is shown.
pub async fn product_opened(
    State(state): State<AppState>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Json<SuccessResponse> {
    let snapshot = state.shop.catalogue.snapshot();
    let is_shown = snapshot.find_visible(&ProductId(id)).is_some();
    if is_shown && value(&headers, "sec-fetch-site") == "same-origin" && !is_robot(&headers) {
        state.shop.visits.add(VisitStep::Product);
    }
    Json(SuccessResponse { success: true })
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn request(path: &str, headers: &[(&str, &str)]) -> Request {
        let mut request = Request::builder().uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(Body::empty()).unwrap()
    }

    const BROWSER: (&str, &str) = (
        "user-agent",
        "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
    );
    const DOCUMENT: (&str, &str) = ("sec-fetch-dest", "document");

    #[test]
    fn only_pages_opened_from_outside_are_entries() {
        let none = ("sec-fetch-site", "none");
        for (path, headers, expected) in [
            ("/", vec![BROWSER, DOCUMENT, none], true),
            (
                "/product/goda-masala?utm=x",
                vec![BROWSER, DOCUMENT, ("sec-fetch-site", "cross-site")],
                true,
            ),
            (
                "/",
                vec![BROWSER, DOCUMENT, ("sec-fetch-site", "same-origin")],
                false,
            ),
            ("/", vec![BROWSER, DOCUMENT], false),
            ("/", vec![BROWSER, none], false),
            ("/", vec![DOCUMENT, none], false),
            (
                "/",
                vec![
                    BROWSER,
                    DOCUMENT,
                    none,
                    ("sec-purpose", "prefetch;prerender"),
                ],
                false,
            ),
            (
                "/",
                vec![
                    DOCUMENT,
                    none,
                    ("user-agent", "Mozilla/5.0 (compatible; Googlebot/2.1)"),
                ],
                false,
            ),
            (
                "/",
                vec![
                    DOCUMENT,
                    none,
                    ("user-agent", "Mozilla/5.0 HeadlessChrome/140.0"),
                ],
                false,
            ),
            ("/admins", vec![BROWSER, DOCUMENT, none], false),
            ("/payment/status", vec![BROWSER, DOCUMENT, none], false),
            (
                "/api/payment/redirect",
                vec![BROWSER, DOCUMENT, none],
                false,
            ),
        ] {
            assert_eq!(
                is_entry(&request(path, &headers)),
                expected,
                "{path} {headers:?}"
            );
        }
        let mut post = request("/", &[BROWSER, DOCUMENT, none]);
        *post.method_mut() = Method::POST;
        assert!(!is_entry(&post));
    }
}
