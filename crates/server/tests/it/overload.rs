//! Overload: idle connections, slow bodies and a slow gateway do not delay other customers.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use futures::future::join_all;
use mirasa_server::config::{Config, OnOff};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::harness::{PendingPayment, TestClient, TestShop, client, eventually, on_sqlite_fresh};

/// Longer than any timeout of the server.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(60);
/// For responses that do not wait for a timeout. Allows for a slow machine.
const FAST_RESPONSE_TIMEOUT: Duration = Duration::from_secs(8);

fn enable_rate_limit(config: &mut Config) {
    config.rate_limit = OnOff::On;
}

async fn connect(shop: &TestShop, from: [u8; 4]) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from((from, 0))).unwrap();
    socket.connect(shop.running.address).await.unwrap()
}

fn browser(shop: &TestShop, from: [u8; 4]) -> TestClient {
    TestClient::new(client(Some(IpAddr::from(from))), &shop.base)
}

/// The headers of a request and the first byte of its body.
fn partial_request(path: &str, more: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nContent-Length: 90\r\n{more}\r\n{{"
    )
}

/// The status of the next response; `None` after the timeout.
async fn status(stream: &mut TcpStream, within: Duration) -> Option<u16> {
    let mut start = [0; 12];
    timeout(within, stream.read_exact(&mut start))
        .await
        .ok()?
        .ok()?;
    std::str::from_utf8(&start[9..]).ok()?.parse().ok()
}

#[test]
fn unauthenticated_webhook_is_rejected_before_its_body_arrives() {
    on_sqlite_fresh(
        |_| {},
        async |shop| {
            for (path, expected) in [
                ("/api/payment/webhook/phonepe", 401),
                ("/api/payment/webhook/unknown", 404),
            ] {
                let mut stream = connect(shop, [127, 0, 0, 1]).await;
                let head = partial_request(path, "Authorization: guessed\r\n");
                stream.write_all(head.as_bytes()).await.unwrap();
                assert_eq!(
                    status(&mut stream, FAST_RESPONSE_TIMEOUT).await,
                    Some(expected),
                    "{path}"
                );
            }
        },
    );
}

#[test]
fn hundreds_of_slow_bodies_do_not_delay_other_requests() {
    on_sqlite_fresh(
        |_| {},
        async |shop| {
            let customer = shop.customer("overload-slow-bodies").await;
            let mut slow = Vec::new();
            for _ in 0..400 {
                let mut stream = connect(shop, [127, 0, 0, 1]).await;
                let head = partial_request("/api/api/queries", "");
                stream.write_all(head.as_bytes()).await.unwrap();
                slow.push(stream);
            }
            // The first requests may arrive before the server has read all slow ones, so send many.
            for _ in 0..100 {
                assert_eq!(customer.get("/api/cart/cart").await.status, 200);
            }
            customer.add("goda-masala", 1, 0).await;
            // The slow requests end with a timeout.
            let late = join_all(
                slow.iter_mut()
                    .map(|stream| status(stream, RESPONSE_TIMEOUT)),
            )
            .await;
            assert!(late.iter().all(|status| *status == Some(408)), "{late:?}");
            let mut rest = String::new();
            slow[0].read_to_string(&mut rest).await.unwrap();
            assert!(rest.contains(r#""code":"request_timeout""#), "{rest}");
        },
    );
}

#[test]
fn unfinished_bodies_per_ip_are_limited() {
    on_sqlite_fresh(enable_rate_limit, async |shop| {
        let customer = shop.customer("overload-bodies").await;
        let cookie = format!("Cookie: mirasa_session={}\r\n", customer.session().unwrap());
        let head = partial_request("/api/cart/add-to-cart", &cookie);
        let mut slow = Vec::new();
        for _ in 0..80 {
            let mut stream = connect(shop, [127, 0, 0, 21]).await;
            stream.write_all(head.as_bytes()).await.unwrap();
            slow.push(stream);
        }
        let other_ip = browser(shop, [127, 0, 0, 22]);
        other_ip.set_cookie("mirasa_session", &customer.session().unwrap());
        other_ip.add("goda-masala", 1, 0).await;
        let statuses = join_all(
            slow.iter_mut()
                .map(|stream| status(stream, RESPONSE_TIMEOUT)),
        )
        .await;
        let count = |expected| {
            statuses
                .iter()
                .filter(|status| **status == Some(expected))
                .count()
        };
        assert_eq!((count(408), count(429)), (64, 16), "{statuses:?}");
        let same_ip = browser(shop, [127, 0, 0, 21]);
        same_ip.set_cookie("mirasa_session", &customer.session().unwrap());
        same_ip.add("goda-masala", 1, 0).await;
    });
}

#[test]
fn slow_gateway_and_repeated_checkouts_do_not_delay_other_customers() {
    on_sqlite_fresh(
        |config| config.phonepe.timeout_s = 3,
        async |shop| {
            let customer = shop.customer("overload-checkouts").await;
            customer.add("goda-masala", 1, 0).await;
            let home = customer.home().await;
            let other = shop.customer("overload-other").await;
            other.add("goda-masala", 1, 0).await;
            let others_home = other.home().await;
            shop.inject_faults(json!({ "timeout": 2, "calls": ["pay"] }))
                .await;

            let checkouts = join_all((0..76).map(|_| customer.check_out(&home)));
            let meanwhile = async {
                eventually("the first checkout waits for the gateway", async || {
                    let orders = customer.get("/api/user/orders").await.expect_ok();
                    !orders["orders"].as_array().unwrap().is_empty()
                })
                .await;
                for _ in 0..50 {
                    assert_eq!(other.get("/api/cart/cart").await.status, 200);
                    other.add("goda-masala", 1, 0).await;
                }
            };
            let (responses, ()) = futures::join!(checkouts, meanwhile);
            let rejected = responses.iter().filter(|response| response.status == 429);
            assert!(rejected.count() >= 60, "{responses:?}");
            for response in &responses {
                assert!(matches!(response.status, 200 | 429 | 503), "{response:?}");
            }
            PendingPayment::from_response(&other.check_out(&others_home).await);
            PendingPayment::from_response(&customer.check_out(&home).await);
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn idle_connections_per_ip_are_limited() {
    let behind_proxy = |config: &mut Config| {
        config.rate_limit = OnOff::On;
        config.trusted_proxies = vec!["127.0.0.32".into()];
    };
    on_sqlite_fresh(behind_proxy, async |shop| {
        let mut idle = Vec::new();
        for _ in 0..600 {
            idle.push(connect(shop, [127, 0, 0, 31]).await);
        }
        let visitor = browser(shop, [127, 0, 0, 33]);
        assert_eq!(visitor.get("/healthz").await.status, 200);
        let last = &mut idle[599];
        assert_eq!(
            status(last, FAST_RESPONSE_TIMEOUT).await,
            Some(503),
            "too many connections from one IP"
        );
        drop(idle);

        let mut proxy_connections = Vec::new();
        for _ in 0..600 {
            proxy_connections.push(connect(shop, [127, 0, 0, 32]).await);
        }
        let request = b"GET /healthz HTTP/1.1\r\nHost: shop\r\n\r\n";
        proxy_connections[599].write_all(request).await.unwrap();
        assert_eq!(
            status(&mut proxy_connections[599], FAST_RESPONSE_TIMEOUT).await,
            Some(200)
        );

        eventually("closed connections are released", async || {
            let mut again = connect(shop, [127, 0, 0, 31]).await;
            again.write_all(request).await.is_ok()
                && status(&mut again, FAST_RESPONSE_TIMEOUT).await == Some(200)
        })
        .await;
    });
}
