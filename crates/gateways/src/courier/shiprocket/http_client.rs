//! The HTTP client for Shiprocket: no redirects, one timeout for the whole response, and limits on its size.

use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION};
use reqwest::redirect::Policy;
use reqwest::{Method, Response, StatusCode};
use serde_json::Value;
use url::{Origin, Url};

use crate::with_traceparent;

/// The response about all couriers for a pincode is the largest, with about 100 kB.
const MAX_JSON_BYTES: usize = 2 * 1024 * 1024;
const MAX_FILE_BYTES: usize = 8 * 1024 * 1024;
const POOL_IDLE_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) struct CourierHttp {
    client: reqwest::Client,
    /// Files are fetched from here, and with TLS from other hosts.
    own_origin: Origin,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum HttpError {
    #[error("no response from the delivery partner")]
    NoResponse(#[from] reqwest::Error),
    #[error("the delivery partner responded with {status}")]
    Status {
        status: StatusCode,
        /// If it is JSON.
        body: Option<Value>,
    },
    #[error("the delivery partner's response is too large")]
    TooLarge,
    #[error("the delivery partner's response is not JSON")]
    InvalidBody,
    #[error("the delivery partner names a file at another address than https")]
    UnsafeFile,
    #[error("no token of the delivery partner")]
    NoToken(#[source] Box<HttpError>),
    #[error("the login failed a short time ago and is not tried again yet")]
    LoginCoolingDown,
}

impl CourierHttp {
    pub(super) fn new(timeout: Duration, base: &Url) -> Result<CourierHttp, reqwest::Error> {
        if rustls::crypto::CryptoProvider::get_default().is_none() {
            // The server installs one at its start; a test may not.
            let _ = rustls::crypto::ring::default_provider().install_default();
        }
        let builder = reqwest::Client::builder()
            .redirect(Policy::none())
            .pool_idle_timeout(POOL_IDLE_TIMEOUT)
            .timeout(timeout)
            .connect_timeout(timeout);
        let builder = if base.scheme() == "https" {
            builder.https_only(true)
        } else {
            // The sandbox on the same machine: no certificates, and no proxy in between.
            builder.tls_certs_only([]).no_proxy()
        };
        Ok(CourierHttp {
            client: builder.build()?,
            own_origin: base.origin(),
        })
    }

    /// `Null` for a response without a body.
    pub(super) async fn json(
        &self,
        method: Method,
        url: &str,
        token: &str,
        body: Option<&Value>,
    ) -> Result<Value, HttpError> {
        let mut request = self
            .client
            .request(method, url)
            .header(ACCEPT, "application/json");
        if !token.is_empty() {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = with_traceparent(request).send().await?;
        let status = response.status();
        let bytes = read(response, MAX_JSON_BYTES).await?;
        if !status.is_success() {
            return Err(HttpError::Status {
                status,
                body: serde_json::from_slice(&bytes).ok(),
            });
        }
        if bytes.is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_slice(&bytes).map_err(|_| HttpError::InvalidBody)
    }

    pub(super) async fn file(&self, url: &str) -> Result<Vec<u8>, HttpError> {
        let url = Url::parse(url).map_err(|_| HttpError::UnsafeFile)?;
        if url.scheme() != "https" && url.origin() != self.own_origin {
            return Err(HttpError::UnsafeFile);
        }
        let response = with_traceparent(self.client.get(url)).send().await?;
        let status = response.status();
        if !status.is_success() {
            return Err(HttpError::Status { status, body: None });
        }
        read(response, MAX_FILE_BYTES).await
    }
}

async fn read(mut response: Response, max_bytes: usize) -> Result<Vec<u8>, HttpError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if bytes.len() + chunk.len() > max_bytes {
            return Err(HttpError::TooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}
