//! Limits for request bodies in transit: a minimum speed, and a maximum number at a time from one IP address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, BodyDataStream, HttpBody as _};
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use futures::Stream;
use http::{HeaderValue, header};
use mirasa_app::ErrorCode;
use tokio::time::{Instant, Sleep, sleep_until};

use crate::error::error_response;
use crate::guard::rate_limit::client::Client;
use crate::settings::HttpSettings;

/// A small body must arrive within this time.
const GRACE: Duration = Duration::from_secs(10);
/// A large one may take longer at this average speed.
const MIN_BYTES_PER_SECOND: u64 = 32 * 1024;
/// What one IP address may have in transit: this many small bodies, or fewer large ones, because a large one may be in memory
/// until it is complete. A small body arrives within milliseconds, so an office or a mobile network behind one address
/// stays below the limit.
const MAX_WEIGHT_PER_CLIENT: u32 = 64;
const MAX_WEIGHT_PER_BODY: u32 = 16;
const BYTES_PER_WEIGHT: usize = 1024 * 1024;

/// How long a body of this size may take in addition to `GRACE`.
pub fn max_duration(bytes: usize) -> Duration {
    Duration::from_secs(bytes as u64 / MIN_BYTES_PER_SECOND)
}

/// The weight of the bodies in transit, by IP address.
#[derive(Default)]
pub struct BodyLimiter(Mutex<HashMap<IpAddr, u32>>);

impl BodyLimiter {
    fn all(&self) -> MutexGuard<'_, HashMap<IpAddr, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn try_acquire(&self, address: IpAddr, weight: u32) -> bool {
        let mut all = self.all();
        let in_flight = all.get(&address).copied().unwrap_or_default();
        let fits = in_flight + weight <= MAX_WEIGHT_PER_CLIENT;
        if fits {
            all.insert(address, in_flight + weight);
        }
        fits
    }

    fn release(&self, address: IpAddr, weight: u32) {
        let mut all = self.all();
        if let Some(in_flight) = all.get_mut(&address) {
            *in_flight = in_flight.saturating_sub(weight);
            if *in_flight == 0 {
                all.remove(&address);
            }
        }
    }
}

/// Counted as in transit until it is dropped.
struct BodyPermit {
    limiter: Arc<BodyLimiter>,
    address: IpAddr,
    weight: u32,
}

impl Drop for BodyPermit {
    fn drop(&mut self) {
        self.limiter.release(self.address, self.weight);
    }
}

/// Whether the body was given up.
#[derive(Clone, Default)]
pub struct BodyDeadline(Arc<AtomicBool>);

impl BodyDeadline {
    /// The response, or 408 if the body did not arrive in time.
    pub fn respond(&self, response: Response) -> Response {
        if !self.0.load(Ordering::Relaxed) {
            return response;
        }
        let mut response = error_response(
            ErrorCode::RequestTimeout,
            "The request took too long to arrive.",
        );
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
        response
    }
}

/// Gives the request's body a deadline. None if its IP address has too many bodies in transit.
pub fn with_deadline(
    limiter: &Arc<BodyLimiter>,
    settings: &HttpSettings,
    request: Request,
    body_limit: usize,
) -> Option<(Request, BodyDeadline)> {
    let deadline = BodyDeadline::default();
    if request.body().is_end_stream() {
        return Some((request, deadline));
    }
    let mut permit = None;
    if let Some(client) = Client::of(settings, &request) {
        let weight = u32::try_from(body_limit / BYTES_PER_WEIGHT).unwrap_or(u32::MAX);
        let weight = (1 + weight.min(MAX_WEIGHT_PER_BODY)).min(MAX_WEIGHT_PER_BODY);
        let address = client.ip_prefix;
        if !limiter.try_acquire(address, weight) {
            return None;
        }
        permit = Some(BodyPermit {
            limiter: limiter.clone(),
            address,
            weight,
        });
    }
    let late = deadline.0.clone();
    let request = request.map(|body| Body::from_stream(LimitedBody::new(body, permit, late)));
    Some((request, deadline))
}

#[derive(Debug, thiserror::Error)]
#[error("the body took too long to arrive")]
struct TooSlow;

struct LimitedBody {
    body: BodyDataStream,
    permit: Option<BodyPermit>,
    began: Instant,
    received: u64,
    due: Pin<Box<Sleep>>,
    late: Arc<AtomicBool>,
}

impl LimitedBody {
    fn new(body: Body, permit: Option<BodyPermit>, late: Arc<AtomicBool>) -> LimitedBody {
        let began = Instant::now();
        LimitedBody {
            body: body.into_data_stream(),
            permit,
            began,
            received: 0,
            due: Box::pin(sleep_until(began + GRACE)),
            late,
        }
    }
}

impl Stream for LimitedBody {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_next(context);
        match &polled {
            Poll::Ready(Some(Ok(bytes))) => {
                self.received += bytes.len() as u64;
                let due =
                    self.began + GRACE + Duration::from_secs(self.received / MIN_BYTES_PER_SECOND);
                self.due.as_mut().reset(due);
            }
            Poll::Ready(_) => self.permit = None,
            Poll::Pending => {
                ready!(self.due.as_mut().poll(context));
                self.late.store(true, Ordering::Relaxed);
                self.permit = None;
                return Poll::Ready(Some(Err(axum::Error::new(TooSlow))));
            }
        }
        polled
    }
}

#[cfg(test)]
mod tests {
    use futures::TryStreamExt as _;

    use super::*;

    /// Whether a body of this many pieces, one per interval, arrives.
    async fn arrives(pieces: usize, size: usize, every: Duration) -> bool {
        let stream = futures::stream::unfold(0, move |sent| async move {
            tokio::time::sleep(every).await;
            let piece = Ok::<_, std::io::Error>(Bytes::from(vec![b'x'; size]));
            (sent < pieces).then_some((piece, sent + 1))
        });
        let deadline = BodyDeadline::default();
        let body = LimitedBody::new(Body::from_stream(stream), None, deadline.0.clone());
        let arrived = body.try_collect::<Vec<_>>().await.is_ok();
        let response = deadline.respond(Response::default());
        assert_eq!(response.status() == 408, !arrived);
        arrived
    }

    #[tokio::test(start_paused = true)]
    async fn slow_body_times_out() {
        let second = Duration::from_secs(1);
        assert!(arrives(8, 1, second).await, "a small body within the limit");
        assert!(!arrives(20, 1, second).await, "a byte a second");
        assert!(!arrives(1, 1, second * 60).await, "silence");
        assert!(arrives(120, 64 * 1024, second).await, "a slow large upload");
        assert!(
            !arrives(120, 16 * 1024, second).await,
            "too slow for its size"
        );
    }

    #[test]
    fn one_ip_address_has_a_limited_number_in_transit() {
        let (bodies, one, other) = (
            BodyLimiter::default(),
            IpAddr::from([10, 0, 0, 1]),
            IpAddr::from([10, 0, 0, 2]),
        );
        let entered = (0..100).filter(|_| bodies.try_acquire(one, 1)).count();
        assert_eq!(entered, MAX_WEIGHT_PER_CLIENT as usize);
        assert!(
            bodies.try_acquire(other, MAX_WEIGHT_PER_BODY),
            "other addresses are not limited"
        );
        bodies.release(one, 1);
        assert!(!bodies.try_acquire(one, 2) && bodies.try_acquire(one, 1));
        bodies.release(other, MAX_WEIGHT_PER_BODY);
        (0..MAX_WEIGHT_PER_CLIENT).for_each(|_| bodies.release(one, 1));
        assert!(bodies.all().is_empty(), "finished addresses are removed");
    }
}
