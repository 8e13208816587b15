//! How many transactions may wait for the database at once. Beyond that, another one would only make all of
//! them wait longer: it is refused at once. A place is taken for the database's own work alone, never while
//! a request's body, the gateway or Google is waited for.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A few times what the database does in a tenth of a second.
const MAX_WAITING: usize = 384;
/// As many may always come in, however slow the database is.
const ALWAYS_ADMITTED: usize = 64;
/// Nobody is let in who would wait longer than this, by the pace at which the others leave.
const MAX_WAIT: Duration = Duration::from_secs(3);

/// Reads and writes wait apart: quick reads would make the pace of slow writes look better than it is.
#[derive(Default)]
pub struct LoadShedder {
    reads: Mutex<Queue>,
    writes: Mutex<Queue>,
}

impl LoadShedder {
    /// None if too many wait already.
    pub fn read(&self) -> Option<Permit<'_>> {
        Permit::take(&self.reads)
    }

    pub fn write(&self) -> Option<Permit<'_>> {
        Permit::take(&self.writes)
    }
}

#[derive(Default)]
struct Queue {
    count: usize,
    /// Between two who leave, while there is a crowd: how fast the database is.
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
        // With nobody waiting, the time between two says how many come, not how long each takes.
        let since = self.last_left.filter(|_| self.count >= ALWAYS_ADMITTED);
        self.leave_interval = since.map_or(Duration::ZERO, |last| {
            (self.leave_interval * 15 + (now - last)) / 16
        });
        self.last_left = Some(now);
        self.count -= 1;
    }
}

/// Leaves the crowd when it is dropped.
pub struct Permit<'c>(&'c Mutex<Queue>);

impl Permit<'_> {
    fn take(crowd: &Mutex<Queue>) -> Option<Permit<'_>> {
        let mut queue = crowd.lock().unwrap_or_else(PoisonError::into_inner);
        queue.try_enter().then(|| Permit(crowd))
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

    /// So many come at once and leave again, one every so often: how many of another hundred are let in.
    fn admitted_after(crowd: usize, every: Duration) -> usize {
        let (mut queue, mut now) = (Queue::default(), Instant::now());
        let came = (0..crowd).filter(|_| queue.try_enter()).count();
        for _ in 0..came / 4 {
            now += every;
            queue.leave(now);
        }
        (0..100).filter(|_| queue.try_enter()).count()
    }

    #[test]
    fn nobody_waits_behind_a_crowd_on_a_slow_database() {
        let (quick, slow) = (Duration::from_micros(300), Duration::from_millis(15));
        assert_eq!(
            admitted_after(1000, quick),
            96,
            "only as many as there is room for"
        );
        assert_eq!(admitted_after(1000, slow), 0);
        assert_eq!(admitted_after(40, slow), 100, "a few are no crowd");
    }

    #[test]
    fn a_quiet_hour_is_not_taken_for_a_slow_database() {
        let (mut queue, start) = (Queue::default(), Instant::now());
        for hour in 0..10 {
            assert!(queue.try_enter());
            queue.leave(start + Duration::from_secs(3600 * hour));
        }
        assert_eq!((0..1000).filter(|_| queue.try_enter()).count(), MAX_WAITING);
    }

    #[test]
    fn who_reads_does_not_wait_behind_who_writes() {
        let crowd = LoadShedder::default();
        let writers: Vec<_> = (0..MAX_WAITING + 1).map_while(|_| crowd.write()).collect();
        assert_eq!(writers.len(), MAX_WAITING);
        assert!(crowd.read().is_some());
        drop(writers);
        assert!(crowd.write().is_some(), "a place is given back");
    }
}
