//! Sends collected spans to the collector: OTLP over HTTP, as JSON.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context as _;
use reqwest::redirect::Policy;
use serde_json::{Value as Json, json};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_util::sync::CancellationToken;

use super::{FinishedSpan, Kind, Queue, Value, count_dropped};

/// How long spans are collected for one request.
const INTERVAL: Duration = Duration::from_secs(1);
/// Spans in one request, about 1 MB.
const MAX_BATCH_SPANS: usize = 2048;
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
/// How long the server waits for the last spans to be sent when it stops.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

pub struct Exporter {
    client: reqwest::Client,
    url: String,
    traces: UnboundedReceiver<Vec<FinishedSpan>>,
    queue: Arc<Queue>,
    is_failing: bool,
}

impl Exporter {
    pub(super) fn new(
        endpoint: &str,
        traces: UnboundedReceiver<Vec<FinishedSpan>>,
        queue: Arc<Queue>,
    ) -> anyhow::Result<Exporter> {
        // reqwest panics without a crypto provider. Fails if it is installed already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = reqwest::Client::builder()
            .redirect(Policy::none())
            .timeout(REQUEST_TIMEOUT);
        let builder = if endpoint.starts_with("https://") {
            builder
        } else {
            builder.tls_certs_only([]).no_proxy()
        };
        Ok(Exporter {
            client: builder.build().context("no HTTP client for traces")?,
            url: format!("{}/v1/traces", endpoint.trim_end_matches('/')),
            traces,
            queue,
            is_failing: false,
        })
    }

    /// Sends spans until `stop` is cancelled, and then those that are left.
    pub async fn run(mut self, stop: CancellationToken) {
        let sending = async {
            loop {
                tokio::time::sleep(INTERVAL).await;
                self.send_queued().await;
            }
        };
        // A request to a collector that hangs must not delay the end.
        tokio::select! {
            () = sending => {}
            () = stop.cancelled() => {}
        }
        let flushed = tokio::time::timeout(FLUSH_TIMEOUT, self.send_queued());
        if flushed.await.is_err() {
            tracing::warn!("the last spans were not sent");
        }
    }

    async fn send_queued(&mut self) {
        let mut batch = Vec::new();
        while let Ok(spans) = self.traces.try_recv() {
            self.queue
                .queued_spans
                .fetch_sub(spans.len(), Ordering::Relaxed);
            batch.extend(spans);
            if batch.len() >= MAX_BATCH_SPANS {
                self.send(std::mem::take(&mut batch)).await;
            }
        }
        if !batch.is_empty() {
            self.send(batch).await;
        }
    }

    /// A batch that the collector does not take is dropped. A failure is logged once, not for each batch.
    async fn send(&mut self, batch: Vec<FinishedSpan>) {
        let count = batch.len();
        let request = self.client.post(&self.url).json(&encode(&batch));
        drop(batch);
        let sent = request
            .send()
            .await
            .and_then(reqwest::Response::error_for_status);
        match sent {
            Ok(_) => {
                self.is_failing = false;
                metrics::counter!("telemetry_spans_total", "result" => "exported")
                    .increment(count as u64);
            }
            Err(error) => {
                count_dropped(count);
                if !self.is_failing {
                    let error = format!("{:#}", anyhow::Error::from(error));
                    tracing::warn!(error, "traces cannot be sent to the collector");
                }
                self.is_failing = true;
            }
        }
    }
}

fn encode(batch: &[FinishedSpan]) -> Json {
    let spans: Vec<_> = batch.iter().map(encode_span).collect();
    json!({ "resourceSpans": [{
        "resource": { "attributes": [
            attribute("service.name", &Value::Text("mirasa".into())),
            attribute("service.version", &Value::Text(env!("CARGO_PKG_VERSION").into())),
        ] },
        "scopeSpans": [{ "scope": { "name": "mirasa" }, "spans": spans }],
    }] })
}

fn encode_span(span: &FinishedSpan) -> Json {
    let attributes = span.fields.attributes.iter();
    let attributes: Vec<_> = attributes
        .map(|(name, value)| attribute(name, value))
        .collect();
    let mut encoded = json!({
        "traceId": format!("{:032x}", span.context.trace_id),
        "spanId": format!("{:016x}", span.context.span_id),
        "name": span.name,
        "kind": match span.fields.kind {
            Kind::Internal => 1,
            Kind::Server => 2,
            Kind::Client => 3,
        },
        "startTimeUnixNano": span.started_ns.to_string(),
        "endTimeUnixNano": span.ended_ns.to_string(),
        "attributes": attributes,
        "status": { "code": if span.fields.is_error { 2 } else { 0 } },
    });
    if let Some(parent) = span.parent {
        encoded["parentSpanId"] = json!(format!("{parent:016x}"));
    }
    encoded
}

fn attribute(name: &str, value: &Value) -> Json {
    let value = match value {
        Value::Text(text) => json!({ "stringValue": text }),
        Value::Integer(number) => json!({ "intValue": number.to_string() }),
        Value::Bool(truth) => json!({ "boolValue": truth }),
    };
    json!({ "key": name, "value": value })
}
