//! Who somebody is, as an OpenID provider (Google) tells us.

use async_trait::async_trait;

use crate::error::AppError;

#[async_trait]
pub trait IdentityProvider: Send + Sync {
    /// Where to send the browser, and what to remember until it comes back.
    async fn authorization_url(
        &self,
        ask: AuthorizationRequest,
    ) -> Result<AuthorizationRedirect, IdentityError>;

    /// Exchanges the code for an ID token and checks all of it: signature, issuer, audience, expiry,
    /// nonce, verified e-mail.
    async fn exchange_code(&self, answer: AuthorizationCallback)
    -> Result<Identity, IdentityError>;
}

#[derive(Debug, Clone)]
pub struct AuthorizationRequest {
    /// Where the provider sends the browser back to.
    pub redirect_uri: String,
    /// An e-mail address that the provider may suggest.
    pub login_hint: Option<String>,
}

#[derive(Debug, Clone)]
pub struct AuthorizationRedirect {
    pub url: String,
    pub state: String,
    pub nonce: String,
    pub pkce_verifier: String,
}

#[derive(Debug, Clone)]
pub struct AuthorizationCallback {
    pub redirect_uri: String,
    pub code: String,
    pub nonce: String,
    pub pkce_verifier: String,
}

/// A person at the provider: `issuer` and `subject` together are the person, never the e-mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    pub issuer: String,
    pub subject: String,
    pub email: String,
    pub name: Option<String>,
    pub picture: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// The provider, or whoever pretends to be it, did not prove who this is.
    #[error("sign-in refused: {0}")]
    Rejected(String),
    #[error("the sign-in provider cannot be reached")]
    Unreachable(#[source] anyhow::Error),
}

impl From<IdentityError> for AppError {
    fn from(error: IdentityError) -> AppError {
        match error {
            IdentityError::Rejected(_) => AppError {
                source: Some(error.into()),
                ..AppError::not_authenticated()
            },
            IdentityError::Unreachable(_) => AppError {
                source: Some(error.into()),
                ..AppError::new(
                    crate::ErrorCode::Unavailable,
                    "Google sign-in cannot be reached right now. Please try again.",
                )
            },
        }
    }
}
