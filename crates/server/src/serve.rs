//! Serving: listens, keeps the catalogue fresh, sweeps what has expired, and stops in good order.

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use futures::FutureExt as _;
use mirasa_app::supervision::Need::{self, Essential, Optional};
use mirasa_app::supervision::Worker;
use mirasa_app::workers::BATCH_SIZE;
use mirasa_app::{Shop, failpoints};
use mirasa_http::HttpService;
use mirasa_images::ResizingImageStore;
use tokio::net::{TcpListener, TcpSocket};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::config::{Config, OnOff};
use crate::listener;
use crate::wiring::{App, build};

/// How long requests under way may take once the program is told to stop.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(8);
/// Connections that the kernel holds until they are accepted.
const BACKLOG: u32 = 1024;
/// How soon another instance's change of a product is seen.
const CATALOGUE_REFRESH_INTERVAL: Duration = Duration::from_millis(500);
/// How soon a payment, a refund or a letter that is due is looked after.
const WORKER_INTERVAL: Duration = Duration::from_millis(500);
/// Until then, what came lately is looked through by whoever looks for a part of an id.
const INDEX_INTERVAL: Duration = Duration::from_secs(5);
const CLEANUP_INTERVAL: Duration = Duration::from_secs(600);
/// What was measured is kept one by one until it is summed up: unswept, it would fill the memory.
const METRICS_UPKEEP_INTERVAL: Duration = Duration::from_secs(5);
/// A turn that takes longer is stuck. The slowest waits for a mail server that says nothing.
const MAX_TURN: Duration = Duration::from_secs(300);
/// How long to wait before the address is tried again, where it cannot be listened on.
const RELISTEN: Duration = Duration::from_secs(1);

pub struct Server {
    pub address: SocketAddr,
    pub shop: Shop,
    pub images: Arc<ResizingImageStore>,
    stop: CancellationToken,
    tasks: JoinSet<()>,
}

impl Server {
    /// Takes no new requests, lets those under way end, and returns when all is still.
    pub async fn stop(mut self) {
        self.stop.cancel();
        let all_done = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(SHUTDOWN_TIMEOUT, all_done)
            .await
            .is_err()
        {
            tracing::warn!("requests still under way after {SHUTDOWN_TIMEOUT:?} were cut off");
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
    } = build(config, address, metrics.clone()).await?;
    if let Err(fault) = shop.apply_admin_emails().await {
        // A database that can only be read does not keep the shop closed; the sweep tries again.
        let error = format!("{:#}", anyhow::Error::from(fault));
        tracing::error!(error, "admin_emails could not be applied");
    }
    let app = HttpService::new(site, sandbox);
    let listener = socket.listen(BACKLOG).with_context(unavailable)?;

    let stop = CancellationToken::new();
    let mut tasks = JoinSet::new();
    let (proxies, unlimited) = (config.proxies()?, config.rate_limit == OnOff::Off);
    let exempt = move |peer: IpAddr| unlimited || proxies.iter().any(|proxy| proxy.contains(&peer));
    tasks.spawn(keep_listening(listener, address, app, exempt, stop.clone()));
    let mut workers = Workers {
        tasks: &mut tasks,
        stop: &stop,
        shop: &shop,
    };
    workers.start(
        "catalogue",
        Essential,
        CATALOGUE_REFRESH_INTERVAL,
        |shop| async move {
            let refreshed = shop.catalogue.refresh(&shop.db, shop.now_ms()).await;
            refreshed
                .map(|_| NextRun::Full)
                .map_err(anyhow::Error::from)
        },
    );
    workers.start("payments", Essential, WORKER_INTERVAL, |shop| async move {
        Ok(NextRun::after(shop.reconcile_payments().await?))
    });
    workers.start("refunds", Essential, WORKER_INTERVAL, |shop| async move {
        Ok(NextRun::after(shop.process_refunds().await?))
    });
    workers.start("emails", Essential, WORKER_INTERVAL, |shop| async move {
        Ok(NextRun::after(shop.send_emails().await?))
    });
    workers.start("id-index", Optional, INDEX_INTERVAL, |shop| async move {
        let is_more = shop.index_new_ids().await?;
        Ok(if is_more {
            NextRun::None
        } else {
            NextRun::Full
        })
    });
    workers.start("sweep", Optional, CLEANUP_INTERVAL, |shop| async move {
        shop.delete_expired().await?;
        shop.apply_admin_emails().await?;
        Ok(NextRun::Full)
    });
    if let Some(metrics) = metrics {
        workers.start("metrics", Optional, METRICS_UPKEEP_INTERVAL, move |_| {
            metrics.run_upkeep();
            std::future::ready(Ok(NextRun::Full))
        });
    }
    Ok(Server {
        address,
        shop,
        images,
        stop,
        tasks,
    })
}

/// The address is taken, but nobody is let in yet: whoever comes while the database is waited for is refused at
/// once, so that a load balancer goes to another instance.
fn bind(address: SocketAddr) -> std::io::Result<TcpSocket> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

/// How long to wait before the work is done again.
enum NextRun {
    Full,
    /// There is probably more to do.
    None,
}

impl NextRun {
    fn after(done: usize) -> NextRun {
        if done < BATCH_SIZE {
            NextRun::Full
        } else {
            NextRun::None
        }
    }
}

/// Takes connections until told to stop, on a new socket after a panic. Requests under way go on.
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
                tokio::time::sleep(RELISTEN).await;
            }
        }
        listening = bind(address).and_then(|socket| socket.listen(BACKLOG));
        worker.completed();
    }
}

/// Starts work that is done again and again until the program is told to stop.
struct Workers<'s> {
    tasks: &'s mut JoinSet<()>,
    stop: &'s CancellationToken,
    shop: &'s Shop,
}

impl Workers<'_> {
    /// A panic costs one turn and a pause. A failure is logged once, not at every turn.
    fn start<F, R>(&mut self, name: &'static str, need: Need, every: Duration, work: F)
    where
        F: Fn(Shop) -> R + Send + Sync + 'static,
        R: Future<Output = anyhow::Result<NextRun>> + Send,
    {
        let (stop, shop) = (self.stop.clone(), self.shop.clone());
        let worker = Worker::register(name, need, Some(every + MAX_TURN));
        let fault_point = format!("worker {name}");
        self.tasks.spawn(async move {
            let mut failing = false;
            let mut wait = every;
            while tokio::time::timeout(wait, stop.cancelled()).await.is_err() {
                wait = every;
                let turn = async {
                    failpoints::failpoint(&fault_point);
                    work(shop.clone()).await
                };
                let Ok(outcome) = AssertUnwindSafe(turn).catch_unwind().await else {
                    wait = worker.panicked();
                    continue;
                };
                worker.completed();
                match outcome {
                    Ok(rest) => {
                        failing = false;
                        if matches!(rest, NextRun::None) {
                            wait = Duration::ZERO;
                        }
                    }
                    Err(error) if !failing => {
                        let error = format!("{error:#}");
                        tracing::warn!(error, worker = name, "background work failed");
                        failing = true;
                    }
                    Err(_) => {}
                }
            }
        });
    }
}
