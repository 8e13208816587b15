//! The Google adapter: redirects the browser to the provider, exchanges the code, and accepts an ID
//! token only if all checks of `id_token` pass.

mod http_client;
mod id_token;
mod provider;

use std::borrow::Cow;
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
use oauth2::basic::{
    BasicErrorResponse, BasicErrorResponseType, BasicRevocationErrorResponse,
    BasicTokenIntrospectionResponse, BasicTokenType,
};
use oauth2::{
    AuthorizationCode, Client, ClientId, ClientSecret, CsrfToken, EndpointNotSet, EndpointSet,
    ExtraTokenFields, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope,
    StandardRevocableToken, StandardTokenResponse,
};
use openidconnect::IssuerUrl;
use serde::{Deserialize, Serialize};

use http_client::{HttpError, ProviderHttp};
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

/// The token endpoint's response. The ID token stays text here: the library parses `iss` as a URL,
/// and Google may send it without a scheme.
#[derive(Deserialize, Serialize)]
struct IdTokenFields {
    id_token: Option<String>,
}

impl std::fmt::Debug for IdTokenFields {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("IdTokenFields")
    }
}

impl ExtraTokenFields for IdTokenFields {}

type OauthClient = Client<
    BasicErrorResponse,
    StandardTokenResponse<IdTokenFields, BasicTokenType>,
    BasicTokenIntrospectionResponse,
    StandardRevocableToken,
    BasicRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointSet,
>;

impl GoogleSignIn {
    /// Sends no request yet. The first sign-in fetches the provider's metadata.
    pub fn new(
        settings: GoogleSettings,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdGenerator>,
    ) -> Result<GoogleSignIn, GoogleConfigError> {
        let issuer = IssuerUrl::new(settings.issuer.clone())
            .map_err(|_| GoogleConfigError::Issuer(settings.issuer.clone()))?;
        let http = ProviderHttp::new(&settings).map_err(GoogleConfigError::HttpClient)?;
        Ok(GoogleSignIn {
            provider: Provider::new(issuer, clock.clone()),
            settings,
            http,
            clock,
            ids,
        })
    }

    fn oauth_client(&self, metadata: &ProviderMetadata) -> OauthClient {
        Client::new(ClientId::new(self.settings.client_id.clone()))
            .set_client_secret(ClientSecret::new(self.settings.client_secret.clone()))
            .set_auth_uri(metadata.authorization_endpoint.clone())
            .set_token_uri(metadata.token_endpoint.clone())
    }

    fn random_text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.ids.random_bytes())
    }

    async fn exchange(
        &self,
        metadata: &ProviderMetadata,
        callback: &AuthorizationCallback,
    ) -> Result<String, IdentityError> {
        let redirect = redirect_url(&callback.redirect_uri)?;
        self.oauth_client(metadata)
            .exchange_code(AuthorizationCode::new(callback.code.clone()))
            .set_redirect_uri(Cow::Owned(redirect))
            .set_pkce_verifier(PkceCodeVerifier::new(callback.pkce_verifier.clone()))
            .request_async(&self.http)
            .await
            .map_err(exchange_failed)?
            .extra_fields()
            .id_token
            .clone()
            .ok_or_else(|| IdentityError::Rejected("the provider sent no ID token".into()))
    }
}

#[async_trait]
impl IdentityProvider for GoogleSignIn {
    async fn authorization_url(
        &self,
        request: AuthorizationRequest,
    ) -> Result<AuthorizationRedirect, IdentityError> {
        let metadata = self.provider.metadata(&self.http).await?;
        let (state, nonce) = (self.random_text(), self.random_text());
        let verifier = PkceCodeVerifier::new(self.random_text());
        let redirect = redirect_url(&request.redirect_uri)?;
        let client = self.oauth_client(&metadata);
        let mut authorize = client
            .authorize_url(|| CsrfToken::new(state.clone()))
            .set_redirect_uri(Cow::Owned(redirect))
            .add_scopes(["openid", "email", "profile"].map(|scope| Scope::new(scope.into())))
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier))
            .add_extra_param("nonce", nonce.clone());
        if let Some(prompt) = &self.settings.prompt {
            authorize = authorize.add_extra_param("prompt", prompt.clone());
        }
        if let Some(hint) = request.login_hint {
            authorize = authorize.add_extra_param("login_hint", hint);
        }
        let (url, _) = authorize.url();
        Ok(AuthorizationRedirect {
            url: url.into(),
            state,
            nonce,
            pkce_verifier: verifier.into_secret(),
        })
    }

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

fn redirect_url(text: &str) -> Result<RedirectUrl, IdentityError> {
    RedirectUrl::new(text.to_owned()).map_err(|error| {
        IdentityError::Unreachable(anyhow!("the shop's own address is not a URL: {error}"))
    })
}

/// Only an `invalid_grant` is the visitor's error. The texts are our own, because the library's
/// errors contain the whole response.
fn exchange_failed(error: RequestTokenError<HttpError, BasicErrorResponse>) -> IdentityError {
    match error {
        RequestTokenError::ServerResponse(response)
            if *response.error() == BasicErrorResponseType::InvalidGrant =>
        {
            IdentityError::Rejected("the provider does not accept the code".into())
        }
        RequestTokenError::ServerResponse(response) => IdentityError::Unreachable(anyhow!(
            "the provider does not exchange codes for this shop: {}",
            response.error()
        )),
        RequestTokenError::Request(error) => {
            IdentityError::Unreachable(anyhow::Error::new(error).context("requesting the tokens"))
        }
        RequestTokenError::Parse(..) | RequestTokenError::Other(_) => {
            IdentityError::Unreachable(anyhow!("the token endpoint's response is not valid OAuth"))
        }
    }
}
