//! One connection, its cookies, and no more work than a call needs: on a small machine the buyers and the
//! shop share the processors.

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

const SLOWEST: Duration = Duration::from_secs(30);

pub struct Browser {
    address: String,
    connection: Option<SendRequest<Full<Bytes>>>,
    cookies: BTreeMap<String, String>,
}

#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Answer {
    pub fn json(&self) -> anyhow::Result<Value> {
        if !self.status.is_success() {
            bail!("{}: {}", self.status, String::from_utf8_lossy(&self.body));
        }
        serde_json::from_slice(&self.body).context("no JSON")
    }

    /// Where it leads, without the host.
    pub fn location(&self) -> anyhow::Result<String> {
        let location = self
            .headers
            .get(header::LOCATION)
            .and_then(|value| value.to_str().ok())
            .with_context(|| format!("leads nowhere: {self:?}"))?;
        path_of(location)
    }
}

/// An address without its host.
pub fn path_of(address: &str) -> anyhow::Result<String> {
    let url = Url::parse("http://shop")?.join(address)?;
    Ok(url[Position::BeforePath..].to_owned())
}

impl Browser {
    /// `address` is host:port.
    pub fn new(address: &str) -> Browser {
        Browser {
            address: address.to_owned(),
            connection: None,
            cookies: BTreeMap::new(),
        }
    }

    pub async fn get(&mut self, path: &str) -> anyhow::Result<Answer> {
        self.send(Method::GET, path, "", Bytes::new(), &[]).await
    }

    pub async fn post(&mut self, path: &str, body: &Value) -> anyhow::Result<Answer> {
        self.post_with(path, body, &[]).await
    }

    pub async fn put(&mut self, path: &str, body: &Value) -> anyhow::Result<Answer> {
        let body = serde_json::to_vec(body)?.into();
        self.send(Method::PUT, path, "application/json", body, &[])
            .await
    }

    pub async fn post_with(
        &mut self,
        path: &str,
        body: &Value,
        more: &[(&str, &str)],
    ) -> anyhow::Result<Answer> {
        let body = serde_json::to_vec(body)?.into();
        self.send(Method::POST, path, "application/json", body, more)
            .await
    }

    pub async fn post_form(&mut self, path: &str, form: &'static str) -> anyhow::Result<Answer> {
        let kind = "application/x-www-form-urlencoded";
        self.send(Method::POST, path, kind, form.into(), &[]).await
    }

    pub async fn send(
        &mut self,
        method: Method,
        path: &str,
        kind: &str,
        body: Bytes,
        more: &[(&str, &str)],
    ) -> anyhow::Result<Answer> {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, &self.address);
        if !kind.is_empty() {
            request = request.header(header::CONTENT_TYPE, kind);
        }
        if !self.cookies.is_empty() {
            request = request.header(header::COOKIE, self.cookie_header());
        }
        for (name, value) in more {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::new(body))?;
        let asked = async {
            let response = self.connection().await?.send_request(request).await?;
            let (parts, body) = response.into_parts();
            let body = body.collect().await?.to_bytes();
            anyhow::Ok(Answer {
                status: parts.status,
                headers: parts.headers,
                body,
            })
        };
        let answer = match tokio::time::timeout(SLOWEST, asked).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => {
                self.connection = None;
                return Err(error.context(path.to_owned()));
            }
            Err(_) => {
                self.connection = None;
                bail!("{path}: no answer within {SLOWEST:?}");
            }
        };
        for cookie in answer.headers.get_all(header::SET_COOKIE) {
            self.keep(cookie.to_str().unwrap_or_default());
        }
        Ok(answer)
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

    fn keep(&mut self, set_cookie: &str) {
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

    /// Through the sandbox's Google, without a click.
    pub async fn sign_in(&mut self, email: &str) -> anyhow::Result<()> {
        let login = format!("/api/auth/google/login?login_hint={email}");
        let authorize = self.get(&login).await?.location()?;
        let callback = self.get(&authorize).await?.location()?;
        self.get(&callback).await?.location().map(drop)
    }
}
