//! The requests to a bucket: GET, HEAD, PUT and DELETE of an object, and a list of one object to check access.

use std::time::Duration;

use anyhow::Context as _;
use bytes::Bytes;
use reqwest::{Method, StatusCode};
use time::OffsetDateTime;

use super::S3Settings;
use super::signature::{Credentials, SignedParts, encode, sign};

/// A client waits for these; its request times out after 30 seconds.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// For all attempts together.
const RETRY_TIMEOUT: Duration = Duration::from_secs(15);
const RETRY_PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(400)];

pub struct Client {
    http: reqwest::Client,
    settings: S3Settings,
    credentials: Credentials,
    /// `https://host`, without a path.
    origin: String,
    host: String,
    /// `/bucket`, after the path of the endpoint.
    bucket_path: String,
}

/// A response that is neither a success nor a missing object.
#[derive(Debug, thiserror::Error)]
pub enum S3Error {
    #[error("the S3 bucket does not respond")]
    NoResponse(#[from] reqwest::Error),
    #[error("the S3 bucket does not respond in time")]
    Timeout,
    #[error("the S3 bucket responded with {status} {code}")]
    Status { status: StatusCode, code: String },
}

impl S3Error {
    /// S3's error code, such as `NoSuchBucket`. Empty for the response to a HEAD request.
    pub fn code(&self) -> &str {
        match self {
            S3Error::Status { code, .. } => code,
            S3Error::NoResponse(_) | S3Error::Timeout => "",
        }
    }

    pub fn is_denied(&self) -> bool {
        let denied = [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN];
        matches!(self, S3Error::Status { status, .. } if denied.contains(status))
    }

    fn is_temporary(&self) -> bool {
        match self {
            S3Error::NoResponse(_) => true,
            S3Error::Timeout => false,
            S3Error::Status { status, .. } => {
                status.is_server_error() || *status == StatusCode::TOO_MANY_REQUESTS
            }
        }
    }
}

impl Client {
    pub fn new(settings: S3Settings) -> anyhow::Result<Client> {
        let endpoint = if settings.endpoint.is_empty() {
            format!("https://s3.{}.amazonaws.com", settings.region)
        } else {
            settings.endpoint.trim_end_matches('/').to_owned()
        };
        let url = reqwest::Url::parse(&endpoint).context("pictures.endpoint")?;
        let origin = url.origin().ascii_serialization();
        let (_, host) = origin.split_once("://").context("pictures.endpoint")?;
        let http = reqwest::Client::builder()
            .https_only(url.scheme() == "https")
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(REQUEST_TIMEOUT)
            .build()
            .context("no HTTP client for the bucket")?;
        Ok(Client {
            http,
            credentials: Credentials {
                region: settings.region.clone(),
                access_key: settings.access_key.clone(),
                secret_key: settings.secret_key.clone(),
            },
            bucket_path: format!(
                "{}/{}",
                url.path().trim_end_matches('/'),
                encode(&settings.bucket, false)
            ),
            host: host.to_owned(),
            origin,
            settings,
        })
    }

    pub async fn put(&self, key: &str, bytes: Vec<u8>) -> Result<(), S3Error> {
        self.request(Method::PUT, Some(key), "", bytes.into())
            .await
            .map(drop)
    }

    pub async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, S3Error> {
        let found = self.request(Method::GET, Some(key), "", Bytes::new()).await;
        Ok(none_if_missing(found)?.map(|(_, body)| body))
    }

    pub async fn size(&self, key: &str) -> Result<Option<u64>, S3Error> {
        let found = self
            .request(Method::HEAD, Some(key), "", Bytes::new())
            .await;
        Ok(none_if_missing(found)?.map(|(size, _)| size))
    }

    pub async fn delete(&self, key: &str) -> Result<(), S3Error> {
        let deleted = self
            .request(Method::DELETE, Some(key), "", Bytes::new())
            .await;
        none_if_missing(deleted).map(drop)
    }

    /// Requests the name of one object.
    pub async fn list_one(&self, prefix: &str) -> Result<(), S3Error> {
        let query = format!("list-type=2&max-keys=1&prefix={}", encode(prefix, false));
        self.request(Method::GET, None, &query, Bytes::new())
            .await
            .map(drop)
    }

    /// Tries again after a temporary error: all requests are idempotent. Returns `Content-Length` and the body.
    async fn request(
        &self,
        method: Method,
        key: Option<&str>,
        query: &str,
        body: Bytes,
    ) -> Result<(u64, Vec<u8>), S3Error> {
        let path = match key {
            Some(key) => format!("{}/{}", self.bucket_path, encode(key, true)),
            None => self.bucket_path.clone(),
        };
        let attempts = async {
            for pause in RETRY_PAUSES {
                match self.send(&method, &path, query, body.clone()).await {
                    Err(error) if error.is_temporary() => tokio::time::sleep(pause).await,
                    outcome => return outcome,
                }
            }
            self.send(&method, &path, query, body.clone()).await
        };
        tokio::time::timeout(RETRY_TIMEOUT, attempts)
            .await
            .unwrap_or(Err(S3Error::Timeout))
    }

    async fn send(
        &self,
        method: &Method,
        path: &str,
        query: &str,
        body: Bytes,
    ) -> Result<(u64, Vec<u8>), S3Error> {
        let parts = SignedParts {
            method: method.as_str(),
            host: &self.host,
            path,
            query,
            body: &body,
        };
        let now_ms = self.settings.clock.now_ms();
        let now = OffsetDateTime::from_unix_timestamp(now_ms / 1000)
            .unwrap_or(OffsetDateTime::UNIX_EPOCH);
        let signed = sign(&self.credentials, &parts, now);
        let separator = if query.is_empty() { "" } else { "?" };
        let url = format!("{}{path}{separator}{query}", self.origin);
        let mut request = self
            .http
            .request(method.clone(), url)
            .header("x-amz-date", signed.date)
            .header("x-amz-content-sha256", signed.body_hash)
            .header("authorization", signed.authorization);
        if *method == Method::PUT {
            request = request.body(body);
        }
        let response = request.send().await?;
        let status = response.status();
        let size = response.headers().get("content-length");
        let size = size.and_then(|size| size.to_str().ok()?.parse().ok());
        let body = response.bytes().await?;
        if status.is_success() {
            return Ok((size.unwrap_or(0), body.into()));
        }
        Err(S3Error::Status {
            status,
            code: error_code(&body),
        })
    }
}

fn none_if_missing<T>(found: Result<T, S3Error>) -> Result<Option<T>, S3Error> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(S3Error::Status { status, ref code })
            if status == StatusCode::NOT_FOUND && code != "NoSuchBucket" =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The text of `<Code>` in an error response. Other XML is never read, so there is no parser.
fn error_code(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let code = text
        .split_once("<Code>")
        .and_then(|(_, rest)| rest.split_once("</Code>"));
    code.map_or_else(String::new, |(code, _)| code.to_owned())
}
