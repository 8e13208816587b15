//! The HTTP client for the provider: no redirects, one timeout for the whole response, and a limit
//! on its size.

use reqwest::redirect::Policy;
use reqwest::{RequestBuilder, StatusCode};
use url::form_urlencoded;

use super::GoogleSettings;
use crate::{count_error, with_traceparent};

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

    /// The body of a 200 response.
    pub(super) async fn get(&self, url: &str) -> Result<Vec<u8>, HttpError> {
        match send(self.client.get(self.internal_url(url))).await? {
            (StatusCode::OK, body) => Ok(body),
            (status, _) => Err(HttpError::Status(status)),
        }
    }

    /// Status and body of a 200, 400 or 401 response. 400 and 401 carry OAuth errors. The client's
    /// id and secret are form-encoded before they are joined (RFC 6749, 2.3.1).
    pub(super) async fn post_as_client(
        &self,
        url: &str,
        settings: &GoogleSettings,
        form: &[(&str, &str)],
    ) -> Result<(StatusCode, Vec<u8>), HttpError> {
        let encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect();
        let (id, secret): (String, String) =
            (encode(&settings.client_id), encode(&settings.client_secret));
        let request = self.client.post(self.internal_url(url));
        let request = request.basic_auth(id, Some(secret)).form(form);
        match send(request).await? {
            response @ (StatusCode::OK | StatusCode::BAD_REQUEST | StatusCode::UNAUTHORIZED, _) => {
                Ok(response)
            }
            (status, _) => Err(HttpError::Status(status)),
        }
    }

    fn internal_url(&self, url: &str) -> String {
        self.internal_base
            .as_ref()
            .and_then(|(issuer, internal)| Some(format!("{internal}{}", url.strip_prefix(issuer)?)))
            .unwrap_or_else(|| url.to_owned())
    }
}

async fn send(request: RequestBuilder) -> Result<(StatusCode, Vec<u8>), HttpError> {
    let request = request.header(reqwest::header::ACCEPT, "application/json");
    let sent = with_traceparent(request).send().await;
    let mut response = sent.inspect_err(|_| count_error("google"))?;
    if response.status().is_server_error() {
        count_error("google");
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if bytes.len() + chunk.len() > MAX_RESPONSE_BYTES {
            return Err(HttpError::TooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok((response.status(), bytes))
}
