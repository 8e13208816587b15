//! The Google adapter: redirects the browser to the provider, exchanges the code, and accepts an ID
//! token only if all checks of `id_token` pass.

mod http_client;
mod id_token;
mod provider;
mod signing_keys;

use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mirasa_app::ports::clock::{Clock, IdGenerator};
use mirasa_app::ports::identity::{
    AuthorizationCallback, AuthorizationRedirect, AuthorizationRequest, Identity, IdentityError,
    IdentityProvider,
};
use reqwest::StatusCode;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use tracing::instrument;
use url::Url;

use http_client::ProviderHttp;
use id_token::{Expected, IdTokenError};
use provider::{Provider, ProviderMetadata};

pub struct GoogleSettings {
    /// Exactly the provider's `issuer`. Google's is `https://accounts.google.com`.
    pub issuer: String,
    pub client_id: String,
    pub client_secret: String,
    /// OpenID's `prompt`, such as `select_account`. Not every provider supports every value.
    pub prompt: Option<String>,
    /// Where this server reaches the issuer, if not at its URL: the sandbox's issuer is the shop's
    /// public URL, which may be reachable only from outside a container or through a proxy.
    pub internal_base_url: Option<String>,
    /// For one request, including the whole response.
    pub timeout: Duration,
}

impl GoogleSettings {
    pub const TIMEOUT: Duration = Duration::from_secs(10);
}

impl std::fmt::Debug for GoogleSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GoogleSettings")
            .field("issuer", &self.issuer)
            .field("client_id", &self.client_id)
            .field("prompt", &self.prompt)
            .field("internal_base_url", &self.internal_base_url)
            .finish_non_exhaustive()
    }
}

/// Settings with which no sign-in can work.
#[derive(Debug, thiserror::Error)]
pub enum GoogleConfigError {
    #[error("the sign-in issuer {0:?} is not an address")]
    Issuer(String),
    #[error("no HTTP client for sign-in")]
    HttpClient(#[source] reqwest::Error),
}

pub struct GoogleSignIn {
    settings: GoogleSettings,
    http: ProviderHttp,
    provider: Provider,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdGenerator>,
}

/// A response of the token endpoint. It contains secrets, so it is never printed.
#[derive(Deserialize)]
struct TokenResponse {
    id_token: Option<String>,
}

#[derive(Deserialize)]
struct OauthError {
    error: String,
}

impl GoogleSignIn {
    /// Sends no request yet. The first sign-in fetches the provider's metadata.
    pub fn new(
        settings: GoogleSettings,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdGenerator>,
    ) -> Result<GoogleSignIn, GoogleConfigError> {
        if Url::parse(&settings.issuer).is_err() {
            return Err(GoogleConfigError::Issuer(settings.issuer));
        }
        let http = ProviderHttp::new(&settings).map_err(GoogleConfigError::HttpClient)?;
        Ok(GoogleSignIn {
            provider: Provider::new(settings.issuer.clone(), clock.clone()),
            settings,
            http,
            clock,
            ids,
        })
    }

    fn random_text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.ids.random_bytes())
    }

    /// Exchanges the code for an ID token (RFC 6749, 4.1.3, with PKCE).
    async fn exchange(
        &self,
        metadata: &ProviderMetadata,
        callback: &AuthorizationCallback,
    ) -> Result<String, IdentityError> {
        let form = [
            ("grant_type", "authorization_code"),
            ("code", &callback.code),
            ("redirect_uri", &callback.redirect_uri),
            ("code_verifier", &callback.pkce_verifier),
        ];
        let (status, body) = self
            .http
            .post_as_client(&metadata.token_endpoint, &self.settings, &form)
            .await
            .map_err(|error| {
                IdentityError::Unreachable(
                    anyhow::Error::new(error).context("requesting the tokens"),
                )
            })?;
        // The texts are our own: the response contains secrets.
        let invalid = |_| {
            IdentityError::Unreachable(anyhow!("the token endpoint's response is not valid OAuth"))
        };
        if status == StatusCode::OK {
            let response: TokenResponse = serde_json::from_slice(&body).map_err(invalid)?;
            return response
                .id_token
                .ok_or_else(|| IdentityError::Rejected("the provider sent no ID token".into()));
        }
        let OauthError { error } = serde_json::from_slice(&body).map_err(invalid)?;
        // Only an `invalid_grant` is the visitor's error.
        Err(if error == "invalid_grant" {
            IdentityError::Rejected("the provider does not accept the code".into())
        } else {
            IdentityError::Unreachable(anyhow!(
                "the provider does not exchange codes for this shop: {error}"
            ))
        })
    }
}

#[async_trait]
impl IdentityProvider for GoogleSignIn {
    #[instrument(target = "telemetry", name = "google authorization_url", skip_all, err, fields(otel.kind = "client"))]
    async fn authorization_url(
        &self,
        request: AuthorizationRequest,
    ) -> Result<AuthorizationRedirect, IdentityError> {
        let metadata = self.provider.metadata(&self.http).await?;
        let (state, nonce) = (self.random_text(), self.random_text());
        let pkce_verifier = self.random_text();
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&pkce_verifier));
        let mut url = metadata.authorization_endpoint.clone();
        let mut query = url.query_pairs_mut();
        query
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.settings.client_id)
            .append_pair("redirect_uri", &request.redirect_uri)
            .append_pair("scope", "openid email profile")
            .append_pair("state", &state)
            .append_pair("nonce", &nonce)
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256");
        if let Some(prompt) = &self.settings.prompt {
            query.append_pair("prompt", prompt);
        }
        if let Some(hint) = &request.login_hint {
            query.append_pair("login_hint", hint);
        }
        drop(query);
        Ok(AuthorizationRedirect {
            url: url.into(),
            state,
            nonce,
            pkce_verifier,
        })
    }

    #[instrument(target = "telemetry", name = "google exchange_code", skip_all, err, fields(otel.kind = "client"))]
    async fn exchange_code(
        &self,
        callback: AuthorizationCallback,
    ) -> Result<Identity, IdentityError> {
        let metadata = self.provider.metadata(&self.http).await?;
        let token = self.exchange(&metadata, &callback).await?;
        let expected = Expected {
            issuer: &self.settings.issuer,
            client_id: &self.settings.client_id,
            nonce: &callback.nonce,
            now_ms: self.clock.now_ms(),
        };
        let mut identity = id_token::verify(&token, &metadata, &expected);
        if let Err(IdTokenError::UnknownKey) = identity {
            // The provider may have changed its keys since they were fetched.
            let refreshed = self.provider.refresh(&metadata, &self.http).await?;
            identity = id_token::verify(&token, &refreshed, &expected);
        }
        identity.map_err(|error| IdentityError::Rejected(error.to_string()))
    }
}
