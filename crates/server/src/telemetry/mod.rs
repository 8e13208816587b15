//! Exports the spans with the target `telemetry` over OTLP. This file collects them; `export` sends them.
//!
//! A trace is kept until its last span has ended, and then put into a queue of limited size. Nothing here waits: if the
//! collector is slow or down, spans are dropped and counted.

mod export;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

pub use export::Exporter;
use mirasa_app::ports::clock::{Clock as _, SystemClock};
use mirasa_app::runtime::telemetry::{self, RemoteParent, SpanContext};
use tokio::sync::mpsc;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::LookupSpan;

/// Spans that wait to be sent, about 4 MB. Further ones are dropped.
const MAX_QUEUED_SPANS: usize = 8192;
/// A trace with more spans is a loop of the server; the rest of it is dropped.
const MAX_SPANS_PER_TRACE: usize = 512;

/// The layer that collects spans, and the exporter that sends them to the collector at this URL.
pub fn start(endpoint: &str) -> anyhow::Result<(OtlpLayer, Exporter)> {
    let (sender, receiver) = mpsc::unbounded_channel();
    let queue = Arc::new(Queue {
        sender,
        queued_spans: AtomicUsize::new(0),
    });
    let layer = OtlpLayer {
        queue: queue.clone(),
        started_ms: SystemClock.now_ms(),
        started: Instant::now(),
    };
    Ok((layer, Exporter::new(endpoint, receiver, queue)?))
}

struct Queue {
    sender: mpsc::UnboundedSender<Vec<FinishedSpan>>,
    queued_spans: AtomicUsize,
}

impl Queue {
    fn push(&self, spans: Vec<FinishedSpan>) {
        let count = spans.len();
        let queued = self.queued_spans.fetch_add(count, Ordering::Relaxed);
        if queued + count > MAX_QUEUED_SPANS || self.sender.send(spans).is_err() {
            self.queued_spans.fetch_sub(count, Ordering::Relaxed);
            count_dropped(count);
        }
    }
}

fn count_dropped(spans: usize) {
    metrics::counter!("telemetry_spans_total", "result" => "dropped").increment(spans as u64);
}

/// The spans of one trace that have ended. It is dropped with its last open span.
struct Trace {
    finished: Mutex<Vec<FinishedSpan>>,
    /// A run of a worker that found nothing to do: not exported.
    is_idle: AtomicBool,
    queue: Arc<Queue>,
}

impl Trace {
    fn add(&self, span: FinishedSpan) {
        let mut finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        if finished.len() < MAX_SPANS_PER_TRACE {
            finished.push(span);
        } else {
            count_dropped(1);
        }
    }
}

impl Drop for Trace {
    fn drop(&mut self) {
        let finished = self
            .finished
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        if !finished.is_empty() && !*self.is_idle.get_mut() {
            self.queue.push(std::mem::take(finished));
        }
    }
}

/// A span that has not ended yet.
struct OpenSpan {
    context: SpanContext,
    parent: Option<u64>,
    started_ns: u64,
    fields: Fields,
    trace: Arc<Trace>,
}

struct FinishedSpan {
    context: SpanContext,
    parent: Option<u64>,
    name: String,
    started_ns: u64,
    ended_ns: u64,
    fields: Fields,
}

#[derive(Debug, Clone, PartialEq)]
enum Value {
    Text(String),
    Integer(i64),
    Bool(bool),
}

#[derive(Default)]
struct Fields {
    attributes: Vec<(&'static str, Value)>,
    name: Option<String>,
    kind: Kind,
    is_error: bool,
    is_idle: bool,
    remote_parent: Option<RemoteParent>,
}

#[derive(Debug, Default, Clone, Copy)]
enum Kind {
    #[default]
    Internal,
    Server,
    Client,
}

impl Fields {
    fn set(&mut self, name: &'static str, value: Value) {
        match (name, value) {
            ("otel.name", Value::Text(name)) => self.name = Some(name),
            ("otel.kind", Value::Text(kind)) => {
                self.kind = match kind.as_str() {
                    "server" => Kind::Server,
                    "client" => Kind::Client,
                    _ => Kind::Internal,
                }
            }
            ("otel.status_code", Value::Text(code)) => self.is_error = code == "ERROR",
            ("idle", Value::Bool(idle)) => self.is_idle = idle,
            ("traceparent", Value::Text(header)) => {
                self.remote_parent = Some(RemoteParent::parse(&header));
            }
            (name, value) => {
                self.attributes.retain(|(known, _)| *known != name);
                self.attributes.push((name, value));
            }
        }
    }
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.set(field.name(), Value::Text(value.to_owned()));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.set(field.name(), Value::Integer(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        let value = i64::try_from(value).unwrap_or(i64::MAX);
        self.set(field.name(), Value::Integer(value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.set(field.name(), Value::Bool(value));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.set(field.name(), Value::Text(format!("{value:?}")));
    }
}

pub struct OtlpLayer {
    queue: Arc<Queue>,
    /// A monotonic clock measures from here, so that a span never ends before it begins.
    started_ms: i64,
    started: Instant,
}

impl OtlpLayer {
    fn now_ns(&self) -> u64 {
        let started_ms = u64::try_from(self.started_ms).unwrap_or(0);
        let elapsed_ns = u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(0);
        started_ms * 1_000_000 + elapsed_ns
    }
}

impl<S: Subscriber + for<'l> LookupSpan<'l>> Layer<S> for OtlpLayer {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        let new_id = || rand::random_range(1..=u64::MAX);
        let new_trace = || {
            Arc::new(Trace {
                finished: Mutex::default(),
                is_idle: AtomicBool::new(false),
                queue: self.queue.clone(),
            })
        };
        let (trace_id, parent, trace) = match (span.parent(), fields.remote_parent) {
            (Some(parent), _) => {
                let extensions = parent.extensions();
                // The parent is not there if its trace is not sampled.
                let Some(parent) = extensions.get::<OpenSpan>() else {
                    return;
                };
                let SpanContext { trace_id, span_id } = parent.context;
                (trace_id, Some(span_id), parent.trace.clone())
            }
            (None, Some(RemoteParent::NotSampled)) => return,
            (None, Some(RemoteParent::Sampled(remote))) => {
                (remote.trace_id, Some(remote.span_id), new_trace())
            }
            (None, _) => (rand::random_range(1..=u128::MAX), None, new_trace()),
        };
        span.extensions_mut().insert(OpenSpan {
            context: SpanContext {
                trace_id,
                span_id: new_id(),
            },
            parent,
            started_ns: self.now_ns(),
            fields,
            trace,
        });
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(open) = span.extensions_mut().get_mut::<OpenSpan>() {
            values.record(&mut open.fields);
        }
    }

    /// The attribute `err` of `#[instrument]` reports a failure as an event. Its text may have personal data and is not
    /// exported.
    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        if *event.metadata().level() == Level::ERROR
            && let Some(span) = context.event_span(event)
            && let Some(open) = span.extensions_mut().get_mut::<OpenSpan>()
        {
            open.fields.is_error = true;
        }
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(open) = span.extensions().get::<OpenSpan>()
        {
            telemetry::enter(open.context);
        }
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(open) = span.extensions().get::<OpenSpan>()
        {
            telemetry::exit(open.context);
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else {
            return;
        };
        let Some(mut open) = span.extensions_mut().remove::<OpenSpan>() else {
            return;
        };
        if open.fields.is_idle {
            open.trace.is_idle.store(true, Ordering::Relaxed);
        }
        let name = open.fields.name.take();
        open.trace.add(FinishedSpan {
            context: open.context,
            parent: open.parent,
            name: name.unwrap_or_else(|| span.name().to_owned()),
            started_ns: open.started_ns,
            ended_ns: self.now_ns(),
            fields: open.fields,
        });
    }
}

#[cfg(test)]
mod tests;
