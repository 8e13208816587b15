//! Memory for decoding, resizing and encoding images: estimates, and a shared limit.
//!
//! The figures are measured peaks of resident memory for each codec, on photographs and on noise.
//! Those for the JPEG encoder and for decoding WebP with alpha are estimates.

use std::sync::Arc;

use mirasa_app::ports::images::Format;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinError;

use super::encode::MAX_TEN_BIT_PIXELS;

const MIB: u64 = 1024 * 1024;
/// Limit for all image work of one store. The rest of the server takes 60 to 75 MB, and buffered
/// uploads take up to 36 MiB.
pub const MAX_WORK_BYTES: u64 = 88 * MIB;
/// One semaphore permit stands for this much memory.
const PERMIT_BYTES: u64 = 64 * 1024;
/// Work that takes less does not wait for memory, so that it does not queue behind large work. The
/// number of such jobs at the same time is small.
const MAX_UNRESERVED_BYTES: u64 = 8 * MIB;
/// The rows of a strip in linear light, and the resizer's own buffers.
const MAX_RESIZE_BYTES: u64 = 8 * MIB;

/// Sharp chroma subsampling takes twice the memory of the plain one.
pub const MAX_SHARP_PIXELS: u64 = 5_000_000;

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

pub fn pixel_bytes(pixels: u64, has_alpha: bool) -> u64 {
    pixels * if has_alpha { 4 } else { 3 }
}

/// Two sizes of one image, and the resizer.
pub fn resize_bytes(from: u64, to: u64, has_alpha: bool) -> u64 {
    pixel_bytes(from + to, has_alpha) + (from * 16).min(MAX_RESIZE_BYTES)
}

/// Memory of the encoder, without the pixels that are its input.
pub fn encode_bytes(pixels: u64, has_alpha: bool, format: Format) -> u64 {
    let each = match (format, has_alpha) {
        (Format::Avif, _) if pixels > MAX_TEN_BIT_PIXELS => 32,
        (Format::Avif, false) => 52,
        (Format::Avif, true) => 56,
        (Format::WebP, true) => 39,
        (Format::WebP, false) if pixels > MAX_SHARP_PIXELS => 9,
        (Format::WebP, false) => 14,
        (Format::Jpeg, _) => 10,
    };
    let fixed = if format == Format::Avif { 6 * MIB } else { MIB };
    pixels * each + fixed
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
