//! How many calls may wait for the database at once. Beyond that, another one would only make all of them
//! wait longer: it is told at once to come again.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::response::Response;
use http::{HeaderValue, StatusCode, header};

use crate::error::error_response;
use crate::site::Site;

/// A few times what the database does in a tenth of a second.
const MOST: usize = 384;
/// As many may always come in, however slow the database is.
const FEW: usize = 64;
/// Nobody is let in who would wait longer than this, by the pace at which the others leave.
const LONGEST_WAIT: Duration = Duration::from_secs(3);

#[derive(Default)]
pub struct Crowd(Mutex<Waiting>);

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
pub struct Place(Site);

impl Place {
    pub fn take(site: &Site) -> Option<Place> {
        let mut waiting = site.crowd.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.enter().then(|| Place(site.clone()))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let waiting = self.0.crowd.0.lock();
        waiting
            .unwrap_or_else(PoisonError::into_inner)
            .leave(Instant::now());
    }
}

pub fn too_many() -> Response {
    metrics::counter!("http_shed").increment(1);
    let mut response = error_response(
        StatusCode::SERVICE_UNAVAILABLE,
        "The shop is very busy. Please try again in a moment.",
    );
    let soon = HeaderValue::from_static("1");
    response.headers_mut().insert(header::RETRY_AFTER, soon);
    response
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
}
