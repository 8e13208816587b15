//! What stands around every call: its number, who may not come in at all, and what each answer carries.
//! One layer, because each costs every visitor a little.

use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use futures::FutureExt as _;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use metrics::Histogram;
use mirasa_app::ErrorCode;
use tracing::Instrument as _;

use crate::access;
use crate::error::{self, ErrorFormat};
use crate::rate_limit;
use crate::state::AppState;

/// What the metrics call an address that is no call.
pub const PAGE: &str = "page";

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Visitors may make up methods; each would become a row of its own in the metrics, for ever.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "OTHER",
    }
}

thread_local! {
    /// Finding a histogram by its labels costs more than most answers; each thread remembers those it has
    /// found. A route's text stays where it is for as long as the router lives.
    static HISTOGRAMS: RefCell<HashMap<(*const u8, *const u8, u16), Histogram>> = RefCell::default();
}

/// `route` must be a text that stays where it is.
pub fn record_duration(route: &str, method: &'static str, status: u16, took: Duration) {
    let key = (route.as_ptr(), method.as_ptr(), status);
    HISTOGRAMS.with_borrow_mut(|found| {
        let histogram = found.entry(key).or_insert_with(|| {
            metrics::histogram!("http_request_seconds", "route" => route.to_owned(), "method" => method, "status" => status.to_string())
        });
        histogram.record(took);
    });
}

/// Gives the request its number, measures and logs it, and sets the headers that protect a browser. The
/// log has the path but never the query: secrets travel there during sign-in.
pub async fn common(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = state.shop.ids.new_id();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = method_label(request.method());
    let span = tracing::info_span!("request", id, method, path = request.uri().path());
    let answered = async {
        if let Some(refusal) = rate_limit::check(&state, &request)
            .or_else(|| access::reject_cross_site(&state, &request))
            .or_else(|| error::reject_nul_in_url(&request))
        {
            return refusal;
        }
        let shape = ErrorFormat::of(request.uri());
        request.extensions_mut().insert(state.clone());
        shape.normalise(catch_panic(next.run(request)).await).await
    };
    let mut response = answered.instrument(span.clone()).await;

    let seconds = started.elapsed();
    let status = response.status().as_u16();
    span.in_scope(|| tracing::debug!(status, ms = seconds.as_millis(), "answered"));
    let route = route.as_ref().map_or(PAGE, MatchedPath::as_str);
    record_duration(route, method, status, seconds);

    add_security_headers(&state, response.headers_mut());
    set_request_id(&mut response, &id);
    response
}

/// A call that breaks down costs one answer, not the connection.
async fn catch_panic(answer: impl Future<Output = Response>) -> Response {
    let broke_down = |_| error::error_response(ErrorCode::Internal, "Something went wrong.");
    AssertUnwindSafe(answer)
        .catch_unwind()
        .await
        .unwrap_or_else(broke_down)
}

pub fn set_request_id(response: &mut Response, id: &str) {
    if let Ok(id) = HeaderValue::from_str(id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
}

/// The headers that protect a browser, the same on every answer.
pub fn add_security_headers(state: &AppState, headers: &mut HeaderMap) {
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("strict-origin-when-cross-origin"),
    );
    headers.insert(
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    );
    headers.insert(
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), microphone=(), geolocation=()"),
    );
    headers
        .entry(header::X_FRAME_OPTIONS)
        .or_insert(HeaderValue::from_static("DENY"));
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static(
            "default-src 'none'; frame-ancestors 'none'",
        ));
    if state.settings.production {
        headers.insert(
            header::STRICT_TRANSPORT_SECURITY,
            HeaderValue::from_static("max-age=63072000; includeSubDomains"),
        );
    }
}

#[cfg(test)]
mod tests {
    #[tokio::test]
    async fn a_call_that_breaks_down_is_answered() {
        let answer = super::catch_panic(async { panic!("on purpose") }).await;
        assert_eq!(answer.status(), 500);
    }
}
