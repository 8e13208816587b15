//! Serving: listens, keeps the catalogue fresh, sweeps what has expired, and stops in good order.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use mirasa_app::Shop;
use mirasa_gateways::pictures::LocalShelf;
use tokio::net::TcpSocket;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::listen;
use crate::wiring::{Assembled, assemble};

/// How long requests under way may take once the program is told to stop.
const DRAIN: Duration = Duration::from_secs(8);
/// Connections that the kernel holds until they are accepted.
const BACKLOG: u32 = 1024;
/// How soon another instance's change of a product is seen.
const CATALOGUE_LOOK: Duration = Duration::from_millis(500);
/// How soon a payment, a refund or a letter that is due is looked after.
const WORK: Duration = Duration::from_millis(500);
const SWEEP: Duration = Duration::from_secs(600);
/// What was measured is kept one by one until it is summed up: unswept, it would fill the memory.
const METRICS_UPKEEP: Duration = Duration::from_secs(5);

pub struct Running {
    pub address: SocketAddr,
    pub shop: Shop,
    pub shelf: Arc<LocalShelf>,
    stop: CancellationToken,
    tasks: JoinSet<()>,
}

impl Running {
    /// Takes no new requests, lets those under way end, and returns when all is still.
    pub async fn stop(mut self) {
        self.stop.cancel();
        let all_done = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(DRAIN, all_done).await.is_err() {
            tracing::warn!("requests still under way after {DRAIN:?} were cut off");
            self.tasks.shutdown().await;
        }
    }
}

pub async fn start(
    config: &Config,
    metrics: Option<metrics_exporter_prometheus::PrometheusHandle>,
) -> anyhow::Result<Running> {
    let unavailable = || format!("cannot listen on {}", config.listen);
    let socket = reserve(config.listen).with_context(unavailable)?;
    let address = socket.local_addr()?;
    let Assembled {
        shop,
        site,
        sandbox,
        shelf,
    } = assemble(config, address, metrics.clone()).await?;
    let app = mirasa_http::Front::new(site, sandbox);
    let listener = socket.listen(BACKLOG).with_context(unavailable)?;

    let stop = CancellationToken::new();
    let mut tasks = JoinSet::new();
    tasks.spawn(listen::serve(listener, app, stop.clone()));
    repeat(
        &mut tasks,
        &stop,
        CATALOGUE_LOOK,
        shop.clone(),
        |shop| async move {
            let refreshed = shop.catalogue.refresh(&shop.db, shop.now_ms()).await;
            refreshed.map(drop).map_err(anyhow::Error::from)
        },
    );
    repeat(&mut tasks, &stop, WORK, shop.clone(), |shop| async move {
        shop.reconcile()
            .await
            .map(drop)
            .map_err(anyhow::Error::from)
    });
    repeat(&mut tasks, &stop, WORK, shop.clone(), |shop| async move {
        shop.give_refunds()
            .await
            .map(drop)
            .map_err(anyhow::Error::from)
    });
    repeat(&mut tasks, &stop, WORK, shop.clone(), |shop| async move {
        shop.send_letters()
            .await
            .map(drop)
            .map_err(anyhow::Error::from)
    });
    repeat(&mut tasks, &stop, SWEEP, shop.clone(), |shop| async move {
        shop.sweep_expired()
            .await
            .map(drop)
            .map_err(anyhow::Error::from)
    });
    if let Some(metrics) = metrics {
        repeat(&mut tasks, &stop, METRICS_UPKEEP, shop.clone(), move |_| {
            metrics.run_upkeep();
            std::future::ready(Ok(()))
        });
    }
    Ok(Running {
        address,
        shop,
        shelf,
        stop,
        tasks,
    })
}

/// The address is taken, but nobody is let in yet: whoever comes while the database is waited for is refused at
/// once, so that a load balancer goes to another instance.
fn reserve(address: SocketAddr) -> std::io::Result<TcpSocket> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

/// Does the work again and again until told to stop. A failure is logged once, not at every turn.
fn repeat<F, R>(
    tasks: &mut JoinSet<()>,
    stop: &CancellationToken,
    every: Duration,
    shop: Shop,
    work: F,
) where
    F: Fn(Shop) -> R + Send + 'static,
    R: Future<Output = anyhow::Result<()>> + Send,
{
    let stop = stop.clone();
    tasks.spawn(async move {
        let mut failing = false;
        while tokio::time::timeout(every, stop.cancelled()).await.is_err() {
            match work(shop.clone()).await {
                Ok(()) => failing = false,
                Err(error) if !failing => {
                    tracing::warn!(error = format!("{error:#}"), "background work failed");
                    failing = true;
                }
                Err(_) => {}
            }
        }
    });
}
