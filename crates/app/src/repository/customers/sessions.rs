//! Sign-in attempts and sessions.

use async_trait::async_trait;
use mirasa_domain::pack::Packs;
use mirasa_domain::product::ProductId;
use mirasa_domain::user::{User, UserId};

use crate::repository::StoreResult;

/// A sign-in that has been started. It is kept for a while after it has ended: browsers may repeat the callback.
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
    pub claim: Option<SignInClaim>,
}

/// The callback that uses the attempt up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInClaim {
    pub at_ms: i64,
    pub code_hash: String,
    /// None while the code is being exchanged.
    pub outcome: Option<SignInOutcome>,
}

/// How a sign-in ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInOutcome {
    /// `added_to_cart` is None if there was no item to add.
    SignedIn {
        added_to_cart: Option<bool>,
    },
    Refused,
    Unavailable,
}

impl SignInOutcome {
    const TEXTS: [(&'static str, SignInOutcome); 5] = [
        (
            "signed_in",
            SignInOutcome::SignedIn {
                added_to_cart: None,
            },
        ),
        (
            "added",
            SignInOutcome::SignedIn {
                added_to_cart: Some(true),
            },
        ),
        (
            "not_added",
            SignInOutcome::SignedIn {
                added_to_cart: Some(false),
            },
        ),
        ("refused", SignInOutcome::Refused),
        ("unavailable", SignInOutcome::Unavailable),
    ];

    pub fn as_str(self) -> &'static str {
        let found = SignInOutcome::TEXTS.iter().find(|(_, one)| *one == self);
        found.map_or("refused", |(text, _)| text)
    }

    pub fn parse(text: &str) -> Option<SignInOutcome> {
        let found = SignInOutcome::TEXTS.iter().find(|(name, _)| *name == text);
        found.map(|(_, outcome)| *outcome)
    }
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
    async fn sign_in_attempt(&mut self, state_hash: &str) -> StoreResult<Option<SignInAttempt>>;
}

#[async_trait]
pub trait SessionRepository: Send {
    async fn insert_sign_in_attempt(&mut self, attempt: &SignInAttempt) -> StoreResult<()>;
    /// False if another callback has claimed the attempt, so that a state is used only once.
    async fn claim_sign_in_attempt(
        &mut self,
        state_hash: &str,
        code_hash: &str,
        now_ms: i64,
    ) -> StoreResult<bool>;
    async fn set_sign_in_outcome(
        &mut self,
        state_hash: &str,
        outcome: SignInOutcome,
    ) -> StoreResult<()>;
    async fn insert_session(&mut self, session: &NewSession) -> StoreResult<()>;
    async fn delete_session(&mut self, token_hash: &str) -> StoreResult<()>;
    async fn delete_sessions_of(&mut self, user: &UserId) -> StoreResult<()>;
    /// Deletes expired sessions, sign-in attempts that expired an hour ago, and full token buckets.
    async fn delete_expired(&mut self, now_ms: i64) -> StoreResult<u64>;
}
