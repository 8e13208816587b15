//! Whoever keeps the shop waiting, with silent connections, slow bodies or a slow gateway, keeps nobody else
//! waiting.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use futures::future::join_all;
use mirasa_server::config::{Config, OnOff};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::harness::{PendingPayment, TestClient, TestShop, client, eventually, on_sqlite_fresh};

/// Longer than any deadline of the shop's.
const PATIENCE: Duration = Duration::from_secs(60);
/// For what must come at once. It is the machine that may be slow.
const AT_ONCE: Duration = Duration::from_secs(8);

fn on(config: &mut Config) {
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

/// The head of a request and the first byte of its body.
fn begun(path: &str, more: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nContent-Length: 90\r\n{more}\r\n{{"
    )
}

/// The status of the next answer; None if there is none in time.
async fn status(stream: &mut TcpStream, within: Duration) -> Option<u16> {
    let mut start = [0; 12];
    timeout(within, stream.read_exact(&mut start))
        .await
        .ok()?
        .ok()?;
    std::str::from_utf8(&start[9..]).ok()?.parse().ok()
}

#[test]
fn a_webhook_without_its_secret_is_refused_before_its_body_is_there() {
    on_sqlite_fresh(
        |_| {},
        async |shop| {
            for (path, expected) in [
                ("/api/payment/webhook/phonepe", 401),
                ("/api/payment/webhook/nobody", 404),
            ] {
                let mut stream = connect(shop, [127, 0, 0, 1]).await;
                let head = begun(path, "Authorization: guessed\r\n");
                stream.write_all(head.as_bytes()).await.unwrap();
                assert_eq!(status(&mut stream, AT_ONCE).await, Some(expected), "{path}");
            }
        },
    );
}

#[test]
fn hundreds_of_slow_bodies_hold_nobody_up() {
    on_sqlite_fresh(
        |_| {},
        async |shop| {
            let customer = shop.customer("crowds-customer").await;
            let mut slow = Vec::new();
            for _ in 0..400 {
                let mut stream = connect(shop, [127, 0, 0, 1]).await;
                let head = begun("/api/api/queries", "");
                stream.write_all(head.as_bytes()).await.unwrap();
                slow.push(stream);
            }
            // The shop has heard them all once the last one's connection is served; until then it may be early.
            for _ in 0..100 {
                assert_eq!(customer.get("/api/cart/cart").await.status, 200);
            }
            customer.add("goda-masala", 1, 0).await;
            // And they are not waited for without end.
            let late = join_all(slow.iter_mut().map(|stream| status(stream, PATIENCE))).await;
            assert!(late.iter().all(|status| *status == Some(408)), "{late:?}");
            let mut rest = String::new();
            slow[0].read_to_string(&mut rest).await.unwrap();
            assert!(rest.contains(r#""code":"request_timeout""#), "{rest}");
        },
    );
}

#[test]
fn one_address_has_only_so_many_bodies_on_the_way() {
    on_sqlite_fresh(on, async |shop| {
        let customer = shop.customer("crowds-bodies").await;
        let cookie = format!("Cookie: mirasa_session={}\r\n", customer.session().unwrap());
        let head = begun("/api/cart/add-to-cart", &cookie);
        let mut slow = Vec::new();
        for _ in 0..80 {
            let mut stream = connect(shop, [127, 0, 0, 21]).await;
            stream.write_all(head.as_bytes()).await.unwrap();
            slow.push(stream);
        }
        let elsewhere = browser(shop, [127, 0, 0, 22]);
        elsewhere.set_cookie("mirasa_session", &customer.session().unwrap());
        elsewhere.add("goda-masala", 1, 0).await;
        let statuses = join_all(slow.iter_mut().map(|stream| status(stream, PATIENCE))).await;
        let count = |wanted| {
            statuses
                .iter()
                .filter(|status| **status == Some(wanted))
                .count()
        };
        assert_eq!((count(408), count(429)), (64, 16), "{statuses:?}");
        let back = browser(shop, [127, 0, 0, 21]);
        back.set_cookie("mirasa_session", &customer.session().unwrap());
        back.add("goda-masala", 1, 0).await;
    });
}

#[test]
fn a_slow_gateway_and_one_customers_many_clicks_hold_nobody_up() {
    on_sqlite_fresh(
        |config| config.phonepe.timeout_s = 3,
        async |shop| {
            let clicker = shop.customer("crowds-clicker").await;
            clicker.add("goda-masala", 1, 0).await;
            let home = clicker.home().await;
            let other = shop.customer("crowds-other").await;
            other.add("goda-masala", 1, 0).await;
            let others_home = other.home().await;
            shop.inject_faults(json!({ "timeout": 2, "calls": ["pay"] }))
                .await;

            let clicks = join_all((0..76).map(|_| clicker.check_out(&home)));
            let meanwhile = async {
                eventually("the first click waits for the gateway", async || {
                    let orders = clicker.get("/api/user/orders").await.expect_ok();
                    !orders["orders"].as_array().unwrap().is_empty()
                })
                .await;
                for _ in 0..50 {
                    assert_eq!(other.get("/api/cart/cart").await.status, 200);
                    other.add("goda-masala", 1, 0).await;
                }
            };
            let (clicked, ()) = futures::join!(clicks, meanwhile);
            let refused = clicked.iter().filter(|response| response.status == 429);
            assert!(refused.count() >= 60, "{clicked:?}");
            for response in &clicked {
                assert!(matches!(response.status, 200 | 429 | 503), "{response:?}");
            }
            PendingPayment::from_response(&other.check_out(&others_home).await);
            PendingPayment::from_response(&clicker.check_out(&home).await);
            shop.is_consistent().await;
        },
    );
}

#[test]
fn one_addresss_silent_connections_leave_room_for_others() {
    let behind_proxy = |config: &mut Config| {
        config.rate_limit = OnOff::On;
        config.trusted_proxies = vec!["127.0.0.32".into()];
    };
    on_sqlite_fresh(behind_proxy, async |shop| {
        let mut silent = Vec::new();
        for _ in 0..600 {
            silent.push(connect(shop, [127, 0, 0, 31]).await);
        }
        let visitor = browser(shop, [127, 0, 0, 33]);
        assert_eq!(visitor.get("/healthz").await.status, 200);
        let last = &mut silent[599];
        assert_eq!(status(last, AT_ONCE).await, Some(503), "one has too many");
        drop(silent);

        let mut of_proxy = Vec::new();
        for _ in 0..600 {
            of_proxy.push(connect(shop, [127, 0, 0, 32]).await);
        }
        let ask = b"GET /healthz HTTP/1.1\r\nHost: shop\r\n\r\n";
        of_proxy[599].write_all(ask).await.unwrap();
        assert_eq!(status(&mut of_proxy[599], AT_ONCE).await, Some(200));

        eventually("who is gone leaves room", async || {
            let mut again = connect(shop, [127, 0, 0, 31]).await;
            again.write_all(ask).await.is_ok() && status(&mut again, AT_ONCE).await == Some(200)
        })
        .await;
    });
}
