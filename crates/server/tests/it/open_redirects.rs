//! Open redirects and header injection: the server redirects only to itself, Google and the payment page, and no
//! part of a request becomes a response header.

use http::{Method, header};
use url::Url;

use crate::harness::{TestShop, for_each_engine};

/// Spellings of another host that are known to bypass redirect filters.
const OTHER_HOSTS: [&str; 33] = [
    "//evil.example",
    "///evil.example",
    "////evil.example/%2f..",
    "/\\evil.example",
    "\\/evil.example",
    "\\\\evil.example",
    "/\\/evil.example",
    "https://evil.example",
    "HTTPS://evil.example",
    "https:evil.example",
    "https:/evil.example",
    "http:\\\\evil.example",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "evil.example",
    "@evil.example",
    ".evil.example",
    ":80@evil.example",
    "/\tevil.example",
    "/\t/evil.example",
    "\t//evil.example",
    "/\n/evil.example",
    "/\r\nLocation: https://evil.example",
    "/\r\nSet-Cookie: mirasa_session=planted",
    "/%0d%0aSet-Cookie:%20mirasa_session=planted",
    " //evil.example",
    "/%2f%2fevil.example",
    "%2f%2fevil.example",
    "/%5cevil.example",
    "/.//evil.example",
    "/..//evil.example",
    "/\u{85}/evil.example",
];

#[test]
fn sign_in_never_redirects_to_another_host() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        let email = TestShop::email("redirects-open");
        let ours = Url::parse(&shop.base).unwrap();
        for return_to in OTHER_HOSTS {
            let callback = browser
                .sign_in_until_callback(&email, &[("returnTo", return_to)])
                .await;
            let response = browser.get(&callback).await;
            assert_eq!(response.status, 303, "{return_to:?}");
            let location = response.header("location");
            // Resolve the location as a browser does.
            let location_url = ours.join(location).unwrap();
            assert_eq!(
                location_url.origin(),
                ours.origin(),
                "{return_to:?}: {location:?}"
            );
            assert!(location.starts_with('/'), "{return_to:?}: {location:?}");
            let cookies = response.headers.get_all(header::SET_COOKIE).iter();
            assert_eq!(cookies.count(), 1, "{return_to:?}");
            assert_ne!(browser.session().as_deref(), Some("planted"));
        }
        let nul = "/api/auth/google/login?returnTo=/%00/evil.example";
        browser
            .get(nul)
            .await
            .expect_error(400, "The address is not valid");
    });
}

#[test]
fn sign_in_does_not_redirect_to_an_api_route() {
    for_each_engine(async |shop| {
        for call in [
            "/./api/auth/logout",
            "/x/../api/auth/logout",
            "/%2e/api/auth/logout",
            "/api/auth/google/login",
            "/sandbox/mail",
        ] {
            let browser = shop.visitor();
            let location_url = browser
                .sign_in_with(&TestShop::email("redirects-call"), &[("returnTo", call)])
                .await;
            assert_eq!(location_url, "/", "{call}");
            assert!(browser.is_signed_in().await, "{call}");
        }
        let location_url = shop
            .visitor()
            .sign_in_with(
                &TestShop::email("redirects-call"),
                &[("returnTo", "/api/payment/redirect?merchantOrderId=M1")],
            )
            .await;
        assert_eq!(location_url, "/api/payment/redirect?merchantOrderId=M1");
    });
}

#[test]
fn non_ascii_return_path_is_percent_encoded() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        let location_url = browser
            .sign_in_with(
                &TestShop::email("redirects-devanagari"),
                &[("returnTo", "/search?q=गोडा#\u{2028}")],
            )
            .await;
        assert_eq!(
            location_url,
            "/search?q=%E0%A4%97%E0%A5%8B%E0%A4%A1%E0%A4%BE#%E2%80%A8"
        );
    });
}

#[test]
fn forged_host_header_redirects_to_the_public_url() {
    for_each_engine(async |shop| {
        let mut browser = shop.visitor();
        browser.host = Some("evil.example".into());
        let login = browser
            .get("/api/auth/google/login?returnTo=/wishlist")
            .await;
        assert_eq!(
            login.header("location"),
            format!("{}/api/auth/google/login?returnTo=%2Fwishlist", shop.base)
        );

        // Forwarding headers do not change the redirect_uri.
        browser.host = None;
        let request = browser
            .request(Method::GET, "/api/auth/google/login")
            .header("x-forwarded-host", "evil.example")
            .header("x-forwarded-proto", "gopher")
            .header("forwarded", "host=evil.example");
        let response = browser.send(request).await;
        let google = Url::parse(response.header("location")).unwrap();
        let back = google
            .query_pairs()
            .find(|(name, _)| name == "redirect_uri");
        let back = back.unwrap().1.into_owned();
        assert_eq!(back, format!("{}/api/auth/google/callback", shop.base));

        for path in ["/", "/sitemap.xml", "/robots.txt", "/product/goda-masala"] {
            let request = browser
                .request(Method::GET, path)
                .header("x-forwarded-host", "evil.example")
                .header(header::HOST, "evil.example");
            let page = browser.send(request).await;
            assert!(!page.text().contains("evil.example"), "{path}");
        }
    });
}

/// Every part of a request that could be copied into a response header.
#[test]
fn request_data_cannot_inject_response_headers() {
    for_each_engine(async |shop| {
        let customer = shop.customer("redirects-headers").await;
        let split = "x%0d%0aX-Injected:%20yes";
        for path in [
            format!("/{split}"),
            format!("/product/{split}"),
            format!("/search?q={split}"),
            format!("/images/products/{split}"),
            format!("/images/products/x.webp?v={split}&w=64"),
            format!("/api/products/{split}"),
            format!("/api/pincode/{split}"),
            format!("/api/auth/google/login?returnTo=/{split}&add={split}&login_hint={split}"),
            format!("/api/auth/google/callback?state={split}&code={split}"),
            format!("/api/user/orders/{split}"),
            format!("/api/payment/redirect?merchantOrderId={split}"),
        ] {
            let response = customer.get(&path).await;
            assert!(response.status < 500, "{path}: {response:?}");
            assert_eq!(response.header("x-injected"), "", "{path}");
            for (name, value) in &response.headers {
                let value = value.as_bytes();
                assert!(!value.iter().any(u8::is_ascii_control), "{path}: {name}");
            }
        }
        let request = customer
            .request(Method::GET, "/healthz")
            .header("x-request-id", "chosen-by-the-visitor");
        let response = customer.send(request).await;
        assert_ne!(response.header("x-request-id"), "chosen-by-the-visitor");
        assert_eq!(response.header("x-request-id").len(), 36);
        let request = customer
            .request(Method::OPTIONS, "/api/cart/cart")
            .header(header::ORIGIN, "https://evil.example")
            .header("access-control-request-method", "GET");
        let response = customer.send(request).await;
        assert_eq!(response.header("access-control-allow-origin"), "");
        assert_eq!(response.header("access-control-allow-credentials"), "");
    });
}
