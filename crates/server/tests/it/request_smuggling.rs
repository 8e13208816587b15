//! Requests that two readers would cut differently. A proxy before the shop may read one request where the
//! shop reads two; so the shop refuses what is ambiguous, or hangs up behind it.

use crate::harness::{TestShop, for_each_engine};

/// What an attacker would like to have run as somebody else's request.
const HIDDEN: &str = "GET /api/smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
const BODY: &str = "{\"name\":\"x\",\"email\":\"\",\"message\":\"\"}";

fn post(shop: &TestShop, headers: &str, rest: &str) -> String {
    let host = shop.running.address;
    format!(
        "POST /api/api/queries HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n{headers}\r\n{rest}"
    )
}

fn responses(text: &str) -> usize {
    text.matches("HTTP/1.1 ").count()
}

#[test]
fn a_body_with_two_lengths_is_refused() {
    for_each_engine(async |shop| {
        let length = BODY.len();
        for headers in [
            format!("Content-Length: {length}\r\nContent-Length: 0\r\n"),
            format!("Content-Length: 0\r\nContent-Length: {length}\r\n"),
            format!("Content-Length: {length}, 0\r\n"),
            format!("Content-Length: +{length}\r\n"),
            format!("Content-Length: -{length}\r\n"),
            "Content-Length: 0x10\r\n".into(),
            "Content-Length: 99999999999999999999999\r\n".into(),
            "Content-Length: \r\n".into(),
            "Transfer-Encoding: xchunked\r\n".into(),
            "Transfer-Encoding: chunked, identity\r\n".into(),
            format!("Content-Length : {length}\r\n"),
            format!("Content-Length: {length}\r\n Transfer-Encoding: chunked\r\n"),
            format!("Content-Length: {length}\r\nX\0: y\r\n"),
            format!("Content-Length: {length}\r\nX: a\rb\r\n"),
        ] {
            let response = shop
                .send_raw(post(shop, &headers, &format!("{BODY}{HIDDEN}")))
                .await;
            assert!(response.starts_with("HTTP/1.1 400"), "{headers:?}: {response}");
            assert_eq!(responses(&response), 1, "{headers:?}: {response}");
            assert!(!response.contains("no such call"), "{headers:?}: {response}");
        }
        let twice = format!(
            "Content-Length: {length}\r\nContent-Length: {length}\r\nConnection: close\r\n"
        );
        let response = shop.send_raw(post(shop, &twice, BODY)).await;
        assert!(
            response.starts_with("HTTP/1.1 201") || response.starts_with("HTTP/1.1 400"),
            "the same length twice is not ambiguous: {response}"
        );
    });
}

/// The standard lets a server read such a request by its chunks, if it hangs up afterwards: what a proxy
/// took for the rest of the body, or for the next request, is never read.
#[test]
fn behind_a_body_with_a_length_and_chunks_the_shop_hangs_up() {
    for_each_engine(async |shop| {
        let chunked = format!("{:x}\r\n{BODY}\r\n0\r\n\r\n", BODY.len());
        let long = chunked.len() + HIDDEN.len();
        for headers in [
            "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n".to_owned(),
            "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n".to_owned(),
            format!("Content-Length: {long}\r\nTransfer-Encoding: chunked\r\n"),
            format!(
                "Transfer-Encoding: chunked\r\nContent-Length: {long}\r\nConnection: keep-alive\r\n"
            ),
        ] {
            let response = shop
                .send_raw(post(shop, &headers, &format!("{chunked}{HIDDEN}{HIDDEN}")))
                .await;
            assert_eq!(responses(&response), 1, "{headers:?}: {response}");
            assert!(!response.contains("no such call"), "{headers:?}: {response}");
        }
        // The test can tell: without the second length both requests are answered.
        let response = shop
            .send_raw(post(
                shop,
                "Transfer-Encoding: chunked\r\n",
                &format!("{chunked}{HIDDEN}"),
            ))
            .await;
        assert_eq!(responses(&response), 2, "{response}");
        assert!(response.contains("no such call"), "{response}");
    });
}

#[test]
fn chunks_that_cannot_be_read_end_the_connection() {
    for_each_engine(async |shop| {
        for chunks in [
            "zz\r\nx\r\n0\r\n\r\n",
            "-1\r\nx\r\n0\r\n\r\n",
            "ffffffffffffffffff\r\nx\r\n0\r\n\r\n",
            "1;\n\r\nx\r\n0\r\n\r\n",
            "1\r\nxTOO LONG\r\n0\r\n\r\n",
        ] {
            let response = shop
                .send_raw(post(
                    shop,
                    "Transfer-Encoding: chunked\r\n",
                    &format!("{chunks}{HIDDEN}"),
                ))
                .await;
            assert!(responses(&response) <= 1, "{chunks:?}: {response}");
            assert!(!response.contains("no such call"), "{chunks:?}: {response}");
            assert!(
                response.is_empty() || response.starts_with("HTTP/1.1 400"),
                "{chunks:?}: {response}"
            );
        }
    });
}

#[test]
fn a_request_line_is_a_request_line() {
    for_each_engine(async |shop| {
        let host = shop.running.address;
        for line in [
            "GET /healthz HTTP/9.9",
            "GET /healthz HTTP/1.1 x",
            "GET /heal thz HTTP/1.1",
            "GET /\x01 HTTP/1.1",
            "G\0T / HTTP/1.1",
            "nonsense",
        ] {
            let response = shop
                .send_raw(format!("{line}\r\nHost: {host}\r\n\r\n"))
                .await;
            assert!(
                response.is_empty()
                    || response.starts_with("HTTP/1.1 4")
                    || response.starts_with("HTTP/1.0 4"),
                "{line:?}: {response}"
            );
        }
    });
}

#[test]
fn a_head_beyond_the_limit_is_refused() {
    for_each_engine(async |shop| {
        let host = shop.running.address;
        for (fill, expected) in [
            (31 * 1024, "HTTP/1.1 200"),
            (33_000, "HTTP/1.1 431"),
            (40_000, "HTTP/1.1 431"),
            (200_000, "HTTP/1.1 431"),
        ] {
            let fill = "x".repeat(fill);
            let head = format!("Host: {host}\r\nConnection: close\r\n");
            for request in [
                format!("GET /healthz HTTP/1.1\r\n{head}X-Fill: {fill}\r\n\r\n"),
                format!("GET /healthz?{fill} HTTP/1.1\r\n{head}\r\n"),
            ] {
                let response = shop.send_raw(request).await;
                assert!(
                    response.starts_with(expected),
                    "{} bytes: {:.60}",
                    fill.len(),
                    response
                );
            }
        }
    });
}
