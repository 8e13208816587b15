//! What the background workers share. Their work is rows in the database that a worker leases: a worker may die at any
//! time, and several may run at once.

use std::future::Future;

use tracing::Instrument as _;

use crate::AppError;

pub(crate) const LEASE_MS: i64 = 60_000;
/// Rows that a worker leases at once. A worker that had a full batch runs again without waiting.
pub const BATCH_SIZE: usize = 20;

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
