//! Accepts connections, up to a limit, and closes those that are idle, send a request too slowly or do not read the
//! response.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderValue, Request, StatusCode, header};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use mirasa_http::HttpService;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Sleep, sleep};
use tokio_util::sync::CancellationToken;

use crate::connection_limits::ConnectionLimiter;
use crate::unread_body::UnreadBody;

/// The head of a request must arrive within this time after the previous response. This also limits idle connections.
const HEADER_READ_TIMEOUT: Duration = Duration::from_secs(20);
/// How long requests on open connections are still served after the shutdown signal. A proxy may have sent one on an idle
/// connection, and cannot repeat a POST if the connection is closed instead.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);
const DRAIN_POLL_INTERVAL: Duration = Duration::from_millis(10);
/// If nothing of a response can be written for this long, the client does not read it.
const WRITE_STALL_TIMEOUT: Duration = Duration::from_secs(20);
/// How long, and how much, is read of a body that is not needed when the connection is closed after its response. Closing it
/// at once would reset it, and the client might lose the response.
const LINGER_TIMEOUT: Duration = Duration::from_secs(2);
const MAX_LINGER_BYTES: usize = 16 * 1024 * 1024;
/// Larger request heads are rejected (431).
const MAX_HEADER_BYTES: usize = 32 * 1024;
const MAX_CONNECTIONS: u64 = 8192;
/// File descriptors for the database, images and requests to providers.
const RESERVED_FDS: u64 = 256;

const BUSY_RESPONSE: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 2\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// The number of connections that the limit of file descriptors allows. The soft limit is usually 1024, so it is raised
/// as far as possible.
fn max_connections() -> usize {
    let files = rlimit::increase_nofile_limit(MAX_CONNECTIONS + RESERVED_FDS).unwrap_or(1024);
    let connections = files
        .saturating_sub(RESERVED_FDS)
        .clamp(64, MAX_CONNECTIONS);
    usize::try_from(connections).unwrap_or(64)
}

/// Serves until `stop` is cancelled, then waits for running requests.
pub async fn serve(
    listener: TcpListener,
    shop: HttpService,
    exempt: impl Fn(IpAddr) -> bool,
    stop: CancellationToken,
) {
    let max_connections = max_connections();
    let permits = Arc::new(Semaphore::new(max_connections));
    let limiter = Arc::new(ConnectionLimiter::new(max_connections));
    let connections = GracefulShutdown::new();
    // For each request; the token has a lock.
    let is_stopping = Arc::new(AtomicBool::new(false));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEADER_READ_TIMEOUT)
        // No pipeline_flush: it would buffer the responses to all pipelined requests, which is megabytes for a client
        // that never reads them.
        .max_buf_size(MAX_HEADER_BYTES);
    loop {
        let accepted = tokio::select! {
            // Connections that the kernel has accepted would be reset with their requests. The loop ends even if there are
            // always more: `accept` yields now and then, as all of tokio's sockets do.
            biased;
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // The client has closed the connection, or there are no file descriptors left. Both are temporary.
                if !is_connection_error(&error) {
                    tracing::error!(%error, "cannot accept connections");
                    sleep(Duration::from_millis(100)).await;
                }
                continue;
            }
        };
        mirasa_app::runtime::failpoints::failpoint("worker listener");
        let address = peer.ip().to_canonical();
        let client_permit = (!exempt(address)).then(|| limiter.try_acquire(address));
        let (Ok(permit), None | Some(Some(_))) =
            (permits.clone().try_acquire_owned(), &client_permit)
        else {
            metrics::counter!("http_connections_rejected_total").increment(1);
            tokio::spawn(reject(stream));
            continue;
        };
        // Responses are written as a whole, so Nagle's algorithm would only delay them.
        drop(stream.set_nodelay(true));
        let (shop, is_stopping) = (shop.clone(), is_stopping.clone());
        let stream = StallTimeout::new(stream);
        let has_unread_body = stream.lingers.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let (mut request, unread_body) = UnreadBody::watch(request);
            request.extensions_mut().insert(ConnectInfo(peer));
            let unread_body = unread_body.map(|body| (body, has_unread_body.clone()));
            let handled = handle(shop.clone(), request, is_stopping.clone());
            async move {
                let mut response = handled.await;
                if let Some((body, has_unread_body)) = unread_body
                    && !body.finish().await
                {
                    has_unread_body.store(true, Relaxed);
                    response = with_close(response);
                }
                Ok::<_, Infallible>(response)
            }
        });
        let connection = http.serve_connection(TokioIo::new(stream), service);
        let connection = connections.watch(connection);
        tokio::spawn(async move {
            // A connection that the client has aborted is not an error of the server.
            drop(connection.await);
            drop((permit, client_permit));
        });
    }
    is_stopping.store(true, Relaxed);
    drop(listener);
    let all_closed = async {
        while connections.count() > 0 {
            sleep(DRAIN_POLL_INTERVAL).await;
        }
    };
    drop(tokio::time::timeout(DRAIN_TIMEOUT, all_closed).await);
    connections.shutdown().await;
}

async fn handle(
    shop: HttpService,
    request: Request<Body>,
    is_stopping: Arc<AtomicBool>,
) -> Response {
    if size_of_head(&request) > MAX_HEADER_BYTES {
        let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
        let response = (status, Body::empty()).into_response();
        return with_close(response);
    }
    let response = shop.handle(request).await;
    if is_stopping.load(Relaxed) {
        with_close(response)
    } else {
        response
    }
}

/// The connection is closed after this response.
fn with_close(mut response: Response) -> Response {
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(header::CONNECTION, close);
    response
}

/// The size of the head as it was sent, without optional spaces. The limit of the connection applies to its buffer, which
/// may hold a larger head when that is complete.
fn size_of_head<B>(request: &Request<B>) -> usize {
    let uri = request.uri();
    let target = uri.path().len() + uri.query().map_or(0, |query| query.len() + 1);
    let line = request.method().as_str().len() + target + "  HTTP/1.1\r\n".len();
    let headers = request.headers().iter();
    let headers = headers.map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    line + headers.sum::<usize>() + "\r\n".len()
}

async fn reject(mut stream: TcpStream) {
    let response = async {
        stream.write_all(BUSY_RESPONSE).await?;
        stream.shutdown().await
    };
    drop(tokio::time::timeout(Duration::from_secs(1), response).await);
}

fn is_connection_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}

/// A stream whose writes fail if the client does not read them in time.
struct StallTimeout<S> {
    stream: S,
    stalled: Option<Pin<Box<Sleep>>>,
    /// Set if the client may still be sending when the connection is closed.
    lingers: Arc<AtomicBool>,
    linger: Option<Linger>,
}

/// The end of a connection on which the client may still be sending.
struct Linger {
    timeout: Pin<Box<Sleep>>,
    bytes: usize,
}

impl<S> StallTimeout<S> {
    fn new(stream: S) -> StallTimeout<S> {
        StallTimeout {
            stream,
            stalled: None,
            lingers: Arc::default(),
            linger: None,
        }
    }

    fn poll_stall<T>(
        &mut self,
        context: &mut Context<'_>,
        polled: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.stalled = None;
            return polled;
        }
        let stalled = self
            .stalled
            .get_or_insert_with(|| Box::pin(sleep(WRITE_STALL_TIMEOUT)));
        match stalled.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> StallTimeout<S> {
    /// Reads until the client closes the connection, up to the limits.
    fn poll_linger(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let linger = self.linger.get_or_insert_with(|| Linger {
            timeout: Box::pin(sleep(LINGER_TIMEOUT)),
            bytes: 0,
        });
        let mut memory = [0; 8 * 1024];
        while linger.bytes < MAX_LINGER_BYTES {
            let mut buffer = ReadBuf::new(&mut memory);
            match Pin::new(&mut self.stream).poll_read(context, &mut buffer) {
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => {
                    linger.bytes += buffer.filled().len();
                }
                Poll::Ready(_) => return Poll::Ready(()),
                Poll::Pending => return linger.timeout.as_mut().poll(context),
            }
        }
        Poll::Ready(())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for StallTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for StallTimeout<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.poll_stall(context, polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.poll_stall(context, polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_flush(context);
        self.poll_stall(context, polled)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.linger.is_none() {
            let polled = Pin::new(&mut self.stream).poll_shutdown(context);
            ready!(self.poll_stall(context, polled))?;
        }
        if self.lingers.load(Relaxed) {
            ready!(self.poll_linger(context));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;

    use super::*;

    #[test]
    fn size_of_head_matches_the_sent_bytes() {
        let text = "GET /search?q=x HTTP/1.1\r\nhost: shop.example\r\nx-empty: \r\n\r\n";
        let request = Request::get("/search?q=x")
            .header("host", "shop.example")
            .header("x-empty", "");
        assert_eq!(size_of_head(&request.body(()).unwrap()), text.len());
    }

    #[tokio::test(start_paused = true)]
    async fn client_that_does_not_read_times_out() {
        let (ours, theirs) = tokio::io::duplex(1024);
        let mut stream = StallTimeout::new(ours);
        let written = stream.write_all(&[7; 4096]).await;
        assert_eq!(written.unwrap_err().kind(), io::ErrorKind::TimedOut);
        drop(theirs);
    }

    #[tokio::test(start_paused = true)]
    async fn unread_body_is_read_for_a_while_after_the_last_response() {
        let (ours, mut theirs) = tokio::io::duplex(1024);
        let mut stream = StallTimeout::new(ours);
        stream.lingers.store(true, Relaxed);
        let sender = tokio::spawn(async move { theirs.write_all(&[7; 64 * 1024]).await });
        let began = tokio::time::Instant::now();
        stream.shutdown().await.unwrap();
        sender.await.unwrap().unwrap();
        assert!(began.elapsed() < LINGER_TIMEOUT, "the client has finished");

        let (ours, theirs) = tokio::io::duplex(1024);
        let mut stream = StallTimeout::new(ours);
        stream.lingers.store(true, Relaxed);
        let began = tokio::time::Instant::now();
        stream.shutdown().await.unwrap();
        assert_eq!(began.elapsed(), LINGER_TIMEOUT, "the client does not close");
        drop(theirs);
    }

    #[tokio::test(start_paused = true)]
    async fn slow_client_that_reads_gets_the_whole_response() {
        let (ours, mut theirs) = tokio::io::duplex(1024);
        let reader = tokio::spawn(async move {
            let (mut all, mut part) = (0, [0; 512]);
            while all < 8192 {
                sleep(WRITE_STALL_TIMEOUT / 2).await;
                all += theirs.read(&mut part).await.unwrap();
            }
            all
        });
        StallTimeout::new(ours).write_all(&[7; 8192]).await.unwrap();
        assert_eq!(reader.await.unwrap(), 8192);
    }
}
