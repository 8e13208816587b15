//! The IP address of a client.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use http::HeaderMap;
use ipnet::IpNet;

/// Every client can send X-Forwarded-For. So it is read from its end, and only as far as trusted proxies wrote it.
pub fn client_ip(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|proxy| proxy.contains(&address));
    let mut visitor = peer.to_canonical();
    let lines = headers.get_all("x-forwarded-for").iter().rev();
    let mut hops = lines.flat_map(|line| line.to_str().unwrap_or_default().rsplit(','));
    while is_trusted(visitor) {
        let hop = hops.next().map(str::trim).and_then(|hop| {
            let with_port = || hop.parse().map(|address: SocketAddr| address.ip());
            hop.parse().or_else(|_| with_port()).ok()
        });
        let Some(hop) = hop else { break };
        visitor = IpAddr::to_canonical(&hop);
    }
    visitor
}

/// An IPv6 customer has a whole /64 of addresses.
pub fn ip_prefix(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & !u128::from(u64::MAX)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forwarded_address_is_used_only_from_a_trusted_proxy() {
        let trusted = ["10.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()];
        let seen = |peer: &str, forwarded: &[&str]| {
            let mut headers = HeaderMap::new();
            for line in forwarded {
                headers.append("x-forwarded-for", line.parse().unwrap());
            }
            client_ip(peer.parse().unwrap(), &headers, &trusted).to_string()
        };
        assert_eq!(seen("203.0.113.9", &["198.51.100.7"]), "203.0.113.9");
        assert_eq!(seen("10.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(seen("10.0.0.1", &["6.6.6.6, 198.51.100.7"]), "198.51.100.7");
        assert_eq!(
            seen("10.0.0.1", &["6.6.6.6", "198.51.100.7, 10.0.0.2"]),
            "198.51.100.7"
        );
        assert_eq!(seen("::1", &["198.51.100.7:4711"]), "198.51.100.7");
        assert_eq!(
            seen("::ffff:10.0.0.1", &["[2001:db8::7]:80"]),
            "2001:db8::7"
        );
        assert_eq!(seen("10.0.0.1", &["nonsense"]), "10.0.0.1");
        assert_eq!(seen("10.0.0.1", &[]), "10.0.0.1");
    }

    #[test]
    fn ipv6_prefix_is_one_client() {
        let of = |text: &str| ip_prefix(text.parse().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_ne!(of("203.0.113.1"), of("203.0.113.2"));
    }
}
