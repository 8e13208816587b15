//! Rate limits: a client that sends too many requests gets 429; other clients do not.

use std::net::IpAddr;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use futures::future::join_all;
use http::Method;
use mirasa_server::config::{Config, OnOff};
use serde_json::json;

use crate::harness::{
    TestClient, TestResponse, TestShop, client, for_each_engine, on_sqlite_fresh,
};

fn enable_rate_limit(config: &mut Config) {
    config.rate_limit = OnOff::On;
}

fn from(shop: &TestShop, address: [u8; 4]) -> TestClient {
    TestClient::new(client(Some(IpAddr::from(address))), &shop.base)
}

fn count_rejected(responses: &[TestResponse]) -> usize {
    let rejected = responses.iter().filter(|response| response.status == 429);
    rejected.count()
}

/// Sends concurrent requests until one gets 429. Returns the number of accepted requests and the 429 response.
async fn flood(send_request: impl AsyncFn() -> TestResponse) -> (usize, TestResponse) {
    let mut accepted = 0;
    for _ in 0..50 {
        let responses = join_all((0..50).map(|_| send_request())).await;
        accepted += responses.len() - count_rejected(&responses);
        if let Some(rejection) = responses
            .into_iter()
            .find(|response| response.status == 429)
        {
            return (accepted, rejection);
        }
    }
    panic!("{accepted} requests were accepted");
}

#[test]
fn flooding_client_gets_429_and_others_do_not() {
    on_sqlite_fresh(enable_rate_limit, async |shop| {
        let flooder = from(shop, [127, 0, 0, 2]);
        let other = from(shop, [127, 0, 0, 3]);
        let (accepted, rejection) =
            flood(async || flooder.get("/api/products/api/filters").await).await;
        assert!(accepted >= 300, "only {accepted} requests were accepted");
        rejection.expect_error(429, "Too many requests. Please try again in a moment.");
        rejection.expect_code(429, "rate_limited", "");
        assert_eq!(rejection.header("retry-after"), "1");
        assert_eq!(rejection.header("cache-control"), "no-store");
        assert_eq!(rejection.header("x-request-id").len(), 36);
        assert_eq!(other.get("/api/auth/check-auth").await.status, 200);
        for free in [
            "/healthz",
            "/",
            "/favicon.svg",
            "/images/products/none.webp",
        ] {
            assert_ne!(flooder.get(free).await.status, 429, "{free} is not limited");
        }
        let began = Instant::now();
        while flooder.get("/api/auth/check-auth").await.status == 429 {
            assert!(
                began.elapsed() < Duration::from_secs(10),
                "the limit does not recover"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
}

#[test]
fn writes_are_limited_by_session_across_ips() {
    on_sqlite_fresh(enable_rate_limit, async |shop| {
        let flooder = shop.customer("limits-flooder").await;
        let other = shop.customer("limits-other").await;
        let other_ip = from(shop, [127, 0, 0, 4]);
        other_ip.set_cookie("mirasa_session", &flooder.session().unwrap());
        let body = json!({ "productId": "x", "qty_50g": 0, "qty_100g": 0 });
        let change =
            async |browser: &TestClient| browser.put("/api/cart/update", body.clone()).await;
        let (accepted, _) = flood(async || change(&flooder).await).await;
        assert!(
            (100..250).contains(&accepted),
            "{accepted} changes were accepted"
        );
        let (accepted, _) = flood(async || change(&other_ip).await).await;
        assert!(
            accepted < 100,
            "another IP has the same limit, but {accepted} were accepted"
        );
        assert_eq!(
            change(&other).await.status,
            200,
            "another session of the same IP"
        );
        assert_eq!(
            other_ip.get("/api/cart/cart").await.status,
            200,
            "reads are not limited by this"
        );
    });
}

#[test]
fn expensive_requests_have_lower_limits() {
    on_sqlite_fresh(enable_rate_limit, async |shop| {
        let browser = from(shop, [127, 0, 0, 5]);
        let message = json!({ "message": "hello" });
        let write = async || browser.post("/api/api/queries", message.clone()).await;
        let (accepted, rejection) = flood(write).await;
        assert!(
            (20..25).contains(&accepted),
            "{accepted} messages were accepted"
        );
        let wait: u32 = rejection.header("retry-after").parse().unwrap();
        assert!((2..=10).contains(&wait), "{wait} s");
        let (accepted, _) = flood(async || browser.get("/api/auth/google/login").await).await;
        assert!(
            (120..160).contains(&accepted),
            "{accepted} sign-ins were accepted"
        );
    });
}

#[test]
fn forwarded_for_is_used_only_from_trusted_proxies() {
    let behind_proxy = |config: &mut Config| {
        config.rate_limit = OnOff::On;
        config.trusted_proxies = vec!["127.0.0.6".into()];
    };
    on_sqlite_fresh(behind_proxy, async |shop| {
        let (proxy, untrusted) = (from(shop, [127, 0, 0, 6]), from(shop, [127, 0, 0, 7]));
        let fetch = async |browser: &TestClient, visitor: String| {
            let request = browser
                .request(Method::GET, "/api/auth/check-auth")
                .header("x-forwarded-for", visitor);
            browser.send(request).await
        };
        let responses = join_all(
            (0..=255)
                .chain(0..=255)
                .map(|n| fetch(&proxy, format!("203.0.113.{n}"))),
        )
        .await;
        assert_eq!(
            count_rejected(&responses),
            0,
            "many visitors behind one proxy"
        );
        let name = AtomicU8::new(0);
        let send_forged = async || {
            let name = name.fetch_add(1, Ordering::Relaxed);
            fetch(&untrusted, format!("203.0.113.{name}")).await
        };
        let (accepted, _) = flood(send_forged).await;
        assert!(
            accepted >= 300,
            "forged addresses must not give separate limits"
        );
    });
}

#[test]
fn rate_limit_can_be_switched_off() {
    for_each_engine(async |shop| {
        let browser = from(shop, [127, 0, 0, 8]);
        let responses = join_all((0..600).map(|_| browser.get("/api/auth/check-auth"))).await;
        assert!(responses.iter().all(|response| response.status == 200));
    });
}

/// Sends requests one after the other until one gets 429. Returns the number of accepted requests.
async fn count_until_rejected(send_request: impl AsyncFn() -> TestResponse) -> usize {
    for accepted in 0..100 {
        if send_request().await.status == 429 {
            return accepted;
        }
    }
    panic!("100 requests were accepted");
}

#[test]
fn checkouts_are_limited_by_user_across_sessions_and_routes() {
    on_sqlite_fresh(enable_rate_limit, async |shop| {
        let first_session = shop.customer("limits-buyer").await;
        let home = first_session.home().await;
        first_session.add("goda-masala", 1, 0).await;
        let second_session = shop.customer("limits-buyer").await;
        let pay_again = async |browser: &TestClient| {
            let path = "/api/user/orders/no-such-order/pay-again";
            browser.post(path, json!({})).await
        };
        let accepted = count_until_rejected(async || pay_again(&first_session).await).await;
        assert!((20..40).contains(&accepted), "{accepted} were accepted");
        let accepted = count_until_rejected(async || second_session.check_out(&home).await).await;
        assert!(
            accepted < 10,
            "a second session of the same user: {accepted}"
        );
        let accepted = count_until_rejected(async || pay_again(&second_session).await).await;
        assert!(accepted < 10, "{accepted}");
        let other = shop.customer("limits-other-buyer").await;
        assert_eq!(pay_again(&other).await.status, 404, "another user");
        assert_eq!(first_session.get("/api/cart/cart").await.status, 200);
    });
}

#[test]
fn guesses_of_discount_codes_are_limited_by_user() {
    on_sqlite_fresh(enable_rate_limit, async |shop| {
        let first_session = shop.customer("limits-guesser").await;
        let second_session = shop.customer("limits-guesser").await;
        let guess = async |browser: &TestClient| {
            let code = json!({ "code": "GUESS-1" });
            browser.put("/api/cart/discount", code).await
        };
        let accepted = count_until_rejected(async || guess(&first_session).await).await;
        assert!((10..13).contains(&accepted), "{accepted} were accepted");
        assert_eq!(guess(&second_session).await.status, 429);
        let other = shop.customer("limits-other-guesser").await;
        assert_eq!(guess(&other).await.status, 404, "another user");
        let removed = first_session.delete("/api/cart/discount").await;
        assert_eq!(removed.status, 200, "removing a code is no guess");
    });
}
