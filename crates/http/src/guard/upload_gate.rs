//! Limits the bytes of uploads in memory. A request passes the gate before its body is read, so waiting requests have no
//! body in memory.

use std::sync::Arc;
use std::time::Duration;

use http::{HeaderMap, header};
use mirasa_app::ports::images::MAX_UPLOAD_BYTES;
use mirasa_app::{AppError, ErrorCode};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

const KIB: usize = 1024;
/// One file of the largest size, or several smaller ones.
const MAX_ADMIN_BYTES: usize = MAX_UPLOAD_BYTES;
/// A body of the largest size. An image in base64 is in memory twice while it is decoded.
const MAX_CUSTOMER_BYTES: usize = 16 * 1024 * KIB;
const COPIES: usize = 2;
/// Further requests are rejected at once.
const MAX_WAITING: usize = 32;
const MAX_WAIT: Duration = Duration::from_secs(10);

pub struct UploadGate {
    admins: Arc<Semaphore>,
    customers: Arc<Semaphore>,
    waiting: Semaphore,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uploader {
    Admin,
    Customer,
}

impl Default for UploadGate {
    fn default() -> UploadGate {
        UploadGate {
            admins: Arc::new(Semaphore::new(MAX_ADMIN_BYTES / KIB)),
            customers: Arc::new(Semaphore::new(MAX_CUSTOMER_BYTES / KIB)),
            waiting: Semaphore::new(MAX_WAITING),
        }
    }
}

impl UploadGate {
    /// The permit must be held as long as any part of the body is in memory, also when the request is cancelled: decoding
    /// continues.
    pub async fn enter(
        &self,
        who: Uploader,
        headers: &HeaderMap,
    ) -> Result<OwnedSemaphorePermit, AppError> {
        let (free, most, copies) = match who {
            Uploader::Admin => (&self.admins, MAX_ADMIN_BYTES, 1),
            Uploader::Customer => (&self.customers, MAX_CUSTOMER_BYTES, COPIES),
        };
        let length = headers.get(header::CONTENT_LENGTH);
        let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        let bytes = length.map_or(most, |length| length.saturating_mul(copies).min(most));
        let pieces = u32::try_from(bytes.div_ceil(KIB)).unwrap_or(u32::MAX);
        if let Ok(permit) = Arc::clone(free).try_acquire_many_owned(pieces) {
            return Ok(permit);
        }
        let busy = || {
            AppError::new(
                ErrorCode::Unavailable,
                "Many pictures are being uploaded right now. Please try again in a moment.",
            )
        };
        let _waiting = self.waiting.try_acquire().map_err(|_| busy())?;
        match timeout(MAX_WAIT, Arc::clone(free).acquire_many_owned(pieces)).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(busy()),
        }
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn with_length(bytes: usize) -> HeaderMap {
        let value = HeaderValue::from_str(&bytes.to_string()).unwrap();
        HeaderMap::from_iter([(header::CONTENT_LENGTH, value)])
    }

    #[tokio::test]
    async fn bodies_wait_for_memory() {
        let gate = UploadGate::default();
        let small = with_length(100 * KIB);
        let unknown = HeaderMap::new();
        let first = gate.enter(Uploader::Customer, &unknown).await.unwrap();
        assert!(gate.enter(Uploader::Admin, &unknown).await.is_ok());
        {
            let mut waits = std::pin::pin!(gate.enter(Uploader::Customer, &small));
            assert!(futures::poll!(&mut waits).is_pending());
            drop(first);
            assert!(waits.await.is_ok());
        }
        let mut inside = Vec::new();
        for _ in 0..80 {
            inside.push(gate.enter(Uploader::Customer, &small).await.unwrap());
        }
    }

    #[tokio::test]
    async fn number_of_waiting_uploads_is_limited() {
        let gate = UploadGate::default();
        let unknown = HeaderMap::new();
        let _inside = gate.enter(Uploader::Customer, &unknown).await.unwrap();
        let mut queue: Vec<_> = (0..MAX_WAITING)
            .map(|_| Box::pin(gate.enter(Uploader::Customer, &unknown)))
            .collect();
        for waits in &mut queue {
            assert!(futures::poll!(waits).is_pending());
        }
        let refused = gate.enter(Uploader::Customer, &unknown).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::Unavailable);
    }
}
