//! CSRF protection: a page of another site cannot change anything, with or without a session cookie.

use http::{Method, header};
use reqwest::RequestBuilder;
use serde_json::json;

use crate::cart::{add, cart, packs};
use crate::harness::{TestClient, for_each_engine};

const OWN_PAGES_ONLY: &str = "This call must come from the shop's own pages";

fn write_routes() -> Vec<(Method, String)> {
    let routes = mirasa_http::routes();
    let changing = routes.iter().filter(|route| route.method != "GET");
    // The partners' own calls, which have a signature or a key.
    let not_signed = changing.filter(|route| {
        !route.path.starts_with("/api/payment/webhook/") && route.path != "/api/courier/webhook"
    });
    let calls = not_signed.map(|route| {
        let path = route.path.replace(['{', '}'], "");
        (route.method.parse().unwrap(), path)
    });
    calls.collect()
}

async fn expect_all_rejected(
    browser: &TestClient,
    with: impl Fn(RequestBuilder) -> RequestBuilder,
) {
    let calls = write_routes();
    assert!(calls.len() > 10);
    for (method, path) in calls {
        let response = browser
            .send(with(
                browser.request(method.clone(), &path).json(&json!({})),
            ))
            .await;
        assert_eq!(
            (response.status, response.error_text().as_str()),
            (403, OWN_PAGES_ONLY),
            "{method} {path}"
        );
    }
}

#[test]
fn every_cross_site_write_is_rejected() {
    for_each_engine(async |shop| {
        let browser = shop.customer("origins-foreign").await;
        add(&browser, "goda-masala", 1, 0).await.expect_ok();
        for origin in [
            "https://evil.example",
            "null",
            "http://127.0.0.1:1",
            &format!("{}.evil.example", shop.base),
            &shop.base.replace("127.0.0.1", "localhost"),
        ] {
            expect_all_rejected(&browser, |request| request.header(header::ORIGIN, origin)).await;
        }
        expect_all_rejected(&browser, |request| {
            request.header("sec-fetch-site", "cross-site")
        })
        .await;
        assert!(browser.is_signed_in().await);
        assert_eq!(
            packs(&cart(&browser).await),
            [("goda-masala", 1, 0)],
            "the cart is unchanged"
        );
    });
}

#[test]
fn same_origin_and_non_browser_writes_are_allowed() {
    for_each_engine(async |shop| {
        let browser = shop.customer("origins-own").await;
        let body = json!({ "productId": "goda-masala", "qty_50g": 1 });
        let request = || {
            browser
                .request(Method::POST, "/api/cart/add-to-cart")
                .json(&body)
        };
        for request in [
            request(),
            request().header(header::ORIGIN, &shop.base),
            request()
                .header(header::ORIGIN, &shop.base)
                .header("sec-fetch-site", "same-origin"),
        ] {
            browser.send(request).await.expect_ok();
        }
        let read = browser
            .request(Method::GET, "/api/cart/cart")
            .header(header::ORIGIN, "https://evil.example");
        let response = browser.send(read).await;
        assert_eq!(
            response.status, 200,
            "reads are allowed: the browser hides the response from the other site"
        );
        assert_eq!(response.header("access-control-allow-origin"), "");
    });
}
