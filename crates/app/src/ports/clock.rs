//! Time and chance, handed in so that a test can hold them still.

pub trait Clock: Send + Sync {
    /// Milliseconds since 1970.
    fn now_ms(&self) -> i64;
}

pub trait IdGenerator: Send + Sync {
    /// A new UUIDv7: unique, and in the order of time.
    fn new_id(&self) -> String;
    /// 256 random bits that nobody can guess.
    fn random_bytes(&self) -> [u8; 32];
}

/// The machine's own clock.
pub struct SystemClock;

impl Clock for SystemClock {
    #[allow(clippy::disallowed_methods, clippy::cast_possible_truncation)] // the one place that may ask
    fn now_ms(&self) -> i64 {
        std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |since| since.as_millis() as i64)
    }
}

/// The machine's own chance.
pub struct SystemIdGenerator;

impl IdGenerator for SystemIdGenerator {
    #[allow(clippy::disallowed_methods)] // the one place that may ask
    fn new_id(&self) -> String {
        uuid::Uuid::now_v7().to_string()
    }

    fn random_bytes(&self) -> [u8; 32] {
        rand::random()
    }
}
