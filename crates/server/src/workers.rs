//! The background jobs and their intervals.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use metrics_exporter_prometheus::PrometheusHandle;
use mirasa_app::emails::send::DueEmails;
use mirasa_app::payments::poll::DuePayments;
use mirasa_app::refunds::send::DueRefunds;
use mirasa_app::runtime::failpoints;
use mirasa_app::runtime::leased_rows::{LeasedRows, LeasedWork, Run};
use mirasa_app::runtime::supervision::Need::{self, Essential, Optional};
use mirasa_app::runtime::supervision::Worker;
use mirasa_app::runtime::telemetry::TARGET;
use mirasa_app::runtime::workers::BATCH_SIZE;
use mirasa_app::shipping::steps::DueParcels;
use mirasa_app::{AppError, Shop};
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument as _, field};

/// How soon another instance's change of a product is seen.
const CATALOGUE_REFRESH_INTERVAL: Duration = Duration::from_millis(500);
/// How soon a payment, a refund or an email that is due is processed.
const WORKER_INTERVAL: Duration = Duration::from_millis(500);
/// Ids that are newer than the last run are searched without the index.
const INDEX_INTERVAL: Duration = Duration::from_secs(5);
/// How often requests for notices of new stock are compared with the stock.
const STOCK_NOTICE_INTERVAL: Duration = Duration::from_secs(5);
/// How often the shop checks whether to notify the owner.
const NOTIFICATION_INTERVAL: Duration = Duration::from_secs(5);
/// How soon an order is found that was delivered a week ago.
const REVIEW_REQUEST_INTERVAL: Duration = Duration::from_secs(5);
/// How soon the sums of a changed day are stored. Until then its orders are counted at each read of the overview.
const DAILY_SALES_INTERVAL: Duration = Duration::from_secs(30);
/// How soon counted visits are stored.
const VISITS_INTERVAL: Duration = Duration::from_secs(10);
const CLEANUP_INTERVAL: Duration = Duration::from_secs(600);
/// How often gauges that need the database are set. The exporter also stores each measured value until its upkeep adds
/// them up; without it memory would grow.
const METRICS_INTERVAL: Duration = Duration::from_secs(5);
/// A run that takes longer is stuck. The slowest waits for a mail server that does not respond.
const MAX_RUN: Duration = Duration::from_secs(300);

pub fn start_all(
    tasks: &mut JoinSet<()>,
    stop: &CancellationToken,
    shop: &Shop,
    metrics: Option<PrometheusHandle>,
) {
    let mut workers = Workers { tasks, stop, shop };
    workers.start(
        "catalogue",
        Essential,
        CATALOGUE_REFRESH_INTERVAL,
        |shop| async move {
            let refreshed = shop.catalogue.refresh(&shop.db, shop.now_ms()).await;
            refreshed
                .map(|()| NextRun::AfterIdle)
                .map_err(anyhow::Error::from)
        },
    );
    workers.start_leased("payments", DuePayments(shop.clone()));
    workers.start_leased("refunds", DueRefunds(shop.clone()));
    workers.start_leased("shipments", DueParcels(shop.clone()));
    workers.start_leased("emails", DueEmails(shop.clone()));
    let stopping = stop.clone();
    workers.start("id-index", Optional, INDEX_INTERVAL, move |shop| {
        let stopping = stopping.clone();
        async move {
            tokio::select! {
                created = shop.db.create_search_indexes() => created?,
                () = stopping.cancelled() => return Ok(NextRun::AfterInterval),
            }
            let is_more = shop.index_new_ids().await?;
            Ok(if is_more {
                NextRun::Immediately
            } else {
                NextRun::AfterInterval
            })
        }
    });
    workers.start(
        "notifications",
        Optional,
        NOTIFICATION_INTERVAL,
        |shop| async move {
            shop.notify_owner().await?;
            Ok(NextRun::AfterInterval)
        },
    );
    workers.start(
        "stock-notices",
        Optional,
        STOCK_NOTICE_INTERVAL,
        |shop| async move { Ok(NextRun::after(shop.send_stock_notices().await?)) },
    );
    workers.start(
        "review-requests",
        Optional,
        REVIEW_REQUEST_INTERVAL,
        |shop| async move { Ok(NextRun::after(shop.request_reviews().await?)) },
    );
    workers.start(
        "daily-sales",
        Optional,
        DAILY_SALES_INTERVAL,
        |shop| async move { Ok(NextRun::after(shop.store_daily_sales().await?)) },
    );
    workers.start("visits", Optional, VISITS_INTERVAL, |shop| async move {
        shop.store_visits().await?;
        Ok(NextRun::AfterInterval)
    });
    workers.start("sweep", Optional, CLEANUP_INTERVAL, |shop| async move {
        shop.delete_expired().await?;
        shop.delete_sent_notifications().await?;
        shop.delete_old_stock_notices().await?;
        shop.delete_old_request_keys().await?;
        shop.complete_erasures().await?;
        shop.apply_admin_emails().await?;
        Ok(NextRun::AfterInterval)
    });
    if let Some(metrics) = metrics {
        workers.start("metrics", Optional, METRICS_INTERVAL, move |shop| {
            metrics.run_upkeep();
            async move {
                // A database that hangs must not stop the upkeep.
                let ready = tokio::time::timeout(METRICS_INTERVAL, shop.is_ready()).await;
                let ready = ready.unwrap_or(false);
                metrics::gauge!("server_ready").set(f64::from(u8::from(ready)));
                if ready {
                    shop.measure_queues().await?;
                }
                Ok(NextRun::AfterIdle)
            }
        });
    }
}

/// When a worker runs again.
enum NextRun {
    AfterInterval,
    /// As `AfterInterval`. There was nothing to do, so the run is not exported as a trace.
    AfterIdle,
    /// There is probably more to do.
    Immediately,
}

impl NextRun {
    fn of(run: Run) -> NextRun {
        match run {
            Run { is_more: true, .. } => NextRun::Immediately,
            Run { leased: 0, .. } => NextRun::AfterIdle,
            Run { .. } => NextRun::AfterInterval,
        }
    }

    fn after(done: usize) -> NextRun {
        match done {
            0 => NextRun::AfterIdle,
            _ if done < BATCH_SIZE => NextRun::AfterInterval,
            _ => NextRun::Immediately,
        }
    }
}

/// Starts work that is repeated until the server stops.
struct Workers<'s> {
    tasks: &'s mut JoinSet<()>,
    stop: &'s CancellationToken,
    shop: &'s Shop,
}

impl Workers<'_> {
    /// For work on rows: what is in progress when the server stops is recorded, because it would be repeated otherwise.
    fn start_leased<R: LeasedRows>(&mut self, name: &'static str, rows: R) {
        let work = Arc::new(Mutex::new(LeasedWork::new(rows)));
        let running = work.clone();
        self.start(name, Essential, WORKER_INTERVAL, move |_| {
            let work = running.clone();
            async move { Ok(NextRun::of(work.lock().await.run().await?)) }
        });
        self.at_stop(async move { work.lock().await.finish().await });
    }

    fn at_stop(&mut self, work: impl Future<Output = Result<(), AppError>> + Send + 'static) {
        let stop = self.stop.clone();
        self.tasks.spawn(async move {
            stop.cancelled().await;
            if let Err(error) = work.await {
                let error = format!("{:#}", anyhow::Error::from(error));
                tracing::warn!(error, "work in progress could not be recorded");
            }
        });
    }

    /// A panic costs one run and a backoff. A failure is logged once, not at every run.
    fn start<F, R>(&mut self, name: &'static str, need: Need, interval: Duration, work: F)
    where
        F: Fn(Shop) -> R + Send + Sync + 'static,
        R: Future<Output = anyhow::Result<NextRun>> + Send,
    {
        let (stop, shop) = (self.stop.clone(), self.shop.clone());
        let worker = Worker::register(name, need, Some(interval + MAX_RUN));
        let failpoint = format!("worker {name}");
        metrics::counter!("worker_errors_total", "worker" => name).increment(0);
        self.tasks.spawn(async move {
            let mut failing = false;
            let mut wait = interval;
            while tokio::time::timeout(wait, stop.cancelled()).await.is_err() {
                wait = interval;
                let run = async {
                    failpoints::failpoint(&failpoint);
                    work(shop.clone()).await
                };
                let span = tracing::info_span!(
                    target: TARGET,
                    "worker run",
                    otel.name = format!("worker {name}"),
                    otel.status_code = field::Empty,
                    worker = name,
                    idle = field::Empty,
                );
                let run = AssertUnwindSafe(run).catch_unwind();
                let outcome = run.instrument(span.clone()).await;
                match &outcome {
                    Ok(Ok(NextRun::AfterIdle)) => span.record("idle", true),
                    Ok(Ok(_)) => &span,
                    Ok(Err(_)) | Err(_) => span.record("otel.status_code", "ERROR"),
                };
                let Ok(outcome) = outcome else {
                    wait = worker.panicked();
                    continue;
                };
                if outcome.is_err() {
                    metrics::counter!("worker_errors_total", "worker" => name).increment(1);
                }
                worker.completed();
                match outcome {
                    Ok(next_run) => {
                        failing = false;
                        if matches!(next_run, NextRun::Immediately) {
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
