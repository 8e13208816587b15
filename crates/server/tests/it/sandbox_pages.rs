//! Sandbox pages that show data of all users: only local clients may see them, unless the shop is a public demo. They
//! do not exist with a real provider.

use http::Method;
use mirasa_server::config::Config;
use serde_json::json;

use crate::harness::{GATEWAY, TestClient, TestShop, for_each_engine_fresh, on_sqlite_fresh};

const PRIVATE: [&str; 5] = [
    "/sandbox/mail",
    "/sandbox/phonepe/orders",
    "/sandbox/phonepe/faults",
    "/sandbox/shiprocket/parcels",
    "/sandbox/shiprocket/record",
];

async fn status_for(browser: &TestClient, path: &str, header: (&str, &str)) -> u16 {
    let request = browser
        .request(Method::GET, path)
        .header(header.0, header.1);
    browser.send(request).await.status
}

#[test]
fn private_sandbox_pages_are_local_only() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let browser = shop.visitor();
            for path in PRIVATE {
                assert_eq!(browser.get(path).await.status, 200, "{path}");
                for header in [
                    ("x-forwarded-for", "203.0.113.9"),
                    ("x-real-ip", "203.0.113.9"),
                    ("forwarded", "for=203.0.113.9"),
                    ("x-forwarded-for", "127.0.0.1, 203.0.113.9"),
                    ("host", "shop.example.in"),
                ] {
                    assert_eq!(
                        status_for(&browser, path, header).await,
                        403,
                        "{path} {header:?}"
                    );
                }
            }
            assert_eq!(browser.get("/sandbox/mail/no-such-id").await.status, 404);
            let forwarded = ("x-forwarded-for", "203.0.113.9");
            assert_eq!(
                status_for(&browser, "/sandbox/mail/no-such-id", forwarded).await,
                403
            );
            for method in [Method::POST, Method::DELETE] {
                let request = browser
                    .request(method, PRIVATE[2])
                    .header(forwarded.0, forwarded.1);
                let response = browser.send(request.json(&json!({ "errors": 100 }))).await;
                assert_eq!(response.status, 403, "{response:?}");
            }
        },
    );
}

/// A visitor behind a proxy can sign in and pay, but cannot see the private pages.
#[test]
fn remote_visitor_can_sign_in_and_pay() {
    on_sqlite_fresh(
        |config| config.trusted_proxies = vec!["127.0.0.1".into()],
        async |shop| {
            let mut browser = TestClient::new(remote_client(), &shop.base);
            browser.host = Some(shop.base.trim_start_matches("http://").to_owned());
            browser.sign_in(&TestShop::email("remote")).await;
            browser.add("goda-masala", 1, 0).await;
            let address = browser.home().await;
            let payment =
                crate::harness::PendingPayment::from_response(&browser.check_out(&address).await);
            assert!(payment.page.starts_with(GATEWAY));
            assert_eq!(browser.get(&payment.page).await.status, 200);
            browser.submit_payment(&payment, "pay").await;
            let order = browser.settled_result(&payment).await;
            assert_eq!(order["order"]["paymentStatus"], "completed");
            assert_eq!(browser.get("/sandbox/mail").await.status, 403);
        },
    );
}

fn remote_client() -> reqwest::Client {
    let mut headers = http::HeaderMap::new();
    headers.insert("x-forwarded-for", "203.0.113.9".parse().unwrap());
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .default_headers(headers)
        .build()
        .unwrap()
}

#[test]
fn public_demo_shows_the_private_pages_to_all() {
    on_sqlite_fresh(
        |config| config.sandbox.public_demo = true,
        async |shop| {
            let browser = TestClient::new(remote_client(), &shop.base);
            for path in PRIVATE {
                assert_eq!(browser.get(path).await.status, 200, "{path}");
            }
        },
    );
}

#[test]
fn private_pages_do_not_exist_with_real_providers() {
    let real = |config: &mut Config| {
        config.mail.smtp_url = "smtp://127.0.0.1:1".into();
        config.phonepe.client_id = "id".into();
        config.phonepe.client_secret = "secret".into();
        config.phonepe.webhook_username = "name".into();
        config.phonepe.webhook_password = "secret".into();
        config.shiprocket.email = "api@shop.example".into();
        config.shiprocket.password = "secret".into();
        config.shiprocket.webhook_token = "secret".into();
    };
    on_sqlite_fresh(real, async |shop| {
        for path in PRIVATE {
            assert_eq!(shop.visitor().get(path).await.status, 404, "{path}");
        }
    });
}
