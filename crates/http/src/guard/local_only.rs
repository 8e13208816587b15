//! Pages of the sandboxes that show other users' data or change how the sandbox gateway behaves. They are reachable only
//! from the machine that runs the shop, unless it is a public demo.

use std::net::{IpAddr, SocketAddr};

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, header};
use mirasa_app::{AppError, ErrorCode};

use crate::error::ApiError;

/// Headers in which a proxy names its client.
const FORWARDED_FOR: [&str; 2] = ["x-forwarded-for", "x-real-ip"];

/// Rejects every request to these routes that does not come from this machine.
pub fn local_only(routes: Router) -> Router {
    routes.layer(from_fn(reject_remote))
}

async fn reject_remote(request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    if peer.is_some_and(|ConnectInfo(peer)| is_local(peer.ip(), request.headers())) {
        return next.run(request).await;
    }
    let why = "This page of the sandbox is only shown on the machine that runs the shop (sandbox.public_demo)";
    ApiError(AppError::new(ErrorCode::Forbidden, why)).into_response()
}

/// A proxy on this machine connects from loopback too, so the client that it names must be local as well. Checking the
/// host name prevents DNS rebinding.
fn is_local(peer: IpAddr, headers: &HeaderMap) -> bool {
    let plain = FORWARDED_FOR.iter().flat_map(|name| headers.get_all(*name));
    let plain = plain.flat_map(|value| value.to_str().unwrap_or("?").split(','));
    let standard = headers.get_all(header::FORWARDED).iter();
    let standard = standard.flat_map(|value| value.to_str().unwrap_or("?").split([',', ';']));
    let standard = standard.filter_map(named_for);
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    peer.to_canonical().is_loopback()
        && plain.chain(standard).all(is_loopback)
        && host.is_some_and(is_loopback)
}

/// `for=192.0.2.60` of a Forwarded header; nothing of its other parts.
fn named_for(part: &str) -> Option<&str> {
    match part.split_once('=') {
        Some((name, node)) if name.trim().eq_ignore_ascii_case("for") => Some(node),
        Some(_) => None,
        None => Some(part),
    }
}

/// An address or a name, perhaps with a port, in brackets or in quotes.
fn is_loopback(text: &str) -> bool {
    let text = text.trim().trim_matches('"');
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    let address = bare
        .parse::<IpAddr>()
        .or_else(|_| text.parse::<SocketAddr>().map(|address| address.ip()));
    match address {
        Ok(address) => address.to_canonical().is_loopback(),
        Err(_) => {
            let name = text.split_once(':').map_or(text, |(name, _)| name);
            name.eq_ignore_ascii_case("localhost")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_local_request(peer: &str, lines: &[(&'static str, &str)]) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, value.parse().unwrap());
        }
        is_local(peer.parse().unwrap(), &headers)
    }

    #[test]
    fn loopback_peer_is_local() {
        let host = ("host", "127.0.0.1:8080");
        for peer in ["127.0.0.1", "127.0.0.9", "::1", "::ffff:127.0.0.1"] {
            assert!(is_local_request(peer, &[host]), "{peer}");
        }
        for peer in ["203.0.113.9", "10.0.0.1", "2001:db8::1", "::ffff:10.0.0.1"] {
            assert!(!is_local_request(peer, &[host]), "{peer}");
            let forged = ("x-forwarded-for", "127.0.0.1");
            assert!(!is_local_request(peer, &[host, forged]), "{peer}");
        }
    }

    #[test]
    fn local_proxy_is_local_only_for_local_clients() {
        let host = ("host", "localhost");
        for (name, value) in [
            ("x-forwarded-for", "203.0.113.9"),
            ("x-forwarded-for", "127.0.0.1, 203.0.113.9"),
            ("x-forwarded-for", "203.0.113.9, 127.0.0.1"),
            ("x-forwarded-for", "nonsense"),
            ("x-forwarded-for", ""),
            ("x-real-ip", "203.0.113.9"),
            ("forwarded", "for=203.0.113.9;proto=https"),
            ("forwarded", "for=127.0.0.1, For=\"[2001:db8::1]:4711\""),
            ("forwarded", "for=_hidden"),
            ("forwarded", "nonsense"),
        ] {
            assert!(
                !is_local_request("127.0.0.1", &[host, (name, value)]),
                "{value}"
            );
        }
        let twice = [
            host,
            ("x-forwarded-for", "127.0.0.1"),
            ("x-forwarded-for", "203.0.113.9"),
        ];
        assert!(!is_local_request("127.0.0.1", &twice));
        for (name, value) in [
            ("x-forwarded-for", "127.0.0.1"),
            ("x-forwarded-for", "::1, 127.0.0.1:4711"),
            ("forwarded", "proto=http;for=\"[::1]:4711\";by=203.0.113.1"),
        ] {
            assert!(
                is_local_request("127.0.0.1", &[host, (name, value)]),
                "{value}"
            );
        }
    }

    #[test]
    fn foreign_host_name_is_not_local() {
        for host in [
            "evil.example",
            "evil.example:8080",
            "127.0.0.1.evil.example",
        ] {
            assert!(!is_local_request("127.0.0.1", &[("host", host)]), "{host}");
        }
        assert!(!is_local_request("127.0.0.1", &[]));
        for host in ["localhost:8080", "[::1]:8080", "127.0.0.1"] {
            assert!(is_local_request("127.0.0.1", &[("host", host)]), "{host}");
        }
    }
}
