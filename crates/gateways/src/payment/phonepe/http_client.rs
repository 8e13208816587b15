//! The HTTP client for PhonePe: no redirects, one timeout for the whole response, and a limit on
//! its size.

use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION};
use reqwest::redirect::Policy;
use reqwest::{Method, Response, StatusCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::super::ensure_tls_provider;
use crate::with_traceparent;

/// PhonePe's largest response here has about 4 kB.
const MAX_RESPONSE_BYTES: usize = 256 * 1024;
const POOL_IDLE_TIMEOUT: Duration = Duration::from_secs(5);
/// How much of PhonePe's error message is logged or shown to an admin.
const MAX_ERROR_CHARS: usize = 300;

pub(super) struct GatewayHttp {
    client: reqwest::Client,
}

pub(super) struct Request<'r> {
    pub(super) method: Method,
    pub(super) url: &'r str,
    pub(super) token: String,
    pub(super) body: Option<&'r Value>,
}

/// Contains nothing of a response but PhonePe's error, so that it can be logged.
#[derive(Debug, thiserror::Error)]
pub(super) enum HttpError {
    #[error("no response from the payment gateway")]
    NoResponse(#[from] reqwest::Error),
    #[error("the payment gateway responded with {status}{}", .body.as_ref().map(|body| format!(", {body}")).unwrap_or_default())]
    Status {
        status: StatusCode,
        body: Option<PhonePeError>,
    },
    #[error("the payment gateway's response is larger than {MAX_RESPONSE_BYTES} bytes")]
    TooLarge,
    #[error("the payment gateway's response is invalid")]
    InvalidBody,
    #[error("no token from the payment gateway: {0}")]
    NoToken(Box<HttpError>),
    #[error("no token from the payment gateway a moment ago")]
    TokenRecentlyFailed,
}

/// PhonePe's error body.
#[derive(Debug, Deserialize)]
pub(super) struct PhonePeError {
    pub(super) code: String,
    #[serde(default)]
    message: Option<String>,
}

impl std::fmt::Display for PhonePeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = match &self.message {
            Some(message) => format!("{}: {message}", self.code),
            None => self.code.clone(),
        };
        let printable = text
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .take(MAX_ERROR_CHARS);
        f.write_str(&printable.collect::<String>())
    }
}

impl HttpError {
    /// Whether the same request may succeed a moment later.
    pub(super) fn is_transient(&self) -> bool {
        match self {
            HttpError::NoResponse(_) => true,
            HttpError::Status { status, .. } => {
                status.is_server_error()
                    || matches!(
                        *status,
                        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS
                    )
            }
            // Fetching a token has its own retry rules.
            HttpError::TooLarge
            | HttpError::InvalidBody
            | HttpError::NoToken(_)
            | HttpError::TokenRecentlyFailed => false,
        }
    }
}

impl GatewayHttp {
    pub(super) fn new(timeout: Duration, https_only: bool) -> Result<GatewayHttp, reqwest::Error> {
        ensure_tls_provider();
        let builder = reqwest::Client::builder()
            .redirect(Policy::none())
            // Short, because the server may close an idle connection during a payment request,
            // which is not retried.
            .pool_idle_timeout(POOL_IDLE_TIMEOUT)
            .timeout(timeout)
            .connect_timeout(timeout);
        let builder = if https_only {
            builder.https_only(true)
        } else {
            // The sandbox on the same machine: no certificates, and no proxy in between.
            builder.tls_certs_only([]).no_proxy()
        };
        Ok(GatewayHttp {
            client: builder.build()?,
        })
    }

    pub(super) async fn json<T: DeserializeOwned>(
        &self,
        parts: Request<'_>,
    ) -> Result<T, HttpError> {
        let mut request = self
            .client
            .request(parts.method, parts.url)
            .header(AUTHORIZATION, format!("O-Bearer {}", parts.token))
            .header(ACCEPT, "application/json");
        if let Some(body) = parts.body {
            request = request.json(body);
        }
        read(with_traceparent(request).send().await?).await
    }

    pub(super) async fn form<T: DeserializeOwned>(
        &self,
        url: &str,
        fields: &[(&'static str, String)],
    ) -> Result<T, HttpError> {
        let request = self.client.post(url).header(ACCEPT, "application/json");
        read(with_traceparent(request).form(fields).send().await?).await
    }
}

/// Ignores the content type: a proxy may have changed it.
async fn read<T: DeserializeOwned>(mut response: Response) -> Result<T, HttpError> {
    let status = response.status();
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if bytes.len() + chunk.len() > MAX_RESPONSE_BYTES {
            return Err(HttpError::TooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
    if status.is_success() {
        serde_json::from_slice(&bytes).map_err(|_| HttpError::InvalidBody)
    } else {
        Err(HttpError::Status {
            status,
            body: serde_json::from_slice(&bytes).ok(),
        })
    }
}
