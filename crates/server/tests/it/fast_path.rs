//! What lies ready is handed out before the router. Nobody may notice: the router's own answer, which HEAD
//! still gets, carries the same.

use std::collections::BTreeMap;

use http::Method;

use crate::harness::{TestResponse, on_sqlite_fresh};

const READY: [&str; 10] = [
    "/",
    "/sub-products",
    "/product/goda-masala",
    "/api/shop",
    "/api/products",
    "/api/products/goda-masala",
    "/api/products/api/productInfo",
    "/api/products/api/productInfo/goda-masala",
    "/api/products/api/trending",
    "/api/api/products/search?q=goda",
];

/// Without what is another for each answer.
fn headers(response: &TestResponse) -> BTreeMap<String, String> {
    let own = [
        "date",
        "x-request-id",
        "content-length",
        "transfer-encoding",
    ];
    let all = response.headers.iter();
    all.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
        .filter(|(name, _)| !own.contains(&name.as_str()))
        .collect()
}

#[test]
fn an_answer_from_memory_carries_what_the_routers_own_does() {
    on_sqlite_fresh(
        |_| {},
        async |shop| {
            let browser = shop.visitor();
            let ask = async |method: Method, path: &str, encoding: &str| {
                let ask = browser
                    .request(method, path)
                    .header("accept-encoding", encoding);
                browser.send(ask).await
            };
            for path in READY {
                // Rendered by the router, from then on ready.
                assert_eq!(browser.get(path).await.status, 200, "{path}");
                for encoding in ["br", "gzip", "identity"] {
                    let ready = ask(Method::GET, path, encoding).await;
                    let routed = ask(Method::HEAD, path, encoding).await;
                    assert_eq!(ready.status, 200, "{path}");
                    assert_eq!(headers(&ready), headers(&routed), "{path} {encoding}");
                    assert_eq!(ready.header("x-request-id").len(), 36, "{path}");
                    assert!(
                        !ready.header("content-security-policy").is_empty(),
                        "{path}"
                    );
                }
            }
        },
    );
}

#[test]
fn what_is_not_ready_is_still_the_routers() {
    on_sqlite_fresh(
        |_| {},
        async |shop| {
            let browser = shop.visitor();
            for (path, status) in [
                ("/api/products/api/productInfo/nothing", 404),
                ("/api/products/goda%2Dmasala", 200),
                ("/api/products/api/productInfo?page=0", 400),
                ("/api/api/products/search?q=%00", 400),
                ("/api/api/products/search?q=a&q=b", 400),
                ("/api/products/", 404),
            ] {
                let response = browser.get(path).await;
                assert_eq!(response.status, status, "{path} {response:?}");
            }
        },
    );
}
