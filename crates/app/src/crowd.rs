//! How many transactions may wait for the database at once. Beyond that, another one would only make all of
//! them wait longer: it is refused at once. A place is taken for the database's own work alone, never while
//! a request's body, the gateway or Google is waited for.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A few times what the database does in a tenth of a second.
const MOST: usize = 384;
/// As many may always come in, however slow the database is.
const FEW: usize = 64;
/// Nobody is let in who would wait longer than this, by the pace at which the others leave.
const LONGEST_WAIT: Duration = Duration::from_secs(3);

/// Reads and writes wait apart: quick reads would make the pace of slow writes look better than it is.
#[derive(Default)]
pub struct Crowd {
    reads: Mutex<Waiting>,
    writes: Mutex<Waiting>,
}

impl Crowd {
    /// None if too many wait already.
    pub fn read(&self) -> Option<Place<'_>> {
        Place::take(&self.reads)
    }

    pub fn write(&self) -> Option<Place<'_>> {
        Place::take(&self.writes)
    }
}

#[derive(Default)]
struct Waiting {
    count: usize,
    /// Between two who leave, while there is a crowd: how fast the database is.
    pace: Duration,
    last_left: Option<Instant>,
}

impl Waiting {
    fn enter(&mut self) -> bool {
        let wait = self.pace * u32::try_from(self.count).unwrap_or(u32::MAX);
        let is_welcome = self.count < FEW || (self.count < MOST && wait < LONGEST_WAIT);
        self.count += usize::from(is_welcome);
        is_welcome
    }

    fn leave(&mut self, now: Instant) {
        // With nobody waiting, the time between two says how many come, not how long each takes.
        let since = self.last_left.filter(|_| self.count >= FEW);
        self.pace = since.map_or(Duration::ZERO, |last| (self.pace * 15 + (now - last)) / 16);
        self.last_left = Some(now);
        self.count -= 1;
    }
}

/// Leaves the crowd when it is dropped.
pub struct Place<'c>(&'c Mutex<Waiting>);

impl Place<'_> {
    fn take(crowd: &Mutex<Waiting>) -> Option<Place<'_>> {
        let mut waiting = crowd.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.enter().then(|| Place(crowd))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.leave(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many come at once and leave again, one every so often: how many of another hundred are let in.
    fn welcome_after(crowd: usize, every: Duration) -> usize {
        let (mut waiting, mut now) = (Waiting::default(), Instant::now());
        let came = (0..crowd).filter(|_| waiting.enter()).count();
        for _ in 0..came / 4 {
            now += every;
            waiting.leave(now);
        }
        (0..100).filter(|_| waiting.enter()).count()
    }

    #[test]
    fn nobody_waits_behind_a_crowd_on_a_slow_database() {
        let (quick, slow) = (Duration::from_micros(300), Duration::from_millis(15));
        assert_eq!(
            welcome_after(1000, quick),
            96,
            "only as many as there is room for"
        );
        assert_eq!(welcome_after(1000, slow), 0);
        assert_eq!(welcome_after(40, slow), 100, "a few are no crowd");
    }

    #[test]
    fn a_quiet_hour_is_not_taken_for_a_slow_database() {
        let (mut waiting, start) = (Waiting::default(), Instant::now());
        for hour in 0..10 {
            assert!(waiting.enter());
            waiting.leave(start + Duration::from_secs(3600 * hour));
        }
        assert_eq!((0..1000).filter(|_| waiting.enter()).count(), MOST);
    }

    #[test]
    fn who_reads_does_not_wait_behind_who_writes() {
        let crowd = Crowd::default();
        let writers: Vec<_> = (0..MOST + 1).map_while(|_| crowd.write()).collect();
        assert_eq!(writers.len(), MOST);
        assert!(crowd.read().is_some());
        drop(writers);
        assert!(crowd.write().is_some(), "a place is given back");
    }
}
