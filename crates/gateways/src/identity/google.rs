//! The adapter: sends the browser to the provider, exchanges the code that comes back, and believes
//! an ID token only after every check in `id_token` has passed.

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

use http_client::{HttpFault, ProviderHttp};
use id_token::{Expected, Wrong};
use provider::{Known, Provider};

pub struct GoogleSettings {
    /// To the letter what the provider calls itself; Google's is `https://accounts.google.com`.
    pub issuer: String,
    pub client_id: String,
    pub client_secret: String,
    /// OpenID's `prompt`, such as `select_account`; not every provider knows every value.
    pub prompt: Option<String>,
    /// Where this program reaches the issuer, if not by its name: the sandbox's issuer is the shop's
    /// public address, which may exist only outside a container or beyond a proxy.
    pub reach_at: Option<String>,
    /// How long one call to the provider may take, its whole answer included.
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
            .field("reach_at", &self.reach_at)
            .finish_non_exhaustive()
    }
}

/// Settings with which no sign-in could ever work.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
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

/// The token endpoint's answer. The ID token stays text here: the library reads `iss` as a URL, and
/// Google may write it without its scheme.
#[derive(Deserialize, Serialize)]
struct WithIdToken {
    id_token: Option<String>,
}

impl std::fmt::Debug for WithIdToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WithIdToken")
    }
}

impl ExtraTokenFields for WithIdToken {}

type CodeFlow = Client<
    BasicErrorResponse,
    StandardTokenResponse<WithIdToken, BasicTokenType>,
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
    /// Talks to nobody yet: what the provider is, is asked at the first sign-in.
    pub fn new(
        settings: GoogleSettings,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdGenerator>,
    ) -> Result<GoogleSignIn, Unusable> {
        let issuer = IssuerUrl::new(settings.issuer.clone())
            .map_err(|_| Unusable::Issuer(settings.issuer.clone()))?;
        let http = ProviderHttp::new(&settings).map_err(Unusable::HttpClient)?;
        Ok(GoogleSignIn {
            provider: Provider::new(issuer, clock.clone()),
            settings,
            http,
            clock,
            ids,
        })
    }

    fn code_flow(&self, known: &Known) -> CodeFlow {
        Client::new(ClientId::new(self.settings.client_id.clone()))
            .set_client_secret(ClientSecret::new(self.settings.client_secret.clone()))
            .set_auth_uri(known.authorization_endpoint.clone())
            .set_token_uri(known.token_endpoint.clone())
    }

    fn random_text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.ids.random_bytes())
    }

    async fn exchange(
        &self,
        known: &Known,
        answer: &AuthorizationCallback,
    ) -> Result<String, IdentityError> {
        let redirect = redirect_url(&answer.redirect_uri)?;
        self.code_flow(known)
            .exchange_code(AuthorizationCode::new(answer.code.clone()))
            .set_redirect_uri(Cow::Owned(redirect))
            .set_pkce_verifier(PkceCodeVerifier::new(answer.pkce_verifier.clone()))
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
        ask: AuthorizationRequest,
    ) -> Result<AuthorizationRedirect, IdentityError> {
        let known = self.provider.known(&self.http).await?;
        let (state, nonce) = (self.random_text(), self.random_text());
        let verifier = PkceCodeVerifier::new(self.random_text());
        let redirect = redirect_url(&ask.redirect_uri)?;
        let flow = self.code_flow(&known);
        let mut request = flow
            .authorize_url(|| CsrfToken::new(state.clone()))
            .set_redirect_uri(Cow::Owned(redirect))
            .add_scopes(["openid", "email", "profile"].map(|scope| Scope::new(scope.into())))
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier))
            .add_extra_param("nonce", nonce.clone());
        if let Some(prompt) = &self.settings.prompt {
            request = request.add_extra_param("prompt", prompt.clone());
        }
        if let Some(hint) = ask.login_hint {
            request = request.add_extra_param("login_hint", hint);
        }
        let (url, _) = request.url();
        Ok(AuthorizationRedirect {
            url: url.into(),
            state,
            nonce,
            pkce_verifier: verifier.into_secret(),
        })
    }

    async fn exchange_code(
        &self,
        answer: AuthorizationCallback,
    ) -> Result<Identity, IdentityError> {
        let known = self.provider.known(&self.http).await?;
        let token = self.exchange(&known, &answer).await?;
        let expected = Expected {
            issuer: &self.settings.issuer,
            client_id: &self.settings.client_id,
            nonce: &answer.nonce,
            now_ms: self.clock.now_ms(),
        };
        let mut checked = id_token::check(&token, &known, &expected);
        if let Err(Wrong::UnknownKey) = checked {
            // The provider may have changed its keys since we asked for them.
            let newer = self.provider.newer_than(&known, &self.http).await?;
            checked = id_token::check(&token, &newer, &expected);
        }
        checked.map_err(|wrong| IdentityError::Rejected(wrong.to_string()))
    }
}

fn redirect_url(text: &str) -> Result<RedirectUrl, IdentityError> {
    RedirectUrl::new(text.to_owned()).map_err(|error| {
        IdentityError::Unreachable(anyhow!("the shop's own address is not a URL: {error}"))
    })
}

/// Only a code that the provider calls bad is the visitor's matter; all else is between the provider
/// and the shop. Said in our own words, because the library's errors carry the whole answer.
fn exchange_failed(error: RequestTokenError<HttpFault, BasicErrorResponse>) -> IdentityError {
    match error {
        RequestTokenError::ServerResponse(answer)
            if *answer.error() == BasicErrorResponseType::InvalidGrant =>
        {
            IdentityError::Rejected("the provider does not accept the code".into())
        }
        RequestTokenError::ServerResponse(answer) => IdentityError::Unreachable(anyhow!(
            "the provider does not exchange codes for this shop: {}",
            answer.error()
        )),
        RequestTokenError::Request(fault) => {
            IdentityError::Unreachable(anyhow::Error::new(fault).context("asking for the tokens"))
        }
        RequestTokenError::Parse(..) | RequestTokenError::Other(_) => IdentityError::Unreachable(
            anyhow!("the token endpoint's answer is not what OAuth says"),
        ),
    }
}
