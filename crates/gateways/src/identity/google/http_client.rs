//! How the adapter reaches the provider: no redirects, one deadline for a whole answer, and answers
//! of a bounded size, so that a provider gone wild cannot take the shop with it.

use std::future::Future;
use std::pin::Pin;

use oauth2::{AsyncHttpClient, HttpRequest, HttpResponse};
use reqwest::StatusCode;
use reqwest::redirect::Policy;

use super::GoogleSettings;

/// Google's largest answer here is about 4 kB.
const LARGEST_ANSWER: usize = 256 * 1024;

pub(super) struct ProviderHttp {
    client: reqwest::Client,
    /// The issuer's own address, and the one under which this program finds it.
    detour: Option<(String, String)>,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum HttpFault {
    #[error("no answer from the provider")]
    NoAnswer(#[from] reqwest::Error),
    #[error("the provider answered {0}")]
    Status(StatusCode),
    #[error("the provider's answer is larger than {LARGEST_ANSWER} bytes")]
    TooLarge,
    #[error("an address of the provider is not one")]
    Address(#[from] http::Error),
}

impl ProviderHttp {
    pub(super) fn new(settings: &GoogleSettings) -> Result<ProviderHttp, reqwest::Error> {
        // reqwest panics without a provider; the program installs one at its start, a test may not.
        if rustls::crypto::CryptoProvider::get_default().is_none() {
            let _ = rustls::crypto::ring::default_provider().install_default();
        }
        let builder = reqwest::Client::builder()
            .redirect(Policy::none())
            // A kept connection may be closed under the one request that cannot be repeated: the code's.
            .pool_max_idle_per_host(0)
            .timeout(settings.timeout)
            .connect_timeout(settings.timeout);
        let reached_at = settings.reach_at.as_ref().unwrap_or(&settings.issuer);
        let builder = if reached_at.starts_with("https://") {
            builder.https_only(true)
        } else {
            // A sandbox next door: no certificates to look for, and no proxy in between.
            builder.tls_certs_only([]).no_proxy()
        };
        Ok(ProviderHttp {
            client: builder.build()?,
            detour: settings
                .reach_at
                .clone()
                .map(|near| (settings.issuer.clone(), near)),
        })
    }

    fn near_address(&self, address: &str) -> String {
        self.detour
            .as_ref()
            .and_then(|(issuer, near)| Some(format!("{near}{}", address.strip_prefix(issuer)?)))
            .unwrap_or_else(|| address.to_owned())
    }

    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, HttpFault> {
        let (parts, body) = request.into_parts();
        let mut answer = self
            .client
            .request(parts.method, self.near_address(&parts.uri.to_string()))
            .headers(parts.headers)
            .body(body)
            .send()
            .await?;
        let status = answer.status();
        // 400 and 401 carry OAuth's own errors; nothing else but a success means anything here.
        if !matches!(
            status,
            StatusCode::OK | StatusCode::BAD_REQUEST | StatusCode::UNAUTHORIZED
        ) {
            return Err(HttpFault::Status(status));
        }
        let headers = std::mem::take(answer.headers_mut());
        let mut bytes = Vec::new();
        while let Some(chunk) = answer.chunk().await? {
            if bytes.len() + chunk.len() > LARGEST_ANSWER {
                return Err(HttpFault::TooLarge);
            }
            bytes.extend_from_slice(&chunk);
        }
        let mut response = http::Response::builder().status(status).body(bytes)?;
        *response.headers_mut() = headers;
        Ok(response)
    }
}

impl<'c> AsyncHttpClient<'c> for ProviderHttp {
    type Error = HttpFault;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, HttpFault>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.send(request))
    }
}
