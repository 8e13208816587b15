//! Request bodies that a handler does not read to their end, for example because the request is refused. The rest of a small
//! one is read, so that the connection can be used again. Otherwise the response must announce that the connection is closed.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures::future::poll_fn;
use http::{Request, header};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};

/// A new connection costs less than reading more than this.
const MAX_UNREAD_BYTES: u64 = 64 * 1024;
/// The head and the body of a small request are sent together. Whoever takes longer for the rest gets a new connection.
const READ_TIMEOUT: Duration = Duration::from_millis(500);

/// What has become of a request's body.
enum BodyState<B> {
    /// The handler has it, or it broke off.
    InUse,
    /// It was read to its end.
    Ended,
    /// The handler has dropped it before its end.
    Unread(B),
}

/// Finishes the body of a request when its response is known.
pub struct UnreadBody {
    state: Arc<Mutex<BodyState<Incoming>>>,
    /// The client sends the body only if it is asked to.
    waits_for_continue: bool,
}

impl UnreadBody {
    /// None for a request without a body.
    pub fn watch(request: Request<Incoming>) -> (Request<Body>, Option<UnreadBody>) {
        if request.body().is_end_stream() {
            return (request.map(Body::new), None);
        }
        let state = Arc::new(Mutex::new(BodyState::InUse));
        let unread = UnreadBody {
            state: state.clone(),
            waits_for_continue: request.headers().contains_key(header::EXPECT),
        };
        let watched = |body| {
            Body::new(WatchedBody {
                body: Some(body),
                state,
            })
        };
        (request.map(watched), Some(unread))
    }

    /// Reads a small rest. False if the connection cannot be used again.
    pub async fn finish(self) -> bool {
        let state = std::mem::replace(
            &mut *self.state.lock().unwrap_or_else(PoisonError::into_inner),
            BodyState::Ended,
        );
        match state {
            BodyState::Ended => true,
            BodyState::InUse => false,
            BodyState::Unread(_) if self.waits_for_continue => false,
            BodyState::Unread(body) => read_rest(body).await,
        }
    }
}

async fn read_rest<B: HttpBody<Data = Bytes> + Unpin>(mut body: B) -> bool {
    if body.size_hint().lower() > MAX_UNREAD_BYTES {
        return false;
    }
    let rest = async {
        let mut bytes = 0;
        while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
            let Ok(frame) = frame else { return false };
            bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
            if bytes > MAX_UNREAD_BYTES {
                return false;
            }
        }
        true
    };
    tokio::time::timeout(READ_TIMEOUT, rest)
        .await
        .unwrap_or(false)
}

/// Keeps the body when the handler drops it.
struct WatchedBody<B> {
    body: Option<B>,
    state: Arc<Mutex<BodyState<B>>>,
}

impl<B> WatchedBody<B> {
    fn report(&self, state: BodyState<B>) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }
}

impl<B: HttpBody<Data = Bytes> + Unpin> HttpBody for WatchedBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        let polled = Pin::new(body).poll_frame(context);
        match &polled {
            Poll::Ready(None) => {
                self.body = None;
                self.report(BodyState::Ended);
            }
            // It broke off. Nothing can follow it on this connection.
            Poll::Ready(Some(Err(_))) => self.body = None,
            _ => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body
            .as_ref()
            .map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

impl<B> Drop for WatchedBody<B> {
    fn drop(&mut self) {
        if let Some(body) = self.body.take() {
            self.report(BodyState::Unread(body));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use futures::stream;

    use super::*;

    fn chunks(count: usize) -> Body {
        let chunk = || Ok::<_, io::Error>(Bytes::from(vec![0; 1024]));
        Body::from_stream(stream::iter((0..count).map(move |_| chunk())))
    }

    #[tokio::test(start_paused = true)]
    async fn small_rest_is_read_and_a_large_one_is_not() {
        let limit = usize::try_from(MAX_UNREAD_BYTES).unwrap();
        assert!(read_rest(Body::empty()).await);
        assert!(read_rest(Body::from(vec![0; limit])).await);
        assert!(!read_rest(Body::from(vec![0; limit + 1])).await);
        assert!(read_rest(chunks(64)).await);
        assert!(!read_rest(chunks(65)).await);
        let broken: io::Result<Bytes> = Err(io::ErrorKind::ConnectionReset.into());
        assert!(!read_rest(Body::from_stream(stream::iter([broken]))).await);
    }

    #[tokio::test(start_paused = true)]
    async fn slow_rest_is_given_up() {
        let slow = stream::unfold((), |()| async {
            tokio::time::sleep(READ_TIMEOUT / 4).await;
            Some((Ok::<_, io::Error>(Bytes::from_static(b"x")), ()))
        });
        let began = tokio::time::Instant::now();
        assert!(!read_rest(Body::from_stream(slow)).await);
        assert_eq!(began.elapsed(), READ_TIMEOUT);
    }
}
