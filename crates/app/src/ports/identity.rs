//! Identities from an OpenID Connect provider (Google).

use async_trait::async_trait;

use crate::error::AppError;

#[async_trait]
pub trait IdentityProvider: Send + Sync {
    /// The URL to redirect the browser to, and what to store until it returns.
    async fn authorization_url(
        &self,
        request: AuthorizationRequest,
    ) -> Result<AuthorizationRedirect, IdentityError>;

    /// Exchanges the code for an ID token and verifies its signature, issuer, audience, expiry, nonce and verified
    /// email.
    async fn exchange_code(
        &self,
        callback: AuthorizationCallback,
    ) -> Result<Identity, IdentityError>;
}

#[derive(Debug, Clone)]
pub struct AuthorizationRequest {
    /// The URL to which the provider redirects the browser.
    pub redirect_uri: String,
    /// An email address that the provider may preselect.
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

/// A user of the provider, identified by `issuer` and `subject`, never by the email.
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
    /// The response does not prove the identity.
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
