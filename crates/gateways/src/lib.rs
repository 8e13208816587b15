//! Adapters for the outside services behind the ports of `mirasa_app`: one module for each port.

pub mod courier;
pub mod identity;
pub mod mail;
pub mod payment;
pub mod pincodes;

use mirasa_app::runtime::telemetry;
use reqwest::RequestBuilder;

/// Adds the header that makes the provider's work a part of the current trace.
pub(crate) fn with_traceparent(request: RequestBuilder) -> RequestBuilder {
    match telemetry::traceparent() {
        Some(value) => request.header("traceparent", value),
        None => request,
    }
}

/// Counts a request without a usable response.
pub(crate) fn count_error(provider: &'static str) {
    metrics::counter!("provider_errors_total", "provider" => provider).increment(1);
}
