//! Work on rows that a worker leases, such as emails to be sent. Rows are leased together and worked on at the same time,
//! and each is recorded when its own work has ended, so that a slow one delays no other. A worker may die at any time, and
//! several may run at once: the lease of a row ends by itself.

use std::future::Future;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};
use tracing::Instrument as _;

use crate::AppError;

/// Longer than the work on a row takes; otherwise another worker would begin with it too.
pub(crate) const LEASE_MS: i64 = 60_000;

/// A run waits for its work for this time, unless it can lease more before.
const RUN_TIME: Duration = Duration::from_millis(500);

/// Rows of one kind, and the work on them.
pub trait LeasedRows: Clone + Send + Sync + 'static {
    type Row: Send + 'static;
    /// What the work on a row has led to.
    type Done: Send + 'static;

    /// How many rows one instance works on at the same time.
    const MAX_IN_PROGRESS: usize;

    /// Leases rows that are due, at most `limit`.
    fn lease(&self, limit: usize) -> impl Future<Output = Result<Vec<Self::Row>, AppError>> + Send;

    /// What may take long, such as a request to an outside service.
    fn work(self, row: Self::Row) -> impl Future<Output = Self::Done> + Send;

    /// Records what has ended since the last call, together.
    fn record(&self, done: Vec<Self::Done>) -> impl Future<Output = Result<(), AppError>> + Send;
}

/// The rows of one worker. Work in progress stays between the runs.
pub struct LeasedWork<R: LeasedRows> {
    rows: R,
    in_progress: JoinSet<R::Done>,
    limit: usize,
}

/// What a run of a worker has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    pub leased: usize,
    /// The worker should run again at once.
    pub is_more: bool,
}

impl<R: LeasedRows> LeasedWork<R> {
    pub fn new(rows: R) -> LeasedWork<R> {
        LeasedWork::with_limit(rows, R::MAX_IN_PROGRESS)
    }

    fn with_limit(rows: R, limit: usize) -> LeasedWork<R> {
        LeasedWork {
            rows,
            in_progress: JoinSet::new(),
            limit,
        }
    }

    /// Works on all rows that are due, at most `limit` at the same time. Returns how many there were.
    pub(crate) async fn all_due(rows: R, limit: usize) -> Result<usize, AppError> {
        let mut work = LeasedWork::with_limit(rows, limit);
        let mut count = 0;
        loop {
            match work.run().await {
                Ok(run) => {
                    count += run.leased;
                    if !run.is_more {
                        return Ok(count);
                    }
                }
                Err(error) => return work.finish().await.and(Err(error)),
            }
        }
    }

    /// A run of the worker: leases rows that are due, and records those whose work has ended.
    pub async fn run(&mut self) -> Result<Run, AppError> {
        let limit = self.free();
        let due = match limit {
            0 => Vec::new(),
            _ => self.rows.lease(limit).await?,
        };
        let leased = due.len();
        for row in due {
            let work = self.rows.clone().work(row);
            self.in_progress.spawn(work.in_current_span());
        }
        let was_full = limit > 0 && leased == limit;
        let (until, mut outcome) = (Instant::now() + RUN_TIME, Ok(()));
        while let Some(ended) = self.next_ended(was_full, until).await {
            let mut done = Vec::with_capacity(ended.len());
            for one in ended {
                match one {
                    Ok(one) => done.push(one),
                    Err(panicked) => outcome = outcome.and(Err(panicked)),
                }
            }
            outcome = outcome.and(self.rows.record(done).await);
        }
        // It has leased none because too many were in progress: there may be more.
        let was_busy = limit == 0 && self.limit > 0;
        outcome.map(|()| Run {
            leased,
            is_more: was_full || was_busy || !self.in_progress.is_empty(),
        })
    }

    /// Records what is in progress and leases no more. Otherwise it would be repeated when the lease has ended.
    pub async fn finish(&mut self) -> Result<(), AppError> {
        self.limit = 0;
        let mut outcome = Ok(());
        while !self.in_progress.is_empty() {
            outcome = outcome.and(self.run().await.map(drop));
        }
        outcome
    }

    /// How many rows to lease. None while more than half are in progress: leasing one row costs as much as leasing many.
    fn free(&self) -> usize {
        if self.in_progress.len() > self.limit / 2 {
            0
        } else {
            self.limit - self.in_progress.len()
        }
    }

    /// Waits until some work has ended and returns all that has, for at most the time of a run. None if more can be leased
    /// or nothing is left. `was_full` says whether there is more to lease.
    async fn next_ended(
        &mut self,
        was_full: bool,
        until: Instant,
    ) -> Option<Vec<Result<R::Done, AppError>>> {
        if was_full && self.free() > 0 {
            return None;
        }
        let first = timeout_at(until, self.in_progress.join_next())
            .await
            .ok()??;
        let mut ended = vec![first.map_err(AppError::internal)];
        while let Some(another) = self.in_progress.try_join_next() {
            ended.push(another.map_err(AppError::internal));
        }
        Some(ended)
    }
}

/// For rows whose work records itself, each in a transaction of its own: only the failures are left. Returns the first.
pub(crate) fn first_failure(done: Vec<Result<(), AppError>>) -> Result<(), AppError> {
    done.into_iter().fold(Ok(()), Result::and)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use tokio::sync::Semaphore;

    use super::*;

    const SLOW: u32 = 0;
    const PANICS: u32 = 99;

    /// Numbers as rows. The work on the slow one waits.
    #[derive(Clone)]
    struct Numbers {
        due: Arc<Mutex<Vec<u32>>>,
        recorded: Arc<Mutex<Vec<u32>>>,
        slow: Arc<Semaphore>,
    }

    impl Numbers {
        fn new(due: impl IntoIterator<Item = u32>) -> Numbers {
            Numbers {
                due: Arc::new(Mutex::new(due.into_iter().collect())),
                recorded: Arc::default(),
                slow: Arc::new(Semaphore::new(0)),
            }
        }

        fn recorded(&self) -> Vec<u32> {
            let mut recorded = self.recorded.lock().unwrap().clone();
            recorded.sort_unstable();
            recorded
        }
    }

    impl LeasedRows for Numbers {
        type Row = u32;
        type Done = u32;
        const MAX_IN_PROGRESS: usize = 4;

        async fn lease(&self, limit: usize) -> Result<Vec<u32>, AppError> {
            let mut due = self.due.lock().unwrap();
            let limit = limit.min(due.len());
            Ok(due.drain(..limit).collect())
        }

        async fn work(self, row: u32) -> u32 {
            assert_ne!(row, PANICS, "on purpose");
            if row == SLOW {
                self.slow.acquire().await.unwrap().forget();
            }
            row
        }

        async fn record(&self, mut done: Vec<u32>) -> Result<(), AppError> {
            self.recorded.lock().unwrap().append(&mut done);
            Ok(())
        }
    }

    #[tokio::test]
    async fn slow_row_delays_no_other() {
        let rows = Numbers::new(SLOW..10);
        let mut work = LeasedWork::new(rows.clone());
        while rows.recorded().len() < 9 {
            assert!(work.run().await.unwrap().is_more);
        }
        assert_eq!(rows.recorded(), (1..10).collect::<Vec<_>>());
        rows.slow.add_permits(1);
        work.finish().await.unwrap();
        assert_eq!(rows.recorded(), (0..10).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn no_more_than_the_limit_is_in_progress() {
        let rows = Numbers::new([SLOW; 7]);
        let mut work = LeasedWork::new(rows.clone());
        for _ in 0..2 {
            work.run().await.unwrap();
            assert_eq!(work.in_progress.len(), 4);
        }
        rows.slow.add_permits(1);
        while rows.recorded().is_empty() {
            work.run().await.unwrap();
        }
        assert_eq!(rows.due.lock().unwrap().len(), 3, "half must have ended");
        rows.slow.add_permits(6);
        while work.run().await.unwrap().is_more {}
        assert_eq!(rows.recorded(), [SLOW; 7]);
    }

    #[tokio::test]
    async fn work_in_progress_is_recorded_at_the_end_and_nothing_new_begins() {
        let rows = Numbers::new([SLOW, 1, 2, 3, 4]);
        let mut work = LeasedWork::new(rows.clone());
        work.run().await.unwrap();
        let due = rows.due.lock().unwrap().clone();
        rows.slow.add_permits(1);
        work.finish().await.unwrap();
        assert_eq!(*rows.due.lock().unwrap(), due);
        assert_eq!(rows.recorded().len() + due.len(), 5);
        assert!(!work.run().await.unwrap().is_more);
    }

    #[tokio::test]
    async fn panic_of_one_is_reported_and_loses_no_other() {
        let rows = Numbers::new([PANICS, 1]);
        let mut work = LeasedWork::new(rows.clone());
        let mut failures = 0;
        loop {
            match work.run().await {
                Ok(run) if !run.is_more => break,
                Ok(_) => {}
                Err(_) => failures += 1,
            }
        }
        assert_eq!((failures, rows.recorded()), (1, vec![1]));
    }
}
