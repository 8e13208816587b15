//! How much memory images take while they are decoded, resized and encoded, and how much all of them may take together.
//!
//! The figures come from the peak resident memory of each codec, on photographs and on noise; those of JPEG's encoder and
//! of WebP with opacity (decoding) are estimates.

use std::sync::Arc;

use mirasa_app::ports::images::Format;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinError;

const MIB: u64 = 1024 * 1024;
/// For all work on images of one shelf. The rest of the program takes 60 to 75 MB, uploads on their way in 36 MiB.
pub const MAX_WORK_BYTES: u64 = 88 * MIB;
/// What is reserved is counted in pieces of this size.
const PIECE_BYTES: u64 = 64 * 1024;
/// So little is not waited for: small work must not stand behind large work, and only a few pieces of it run at once.
const MAX_FREE_BYTES: u64 = 8 * MIB;
/// Rows in linear light while a strip is resized, and the resizer's own buffers.
const MAX_RESIZE_BYTES: u64 = 8 * MIB;

/// Sharp chroma subsampling takes twice the memory of the plain one.
pub const MAX_SHARP_PIXELS: u64 = 5_000_000;

pub struct WorkMemory {
    free: Arc<Semaphore>,
}

/// Given back when it is dropped.
pub struct Reservation {
    bytes: u64,
    _pieces: Option<OwnedSemaphorePermit>,
}

impl WorkMemory {
    pub fn new() -> WorkMemory {
        let pieces = usize::try_from(MAX_WORK_BYTES / PIECE_BYTES).unwrap_or(usize::MAX);
        WorkMemory {
            free: Arc::new(Semaphore::new(pieces)),
        }
    }

    /// Waits until so much is free, in order of arrival. A request for more than there is waits for all of it. The
    /// caller must not hold another reservation, or two of them could wait for each other.
    pub async fn reserve(&self, bytes: u64) -> Reservation {
        let bytes = bytes.min(MAX_WORK_BYTES);
        if bytes <= MAX_FREE_BYTES {
            return Reservation {
                bytes: MAX_FREE_BYTES,
                _pieces: None,
            };
        }
        let pieces = u32::try_from(bytes.div_ceil(PIECE_BYTES)).unwrap_or(u32::MAX);
        Reservation {
            bytes,
            // It fails only when the semaphore is closed, which nobody does.
            _pieces: Arc::clone(&self.free).acquire_many_owned(pieces).await.ok(),
        }
    }

    /// Runs work that takes so much, on a thread that may block. It cannot be stopped: if nobody waits for it any more,
    /// because a request was given up, it goes on, and its memory stays reserved until it is done.
    pub async fn run<T: Send + 'static>(
        &self,
        bytes: u64,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        let held = self.reserve(bytes).await;
        let work = tokio::task::spawn_blocking(move || {
            let _held = held;
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

/// Two sizes of one image and the resizer.
pub fn resize_bytes(from: u64, to: u64, has_alpha: bool) -> u64 {
    pixel_bytes(from + to, has_alpha) + (from * 16).min(MAX_RESIZE_BYTES)
}

/// What an encoder takes beside the pixels that it is given.
pub fn encode_bytes(pixels: u64, has_alpha: bool, format: Format) -> u64 {
    let each = match (format, has_alpha) {
        (Format::Avif, _) if pixels > mirasa_avif::MAX_TEN_BIT_PIXELS => 28,
        (Format::Avif, false) => 48,
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
    async fn work_that_does_not_fit_waits_until_other_work_is_done() {
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
    async fn work_that_nobody_waits_for_keeps_its_memory_until_it_is_done() {
        let memory = Arc::new(WorkMemory::new());
        let (started, has_started) = tokio::sync::oneshot::channel();
        let (finish, may_finish) = std::sync::mpsc::channel::<()>();
        let asker = tokio::spawn({
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
        asker.abort();
        assert!(asker.await.unwrap_err().is_cancelled());
        let mut next = std::pin::pin!(memory.reserve(MAX_WORK_BYTES));
        assert!(futures::poll!(&mut next).is_pending());
        finish.send(()).unwrap();
        next.await;
    }
}
