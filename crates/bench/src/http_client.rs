//! A minimal HTTP client: one connection and its cookies. It uses little CPU time, because the load generator and the server
//! share the CPU.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, bail};
use bytes::Bytes;
use http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;
use url::{Position, Url};

const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

pub struct HttpClient {
    address: String,
    connection: Option<SendRequest<Full<Bytes>>>,
    cookies: BTreeMap<String, String>,
}

#[derive(Debug)]
pub struct HttpResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl HttpResponse {
    pub fn json(&self) -> anyhow::Result<Value> {
        if !self.status.is_success() {
            bail!("{}: {}", self.status, String::from_utf8_lossy(&self.body));
        }
        serde_json::from_slice(&self.body).context("invalid JSON")
    }

    /// The `Location` header without the host.
    pub fn location(&self) -> anyhow::Result<String> {
        let location = self
            .headers
            .get(header::LOCATION)
            .and_then(|value| value.to_str().ok())
            .with_context(|| format!("no Location: {self:?}"))?;
        path_and_query(location)
    }
}

/// Removes the host from a URL.
pub fn path_and_query(url: &str) -> anyhow::Result<String> {
    let url = Url::parse("http://shop")?.join(url)?;
    Ok(url[Position::BeforePath..].to_owned())
}

impl HttpClient {
    /// `address` is host:port.
    pub fn new(address: &str) -> HttpClient {
        HttpClient {
            address: address.to_owned(),
            connection: None,
            cookies: BTreeMap::new(),
        }
    }

    pub async fn get(&mut self, path: &str) -> anyhow::Result<HttpResponse> {
        self.send(Method::GET, path, "", Bytes::new(), &[]).await
    }

    pub async fn post(&mut self, path: &str, body: &Value) -> anyhow::Result<HttpResponse> {
        self.post_with(path, body, &[]).await
    }

    pub async fn put(&mut self, path: &str, body: &Value) -> anyhow::Result<HttpResponse> {
        let body = serde_json::to_vec(body)?.into();
        self.send(Method::PUT, path, "application/json", body, &[])
            .await
    }

    pub async fn post_with(
        &mut self,
        path: &str,
        body: &Value,
        headers: &[(&str, &str)],
    ) -> anyhow::Result<HttpResponse> {
        let body = serde_json::to_vec(body)?.into();
        self.send(Method::POST, path, "application/json", body, headers)
            .await
    }

    pub async fn post_form(
        &mut self,
        path: &str,
        form: &'static str,
    ) -> anyhow::Result<HttpResponse> {
        let content_type = "application/x-www-form-urlencoded";
        self.send(Method::POST, path, content_type, form.into(), &[])
            .await
    }

    pub async fn send(
        &mut self,
        method: Method,
        path: &str,
        content_type: &str,
        body: Bytes,
        headers: &[(&str, &str)],
    ) -> anyhow::Result<HttpResponse> {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, &self.address);
        if !content_type.is_empty() {
            request = request.header(header::CONTENT_TYPE, content_type);
        }
        if !self.cookies.is_empty() {
            request = request.header(header::COOKIE, self.cookie_header());
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::new(body))?;
        let exchange = async {
            let response = self.connection().await?.send_request(request).await?;
            let (parts, body) = response.into_parts();
            let body = body.collect().await?.to_bytes();
            anyhow::Ok(HttpResponse {
                status: parts.status,
                headers: parts.headers,
                body,
            })
        };
        let response = match tokio::time::timeout(REQUEST_TIMEOUT, exchange).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => {
                self.connection = None;
                return Err(error.context(path.to_owned()));
            }
            Err(_) => {
                self.connection = None;
                bail!("{path}: no response within {REQUEST_TIMEOUT:?}");
            }
        };
        for cookie in response.headers.get_all(header::SET_COOKIE) {
            self.store_cookie(cookie.to_str().unwrap_or_default());
        }
        Ok(response)
    }

    async fn connection(&mut self) -> anyhow::Result<&mut SendRequest<Full<Bytes>>> {
        let is_open = match &mut self.connection {
            Some(connection) => connection.ready().await.is_ok(),
            None => false,
        };
        if !is_open {
            let stream = TcpStream::connect(&self.address).await?;
            stream.set_nodelay(true)?;
            let (sender, driver) = handshake(TokioIo::new(stream)).await?;
            tokio::spawn(driver);
            self.connection = Some(sender);
        }
        self.connection.as_mut().context("just connected")
    }

    fn cookie_header(&self) -> String {
        let pairs = self
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        pairs.collect::<Vec<_>>().join("; ")
    }

    fn store_cookie(&mut self, set_cookie: &str) {
        let (pair, attributes) = set_cookie.split_once(';').unwrap_or((set_cookie, ""));
        let Some((name, value)) = pair.split_once('=') else {
            return;
        };
        if attributes.contains("Max-Age=0") {
            self.cookies.remove(name);
        } else {
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
    }

    /// Signs in through the sandbox's Google page.
    pub async fn sign_in(&mut self, email: &str) -> anyhow::Result<()> {
        let login = format!("/api/auth/google/login?login_hint={email}");
        let authorize = self.get(&login).await?.location()?;
        let callback = self.get(&authorize).await?.location()?;
        self.get(&callback).await?.location().map(drop)
    }
}
