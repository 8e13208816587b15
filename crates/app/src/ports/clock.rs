//! Time and randomness, as ports so that tests can control them.

pub trait Clock: Send + Sync {
    /// Milliseconds since 1970.
    fn now_ms(&self) -> i64;
}

pub trait IdGenerator: Send + Sync {
    /// A new UUIDv7: unique and sorted by time.
    fn new_id(&self) -> String;
    /// 256 bits of a cryptographically secure generator.
    fn random_bytes(&self) -> [u8; 32];
}

/// The clock of the machine.
pub struct SystemClock;

impl Clock for SystemClock {
    #[allow(clippy::disallowed_methods, clippy::cast_possible_truncation)] // the only place that reads it
    fn now_ms(&self) -> i64 {
        std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |since| since.as_millis() as i64)
    }
}

/// The random number generator of the machine.
pub struct SystemIdGenerator;

impl IdGenerator for SystemIdGenerator {
    #[allow(clippy::disallowed_methods)] // the only place that reads it
    fn new_id(&self) -> String {
        uuid::Uuid::now_v7().to_string()
    }

    fn random_bytes(&self) -> [u8; 32] {
        rand::random()
    }
}
