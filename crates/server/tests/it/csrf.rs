//! Another site's page may not change anything, cookie or not.

use http::{Method, header};
use reqwest::RequestBuilder;
use serde_json::json;

use crate::cart::{add, cart, packs};
use crate::harness::{TestClient, for_each_engine};

const OWN_PAGES_ONLY: &str = "This call must come from the shop's own pages";

fn changing_calls() -> Vec<(Method, String)> {
    let routes = mirasa_http::routes();
    let changing = routes.iter().filter(|route| route.method != "GET");
    let not_signed = changing.filter(|route| !route.path.starts_with("/api/payment/webhook/"));
    let calls = not_signed.map(|route| {
        let path = route.path.replace(['{', '}'], "");
        (route.method.parse().unwrap(), path)
    });
    calls.collect()
}

async fn try_all(browser: &TestClient, with: impl Fn(RequestBuilder) -> RequestBuilder) {
    let calls = changing_calls();
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
fn every_changing_call_from_a_foreign_page_is_refused() {
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
            try_all(&browser, |ask| ask.header(header::ORIGIN, origin)).await;
        }
        try_all(&browser, |ask| ask.header("sec-fetch-site", "cross-site")).await;
        assert!(browser.is_signed_in().await);
        assert_eq!(
            packs(&cart(&browser).await),
            [("goda-masala", 1, 0)],
            "nothing was changed"
        );
    });
}

#[test]
fn the_shops_own_pages_and_programs_may_change_things() {
    for_each_engine(async |shop| {
        let browser = shop.customer("origins-own").await;
        let body = json!({ "productId": "goda-masala", "qty_50g": 1 });
        let ask = || {
            browser
                .request(Method::POST, "/api/cart/add-to-cart")
                .json(&body)
        };
        for request in [
            ask(),
            ask().header(header::ORIGIN, &shop.base),
            ask()
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
            "reading is harmless: the browser keeps the answer from that page"
        );
        assert_eq!(response.header("access-control-allow-origin"), "");
    });
}
