//! The time and the ids of the demo history: a clock that the history moves, and ids that are the same in every run.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use mirasa_app::ports::clock::{Clock, IdGenerator};
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};

use super::SEED;

pub struct DemoClock(AtomicI64);

impl DemoClock {
    pub fn new(now_ms: i64) -> DemoClock {
        DemoClock(AtomicI64::new(now_ms))
    }

    pub fn set(&self, now_ms: i64) {
        self.0.store(now_ms, Ordering::Relaxed);
    }
}

impl Clock for DemoClock {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

pub struct DemoIds {
    clock: Arc<DemoClock>,
    random: Mutex<StdRng>,
}

impl DemoIds {
    pub fn new(clock: Arc<DemoClock>) -> DemoIds {
        DemoIds {
            clock,
            random: Mutex::new(StdRng::seed_from_u64(SEED)),
        }
    }

    fn fill(&self, bytes: &mut [u8]) {
        let mut random = self
            .random
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        random.fill_bytes(bytes);
    }
}

impl IdGenerator for DemoIds {
    fn new_id(&self) -> String {
        let mut bytes = [0; 10];
        self.fill(&mut bytes);
        let now_ms = u64::try_from(self.clock.now_ms()).unwrap_or_default();
        uuid::Builder::from_unix_timestamp_millis(now_ms, &bytes)
            .into_uuid()
            .to_string()
    }

    fn random_bytes(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        self.fill(&mut bytes);
        bytes
    }
}
