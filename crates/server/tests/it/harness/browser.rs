//! An HTTP client for tests: keeps cookies, signs in, parses responses, and compares them with the API description.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, header};
use mirasa_app::ErrorCode;
use reqwest::RequestBuilder;
use serde_json::Value;
use url::{Position, Url};

use crate::harness::description::expect_described;

pub fn client(from: Option<IpAddr>) -> reqwest::Client {
    // Already installed if a server runs in this process. Tests that start a server process need it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .local_address(from)
        // Shorter than the server's idle timeout, so that no request is sent on a connection that is being closed.
        .pool_idle_timeout(Duration::from_secs(5))
        .build()
        .unwrap()
}

pub struct TestClient {
    client: reqwest::Client,
    base: String,
    /// The `Host` header, if it differs from the server's address.
    pub host: Option<String>,
    pub cookies: Mutex<BTreeMap<String, String>>,
}

pub struct TestResponse {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl TestClient {
    pub fn new(client: reqwest::Client, base: &str) -> TestClient {
        TestClient {
            client,
            base: base.to_owned(),
            host: None,
            cookies: Mutex::default(),
        }
    }

    pub fn base(&self) -> &str {
        &self.base
    }

    pub async fn get(&self, path: &str) -> TestResponse {
        self.send(self.request(Method::GET, path)).await
    }

    pub async fn delete(&self, path: &str) -> TestResponse {
        self.send(self.request(Method::DELETE, path)).await
    }

    pub async fn post(&self, path: &str, body: Value) -> TestResponse {
        self.send(self.request(Method::POST, path).json(&body))
            .await
    }

    pub async fn put(&self, path: &str, body: Value) -> TestResponse {
        self.send(self.request(Method::PUT, path).json(&body)).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> TestResponse {
        self.send(self.request(Method::PATCH, path).json(&body))
            .await
    }

    /// A request to which the test can add headers and a body before `send`.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    pub async fn send(&self, mut request: RequestBuilder) -> TestResponse {
        let cookies = self.cookie_header();
        if !cookies.is_empty() {
            request = request.header(header::COOKIE, cookies);
        }
        if let Some(host) = &self.host {
            request = request.header(header::HOST, host);
        }
        let request = request.build().unwrap();
        let (method, path) = (request.method().clone(), request.url().path().to_owned());
        let response = self.client.execute(request).await.unwrap();
        let status = response.status().as_u16();
        expect_described(&method, &path, status);
        let headers = response.headers().clone();
        for cookie in headers.get_all(header::SET_COOKIE) {
            self.store_cookie(cookie.to_str().unwrap());
        }
        let body = response.bytes().await.unwrap();
        TestResponse {
            status,
            headers,
            body,
        }
    }

    fn cookie_header(&self) -> String {
        let cookies = self.cookies.lock().unwrap();
        let pairs = cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        pairs.collect::<Vec<_>>().join("; ")
    }

    fn store_cookie(&self, set_cookie: &str) {
        let (pair, attributes) = set_cookie.split_once(';').unwrap();
        let (name, value) = pair.split_once('=').unwrap();
        let mut cookies = self.cookies.lock().unwrap();
        if attributes.contains("Max-Age=0") {
            cookies.remove(name);
        } else {
            cookies.insert(name.to_owned(), value.to_owned());
        }
    }

    pub fn set_cookie(&self, name: &str, value: &str) {
        let mut cookies = self.cookies.lock().unwrap();
        cookies.insert(name.to_owned(), value.to_owned());
    }

    /// The session secret, if the client has one.
    pub fn session(&self) -> Option<String> {
        let cookies = self.cookies.lock().unwrap();
        let found = cookies
            .iter()
            .find(|(name, _)| name.ends_with("mirasa_session"));
        found.map(|(_, value)| value.clone())
    }

    /// Signs in at the sandbox. Returns the final redirect location.
    pub async fn sign_in(&self, email: &str) -> String {
        self.sign_in_with(email, &[]).await
    }

    pub async fn sign_in_with(&self, email: &str, more: &[(&str, &str)]) -> String {
        let callback = self.sign_in_until_callback(email, more).await;
        let response = self.get(&callback).await;
        assert!(
            self.session().is_some(),
            "{email} could not sign in: {response:?}"
        );
        response.header("location").to_owned()
    }

    /// Signs in up to the provider's redirect. Returns the path of the callback, which is not called yet.
    pub async fn sign_in_until_callback(&self, email: &str, more: &[(&str, &str)]) -> String {
        let mut login = Url::parse("http://shop/api/auth/google/login").unwrap();
        login
            .query_pairs_mut()
            .append_pair("login_hint", email)
            .extend_pairs(more);
        let authorize = self.get(&path_of(login.as_str())).await.redirect();
        let callback = self.get(&authorize).await.redirect();
        assert!(
            callback.starts_with("/api/auth/google/callback?"),
            "{callback}"
        );
        callback
    }

    pub async fn is_signed_in(&self) -> bool {
        self.get("/api/auth/check-auth").await.expect_ok()["authenticated"] == true
    }
}

/// The path and query of a URL.
pub fn path_of(url_or_path: &str) -> String {
    let url = Url::parse("http://shop")
        .unwrap()
        .join(url_or_path)
        .unwrap();
    url[Position::BeforePath..].to_owned()
}

impl TestResponse {
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The body as JSON; the content type must be JSON, too.
    pub fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), "application/json", "{self:?}");
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The JSON of a successful response.
    #[track_caller]
    pub fn expect_ok(&self) -> Value {
        assert!(matches!(self.status, 200 | 201), "{self:?}");
        self.json()
    }

    /// The path of the redirect target.
    #[track_caller]
    pub fn redirect(&self) -> String {
        assert_eq!(self.status, 303, "{self:?}");
        path_of(self.header("location"))
    }

    /// Asserts an error response with this status and message.
    #[track_caller]
    pub fn expect_error(&self, status: u16, text: &str) {
        assert_eq!(
            (self.status, self.error_text().as_str()),
            (status, text),
            "{self:?}"
        );
    }

    /// Asserts an error response with this status and code. `field` is empty if the error names no field.
    #[track_caller]
    pub fn expect_code(&self, status: u16, code: &str, field: &str) {
        self.error_text();
        let json = self.json();
        let named = json
            .get("field")
            .map_or("", |field| field.as_str().unwrap());
        assert_eq!(
            (self.status, json["code"].as_str().unwrap(), named),
            (status, code, field),
            "{self:?}"
        );
    }

    /// The message of an error response. Asserts the fields of the error body.
    #[track_caller]
    pub fn error_text(&self) -> String {
        assert!(self.status >= 400, "{self:?}");
        let json = self.json();
        let fields = json.as_object().unwrap();
        let mut names: Vec<_> = fields.keys().filter(|name| *name != "field").collect();
        names.sort_unstable();
        assert_eq!(names, ["code", "error", "message"], "{self:?}");
        let is_known = ErrorCode::ALL
            .iter()
            .any(|code| fields["code"] == code.as_str());
        assert!(is_known, "{self:?}");
        assert_eq!(fields["error"], fields["message"]);
        let text = fields["error"].as_str().unwrap();
        assert!(!text.is_empty());
        text.to_owned()
    }
}

impl std::fmt::Debug for TestResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let start: String = String::from_utf8_lossy(&self.body)
            .chars()
            .take(500)
            .collect();
        write!(f, "{} {:?} {start}", self.status, self.headers)
    }
}
