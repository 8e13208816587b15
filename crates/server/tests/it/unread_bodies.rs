//! Requests that are refused before their body has arrived: the connection can be used again, or the response announces that
//! it is closed.

use std::time::Duration;

use mirasa_server::config::{Config, OnOff};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::timeout;

use crate::harness::{TestShop, on_sqlite_fresh};

/// Allows for a slow machine.
const TIMEOUT: Duration = Duration::from_secs(30);
/// More than the server reads, and more than the sockets' buffers hold.
const HUGE: usize = 24 * 1024 * 1024;

/// A request that is refused by its head alone.
struct Refusal {
    status: u16,
    method: &'static str,
    path: &'static str,
    headers: String,
}

/// One for each status, in a shop with rate limits.
async fn refusals(shop: &TestShop) -> Vec<Refusal> {
    let customer = shop.customer("unread-bodies").await;
    let cookie = format!("Cookie: mirasa_session={}\r\n", customer.session().unwrap());
    // The bucket with the slowest refill: no token comes back during the test.
    let picture = "/api/user/profile-picture";
    loop {
        let mut connection = Connection::open(shop).await;
        let rest = "Content-Length: 2\r\nConnection: close\r\n\r\n{}";
        let request = format!("PUT {picture} HTTP/1.1\r\nHost: shop\r\n{cookie}{rest}");
        connection.send(&request).await;
        if connection.response().await.0 == 429 {
            break;
        }
    }
    let refusal = |status, method, path, headers: &str| Refusal {
        status,
        method,
        path,
        headers: headers.to_owned(),
    };
    vec![
        refusal(401, "POST", "/api/cart/add-to-cart", ""),
        refusal(403, "PUT", "/api/admin/orders/x/status", &cookie),
        refusal(
            403,
            "POST",
            "/api/api/queries",
            "Origin: https://evil.example\r\n",
        ),
        refusal(404, "POST", "/api/no/such/call", ""),
        refusal(404, "POST", "/api/payment/webhook/unknown", ""),
        refusal(405, "POST", "/api/products/api/trending", ""),
        refusal(429, "PUT", picture, &cookie),
    ]
}

struct Connection {
    reader: OwnedReadHalf,
    writer: OwnedWriteHalf,
}

impl Connection {
    async fn open(shop: &TestShop) -> Connection {
        let stream = TcpStream::connect(shop.running.address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let (reader, writer) = stream.into_split();
        Connection { reader, writer }
    }

    async fn send(&mut self, text: &str) {
        self.writer.write_all(text.as_bytes()).await.unwrap();
    }

    /// The status of the next response, and whether it announces that the connection is closed.
    async fn response(&mut self) -> (u16, bool) {
        let response = async {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(self.reader.read_u8().await.unwrap());
            }
            let head = String::from_utf8(head).unwrap().to_lowercase();
            let header = |name: &str| {
                let line = head.lines().find_map(|line| line.strip_prefix(name));
                line.map(str::trim)
            };
            let size = header("content-length:").unwrap().parse().unwrap();
            let mut body = vec![0; size];
            self.reader.read_exact(&mut body).await.unwrap();
            let status = head.split(' ').nth(1).unwrap().parse().unwrap();
            (status, header("connection:") == Some("close"))
        };
        timeout(TIMEOUT, response).await.expect("a response")
    }

    /// The server closes the connection without another byte. A client that is still sending may see a reset instead.
    async fn expect_closed(&mut self) {
        let mut rest = Vec::new();
        let end = timeout(TIMEOUT, self.reader.read_to_end(&mut rest)).await;
        assert!(end.is_ok(), "the connection stays open");
        assert_eq!(rest, b"");
    }

    /// Whether the connection was kept. If not, the response must have said so.
    async fn expect_kept_or_announced(&mut self, expected: u16, case: &str) -> bool {
        let (status, closes) = self.response().await;
        assert_eq!(status, expected, "{case}");
        if closes {
            self.expect_closed().await;
        } else {
            self.send("GET /healthz HTTP/1.1\r\nHost: shop\r\n\r\n")
                .await;
            assert_eq!(self.response().await.0, 200, "{case}");
        }
        !closes
    }
}

fn head(refusal: &Refusal, body: &str) -> String {
    let Refusal {
        method,
        path,
        headers,
        ..
    } = refusal;
    format!(
        "{method} {path} HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\n{headers}{body}\r\n"
    )
}

const LENGTH: &str = "Content-Length: 16\r\n";
const CHUNKED: &str = "Transfer-Encoding: chunked\r\n";

fn limit_rates(config: &mut Config) {
    config.rate_limit = OnOff::On;
}

#[test]
fn connection_is_kept_after_a_refused_small_body() {
    on_sqlite_fresh(limit_rates, async |shop| {
        for refusal in refusals(shop).await {
            for (framing, body) in [
                (LENGTH, "{\"message\": \"x\"}"),
                (CHUNKED, "10\r\n{\"message\": \"x\"}\r\n0\r\n\r\n"),
            ] {
                let case = format!("{} {framing}", refusal.status);
                let mut kept = false;
                // On a busy machine the body may come too late. The response must say so, and the next try must work.
                for _ in 0..20 {
                    let mut connection = Connection::open(shop).await;
                    connection.send(&head(&refusal, framing)).await;
                    tokio::task::yield_now().await;
                    connection.send(body).await;
                    let status = refusal.status;
                    kept = connection.expect_kept_or_announced(status, &case).await;
                    if kept {
                        break;
                    }
                }
                assert!(kept, "{case}");
            }
        }
    });
}

#[test]
fn close_is_announced_if_the_body_does_not_arrive() {
    on_sqlite_fresh(limit_rates, async |shop| {
        for refusal in refusals(shop).await {
            for (framing, begin) in [
                (LENGTH.to_owned(), "{"),
                (CHUNKED.to_owned(), "10\r\n{"),
                (CHUNKED.to_owned(), "1\r\n{\r\n"),
                (format!("{LENGTH}Expect: 100-continue\r\n"), ""),
            ] {
                let case = format!("{} {framing}{begin}", refusal.status);
                let mut connection = Connection::open(shop).await;
                connection.send(&(head(&refusal, &framing) + begin)).await;
                let (status, closes) = connection.response().await;
                assert_eq!((status, closes), (refusal.status, true), "{case}");
                connection.expect_closed().await;
            }
        }
    });
}

/// The client sends all of it before it reads: a reset would cost it the response.
#[test]
fn close_is_announced_for_a_huge_body() {
    on_sqlite_fresh(limit_rates, async |shop| {
        let mut refusals = refusals(shop).await;
        refusals.push(Refusal {
            status: 413,
            method: "POST",
            path: "/api/api/queries",
            headers: String::new(),
        });
        for refusal in &refusals {
            for framing in [format!("Content-Length: {HUGE}\r\n"), CHUNKED.to_owned()] {
                let case = format!("{} {framing}", refusal.status);
                let mut connection = Connection::open(shop).await;
                connection.send(&head(refusal, &framing)).await;
                // The server stops reading after a while; then this fails.
                let sending = send_huge(&mut connection.writer, framing == CHUNKED);
                let sending = timeout(TIMEOUT, sending).await;
                let is_sent = sending.expect("the server reads or closes").is_ok();
                let (status, closes) = connection.response().await;
                assert_eq!(status, refusal.status, "{case}");
                // A handler that finds out while it reads may have read the rest, too.
                assert!(closes || status == 413 && is_sent, "{case}");
                if closes {
                    connection.expect_closed().await;
                }
            }
        }
    });
}

async fn send_huge(writer: &mut OwnedWriteHalf, is_chunked: bool) -> std::io::Result<()> {
    let mut piece = vec![b' '; 64 * 1024];
    if is_chunked {
        piece.splice(0..0, *b"10000\r\n");
        piece.extend(b"\r\n");
    }
    for _ in 0..HUGE / (64 * 1024) {
        writer.write_all(&piece).await?;
    }
    Ok(())
}
