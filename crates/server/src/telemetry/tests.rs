use tracing::field;
use tracing_subscriber::layer::SubscriberExt as _;

use super::*;

/// A subscriber with the layer, and what it has put into the queue.
fn collected(work: impl FnOnce()) -> (Vec<FinishedSpan>, usize) {
    let (sender, mut receiver) = mpsc::unbounded_channel();
    let queue = Arc::new(Queue {
        sender,
        queued_spans: AtomicUsize::new(0),
    });
    let layer = OtlpLayer {
        queue: queue.clone(),
        started_ms: 1_700_000_000_000,
        started: Instant::now(),
    };
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), work);
    let mut spans = Vec::new();
    while let Ok(trace) = receiver.try_recv() {
        spans.extend(trace);
    }
    (spans, queue.queued_spans.load(Ordering::Relaxed))
}

#[test]
fn spans_are_exported_with_their_parents_when_the_trace_has_ended() {
    let (spans, _) = collected(|| {
        let root = tracing::info_span!("root", otel.name = field::Empty, attempts = 1);
        root.in_scope(|| {
            assert!(telemetry::traceparent().is_some());
            let child = tracing::info_span!("child", otel.kind = "client");
            child.in_scope(|| tracing::error!("meera@discreet.example"));
        });
        root.record("otel.name", "GET /");
        root.record("attempts", 2);
    });
    assert_eq!(telemetry::traceparent(), None);
    let [child, root] = &spans[..] else {
        panic!("{} spans", spans.len());
    };
    assert_eq!(
        (child.name.as_str(), root.name.as_str()),
        ("child", "GET /")
    );
    assert_eq!(
        (child.parent, root.parent),
        (Some(root.context.span_id), None)
    );
    assert_eq!(child.context.trace_id, root.context.trace_id);
    assert!(child.fields.is_error && child.fields.attributes.is_empty());
    let attempts = ("attempts", Value::Integer(2));
    assert_eq!(root.fields.attributes, [attempts]);
    assert!(root.started_ns <= child.started_ns && child.ended_ns <= root.ended_ns);
    assert!(root.started_ns >= 1_700_000_000_000_000_000);
}

#[test]
fn unsampled_and_idle_traces_are_not_exported() {
    let (spans, _) = collected(|| {
        let header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";
        let unsampled = tracing::info_span!("request", traceparent = header);
        unsampled.in_scope(|| {
            assert_eq!(telemetry::traceparent(), None);
            drop(tracing::info_span!("child"));
        });
        let idle = tracing::info_span!("worker", idle = field::Empty);
        idle.in_scope(|| drop(tracing::info_span!("child")));
        idle.record("idle", true);
    });
    assert!(spans.is_empty());
}

#[test]
fn trace_ends_with_its_last_span() {
    let (spans, _) = collected(|| {
        let root = tracing::info_span!("root");
        let task = root.in_scope(|| tracing::info_span!("task"));
        drop(root);
        task.in_scope(|| drop(tracing::info_span!("late")));
    });
    let names: Vec<_> = spans.iter().map(|span| span.name.as_str()).collect();
    assert_eq!(names, ["late", "task", "root"]);
}

/// Nobody takes spans out of the queue here, as with a collector that hangs.
#[test]
fn queue_does_not_grow_beyond_its_limit() {
    let (spans, queued) = collected(|| {
        for _ in 0..MAX_QUEUED_SPANS * 2 {
            drop(tracing::info_span!("request"));
        }
        let root = tracing::info_span!("loop");
        root.in_scope(|| {
            for _ in 0..MAX_SPANS_PER_TRACE * 2 {
                drop(tracing::info_span!("child"));
            }
        });
    });
    assert_eq!((spans.len(), queued), (MAX_QUEUED_SPANS, MAX_QUEUED_SPANS));
}
