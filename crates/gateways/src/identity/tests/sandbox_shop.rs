//! A shop with the sandbox, and helpers that act as the browser.

use std::sync::Arc;

use axum::Router;
use mirasa_app::ports::clock::SystemIdGenerator;
use mirasa_app::ports::identity::{AuthorizationRedirect, IdentityProvider as _};
use reqwest::header::LOCATION;
use reqwest::redirect::Policy;
use url::Url;

use super::super::{GoogleSettings, GoogleSignIn};
use super::{
    CALLBACK, ManualClock, adapter, authorization_request, callback, listener, outcome_text, serve,
};
use mirasa_sandbox::identity::{PATH, SandboxGoogle, SandboxSettings};

pub(super) struct Shop {
    pub(super) url: String,
    pub(super) clock: Arc<ManualClock>,
    pub(super) sandbox: SandboxGoogle,
    pub(super) google: GoogleSignIn,
}

/// The query parameters of the redirect to the shop.
pub(super) struct Return {
    pub(super) code: Option<String>,
    pub(super) error: Option<String>,
    pub(super) state: Option<String>,
}

pub(super) async fn shop() -> Shop {
    let (listener, url) = listener().await;
    let clock = ManualClock::new();
    let sandbox = instance(&url, [7; 32], &clock);
    serve(listener, Router::new().nest(PATH, sandbox.router()));
    let google = adapter(sandbox_settings(&sandbox, None), &clock);
    Shop {
        url,
        clock,
        sandbox,
        google,
    }
}

/// The settings with which the adapter is this sandbox's client.
pub(super) fn sandbox_settings(
    sandbox: &SandboxGoogle,
    server_url: Option<&str>,
) -> GoogleSettings {
    let credentials = sandbox.credentials(server_url);
    GoogleSettings {
        issuer: credentials.issuer,
        client_id: credentials.client_id,
        client_secret: credentials.client_secret,
        prompt: None,
        internal_base_url: credentials.internal_base_url,
        timeout: GoogleSettings::TIMEOUT,
    }
}

pub(super) fn instance(
    public_url: &str,
    secret: [u8; 32],
    clock: &Arc<ManualClock>,
) -> SandboxGoogle {
    let settings = SandboxSettings {
        public_url: public_url.to_owned(),
        shop_name: "Mirasa <&> Co".into(),
        secret,
    };
    SandboxGoogle::new(settings, clock.clone(), Arc::new(SystemIdGenerator)).unwrap()
}

pub(super) fn browser() -> reqwest::Client {
    // The first client of a test needs the TLS provider.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .redirect(Policy::none())
        .no_proxy()
        .build()
        .unwrap()
}

impl Shop {
    pub(super) async fn begin(&self, login_hint: Option<&str>) -> AuthorizationRedirect {
        self.google
            .authorization_url(authorization_request(&self.url, login_hint))
            .await
            .unwrap()
    }

    pub(super) async fn open(&self, url: &str) -> reqwest::Response {
        browser().get(url).send().await.unwrap()
    }

    pub(super) async fn code_for(&self, redirect: &AuthorizationRedirect) -> String {
        self.returned(&self.open(&redirect.url).await).code.unwrap()
    }

    pub(super) async fn finish(&self, redirect: &AuthorizationRedirect, code: &str) -> String {
        outcome_text(
            self.google
                .exchange_code(callback(&self.url, redirect, code))
                .await,
        )
    }

    pub(super) fn returned(&self, response: &reqwest::Response) -> Return {
        assert_eq!(response.status(), 303);
        let location = response.headers()[LOCATION].to_str().unwrap();
        let url = Url::parse(location).unwrap();
        assert!(
            location.starts_with(&format!("{}{CALLBACK}?", self.url)),
            "{location}"
        );
        let value = |name| {
            url.query_pairs()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value.into_owned())
        };
        Return {
            code: value("code"),
            error: value("error"),
            state: value("state"),
        }
    }
}

/// The URL with one parameter replaced or removed.
pub(super) fn with_param(url: &str, name: &str, value: Option<&str>) -> String {
    let mut changed = Url::parse(url).unwrap();
    let pairs = changed
        .query_pairs()
        .filter(|(key, _)| key != name)
        .map(|(key, value)| (key.into_owned(), value.into_owned()))
        .collect::<Vec<_>>();
    changed
        .query_pairs_mut()
        .clear()
        .extend_pairs(pairs)
        .extend_pairs(value.map(|value| (name, value)));
    changed.into()
}

/// What the page's first form sends when this account is chosen.
pub(super) fn filled_form(page: &str, email: &str) -> Vec<(String, String)> {
    let form = page
        .split("<form")
        .nth(1)
        .unwrap()
        .split("</form>")
        .next()
        .unwrap();
    let attribute = |tag: &str, name: &str| {
        let value = tag.split(&format!("{name}=\"")).nth(1).unwrap();
        value.split('"').next().unwrap().replace("&amp;", "&")
    };
    let mut fields = form
        .split("<input ")
        .skip(1)
        .map(|tag| (attribute(tag, "name"), attribute(tag, "value")))
        .collect::<Vec<_>>();
    fields.push(("login_hint".into(), email.into()));
    fields
}
