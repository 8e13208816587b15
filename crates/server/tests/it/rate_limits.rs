//! Too many calls: whoever floods the shop waits, and nobody else does.

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

fn on(config: &mut Config) {
    config.rate_limit = OnOff::On;
}

fn from(shop: &TestShop, address: [u8; 4]) -> TestClient {
    TestClient::new(client(Some(IpAddr::from(address))), &shop.base)
}

fn refused(responses: &[TestResponse]) -> usize {
    let refused = responses.iter().filter(|response| response.status == 429);
    refused.count()
}

/// Calls faster than any person until the shop has enough: how many calls were welcome, and the no.
async fn flood(call: impl AsyncFn() -> TestResponse) -> (usize, TestResponse) {
    let mut welcome = 0;
    for _ in 0..50 {
        let responses = join_all((0..50).map(|_| call())).await;
        welcome += responses.len() - refused(&responses);
        if let Some(no) = responses.into_iter().find(|response| response.status == 429) {
            return (welcome, no);
        }
    }
    panic!("{welcome} calls were welcome");
}

#[test]
fn a_flood_is_told_to_wait_and_nobody_else_is() {
    on_sqlite_fresh(on, async |shop| {
        let flooder = from(shop, [127, 0, 0, 2]);
        let person = from(shop, [127, 0, 0, 3]);
        let (welcome, no) = flood(async || flooder.get("/api/products/api/filters").await).await;
        assert!(welcome >= 300, "only {welcome} calls were welcome");
        no.expect_error(429, "Too many requests. Please try again in a moment.");
        no.expect_code(429, "rate_limited", "");
        assert_eq!(no.header("retry-after"), "1");
        assert_eq!(no.header("cache-control"), "no-store");
        assert_eq!(no.header("x-request-id").len(), 36);
        assert_eq!(person.get("/api/auth/check-auth").await.status, 200);
        for free in [
            "/healthz",
            "/",
            "/favicon.svg",
            "/images/products/none.webp",
        ] {
            assert_ne!(flooder.get(free).await.status, 429, "{free} is not a call");
        }
        let began = Instant::now();
        while flooder.get("/api/auth/check-auth").await.status == 429 {
            assert!(
                began.elapsed() < Duration::from_secs(10),
                "it does not recover"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
}

#[test]
fn one_session_may_change_only_so_much_wherever_it_calls_from() {
    on_sqlite_fresh(on, async |shop| {
        let flooder = shop.customer("limits-flooder").await;
        let other = shop.customer("limits-other").await;
        let elsewhere = from(shop, [127, 0, 0, 4]);
        elsewhere.set_cookie("mirasa_session", &flooder.session().unwrap());
        let nothing = json!({ "productId": "x", "qty_50g": 0, "qty_100g": 0 });
        let change =
            async |browser: &TestClient| browser.put("/api/cart/update", nothing.clone()).await;
        let (welcome, _) = flood(async || change(&flooder).await).await;
        assert!(
            (100..250).contains(&welcome),
            "{welcome} changes were welcome"
        );
        let (welcome, _) = flood(async || change(&elsewhere).await).await;
        assert!(
            welcome < 100,
            "another address does not help, and yet {welcome} were welcome"
        );
        assert_eq!(
            change(&other).await.status,
            200,
            "another session of the same address"
        );
        assert_eq!(
            elsewhere.get("/api/cart/cart").await.status,
            200,
            "reading goes on"
        );
    });
}

#[test]
fn what_costs_more_is_limited_sooner() {
    on_sqlite_fresh(on, async |shop| {
        let browser = from(shop, [127, 0, 0, 5]);
        let message = json!({ "message": "hello" });
        let write = async || browser.post("/api/api/queries", message.clone()).await;
        let (welcome, no) = flood(write).await;
        assert!(
            (20..25).contains(&welcome),
            "{welcome} messages were welcome"
        );
        let wait: u32 = no.header("retry-after").parse().unwrap();
        assert!((2..=10).contains(&wait), "{wait} s");
        let (welcome, _) = flood(async || browser.get("/api/auth/google/login").await).await;
        assert!(
            (120..160).contains(&welcome),
            "{welcome} sign-ins were welcome"
        );
    });
}

#[test]
fn only_a_trusted_proxy_says_where_a_visitor_comes_from() {
    let behind_proxy = |config: &mut Config| {
        config.rate_limit = OnOff::On;
        config.trusted_proxies = vec!["127.0.0.6".into()];
    };
    on_sqlite_fresh(behind_proxy, async |shop| {
        let (proxy, liar) = (from(shop, [127, 0, 0, 6]), from(shop, [127, 0, 0, 7]));
        let ask = async |browser: &TestClient, visitor: String| {
            let ask = browser
                .request(Method::GET, "/api/auth/check-auth")
                .header("x-forwarded-for", visitor);
            browser.send(ask).await
        };
        let honest = join_all(
            (0..=255)
                .chain(0..=255)
                .map(|n| ask(&proxy, format!("203.0.113.{n}"))),
        )
        .await;
        assert_eq!(refused(&honest), 0, "many visitors behind one proxy");
        let name = AtomicU8::new(0);
        let lie = async || {
            let name = name.fetch_add(1, Ordering::Relaxed);
            ask(&liar, format!("203.0.113.{name}")).await
        };
        let (welcome, _) = flood(lie).await;
        assert!(welcome >= 300, "one visitor with many names is one visitor");
    });
}

#[test]
fn the_switch_turns_it_off() {
    for_each_engine(async |shop| {
        let browser = from(shop, [127, 0, 0, 8]);
        let responses = join_all((0..600).map(|_| browser.get("/api/auth/check-auth"))).await;
        assert!(responses.iter().all(|response| response.status == 200));
    });
}

/// Calls one after the other until the shop has enough: how many calls were welcome.
async fn until_refused(call: impl AsyncFn() -> TestResponse) -> usize {
    for welcome in 0..100 {
        if call().await.status == 429 {
            return welcome;
        }
    }
    panic!("100 calls were welcome");
}

#[test]
fn checkouts_are_counted_by_person_however_they_are_begun() {
    on_sqlite_fresh(on, async |shop| {
        let one = shop.customer("limits-buyer").await;
        let home = one.home().await;
        one.add("goda-masala", 1, 0).await;
        let again = shop.customer("limits-buyer").await;
        let pay_again = async |browser: &TestClient| {
            let path = "/api/user/orders/no-such-order/pay-again";
            browser.post(path, json!({})).await
        };
        let welcome = until_refused(async || pay_again(&one).await).await;
        assert!((20..40).contains(&welcome), "{welcome} were welcome");
        let welcome = until_refused(async || again.check_out(&home).await).await;
        assert!(
            welcome < 10,
            "a second session is the same person: {welcome}"
        );
        let welcome = until_refused(async || pay_again(&again).await).await;
        assert!(welcome < 10, "{welcome}");
        let other = shop.customer("limits-other-buyer").await;
        assert_eq!(pay_again(&other).await.status, 404, "another person");
        assert_eq!(one.get("/api/cart/cart").await.status, 200);
    });
}
