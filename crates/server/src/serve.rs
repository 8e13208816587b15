//! Serving: listens, keeps the catalogue fresh, sweeps what has expired, and stops in good order.

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use mirasa_app::Shop;
use mirasa_app::workers::AT_ONCE;
use mirasa_gateways::pictures::LocalShelf;
use tokio::net::TcpSocket;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::config::{Config, Switch};
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
/// Until then, what came lately is looked through by whoever looks for a part of an id.
const INDEX: Duration = Duration::from_secs(5);
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
    let (proxies, unlimited) = (config.proxies()?, config.rate_limit == Switch::Off);
    let exempt = move |peer: IpAddr| unlimited || proxies.iter().any(|proxy| proxy.contains(&peer));
    tasks.spawn(listen::serve(listener, app, exempt, stop.clone()));
    repeat(
        &mut tasks,
        &stop,
        CATALOGUE_LOOK,
        shop.clone(),
        |shop| async move {
            let refreshed = shop.catalogue.refresh(&shop.db, shop.now_ms()).await;
            refreshed.map(|_| Rest::Full).map_err(anyhow::Error::from)
        },
    );
    repeat(&mut tasks, &stop, WORK, shop.clone(), |shop| async move {
        Ok(Rest::after(shop.reconcile().await?))
    });
    repeat(&mut tasks, &stop, WORK, shop.clone(), |shop| async move {
        Ok(Rest::after(shop.give_refunds().await?))
    });
    repeat(&mut tasks, &stop, WORK, shop.clone(), |shop| async move {
        Ok(Rest::after(shop.send_letters().await?))
    });
    repeat(&mut tasks, &stop, INDEX, shop.clone(), |shop| async move {
        let is_more = shop.index_ids().await?;
        Ok(if is_more { Rest::None } else { Rest::Full })
    });
    repeat(&mut tasks, &stop, SWEEP, shop.clone(), |shop| async move {
        shop.sweep_expired().await?;
        Ok(Rest::Full)
    });
    if let Some(metrics) = metrics {
        repeat(&mut tasks, &stop, METRICS_UPKEEP, shop.clone(), move |_| {
            metrics.run_upkeep();
            std::future::ready(Ok(Rest::Full))
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

/// How long to wait before the work is done again.
enum Rest {
    Full,
    /// There is probably more to do.
    None,
}

impl Rest {
    fn after(done: usize) -> Rest {
        if done < AT_ONCE {
            Rest::Full
        } else {
            Rest::None
        }
    }
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
    R: Future<Output = anyhow::Result<Rest>> + Send,
{
    let stop = stop.clone();
    tasks.spawn(async move {
        let mut failing = false;
        let mut wait = every;
        while tokio::time::timeout(wait, stop.cancelled()).await.is_err() {
            wait = every;
            match work(shop.clone()).await {
                Ok(rest) => {
                    failing = false;
                    if matches!(rest, Rest::None) {
                        wait = Duration::ZERO;
                    }
                }
                Err(error) if !failing => {
                    tracing::warn!(error = format!("{error:#}"), "background work failed");
                    failing = true;
                }
                Err(_) => {}
            }
        }
    });
}
