//! Limits the number of connections per client IP, so that one client cannot use up all connections.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mirasa_http::ip_prefix;

/// A browser opens up to six connections, and an idle one is closed after 20 seconds, so this is enough for about 80
/// customers behind one IP address at the same time. 16 such clients use up all connections. A proxy has more
/// connections and is exempt: see `trusted_proxies`.
const MAX_PER_CLIENT: usize = 512;
const MIN_PER_CLIENT: usize = 32;

pub struct ConnectionLimiter {
    max_per_client: usize,
    connections: Mutex<HashMap<IpAddr, usize>>,
}

impl ConnectionLimiter {
    /// If the system allows few connections, one client gets a quarter of them.
    pub fn new(max_connections: usize) -> ConnectionLimiter {
        ConnectionLimiter {
            max_per_client: (max_connections / 4).clamp(MIN_PER_CLIENT, MAX_PER_CLIENT),
            connections: Mutex::default(),
        }
    }

    fn connections(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        let connections = self.connections.lock();
        connections.unwrap_or_else(PoisonError::into_inner)
    }

    /// None if the client has reached its limit.
    pub fn try_acquire(self: &Arc<Self>, address: IpAddr) -> Option<ConnectionPermit> {
        let ip_prefix = ip_prefix(address);
        let mut connections = self.connections();
        let count = connections.entry(ip_prefix).or_default();
        let is_admitted = *count < self.max_per_client;
        *count += usize::from(is_admitted);
        is_admitted.then(|| ConnectionPermit {
            limiter: self.clone(),
            ip_prefix,
        })
    }
}

/// Counts for its client until it is dropped.
pub struct ConnectionPermit {
    limiter: Arc<ConnectionLimiter>,
    ip_prefix: IpAddr,
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut connections = self.limiter.connections();
        if let Some(count) = connections.get_mut(&self.ip_prefix) {
            *count -= 1;
            if *count == 0 {
                connections.remove(&self.ip_prefix);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(
        limiter: &Arc<ConnectionLimiter>,
        address: &str,
        count: usize,
    ) -> Vec<ConnectionPermit> {
        let address = address.parse().unwrap();
        (0..count)
            .map_while(|_| limiter.try_acquire(address))
            .collect()
    }

    #[test]
    fn one_client_cannot_use_up_all_connections() {
        let limiter = Arc::new(ConnectionLimiter::new(8192));
        let mut flood = take(&limiter, "203.0.113.1", 9000);
        assert_eq!(flood.len(), MAX_PER_CLIENT);
        assert_eq!(take(&limiter, "203.0.113.2", 10).len(), 10);
        flood.pop();
        assert_eq!(
            take(&limiter, "203.0.113.1", 9).len(),
            1,
            "one permit was released"
        );
        drop(flood);
        assert!(
            limiter.connections().is_empty(),
            "clients without connections are removed"
        );
    }

    #[test]
    fn ipv6_prefix_is_one_client_with_a_quarter_of_few_connections() {
        let limiter = Arc::new(ConnectionLimiter::new(768));
        let mut flood = take(&limiter, "2001:db8::1", 100);
        flood.extend(take(&limiter, "2001:db8::2:1", 500));
        assert_eq!(flood.len(), 768 / 4);
        assert_eq!(take(&limiter, "2001:db8:0:1::1", 10).len(), 10);
    }
}
