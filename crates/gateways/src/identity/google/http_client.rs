//! The HTTP client for the provider: no redirects, one timeout for the whole response, and a limit
//! on its size.

use std::future::Future;
use std::pin::Pin;

use oauth2::{AsyncHttpClient, HttpRequest, HttpResponse};
use reqwest::StatusCode;
use reqwest::redirect::Policy;

use super::GoogleSettings;

/// Google's largest response here has about 4 kB.
const MAX_RESPONSE_BYTES: usize = 256 * 1024;

pub(super) struct ProviderHttp {
    client: reqwest::Client,
    /// The issuer's URL, and the URL where this server reaches it.
    internal_base: Option<(String, String)>,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum HttpError {
    #[error("no response from the provider")]
    NoResponse(#[from] reqwest::Error),
    #[error("the provider responded with {0}")]
    Status(StatusCode),
    #[error("the provider's response is larger than {MAX_RESPONSE_BYTES} bytes")]
    TooLarge,
    #[error("an address of the provider is not one")]
    InvalidUrl(#[from] http::Error),
}

impl ProviderHttp {
    pub(super) fn new(settings: &GoogleSettings) -> Result<ProviderHttp, reqwest::Error> {
        // reqwest panics without a crypto provider. The server installs one at its start; a test
        // may not.
        if rustls::crypto::CryptoProvider::get_default().is_none() {
            let _ = rustls::crypto::ring::default_provider().install_default();
        }
        let builder = reqwest::Client::builder()
            .redirect(Policy::none())
            // The server may close an idle connection during the code exchange, which cannot be
            // retried.
            .pool_max_idle_per_host(0)
            .timeout(settings.timeout)
            .connect_timeout(settings.timeout);
        let base_url = settings
            .internal_base_url
            .as_ref()
            .unwrap_or(&settings.issuer);
        let builder = if base_url.starts_with("https://") {
            builder.https_only(true)
        } else {
            // The sandbox on the same machine: no certificates, and no proxy in between.
            builder.tls_certs_only([]).no_proxy()
        };
        Ok(ProviderHttp {
            client: builder.build()?,
            internal_base: settings
                .internal_base_url
                .clone()
                .map(|internal| (settings.issuer.clone(), internal)),
        })
    }

    fn internal_url(&self, url: &str) -> String {
        self.internal_base
            .as_ref()
            .and_then(|(issuer, internal)| Some(format!("{internal}{}", url.strip_prefix(issuer)?)))
            .unwrap_or_else(|| url.to_owned())
    }

    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let (parts, body) = request.into_parts();
        let mut response = self
            .client
            .request(parts.method, self.internal_url(&parts.uri.to_string()))
            .headers(parts.headers)
            .body(body)
            .send()
            .await?;
        let status = response.status();
        // 400 and 401 carry OAuth errors; every other status except 200 is a failure.
        if !matches!(
            status,
            StatusCode::OK | StatusCode::BAD_REQUEST | StatusCode::UNAUTHORIZED
        ) {
            return Err(HttpError::Status(status));
        }
        let headers = std::mem::take(response.headers_mut());
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if bytes.len() + chunk.len() > MAX_RESPONSE_BYTES {
                return Err(HttpError::TooLarge);
            }
            bytes.extend_from_slice(&chunk);
        }
        let mut response = http::Response::builder().status(status).body(bytes)?;
        *response.headers_mut() = headers;
        Ok(response)
    }
}

impl<'c> AsyncHttpClient<'c> for ProviderHttp {
    type Error = HttpError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.send(request))
    }
}
