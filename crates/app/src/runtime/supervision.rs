//! Supervision of background workers. A worker registers here, catches its own panics and reports them; `/readyz` and
//! the metrics show its state. The process has one list, as it has one set of metrics, so that the threads of every
//! crate can register.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A worker with this number of panics in a row counts as broken.
const MAX_PANICS_IN_A_ROW: u32 = 5;
const FIRST_BACKOFF: Duration = Duration::from_millis(200);
const MAX_BACKOFF: Duration = Duration::from_secs(30);

static WORKERS: Mutex<BTreeMap<u64, State>> = Mutex::new(BTreeMap::new());
static NEXT_ID: AtomicU64 = AtomicU64::new(0);

/// What a broken worker means for readiness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// The server is not ready without it: payments would not be settled, or changes not be saved.
    Essential,
    /// The server stays ready without it.
    Optional,
}

#[derive(Debug, Clone)]
struct State {
    name: &'static str,
    need: Need,
    /// A periodic worker counts as stuck if it has completed no run for this long.
    max_silence: Option<Duration>,
    panics: u64,
    panics_in_a_row: u32,
    last_run: Instant,
}

/// The registration of a worker, which ends when it is dropped.
#[derive(Debug)]
pub struct Worker {
    id: u64,
    name: &'static str,
}

impl Worker {
    /// `max_silence`: the longest time that a periodic worker may take for its interval and one run.
    pub fn register(name: &'static str, need: Need, max_silence: Option<Duration>) -> Worker {
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        let state = State {
            name,
            need,
            max_silence,
            panics: 0,
            panics_in_a_row: 0,
            last_run: Instant::now(),
        };
        lock().insert(id, state);
        // At zero from the start, so that an alert sees the first panic as an increase.
        metrics::counter!("worker_panics_total", "worker" => name).increment(0);
        Worker { id, name }
    }

    /// Records a run that ended without a panic, with or without an error.
    pub fn completed(&self) {
        if let Some(state) = lock().get_mut(&self.id) {
            state.panics_in_a_row = 0;
            state.last_run = Instant::now();
        }
    }

    /// Counts a panic. Returns how long to wait before the worker is restarted.
    pub fn panicked(&self) -> Duration {
        let name = self.name;
        metrics::counter!("worker_panics_total", "worker" => name).increment(1);
        let in_a_row = lock().get_mut(&self.id).map_or(1, |state| {
            state.panics += 1;
            state.panics_in_a_row += 1;
            state.panics_in_a_row
        });
        let backoff = backoff(in_a_row);
        tracing::error!(
            worker = name,
            in_a_row,
            ?backoff,
            "a worker panicked and is restarted"
        );
        backoff
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        lock().remove(&self.id);
    }
}

fn lock() -> MutexGuard<'static, BTreeMap<u64, State>> {
    WORKERS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn backoff(panics_in_a_row: u32) -> Duration {
    let doublings = panics_in_a_row.saturating_sub(1).min(16);
    (FIRST_BACKOFF * (1 << doublings)).min(MAX_BACKOFF)
}

/// The state of all workers of this process.
#[derive(Debug, PartialEq, Eq)]
pub struct Report {
    pub is_ready: bool,
    /// One for each worker that has panicked or is stuck.
    pub notes: Vec<String>,
}

pub fn report() -> Report {
    let states: Vec<_> = lock().values().cloned().collect();
    report_on(&states, Instant::now())
}

fn report_on(states: &[State], now: Instant) -> Report {
    let conditions = states.iter().map(|state| (state, state.condition(now)));
    let notable: Vec<_> = conditions
        .filter(|(_, condition)| *condition != Condition::Fine)
        .collect();
    let makes_unready = |(state, condition): &(&State, Condition)| {
        state.need == Need::Essential && condition.is_broken()
    };
    let note = |(state, condition): &(&State, Condition)| {
        let (name, panics) = (state.name, state.panics);
        format!("{name}: {condition}, {panics} panics since the start")
    };
    Report {
        is_ready: !notable.iter().any(makes_unready),
        notes: notable.iter().map(note).collect(),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Condition {
    Fine,
    RunningAgain,
    Restarting,
    KeepsPanicking,
    Silent { seconds: u64 },
}

impl Condition {
    fn is_broken(self) -> bool {
        matches!(self, Condition::KeepsPanicking | Condition::Silent { .. })
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Fine => f.write_str("fine"),
            Condition::RunningAgain => f.write_str("running again"),
            Condition::Restarting => f.write_str("restarting"),
            Condition::KeepsPanicking => f.write_str("keeps panicking"),
            Condition::Silent { seconds } => write!(f, "has completed nothing for {seconds} s"),
        }
    }
}

impl State {
    fn condition(&self, now: Instant) -> Condition {
        let silence = now.saturating_duration_since(self.last_run);
        if self.panics_in_a_row >= MAX_PANICS_IN_A_ROW {
            Condition::KeepsPanicking
        } else if self.max_silence.is_some_and(|max| silence > max) {
            let seconds = silence.as_secs();
            Condition::Silent { seconds }
        } else if self.panics_in_a_row > 0 {
            Condition::Restarting
        } else if self.panics > 0 {
            Condition::RunningAgain
        } else {
            Condition::Fine
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(need: Need, panics: u64, in_a_row: u32) -> State {
        State {
            name: "payments",
            need,
            max_silence: Some(Duration::from_secs(60)),
            panics,
            panics_in_a_row: in_a_row,
            last_run: Instant::now(),
        }
    }

    #[test]
    fn server_is_unready_only_if_an_essential_worker_keeps_panicking() {
        let report = |state: State| report_on(&[state], Instant::now());
        let fine = report(state(Need::Essential, 0, 0));
        assert_eq!((fine.is_ready, fine.notes.len()), (true, 0));
        for (state, is_ready, text) in [
            (state(Need::Essential, 3, 0), true, "running again"),
            (state(Need::Essential, 3, 2), true, "restarting"),
            (state(Need::Essential, 5, 5), false, "keeps panicking"),
            (state(Need::Optional, 9, 9), true, "keeps panicking"),
        ] {
            let report = report(state);
            assert_eq!(report.is_ready, is_ready, "{report:?}");
            assert!(report.notes[0].starts_with("payments: "), "{report:?}");
            assert!(report.notes[0].contains(text), "{report:?}");
        }
    }

    #[test]
    fn server_is_unready_if_an_essential_worker_is_stuck() {
        let stuck = state(Need::Essential, 0, 0);
        let later = stuck.last_run + Duration::from_secs(61);
        let report = report_on(&[stuck], later);
        assert!(!report.is_ready);
        assert!(report.notes[0].contains("nothing for 61 s"), "{report:?}");
    }

    #[test]
    fn backoff_grows_with_each_panic_and_resets_after_a_run() {
        let worker = Worker::register("test-worker", Need::Optional, None);
        let waits: Vec<_> = (0..12).map(|_| worker.panicked()).collect();
        assert_eq!(waits[..3], [1, 2, 4].map(|times| FIRST_BACKOFF * times));
        assert_eq!(waits[11], MAX_BACKOFF);
        worker.completed();
        let is_about_it = |note: &String| note.starts_with("test-worker");
        let note = report().notes.into_iter().find(is_about_it);
        assert_eq!(
            note.as_deref(),
            Some("test-worker: running again, 12 panics since the start")
        );
        assert_eq!(worker.panicked(), FIRST_BACKOFF);
        drop(worker);
        assert!(!report().notes.iter().any(is_about_it), "it has ended");
    }
}
