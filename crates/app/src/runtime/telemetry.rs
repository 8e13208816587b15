//! Traces. A span with the target `telemetry` is exported if `telemetry.otlp_endpoint` is set; otherwise it is never
//! created. Fields named `otel.…` have the meaning that the crate `tracing-opentelemetry` gives them. No field may have
//! personal data or the query of a URL.

use std::cell::RefCell;
use std::fmt;

use tracing::{Level, Span};

/// The target of all spans that are exported. The log does not show them.
pub const TARGET: &str = "telemetry";

/// The ids of a span, as in the header `traceparent` (W3C Trace Context).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpanContext {
    pub trace_id: u128,
    pub span_id: u64,
}

impl fmt::Display for SpanContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "00-{:032x}-{:016x}-01", self.trace_id, self.span_id)
    }
}

/// What a `traceparent` header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemoteParent {
    Sampled(SpanContext),
    /// The caller does not record this trace, so the server does not either.
    NotSampled,
    /// Missing or invalid.
    None,
}

impl RemoteParent {
    pub fn parse(header: &str) -> RemoteParent {
        let hex = |text: &str, digits: usize| {
            let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
            let is_valid = text.len() == digits && text.bytes().all(is_hex);
            u128::from_str_radix(text, 16).ok().filter(|_| is_valid)
        };
        let mut parts = header.trim().split('-');
        let mut next = |digits| parts.next().and_then(|part| hex(part, digits));
        let (Some(version), Some(trace_id), Some(span_id), Some(flags)) =
            (next(2), next(32), next(16), next(2))
        else {
            return RemoteParent::None;
        };
        // Later versions may add parts at the end.
        let is_known = version != 0xff && (version != 0 || parts.next().is_none());
        match u64::try_from(span_id) {
            Ok(span_id) if is_known && trace_id != 0 && span_id != 0 => match flags & 1 {
                1 => RemoteParent::Sampled(SpanContext { trace_id, span_id }),
                _ => RemoteParent::NotSampled,
            },
            _ => RemoteParent::None,
        }
    }
}

thread_local! {
    /// The exported spans that this thread is in, innermost last.
    static ENTERED: RefCell<Vec<SpanContext>> = const { RefCell::new(Vec::new()) };
}

/// For the exporter: the thread has entered this span.
pub fn enter(context: SpanContext) {
    ENTERED.with_borrow_mut(|entered| entered.push(context));
}

/// For the exporter: the thread has left this span.
pub fn exit(context: SpanContext) {
    ENTERED.with_borrow_mut(|entered| {
        if let Some(at) = entered.iter().rposition(|one| *one == context) {
            entered.remove(at);
        }
    });
}

/// The value of the header `traceparent` for a request to another service. None if the current trace is not exported.
pub fn traceparent() -> Option<String> {
    ENTERED.with_borrow(|entered| entered.last().map(SpanContext::to_string))
}

/// Sets the route of the HTTP request that the current span is about.
pub fn record_route(method: &'static str, route: &str) {
    if tracing::enabled!(target: TARGET, Level::INFO) {
        let span = Span::current();
        span.record("http.route", route);
        span.record("otel.name", format!("{method} {route}"));
    }
}

/// Sets the number of attempts of the transaction that the current span is about.
pub fn record_attempts(attempts: u32) {
    if tracing::enabled!(target: TARGET, Level::INFO) {
        Span::current().record("db.attempts", attempts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTEXT: SpanContext = SpanContext {
        trace_id: 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736,
        span_id: 0x00f0_67aa_0ba9_02b7,
    };

    #[test]
    fn traceparent_is_read_as_it_is_written() {
        let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        assert_eq!(CONTEXT.to_string(), text);
        assert_eq!(RemoteParent::parse(text), RemoteParent::Sampled(CONTEXT));
        let unsampled = text.replace("-01", "-00");
        assert_eq!(RemoteParent::parse(&unsampled), RemoteParent::NotSampled);
        let later = text.replace("00-4b", "01-4b") + "-more";
        assert_eq!(RemoteParent::parse(&later), RemoteParent::Sampled(CONTEXT));
    }

    #[test]
    fn invalid_traceparent_is_ignored() {
        for text in [
            "",
            "00",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e47-00f067aa0ba902b7-01",
        ] {
            assert_eq!(RemoteParent::parse(text), RemoteParent::None, "{text}");
        }
    }

    #[test]
    fn innermost_entered_span_is_the_parent_of_requests() {
        let inner = SpanContext {
            span_id: 7,
            ..CONTEXT
        };
        assert_eq!(traceparent(), None);
        enter(CONTEXT);
        enter(inner);
        assert_eq!(traceparent(), Some(inner.to_string()));
        exit(inner);
        assert_eq!(traceparent(), Some(CONTEXT.to_string()));
        exit(CONTEXT);
        assert_eq!(traceparent(), None);
    }
}
