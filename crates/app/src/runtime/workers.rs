//! What the background workers share. Their work is rows in the database that a worker leases: a worker may die at any
//! time, and several may run at once.

use std::future::Future;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};
use tracing::Instrument as _;

use crate::AppError;

pub(crate) const LEASE_MS: i64 = 60_000;
/// Rows that a worker leases at once. A worker that had a full batch runs again without waiting.
pub const BATCH_SIZE: usize = 20;

/// A run waits for its work for this time, unless it can lease more before.
const RUN_TIME: Duration = Duration::from_millis(500);

/// When a run that begins now ends.
pub(crate) fn end_of_run() -> Instant {
    Instant::now() + RUN_TIME
}

/// Work in progress of one worker. It stays between the runs, so that the slowest does not delay the others.
pub struct InProgress<T> {
    tasks: JoinSet<T>,
    limit: usize,
}

/// What a run of a worker has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    pub leased: usize,
    /// The worker should run again at once.
    pub is_more: bool,
}

impl<T: Send + 'static> InProgress<T> {
    pub fn new(limit: usize) -> InProgress<T> {
        InProgress {
            tasks: JoinSet::new(),
            limit,
        }
    }

    /// How many rows to lease. None while more than half are in progress: leasing one row costs as much as leasing many.
    pub(crate) fn free(&self) -> usize {
        if self.tasks.len() > self.limit / 2 {
            0
        } else {
            self.limit - self.tasks.len()
        }
    }

    pub(crate) fn spawn(&mut self, work: impl Future<Output = T> + Send + 'static) {
        self.tasks.spawn(work.in_current_span());
    }

    /// Leases no more.
    pub(crate) fn close(&mut self) {
        self.limit = 0;
    }

    /// Waits until some work has ended and returns all that has, for at most the time of a run. None if more can be leased
    /// or nothing is left. `was_full` says whether there is more to lease.
    pub(crate) async fn next_ended(
        &mut self,
        was_full: bool,
        until: Instant,
    ) -> Option<Vec<Result<T, AppError>>> {
        if was_full && self.free() > 0 {
            return None;
        }
        let mut ended = vec![timeout_at(until, self.tasks.join_next()).await.ok()??];
        while let Some(another) = self.tasks.try_join_next() {
            ended.push(another);
        }
        let results = ended.into_iter();
        Some(
            results
                .map(|result| result.map_err(AppError::internal))
                .collect(),
        )
    }

    pub(crate) fn run(&self, leased: usize, was_full: bool) -> Run {
        Run {
            leased,
            is_more: was_full || !self.tasks.is_empty(),
        }
    }
}

/// Runs all of them concurrently. A failure of one does not stop the others; the first failure is returned.
pub(crate) async fn join_all<W>(work: impl Iterator<Item = W>) -> Result<(), AppError>
where
    W: Future<Output = Result<(), AppError>> + Send + 'static,
{
    let running: Vec<_> = work
        .map(|one| tokio::spawn(one.in_current_span()))
        .collect();
    let mut outcome = Ok(());
    for one in running {
        let result = one
            .await
            .unwrap_or_else(|panicked| Err(AppError::internal(panicked)));
        outcome = outcome.and(result);
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn slow_work_does_not_delay_the_next_lease() {
        let mut work: InProgress<u32> = InProgress::new(4);
        assert_eq!(work.free(), 4);
        let (release, released) = tokio::sync::oneshot::channel();
        work.spawn(async move { released.await.unwrap_or_default() });
        for number in 1..4 {
            work.spawn(async move { number });
        }
        assert_eq!(work.free(), 0, "more than half are in progress");

        let mut recorded = Vec::new();
        // Returns although one has not ended.
        while let Some(ended) = work.next_ended(true, end_of_run()).await {
            recorded.extend(ended.into_iter().map(Result::unwrap));
        }
        assert!((2..=3).contains(&work.free()), "{}", work.free());
        let run = work.run(4, true);
        assert!(run.is_more);

        release.send(9).unwrap();
        work.close();
        assert_eq!(work.free(), 0, "it leases no more");
        while let Some(ended) = work.next_ended(false, end_of_run()).await {
            recorded.extend(ended.into_iter().map(Result::unwrap));
        }
        assert!(!work.run(0, false).is_more);
        recorded.sort_unstable();
        assert_eq!(recorded, [1, 2, 3, 9]);
    }

    #[tokio::test]
    async fn panic_of_one_does_not_lose_the_others() {
        let mut work: InProgress<u32> = InProgress::new(8);
        work.spawn(async { panic!("on purpose") });
        work.spawn(async { 1 });
        let (mut recorded, mut panics) = (Vec::new(), 0);
        while let Some(ended) = work.next_ended(false, end_of_run()).await {
            for result in ended {
                match result {
                    Ok(number) => recorded.push(number),
                    Err(_) => panics += 1,
                }
            }
        }
        assert_eq!(panics, 1);
        assert_eq!(recorded, [1]);
    }
}
