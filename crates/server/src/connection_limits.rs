//! How many connections each address holds. One that opens thousands and says nothing must not take the room
//! of all others.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mirasa_http::ip_prefix;

/// A browser holds six connections at most and a silent one is closed after 20 seconds, so this is room for
/// some eighty people of one office or phone company who look at the shop in the same moment. It takes sixteen such
/// addresses to fill the program. A proxy has more, and is exempt: see `trusted_proxies`.
const MAX_PER_CLIENT: usize = 512;
const MIN_PER_CLIENT: usize = 32;

pub struct ConnectionLimiter {
    most_of_one: usize,
    connections: Mutex<HashMap<IpAddr, usize>>,
}

impl ConnectionLimiter {
    /// Where the system gives little room, one address still has only a part of it.
    pub fn new(room: usize) -> ConnectionLimiter {
        ConnectionLimiter {
            most_of_one: (room / 4).clamp(MIN_PER_CLIENT, MAX_PER_CLIENT),
            connections: Mutex::default(),
        }
    }

    fn connections(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        let connections = self.connections.lock();
        connections.unwrap_or_else(PoisonError::into_inner)
    }

    /// None if the address has as many as it may have.
    pub fn try_acquire(self: &Arc<Self>, address: IpAddr) -> Option<ConnectionPermit> {
        let ip_prefix = ip_prefix(address);
        let mut connections = self.connections();
        let held = connections.entry(ip_prefix).or_default();
        let may = *held < self.most_of_one;
        *held += usize::from(may);
        may.then(|| ConnectionPermit {
            limiter: self.clone(),
            ip_prefix,
        })
    }
}

/// Counts for its address until it is dropped.
pub struct ConnectionPermit {
    limiter: Arc<ConnectionLimiter>,
    ip_prefix: IpAddr,
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut connections = self.limiter.connections();
        if let Some(held) = connections.get_mut(&self.ip_prefix) {
            *held -= 1;
            if *held == 0 {
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
        wanted: usize,
    ) -> Vec<ConnectionPermit> {
        let address = address.parse().unwrap();
        (0..wanted)
            .map_while(|_| limiter.try_acquire(address))
            .collect()
    }

    #[test]
    fn one_address_does_not_take_the_room_of_others() {
        let limiter = Arc::new(ConnectionLimiter::new(8192));
        let mut flood = take(&limiter, "203.0.113.1", 9000);
        assert_eq!(flood.len(), MAX_PER_CLIENT);
        assert_eq!(take(&limiter, "203.0.113.2", 10).len(), 10);
        flood.pop();
        assert_eq!(
            take(&limiter, "203.0.113.1", 9).len(),
            1,
            "a place is free again"
        );
        drop(flood);
        assert!(
            limiter.connections().is_empty(),
            "whoever is gone is forgotten"
        );
    }

    #[test]
    fn a_household_is_one_address_and_little_room_is_shared_too() {
        let limiter = Arc::new(ConnectionLimiter::new(768));
        let mut flood = take(&limiter, "2001:db8::1", 100);
        flood.extend(take(&limiter, "2001:db8::2:1", 500));
        assert_eq!(flood.len(), 768 / 4);
        assert_eq!(take(&limiter, "2001:db8:0:1::1", 10).len(), 10);
    }
}
