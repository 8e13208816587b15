//! Limits how many transactions wait for the database. Above the limit a further one would only make all of them wait
//! longer, so it is rejected at once. A permit covers only the database's work, not the time in which a request waits
//! for its body, the gateway or Google.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A few hundred milliseconds of the database's work.
const MAX_WAITING: usize = 384;
/// Transactions admitted regardless of the database's speed.
const ALWAYS_ADMITTED: usize = 64;
/// A transaction is rejected if its estimated wait (waiting transactions × average interval) exceeds this.
const MAX_WAIT: Duration = Duration::from_secs(3);

/// Reads and writes have separate queues: fast reads would hide that writes are slow.
#[derive(Default)]
pub struct LoadShedder {
    reads: Mutex<Queue>,
    writes: Mutex<Queue>,
}

impl LoadShedder {
    /// None if too many transactions are waiting.
    pub fn read(&self) -> Option<Permit<'_>> {
        Permit::try_acquire(&self.reads)
    }

    pub fn write(&self) -> Option<Permit<'_>> {
        Permit::try_acquire(&self.writes)
    }
}

#[derive(Default)]
struct Queue {
    count: usize,
    /// The average time between two completed transactions while at least `ALWAYS_ADMITTED` wait.
    leave_interval: Duration,
    last_left: Option<Instant>,
}

impl Queue {
    fn try_enter(&mut self) -> bool {
        let wait = self.leave_interval * u32::try_from(self.count).unwrap_or(u32::MAX);
        let is_admitted =
            self.count < ALWAYS_ADMITTED || (self.count < MAX_WAITING && wait < MAX_WAIT);
        self.count += usize::from(is_admitted);
        is_admitted
    }

    fn leave(&mut self, now: Instant) {
        // While transactions do not have to wait, the interval depends on how many arrive, not on the database.
        let since = self.last_left.filter(|_| self.count >= ALWAYS_ADMITTED);
        self.leave_interval = since.map_or(Duration::ZERO, |last| {
            (self.leave_interval * 15 + (now - last)) / 16
        });
        self.last_left = Some(now);
        self.count -= 1;
    }
}

/// A place in the queue, released when it is dropped.
pub struct Permit<'q>(&'q Mutex<Queue>);

impl Permit<'_> {
    fn try_acquire(queue: &Mutex<Queue>) -> Option<Permit<'_>> {
        let mut state = queue.lock().unwrap_or_else(PoisonError::into_inner);
        state.try_enter().then(|| Permit(queue))
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut queue = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        queue.leave(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of 100 transactions are admitted after `count` have arrived and a quarter of the admitted ones have
    /// completed, one per `interval`.
    fn admitted_after(count: usize, interval: Duration) -> usize {
        let (mut queue, mut now) = (Queue::default(), Instant::now());
        let admitted = (0..count).filter(|_| queue.try_enter()).count();
        for _ in 0..admitted / 4 {
            now += interval;
            queue.leave(now);
        }
        (0..100).filter(|_| queue.try_enter()).count()
    }

    #[test]
    fn full_queue_on_a_slow_database_admits_no_more() {
        let (fast, slow) = (Duration::from_micros(300), Duration::from_millis(15));
        assert_eq!(admitted_after(1000, fast), 96, "up to MAX_WAITING");
        assert_eq!(admitted_after(1000, slow), 0);
        assert_eq!(admitted_after(40, slow), 100, "below ALWAYS_ADMITTED");
    }

    #[test]
    fn idle_time_does_not_count_as_a_slow_database() {
        let (mut queue, start) = (Queue::default(), Instant::now());
        for hour in 0..10 {
            assert!(queue.try_enter());
            queue.leave(start + Duration::from_secs(3600 * hour));
        }
        assert_eq!((0..1000).filter(|_| queue.try_enter()).count(), MAX_WAITING);
    }

    #[test]
    fn waiting_writes_do_not_reject_reads() {
        let shedder = LoadShedder::default();
        let writes: Vec<_> = (0..MAX_WAITING + 1)
            .map_while(|_| shedder.write())
            .collect();
        assert_eq!(writes.len(), MAX_WAITING);
        assert!(shedder.read().is_some());
        drop(writes);
        assert!(shedder.write().is_some(), "the permits are released");
    }
}
