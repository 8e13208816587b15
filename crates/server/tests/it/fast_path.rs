//! The fast path: cached responses have the same headers as responses of the router, which still handles HEAD.

use std::collections::BTreeMap;

use http::Method;

use crate::harness::{TestResponse, on_sqlite_fresh};

const CACHED_PATHS: [&str; 10] = [
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

/// The headers without those that differ for each response.
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
fn cached_response_has_the_headers_of_the_router() {
    on_sqlite_fresh(
        |_| {},
        async |shop| {
            let browser = shop.visitor();
            let fetch = async |method: Method, path: &str, encoding: &str| {
                let request = browser
                    .request(method, path)
                    .header("accept-encoding", encoding);
                browser.send(request).await
            };
            for path in CACHED_PATHS {
                // The first response comes from the router and fills the cache.
                assert_eq!(browser.get(path).await.status, 200, "{path}");
                for encoding in ["br", "gzip", "identity"] {
                    let cached = fetch(Method::GET, path, encoding).await;
                    let routed = fetch(Method::HEAD, path, encoding).await;
                    assert_eq!(cached.status, 200, "{path}");
                    assert_eq!(headers(&cached), headers(&routed), "{path} {encoding}");
                    assert_eq!(cached.header("x-request-id").len(), 36, "{path}");
                    assert!(
                        !cached.header("content-security-policy").is_empty(),
                        "{path}"
                    );
                }
            }
        },
    );
}

#[test]
fn uncached_paths_are_handled_by_the_router() {
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
