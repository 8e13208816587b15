//! Sign-in attempts and sessions.

use async_trait::async_trait;
use mirasa_domain::pack::Packs;
use mirasa_domain::product::ProductId;
use mirasa_domain::user::{User, UserId};

use crate::repository::StoreResult;

/// A sign-in that has been started and not finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInAttempt {
    pub state_hash: String,
    /// Binds the attempt to the browser that started it.
    pub browser_token_hash: String,
    pub nonce: String,
    pub pkce_verifier: String,
    pub return_to: String,
    pub add_to_cart: Option<(ProductId, Packs)>,
    pub expires_at_ms: i64,
}

#[derive(Debug, Clone)]
pub struct NewSession {
    pub token_hash: String,
    pub user: UserId,
    pub created_at_ms: i64,
    pub expires_at_ms: i64,
}

#[async_trait]
pub trait SessionQueries: Send {
    async fn user_by_session(&mut self, token_hash: &str, now_ms: i64)
    -> StoreResult<Option<User>>;
}

#[async_trait]
pub trait SessionRepository: Send {
    async fn insert_sign_in_attempt(&mut self, attempt: &SignInAttempt) -> StoreResult<()>;
    /// Deletes and returns the attempt, so that a state can be used only once.
    async fn take_sign_in_attempt(
        &mut self,
        state_hash: &str,
    ) -> StoreResult<Option<SignInAttempt>>;
    async fn insert_session(&mut self, session: &NewSession) -> StoreResult<()>;
    async fn delete_session(&mut self, token_hash: &str) -> StoreResult<()>;
    async fn delete_sessions_of(&mut self, user: &UserId) -> StoreResult<()>;
    /// Deletes expired sessions, expired sign-in attempts and full token buckets.
    async fn delete_expired(&mut self, now_ms: i64) -> StoreResult<u64>;
}
