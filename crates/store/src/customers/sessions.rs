//! Sign-in attempts and sessions.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::customers::sessions::{
    NewSession, SessionQueries, SessionRepository, SignInAttempt, SignInClaim, SignInOutcome,
};
use mirasa_domain::pack::Packs;
use mirasa_domain::product::ProductId;
use mirasa_domain::user::{User, UserId};

use crate::customers::UserRow;
use crate::sql::engine::{SqlRepository, to_u32};
use crate::sql::query::query;
use crate::sql::row::row;

row! {
    struct AttemptRow {
        state_hash: String,
        browser_hash: String,
        nonce: String,
        pkce_verifier: String,
        return_to: String,
        wanted_product: Option<String>,
        wanted_50g: i64,
        wanted_100g: i64,
        expires_at: i64,
        claimed_at: Option<i64>,
        code_hash: Option<String>,
        outcome: Option<String>,
    }
}

impl AttemptRow {
    fn into_attempt(self) -> SignInAttempt {
        let packs = Packs {
            of_50g: to_u32(self.wanted_50g),
            of_100g: to_u32(self.wanted_100g),
        };
        SignInAttempt {
            state_hash: self.state_hash,
            browser_token_hash: self.browser_hash,
            nonce: self.nonce,
            pkce_verifier: self.pkce_verifier,
            return_to: self.return_to,
            add_to_cart: self
                .wanted_product
                .map(|product| (ProductId(product), packs)),
            expires_at_ms: self.expires_at,
            claim: self.claimed_at.map(|at_ms| SignInClaim {
                at_ms,
                code_hash: self.code_hash.unwrap_or_default(),
                outcome: self.outcome.as_deref().and_then(SignInOutcome::parse),
            }),
        }
    }
}

/// An expired attempt still says to which page the visitor returns.
const KEEP_ATTEMPTS_MS: i64 = 60 * 60 * 1000;

const SESSION_USER: &str = "select u.* from sessions s join users u on u.id = s.user_id
    where s.token_hash = $1 and s.expires_at > $2 and u.deleted_at is null";

const INSERT_ATTEMPT: &str = "insert into sign_in_attempts
    (state_hash, browser_hash, nonce, pkce_verifier, return_to, wanted_product, wanted_50g, wanted_100g, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

#[async_trait]
impl SessionQueries for SqlRepository<'_> {
    async fn user_by_session(
        &mut self,
        token_hash: &str,
        now_ms: i64,
    ) -> StoreResult<Option<User>> {
        let row = self
            .fetch_optional::<UserRow>(query(SESSION_USER).bind(token_hash).bind(now_ms))
            .await?;
        row.map(UserRow::into_user).transpose()
    }

    async fn sign_in_attempt(&mut self, state_hash: &str) -> StoreResult<Option<SignInAttempt>> {
        const FIND: &str = "select * from sign_in_attempts where state_hash = $1";
        let row = self
            .fetch_optional::<AttemptRow>(query(FIND).bind(state_hash))
            .await?;
        Ok(row.map(AttemptRow::into_attempt))
    }
}

#[async_trait]
impl SessionRepository for SqlRepository<'_> {
    async fn insert_sign_in_attempt(&mut self, attempt: &SignInAttempt) -> StoreResult<()> {
        let packs = attempt
            .add_to_cart
            .as_ref()
            .map_or(Packs::ZERO, |(_, packs)| *packs);
        self.execute_deferred(
            query(INSERT_ATTEMPT)
                .bind(&attempt.state_hash)
                .bind(&attempt.browser_token_hash)
                .bind(&attempt.nonce)
                .bind(&attempt.pkce_verifier)
                .bind(&attempt.return_to)
                .bind(
                    attempt
                        .add_to_cart
                        .as_ref()
                        .map(|(product, _)| product.0.as_str()),
                )
                .bind(i64::from(packs.of_50g))
                .bind(i64::from(packs.of_100g))
                .bind(attempt.expires_at_ms),
        )
        .await
    }

    async fn claim_sign_in_attempt(
        &mut self,
        state_hash: &str,
        code_hash: &str,
        now_ms: i64,
    ) -> StoreResult<bool> {
        const CLAIM: &str = "update sign_in_attempts set claimed_at = $2, code_hash = $3
            where state_hash = $1 and claimed_at is null";
        let claim = query(CLAIM).bind(state_hash).bind(now_ms).bind(code_hash);
        Ok(self.execute(claim).await? == 1)
    }

    async fn set_sign_in_outcome(
        &mut self,
        state_hash: &str,
        outcome: SignInOutcome,
    ) -> StoreResult<()> {
        const SET: &str = "update sign_in_attempts set outcome = $2 where state_hash = $1";
        self.execute_deferred(query(SET).bind(state_hash).bind(outcome.as_str()))
            .await
    }

    async fn insert_session(&mut self, session: &NewSession) -> StoreResult<()> {
        const INSERT: &str = "insert into sessions (token_hash, user_id, created_at, expires_at) values ($1, $2, $3, $4)";
        let insert = query(INSERT)
            .bind(&session.token_hash)
            .bind(&session.user.0)
            .bind(session.created_at_ms)
            .bind(session.expires_at_ms);
        self.execute_deferred(insert).await
    }

    async fn delete_session(&mut self, token_hash: &str) -> StoreResult<()> {
        self.execute_deferred(query("delete from sessions where token_hash = $1").bind(token_hash))
            .await
    }

    async fn delete_sessions_of(&mut self, user: &UserId) -> StoreResult<()> {
        self.execute_deferred(query("delete from sessions where user_id = $1").bind(&user.0))
            .await
    }

    async fn delete_expired(&mut self, now_ms: i64) -> StoreResult<u64> {
        let sessions = self
            .execute(query("delete from sessions where expires_at <= $1").bind(now_ms))
            .await?;
        let attempts = self
            .execute(
                query("delete from sign_in_attempts where expires_at <= $1")
                    .bind(now_ms - KEEP_ATTEMPTS_MS),
            )
            .await?;
        let buckets = self
            .execute(query("delete from call_buckets where full_at <= $1").bind(now_ms))
            .await?;
        Ok(sessions + attempts + buckets)
    }
}
