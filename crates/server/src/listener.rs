//! Connections: as many as there is room for, and none for longer than it has something to say. A visitor
//! who sends or reads slower than a bad phone line is let go.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::response::Response;
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

/// The head of a request must be there within this time, counted from the end of the last answer: it is
/// also how long a silent connection is kept.
const HEADER_READ_TIMEOUT: Duration = Duration::from_secs(20);
/// Nothing of an answer could be written for so long: nobody reads it.
const WRITE_STALL_TIMEOUT: Duration = Duration::from_secs(20);
/// Request heads above this are refused (431).
const MAX_HEADER_BYTES: usize = 32 * 1024;
const MAX_CONNECTIONS: u64 = 8192;
/// Files that the shop itself needs: the database, pictures, calls to the providers.
const RESERVED_FDS: u64 = 256;

const BUSY_RESPONSE: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 2\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// How many connections the system lets us hold. The soft limit is a thousand on most systems: too few
/// for a crowd, so it is raised as far as it goes.
fn max_connections() -> usize {
    let files = rlimit::increase_nofile_limit(MAX_CONNECTIONS + RESERVED_FDS).unwrap_or(1024);
    let room = files
        .saturating_sub(RESERVED_FDS)
        .clamp(64, MAX_CONNECTIONS);
    usize::try_from(room).unwrap_or(64)
}

/// Serves until told to stop, then lets the requests under way end.
pub async fn serve(
    listener: TcpListener,
    shop: HttpService,
    exempt: impl Fn(IpAddr) -> bool,
    stop: CancellationToken,
) {
    let room = max_connections();
    let places = Arc::new(Semaphore::new(room));
    let peers = Arc::new(ConnectionLimiter::new(room));
    let connections = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEADER_READ_TIMEOUT)
        // No pipeline_flush: it would collect the answers to all requests that were sent at once, megabytes
        // for a visitor who never reads them.
        .max_buf_size(MAX_HEADER_BYTES);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Gone before it was greeted, or out of files: either passes.
                if !is_connection_error(&error) {
                    tracing::error!(%error, "cannot take connections");
                    sleep(Duration::from_millis(100)).await;
                }
                continue;
            }
        };
        mirasa_app::failpoints::failpoint("worker listener");
        let address = peer.ip().to_canonical();
        let of_peer = (!exempt(address)).then(|| peers.try_acquire(address));
        let (Ok(place), None | Some(Some(_))) = (places.clone().try_acquire_owned(), &of_peer)
        else {
            metrics::counter!("http_connections_refused").increment(1);
            tokio::spawn(reject(stream));
            continue;
        };
        // Answers are written whole; waiting for more to send would only delay them.
        drop(stream.set_nodelay(true));
        let shop = shop.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            handle(shop.clone(), request)
        });
        let connection = http.serve_connection(TokioIo::new(StallTimeout::new(stream)), service);
        let connection = connections.watch(connection);
        tokio::spawn(async move {
            // An end in the middle is the visitor's affair.
            drop(connection.await);
            drop((place, of_peer));
        });
    }
    drop(listener);
    connections.shutdown().await;
}

async fn handle(shop: HttpService, request: Request<Body>) -> Result<Response, Infallible> {
    if size_of_head(&request) > MAX_HEADER_BYTES {
        return Ok(head_too_large());
    }
    Ok(shop.handle(request).await)
}

/// As it came over the wire, or a little less, where it had spaces to spare. The connection's own limit is
/// one on its buffer, which may hold more than that when the head is complete.
fn size_of_head<B>(request: &Request<B>) -> usize {
    let uri = request.uri();
    let target = uri.path().len() + uri.query().map_or(0, |query| query.len() + 1);
    let line = request.method().as_str().len() + target + "  HTTP/1.1\r\n".len();
    let headers = request.headers().iter();
    let headers = headers.map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    line + headers.sum::<usize>() + "\r\n".len()
}

fn head_too_large() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(header::CONNECTION, close);
    response
}

async fn reject(mut stream: TcpStream) {
    let said = async {
        stream.write_all(BUSY_RESPONSE).await?;
        stream.shutdown().await
    };
    drop(tokio::time::timeout(Duration::from_secs(1), said).await);
}

fn is_connection_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}

/// A stream that gives up when nothing of what it writes is read.
struct StallTimeout<S> {
    stream: S,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<S> StallTimeout<S> {
    fn new(stream: S) -> StallTimeout<S> {
        StallTimeout {
            stream,
            stalled: None,
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

impl<S: AsyncRead + Unpin> AsyncRead for StallTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for StallTimeout<S> {
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
        let polled = Pin::new(&mut self.stream).poll_shutdown(context);
        self.poll_stall(context, polled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt as _;

    #[test]
    fn a_head_is_as_large_as_it_is_written() {
        let text = "GET /search?q=x HTTP/1.1\r\nhost: shop.example\r\nx-empty: \r\n\r\n";
        let request = Request::get("/search?q=x")
            .header("host", "shop.example")
            .header("x-empty", "");
        assert_eq!(size_of_head(&request.body(()).unwrap()), text.len());
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_does_not_read_is_let_go() {
        let (ours, theirs) = tokio::io::duplex(1024);
        let mut watched = StallTimeout::new(ours);
        let written = watched.write_all(&[7; 4096]).await;
        assert_eq!(written.unwrap_err().kind(), io::ErrorKind::TimedOut);
        drop(theirs);
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_reader_who_does_read_gets_it_all() {
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
