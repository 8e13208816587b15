//! All metrics of the server: their descriptions, and the labels that are known in advance. docs/metrics.md lists the
//! same; a test compares both with what `/metrics` shows.

use anyhow::Context as _;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

/// Upper bounds in seconds: from a page out of memory to a request that waits for the gateway.
const BUCKETS: [f64; 13] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
];

enum Kind {
    /// With a label and its values.
    Counter(&'static str, &'static [&'static str]),
    /// Without labels.
    PlainCounter,
    /// Its labels are not known in advance.
    OpenCounter,
    Gauge,
    Histogram,
    OpenHistogram,
}

use Kind::{Counter, Gauge, Histogram, OpenCounter, OpenHistogram, PlainCounter};

const METRICS: [(&str, Kind, &str); 25] = [
    (
        "http_request_duration_seconds",
        OpenHistogram,
        "Time until the response.",
    ),
    (
        "http_requests_shed_total",
        PlainCounter,
        "Requests rejected because too many wait for the database.",
    ),
    (
        "http_connections_rejected_total",
        PlainCounter,
        "Connections beyond the limit of the server or of one client IP.",
    ),
    (
        "http_panics_total",
        PlainCounter,
        "Panics of request handlers.",
    ),
    (
        "page_render_fallbacks_total",
        Counter("reason", &["busy", "rate_limited", "failed"]),
        "Pages that the browser renders because the server did not.",
    ),
    (
        "pages_rendered_total",
        PlainCounter,
        "Pages rendered by the server.",
    ),
    (
        "pages_evicted_total",
        PlainCounter,
        "Pages removed from memory to make room.",
    ),
    ("db_statements_total", PlainCounter, "SQL statements."),
    ("db_commits_total", PlainCounter, "Write transactions."),
    (
        "db_conflicts_total",
        PlainCounter,
        "Transactions that conflicted with another one.",
    ),
    (
        "db_replica_reads_total",
        PlainCounter,
        "Reads that a read replica served.",
    ),
    (
        "db_replica_fallbacks_total",
        PlainCounter,
        "Reads for the replica that the primary served.",
    ),
    (
        "db_pool_wait_seconds",
        Histogram,
        "Time that a transaction waits for a connection or for the writer.",
    ),
    (
        "payments_total",
        Counter(
            "result",
            &[
                "completed",
                "late",
                "declined",
                "expired",
                "not_started",
                "amount_mismatch",
                "refunded",
            ],
        ),
        "Payments that have reached a result.",
    ),
    (
        "refunds_total",
        Counter("result", &["completed", "failed"]),
        "Refunds that have reached a result.",
    ),
    (
        "emails_total",
        Counter("result", &["sent", "failed"]),
        "Attempts to send an email.",
    ),
    (
        "email_age_seconds",
        Histogram,
        "Age of emails when they are sent.",
    ),
    (
        "payment_poll_lag_seconds",
        Histogram,
        "How much later than scheduled payments are polled.",
    ),
    (
        "parcel_steps_total",
        Counter("result", &["done", "failed", "rejected"]),
        "Steps of parcels at the delivery partner.",
    ),
    (
        "provider_errors_total",
        Counter("provider", &["phonepe", "shiprocket", "google"]),
        "Requests to a provider without a usable response.",
    ),
    (
        "due_work_lag_seconds",
        Gauge,
        "How long the oldest due row has waited for its worker.",
    ),
    (
        "server_ready",
        Gauge,
        "1 if the instance is ready, as in /readyz.",
    ),
    (
        "worker_panics_total",
        OpenCounter,
        "Panics of background workers.",
    ),
    (
        "worker_errors_total",
        OpenCounter,
        "Runs of background workers that failed.",
    ),
    (
        "telemetry_spans_total",
        Counter("result", &["exported", "dropped"]),
        "Spans sent to the collector, or dropped because it did not take them.",
    ),
];

/// Installs the recorder of this process. Counters start at zero, so that an alert sees their first increase.
pub fn install() -> anyhow::Result<PrometheusHandle> {
    let handle = PrometheusBuilder::new()
        .set_buckets(&BUCKETS)
        .and_then(PrometheusBuilder::install_recorder)
        .context("cannot collect metrics")?;
    for (name, kind, help) in METRICS {
        match kind {
            Counter(label, values) => {
                metrics::describe_counter!(name, help);
                for value in values {
                    metrics::counter!(name, label => *value).increment(0);
                }
            }
            PlainCounter => {
                metrics::describe_counter!(name, help);
                metrics::counter!(name).increment(0);
            }
            OpenCounter => metrics::describe_counter!(name, help),
            Gauge => metrics::describe_gauge!(name, help),
            Histogram => {
                metrics::describe_histogram!(name, help);
                drop(metrics::histogram!(name));
            }
            OpenHistogram => metrics::describe_histogram!(name, help),
        }
    }
    Ok(handle)
}
