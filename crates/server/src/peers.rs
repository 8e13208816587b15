//! How many connections each address holds. One that opens thousands and says nothing must not take the room
//! of all others.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mirasa_http::ip_prefix;

/// A browser holds six connections at most and a silent one is closed after 20 seconds, so this is room for
/// some eighty people of one office or phone company who look at the shop in the same moment. It takes sixteen such
/// addresses to fill the program. A proxy has more, and is exempt: see `trusted_proxies`.
const MOST_OF_ONE: usize = 512;
const FEWEST_OF_ONE: usize = 32;

pub struct Peers {
    most_of_one: usize,
    connections: Mutex<HashMap<IpAddr, usize>>,
}

impl Peers {
    /// Where the system gives little room, one address still has only a part of it.
    pub fn new(room: usize) -> Peers {
        Peers {
            most_of_one: (room / 4).clamp(FEWEST_OF_ONE, MOST_OF_ONE),
            connections: Mutex::default(),
        }
    }

    fn connections(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        let connections = self.connections.lock();
        connections.unwrap_or_else(PoisonError::into_inner)
    }

    /// None if the address has as many as it may have.
    pub fn enter(self: &Arc<Self>, address: IpAddr) -> Option<OfPeer> {
        let household = ip_prefix(address);
        let mut connections = self.connections();
        let held = connections.entry(household).or_default();
        let may = *held < self.most_of_one;
        *held += usize::from(may);
        may.then(|| OfPeer {
            peers: self.clone(),
            household,
        })
    }
}

/// Counts for its address until it is dropped.
pub struct OfPeer {
    peers: Arc<Peers>,
    household: IpAddr,
}

impl Drop for OfPeer {
    fn drop(&mut self) {
        let mut connections = self.peers.connections();
        if let Some(held) = connections.get_mut(&self.household) {
            *held -= 1;
            if *held == 0 {
                connections.remove(&self.household);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(peers: &Arc<Peers>, address: &str, wanted: usize) -> Vec<OfPeer> {
        let address = address.parse().unwrap();
        (0..wanted).map_while(|_| peers.enter(address)).collect()
    }

    #[test]
    fn one_address_does_not_take_the_room_of_others() {
        let peers = Arc::new(Peers::new(8192));
        let mut flood = take(&peers, "203.0.113.1", 9000);
        assert_eq!(flood.len(), MOST_OF_ONE);
        assert_eq!(take(&peers, "203.0.113.2", 10).len(), 10);
        flood.pop();
        assert_eq!(
            take(&peers, "203.0.113.1", 9).len(),
            1,
            "a place is free again"
        );
        drop(flood);
        assert!(
            peers.connections().is_empty(),
            "whoever is gone is forgotten"
        );
    }

    #[test]
    fn a_household_is_one_address_and_little_room_is_shared_too() {
        let peers = Arc::new(Peers::new(768));
        let mut flood = take(&peers, "2001:db8::1", 100);
        flood.extend(take(&peers, "2001:db8::2:1", 500));
        assert_eq!(flood.len(), 768 / 4);
        assert_eq!(take(&peers, "2001:db8:0:1::1", 10).len(), 10);
    }
}
