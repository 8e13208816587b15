//! Security headers, health checks, metrics, sitemap, robots.txt and the OpenAPI document.

use http::{Method, header};

use crate::harness::{METRICS_TOKEN, for_each_engine, for_each_engine_fresh, on_sqlite_fresh};

#[test]
fn every_response_has_security_headers_and_a_request_id() {
    for_each_engine(async |shop| {
        let browser = shop.customer("site-headers").await;
        let mut request_ids = Vec::new();
        for path in [
            "/",
            "/no-such-page",
            "/api/nothing",
            "/api/products",
            "/api/cart/cart",
            "/healthz",
            "/favicon.svg",
            "/robots.txt",
            "/api/docs",
            "/sandbox/google/authorize",
        ] {
            let response = browser.get(path).await;
            for (name, value) in [
                ("x-content-type-options", "nosniff"),
                ("referrer-policy", "strict-origin-when-cross-origin"),
                ("cross-origin-opener-policy", "same-origin"),
                ("x-frame-options", "DENY"),
            ] {
                assert_eq!(response.header(name), value, "{path}: {name}");
            }
            let policy = response.header("content-security-policy");
            assert!(
                policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
                "{path}: {policy}"
            );
            assert!(
                response.header("permissions-policy").contains("camera=()"),
                "{path}"
            );
            assert_eq!(
                response.header("strict-transport-security"),
                "",
                "only in production"
            );
            assert_eq!(response.header("server"), "");
            request_ids.push(response.header("x-request-id").to_owned());
        }
        assert!(request_ids.iter().all(|id| id.len() == 36));
        request_ids.sort();
        request_ids.dedup();
        assert_eq!(request_ids.len(), 10, "request ids are unique");
    });
}

#[test]
fn production_sends_strict_transport_security() {
    let production = |config: &mut mirasa_server::config::Config| {
        config.production = true;
        config.public_url = "https://mirasa.example".into();
    };
    on_sqlite_fresh(production, async |shop| {
        let page = shop.visitor().get("/").await;
        assert!(
            page.header("strict-transport-security")
                .starts_with("max-age=63072000")
        );
        assert!(
            page.header("content-security-policy")
                .ends_with("; upgrade-insecure-requests")
        );
    });
}

#[test]
fn health_is_public_and_metrics_need_the_token() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        for path in ["/healthz", "/readyz"] {
            let response = browser.get(path).await;
            assert_eq!((response.status, response.text()), (200, "ok"));
        }
        let metrics = async |authorization: Option<&str>| {
            let mut request = browser.request(Method::GET, "/metrics");
            if let Some(value) = authorization {
                request = request.header(header::AUTHORIZATION, value);
            }
            browser.send(request).await
        };
        let wrong = [
            None,
            Some("Bearer "),
            Some("Bearer wrong"),
            Some(METRICS_TOKEN),
            Some("Basic x"),
        ];
        for authorization in wrong {
            metrics(authorization)
                .await
                .expect_error(401, "not authenticated");
        }
        for unknown in ["BREW", "PROPFIND"] {
            let method: Method = unknown.parse().unwrap();
            browser
                .send(browser.request(method, "/api/no-such-path"))
                .await;
        }
        let response = metrics(Some(&format!("Bearer {METRICS_TOKEN}"))).await;
        assert_eq!(response.status, 200);
        assert!(
            response.text().contains("http_request_duration_seconds"),
            "{response:?}"
        );
        for secret in [METRICS_TOKEN, "BREW", "no-such-path"] {
            assert!(
                !response.text().contains(secret),
                "{secret} is in the metrics"
            );
        }
    });
}

#[test]
fn metrics_without_a_configured_token_are_rejected() {
    on_sqlite_fresh(
        |config| config.metrics_token = "".into(),
        async |shop| {
            let browser = shop.visitor();
            for value in ["Bearer ", "Bearer", "Bearer it-metrics-token"] {
                let request = browser
                    .request(Method::GET, "/metrics")
                    .header(header::AUTHORIZATION, value);
                browser
                    .send(request)
                    .await
                    .expect_error(401, "not authenticated");
            }
        },
    );
}

#[test]
fn sitemap_and_robots_list_public_pages() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let browser = shop.visitor();
            let sitemap = browser.get("/sitemap.xml").await;
            assert_eq!(
                (sitemap.status, sitemap.header("content-type")),
                (200, "application/xml; charset=utf-8")
            );
            for path in [
                "/",
                "/products",
                "/product/goda-masala",
                "/product/rasam-powder",
                "/privacy-policy",
            ] {
                assert!(
                    sitemap
                        .text()
                        .contains(&format!("<loc>{}{path}</loc>", shop.base)),
                    "{path}"
                );
            }
            assert!(
                !sitemap.text().contains("hidden-masala")
                    && !sitemap.text().contains("deleted-masala")
            );
            let robots = browser.get("/robots.txt").await;
            for line in [
                "Disallow: /api/",
                "Disallow: /admins",
                &format!("Sitemap: {}/sitemap.xml", shop.base),
            ] {
                assert!(robots.text().lines().any(|given| given == line), "{line}");
            }
        },
    );
}

#[test]
fn head_returns_the_headers_of_get_without_a_body() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        for path in ["/", "/api/products", "/product/goda-masala", "/favicon.svg"] {
            let response = browser.send(browser.request(Method::HEAD, path)).await;
            assert_eq!((response.status, response.body.len()), (200, 0), "{path}");
            assert_ne!(response.header("etag"), "", "{path}");
        }
    });
}

#[test]
fn openapi_and_docs_page_are_served() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        let doc = browser.get("/api/openapi.json").await.expect_ok();
        for route in mirasa_http::routes() {
            let operation = &doc["paths"][route.path][route.method.to_lowercase()];
            assert_eq!(
                operation.is_object(),
                route.documented,
                "{} {}",
                route.method,
                route.path
            );
        }
        let page = browser.get("/api/docs").await;
        assert_eq!(
            (page.status, page.header("content-type")),
            (200, "text/html; charset=utf-8")
        );
        assert!(page.text().contains("/api/cart/add-to-cart"));
        for shared in ["responses", "schemas"] {
            for name in doc["components"][shared].as_object().unwrap().keys() {
                assert!(page.text().contains(&format!("id=\"{name}\"")), "{name}");
            }
        }
    });
}

#[test]
fn shop_endpoint_returns_the_shop_identity() {
    for_each_engine(async |shop| {
        let response = shop.visitor().get("/api/shop").await.expect_ok();
        assert_eq!(response["shop"]["name"], "Mirasa");
        assert_eq!(response["shop"]["supportEmail"], "care@mirasa.example");
        assert_eq!(response["shop"]["publicUrl"], shop.base.as_str());
        assert_eq!(response["shop"]["sandbox"], true);
    });
}
