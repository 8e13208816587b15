//! A shared limit for the memory of image work.

use std::sync::Arc;

use mirasa_codecs::estimate::MAX_WORK_BYTES;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinError;

const MIB: u64 = 1024 * 1024;
/// One semaphore permit stands for this much memory.
const PERMIT_BYTES: u64 = 64 * 1024;
/// Work that takes less does not wait for memory, so that it does not queue behind large work. The
/// number of such jobs at the same time is small.
const MAX_UNRESERVED_BYTES: u64 = 8 * MIB;

pub struct WorkMemory {
    free: Arc<Semaphore>,
}

/// Releases the memory when it is dropped.
pub struct Reservation {
    bytes: u64,
    _permits: Option<OwnedSemaphorePermit>,
}

impl WorkMemory {
    pub fn new() -> WorkMemory {
        let permits = usize::try_from(MAX_WORK_BYTES / PERMIT_BYTES).unwrap_or(usize::MAX);
        WorkMemory {
            free: Arc::new(Semaphore::new(permits)),
        }
    }

    /// Waits until this much memory is free, in order of arrival. A request for more than the limit
    /// waits for all of it. The caller must not hold another reservation, or two callers could wait
    /// for each other.
    pub async fn reserve(&self, bytes: u64) -> Reservation {
        let bytes = bytes.min(MAX_WORK_BYTES);
        if bytes <= MAX_UNRESERVED_BYTES {
            return Reservation {
                bytes: MAX_UNRESERVED_BYTES,
                _permits: None,
            };
        }
        let permits = u32::try_from(bytes.div_ceil(PERMIT_BYTES)).unwrap_or(u32::MAX);
        Reservation {
            bytes,
            // Fails only if the semaphore is closed, which never happens.
            _permits: Arc::clone(&self.free)
                .acquire_many_owned(permits)
                .await
                .ok(),
        }
    }

    /// Runs blocking work that takes this much memory. The work cannot be cancelled: if the caller
    /// is dropped, because a request was cancelled, it runs to its end and its memory stays
    /// reserved until then.
    pub async fn run<T: Send + 'static>(
        &self,
        bytes: u64,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        let reservation = self.reserve(bytes).await;
        let work = tokio::task::spawn_blocking(move || {
            let _reservation = reservation;
            work()
        });
        work.await
    }
}

impl Reservation {
    pub fn covers(&self, bytes: u64) -> bool {
        self.bytes >= bytes.min(MAX_WORK_BYTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn reserve_waits_until_enough_memory_is_free() {
        let memory = WorkMemory::new();
        let half = memory.reserve(MAX_WORK_BYTES / 2).await;
        let small = memory.reserve(10 * MIB).await;
        let mut large = std::pin::pin!(memory.reserve(u64::MAX));
        assert!(futures::poll!(&mut large).is_pending());
        drop(half);
        assert!(futures::poll!(&mut large).is_pending());
        drop(small);
        let large = large.await;
        assert!(large.covers(MAX_WORK_BYTES) && large.covers(u64::MAX));
        assert!(futures::poll!(std::pin::pin!(memory.reserve(10 * MIB))).is_pending());
        assert!(memory.reserve(MIB).await.covers(MIB));
    }

    #[tokio::test]
    async fn cancelled_run_keeps_memory_until_work_ends() {
        let memory = Arc::new(WorkMemory::new());
        let (started, has_started) = tokio::sync::oneshot::channel();
        let (finish, may_finish) = std::sync::mpsc::channel::<()>();
        let task = tokio::spawn({
            let memory = Arc::clone(&memory);
            async move {
                let work = move || {
                    started.send(()).unwrap();
                    may_finish.recv().unwrap();
                };
                memory.run(MAX_WORK_BYTES, work).await
            }
        });
        has_started.await.unwrap();
        task.abort();
        assert!(task.await.unwrap_err().is_cancelled());
        let mut next = std::pin::pin!(memory.reserve(MAX_WORK_BYTES));
        assert!(futures::poll!(&mut next).is_pending());
        finish.send(()).unwrap();
        next.await;
    }
}
