//! How the adapter reaches PhonePe: no redirects, one deadline for a whole answer, and answers of a
//! bounded size, so that a gateway gone wild cannot take the shop with it.

use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION};
use reqwest::redirect::Policy;
use reqwest::{Method, Response, StatusCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::super::ensure_tls_provider;

/// PhonePe's largest answer here is about 4 kB.
const LARGEST_ANSWER: usize = 256 * 1024;
const KEPT_CONNECTION: Duration = Duration::from_secs(5);
/// How much of PhonePe's own words goes into a log or to an admin.
const LONGEST_WORDS: usize = 300;

pub(super) struct GatewayHttp {
    client: reqwest::Client,
}

pub(super) struct Request<'r> {
    pub(super) method: Method,
    pub(super) url: &'r str,
    pub(super) token: String,
    pub(super) body: Option<&'r Value>,
}

/// Says nothing of an answer's content but PhonePe's own error, so that it may be logged.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("no answer from the payment gateway")]
    NoAnswer(#[from] reqwest::Error),
    #[error("the payment gateway answered {status}{}", .said.as_ref().map(|said| format!(", {said}")).unwrap_or_default())]
    Status {
        status: StatusCode,
        said: Option<Said>,
    },
    #[error("the payment gateway's answer is larger than {LARGEST_ANSWER} bytes")]
    TooLarge,
    #[error("the payment gateway's answer is not what its protocol says")]
    Nonsense,
    #[error("no token from the payment gateway: {0}")]
    NoToken(Box<Fault>),
    #[error("no token from the payment gateway a moment ago")]
    NoTokenLately,
}

/// PhonePe's error body.
#[derive(Debug, Deserialize)]
pub(super) struct Said {
    pub(super) code: String,
    #[serde(default)]
    message: Option<String>,
}

impl std::fmt::Display for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = match &self.message {
            Some(message) => format!("{}: {message}", self.code),
            None => self.code.clone(),
        };
        let plain = words
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .take(LONGEST_WORDS);
        f.write_str(&plain.collect::<String>())
    }
}

impl Fault {
    /// Whether the same call may have another end a moment later.
    pub(super) fn may_pass(&self) -> bool {
        match self {
            Fault::NoAnswer(_) => true,
            Fault::Status { status, .. } => {
                status.is_server_error()
                    || matches!(
                        *status,
                        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS
                    )
            }
            // A token is asked for under its own rules; waiting here too would only add up.
            Fault::TooLarge | Fault::Nonsense | Fault::NoToken(_) | Fault::NoTokenLately => false,
        }
    }
}

impl GatewayHttp {
    pub(super) fn new(timeout: Duration, encrypted: bool) -> Result<GatewayHttp, reqwest::Error> {
        ensure_tls_provider();
        let builder = reqwest::Client::builder()
            .redirect(Policy::none())
            // Short, because a kept connection may be closed under a payment, which is not asked for twice.
            .pool_idle_timeout(KEPT_CONNECTION)
            .timeout(timeout)
            .connect_timeout(timeout);
        let builder = if encrypted {
            builder.https_only(true)
        } else {
            // A sandbox next door: no certificates to look for, and no proxy in between.
            builder.tls_certs_only([]).no_proxy()
        };
        Ok(GatewayHttp {
            client: builder.build()?,
        })
    }

    pub(super) async fn json<T: DeserializeOwned>(&self, ask: Request<'_>) -> Result<T, Fault> {
        let mut request = self
            .client
            .request(ask.method, ask.url)
            .header(AUTHORIZATION, format!("O-Bearer {}", ask.token))
            .header(ACCEPT, "application/json");
        if let Some(body) = ask.body {
            request = request.json(body);
        }
        read(request.send().await?).await
    }

    pub(super) async fn form<T: DeserializeOwned>(
        &self,
        url: &str,
        fields: &[(&'static str, String)],
    ) -> Result<T, Fault> {
        let request = self.client.post(url).header(ACCEPT, "application/json");
        read(request.form(fields).send().await?).await
    }
}

/// The content type is not looked at: what reads as the right JSON is, whatever a proxy calls it.
async fn read<T: DeserializeOwned>(mut answer: Response) -> Result<T, Fault> {
    let status = answer.status();
    let mut bytes = Vec::new();
    while let Some(chunk) = answer.chunk().await? {
        if bytes.len() + chunk.len() > LARGEST_ANSWER {
            return Err(Fault::TooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
    if status.is_success() {
        serde_json::from_slice(&bytes).map_err(|_| Fault::Nonsense)
    } else {
        Err(Fault::Status {
            status,
            said: serde_json::from_slice(&bytes).ok(),
        })
    }
}
