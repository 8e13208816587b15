//! Starting and stopping the server: the listener and the background workers.

use std::net::{IpAddr, SocketAddr};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use futures::FutureExt as _;
use mirasa_app::Shop;
use mirasa_app::runtime::supervision::Need::Essential;
use mirasa_app::runtime::supervision::Worker;
use mirasa_http::HttpService;
use mirasa_images::ResizingImageStore;
use tokio::net::{TcpListener, TcpSocket};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::config::{Config, OnOff};
use crate::wiring::{App, TimeAndIds, build};
use crate::{listener, workers};

/// How long running requests may take after the shutdown signal.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(8);
/// Connections that the kernel holds until they are accepted.
const BACKLOG: u32 = 1024;
/// The delay before the next attempt to listen on the address.
const LISTEN_RETRY_DELAY: Duration = Duration::from_secs(1);

pub struct Server {
    pub address: SocketAddr,
    pub shop: Shop,
    pub images: Arc<ResizingImageStore>,
    stop: CancellationToken,
    tasks: JoinSet<()>,
}

impl Server {
    /// Accepts no new requests, waits for running ones, and returns when all tasks have ended.
    pub async fn stop(mut self) {
        self.stop.cancel();
        let all_done = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(SHUTDOWN_TIMEOUT, all_done)
            .await
            .is_err()
        {
            tracing::warn!(
                "requests that were still running after {SHUTDOWN_TIMEOUT:?} were aborted"
            );
            self.tasks.shutdown().await;
        }
    }
}

pub async fn start(
    config: &Config,
    metrics: Option<metrics_exporter_prometheus::PrometheusHandle>,
) -> anyhow::Result<Server> {
    let unavailable = || format!("cannot listen on {}", config.listen);
    let socket = bind(config.listen).with_context(unavailable)?;
    let address = socket.local_addr()?;
    let App {
        shop,
        site,
        sandbox,
        images,
    } = build(config, address, metrics.clone(), TimeAndIds::system()).await?;
    if let Err(error) = shop.apply_admin_emails().await {
        // The server starts on a read-only database too; the cleanup worker tries again.
        let error = format!("{:#}", anyhow::Error::from(error));
        tracing::error!(error, "admin_emails could not be applied");
    }
    if let Err(error) = shop.begin_notifications().await {
        // The worker tries again.
        let error = format!("{:#}", anyhow::Error::from(error));
        tracing::error!(error, "notifications could not be set up");
    }
    let app = HttpService::new(site, sandbox);
    let listener = socket.listen(BACKLOG).with_context(unavailable)?;

    let stop = CancellationToken::new();
    let mut tasks = JoinSet::new();
    let (proxies, unlimited) = (config.proxies()?, config.rate_limit == OnOff::Off);
    let exempt = move |peer: IpAddr| unlimited || proxies.iter().any(|proxy| proxy.contains(&peer));
    tasks.spawn(keep_listening(listener, address, app, exempt, stop.clone()));
    workers::start_all(&mut tasks, &stop, &shop, metrics);
    Ok(Server {
        address,
        shop,
        images,
        stop,
        tasks,
    })
}

/// Binds the address without listening on it: connections are refused until the database is open, so that a load
/// balancer uses another instance.
fn bind(address: SocketAddr) -> std::io::Result<TcpSocket> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

/// Accepts connections until `stop` is cancelled. After a panic it listens on a new socket; running requests continue.
async fn keep_listening(
    listener: TcpListener,
    address: SocketAddr,
    app: HttpService,
    exempt: impl Fn(IpAddr) -> bool,
    stop: CancellationToken,
) {
    let worker = Worker::register("listener", Essential, None);
    let mut listening = Ok(listener);
    loop {
        match listening {
            Ok(listener) => {
                let serving = listener::serve(listener, app.clone(), &exempt, stop.clone());
                if AssertUnwindSafe(serving).catch_unwind().await.is_ok() {
                    return;
                }
                tokio::time::sleep(worker.panicked()).await;
            }
            Err(error) => {
                tracing::error!(%error, "cannot listen on {address} again");
                tokio::time::sleep(LISTEN_RETRY_DELAY).await;
            }
        }
        listening = bind(address).and_then(|socket| socket.listen(BACKLOG));
        worker.completed();
    }
}
