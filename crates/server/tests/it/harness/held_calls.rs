//! Calls of an outside service that a test holds back: they have no response until the test says so.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use tokio::sync::Semaphore;

pub struct HeldCalls {
    held: Mutex<HashSet<String>>,
    begun: Mutex<HashMap<String, usize>>,
    release: Semaphore,
}

impl Default for HeldCalls {
    fn default() -> HeldCalls {
        HeldCalls {
            held: Mutex::default(),
            begun: Mutex::default(),
            release: Semaphore::new(0),
        }
    }
}

impl HeldCalls {
    /// Calls about this subject get no response from now on.
    pub fn hold(&self, subject: &str) {
        self.held.lock().unwrap().insert(subject.to_owned());
    }

    /// All calls get their response.
    pub fn release(&self) {
        self.release.close();
    }

    /// How many calls about this subject have begun.
    pub fn begun(&self, subject: &str) -> usize {
        let begun = self.begun.lock().unwrap();
        begun.get(subject).copied().unwrap_or_default()
    }

    /// For the stand-in of the service, at the begin of a call.
    pub async fn pass(&self, subject: &str) {
        let is_held = self.held.lock().unwrap().contains(subject);
        self.count(subject);
        if is_held {
            // Ends with an error when the semaphore is closed.
            let _ = self.release.acquire().await;
        }
    }

    fn count(&self, subject: &str) {
        let mut begun = self.begun.lock().unwrap();
        *begun.entry(subject.to_owned()).or_default() += 1;
    }
}
