//! The callback of a sign-in: the browser returns from the provider with a state and a code. A browser may send it twice,
//! both requests at once, and may drop the first response. Both get the same response; the code is exchanged once.

use std::time::Duration;

use tokio::time::Instant;
use tracing::Instrument as _;

use crate::ports::identity::AuthorizationCallback;
use crate::repository::customers::sessions::{SignInAttempt, SignInOutcome};
use crate::repository::reports::daily_sales::VisitStep;
use crate::secret::Secret;
use crate::{AppError, ErrorKind, Shop};

/// A callback that the same browser repeats within this time gets the response of the first one.
const REPEAT_MS: i64 = 60 * 1000;
/// Longer than an exchange takes. Without an outcome after this time, the process that began it has ended.
const EXCHANGE_MS: i64 = 20 * 1000;
/// The same for one request, whatever happens to the clock.
const EXCHANGE_TIMEOUT: Duration = Duration::from_secs(20);
const OUTCOME_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The result of a callback, and the page on which the visitor is told.
pub struct FinishedSignIn {
    pub return_to: String,
    pub outcome: SignInOutcome,
    /// The new session, if the visitor is signed in.
    pub session: Option<Secret>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallbackStep {
    ExchangeCode,
    /// Another request is exchanging the code.
    Wait,
    Respond(SignInOutcome),
}

/// The state must belong to this browser and not be expired. The first code uses it up.
fn decide(
    attempt: &SignInAttempt,
    browser: Option<&Secret>,
    code_hash: &str,
    now_ms: i64,
) -> CallbackStep {
    let refused = CallbackStep::Respond(SignInOutcome::Refused);
    if browser.is_none_or(|browser| browser.hash() != attempt.browser_token_hash) {
        return refused;
    }
    let Some(claim) = &attempt.claim else {
        return if attempt.expires_at_ms > now_ms {
            CallbackStep::ExchangeCode
        } else {
            refused
        };
    };
    if claim.code_hash != code_hash || claim.at_ms + REPEAT_MS <= now_ms {
        return refused;
    }
    match claim.outcome {
        Some(outcome) => CallbackStep::Respond(outcome),
        None if claim.at_ms + EXCHANGE_MS > now_ms => CallbackStep::Wait,
        None => CallbackStep::Respond(SignInOutcome::Unavailable),
    }
}

impl Shop {
    /// The visitor did not sign in at the provider. The state only says to which page they return.
    pub async fn abandon_sign_in(&self, state: &str) -> FinishedSignIn {
        let attempt = self.attempt(&Secret::from_text(state).hash()).await;
        let return_to = attempt.map(|attempt| attempt.map(|attempt| attempt.return_to));
        FinishedSignIn {
            return_to: return_to.ok().flatten().unwrap_or_else(|| "/".into()),
            outcome: SignInOutcome::Refused,
            session: None,
        }
    }

    /// The visitor returns with a code. The work goes on if the browser drops the connection, because the code can be
    /// exchanged only once.
    pub async fn finish_sign_in(
        &self,
        state: &str,
        code: String,
        browser: Option<Secret>,
    ) -> FinishedSignIn {
        // Without load shedding: a visitor who is refused here would have to start again.
        let (shop, state_hash) = (self.finishing(), Secret::from_text(state).hash());
        let task = async move { shop.run_callback(&state_hash, code, browser).await };
        let finished = tokio::spawn(task.in_current_span()).await;
        let finished = finished.unwrap_or_else(|error| Err(AppError::internal(error)));
        finished.unwrap_or_else(|error| FinishedSignIn {
            return_to: "/".into(),
            outcome: failure(&error),
            session: None,
        })
    }

    /// An error if the attempt is not known.
    async fn run_callback(
        &self,
        state_hash: &str,
        code: String,
        browser: Option<Secret>,
    ) -> Result<FinishedSignIn, AppError> {
        let code_hash = Secret::from_text(&code).hash();
        let give_up_at = Instant::now() + EXCHANGE_TIMEOUT;
        let (attempt, step) = loop {
            let attempt = self.attempt(state_hash).await?;
            let attempt = attempt.ok_or_else(AppError::not_authenticated)?;
            match decide(&attempt, browser.as_ref(), &code_hash, self.now_ms()) {
                CallbackStep::Wait if Instant::now() < give_up_at => {
                    tokio::time::sleep(OUTCOME_POLL_INTERVAL).await;
                }
                CallbackStep::ExchangeCode if !self.claim(state_hash, &code_hash).await? => {}
                step => break (attempt, step),
            }
        };
        // Not stored, so a repeated callback computes it again: from the secret that only the browser has, and from the
        // verifier, which no browser ever gets.
        let session = browser.map(|browser| browser.combine(&attempt.pkce_verifier));
        let return_to = attempt.return_to.clone();
        let outcome = match (step, &session) {
            (CallbackStep::ExchangeCode, Some(session)) => {
                self.exchange_code(attempt, code, session).await
            }
            (CallbackStep::Respond(outcome @ SignInOutcome::SignedIn { .. }), Some(session)) => {
                let is_valid = self.user_for_session(session).await?.is_some();
                if is_valid {
                    outcome
                } else {
                    SignInOutcome::Refused
                }
            }
            (CallbackStep::Respond(outcome), _) => outcome,
            (CallbackStep::Wait, _) => SignInOutcome::Unavailable,
            (CallbackStep::ExchangeCode, None) => SignInOutcome::Refused,
        };
        let is_signed_in = matches!(outcome, SignInOutcome::SignedIn { .. });
        Ok(FinishedSignIn {
            return_to,
            outcome,
            session: session.filter(|_| is_signed_in),
        })
    }

    async fn attempt(&self, state_hash: &str) -> Result<Option<SignInAttempt>, AppError> {
        let state_hash = state_hash.to_owned();
        self.db
            .point_read(async move |db| Ok(db.sign_in_attempt(&state_hash).await?))
            .await
    }

    async fn claim(&self, state_hash: &str, code_hash: &str) -> Result<bool, AppError> {
        let (state_hash, code_hash) = (state_hash.to_owned(), code_hash.to_owned());
        let now_ms = self.now_ms();
        self.db
            .write(async move |tx| {
                let claim = tx.claim_sign_in_attempt(&state_hash, &code_hash, now_ms);
                Ok(claim.await?)
            })
            .await
    }

    /// Signs the user in and stores the outcome for requests that wait for it. If it cannot be stored, only these fail.
    async fn exchange_code(
        &self,
        attempt: SignInAttempt,
        code: String,
        session: &Secret,
    ) -> SignInOutcome {
        let state_hash = attempt.state_hash.clone();
        let outcome = match self.sign_in_with_code(attempt, code, session).await {
            Ok(added_to_cart) => SignInOutcome::SignedIn { added_to_cart },
            Err(error) => failure(&error),
        };
        let stored = self
            .db
            .write(async move |tx| tx.set_sign_in_outcome(&state_hash, outcome).await)
            .await;
        if let Err(error) = stored {
            tracing::warn!(?error, "the outcome of a sign-in was not stored");
        }
        outcome
    }

    /// Whether the intended item was added to the cart. None if there was no item.
    async fn sign_in_with_code(
        &self,
        attempt: SignInAttempt,
        code: String,
        session: &Secret,
    ) -> Result<Option<bool>, AppError> {
        let identity = self
            .identity
            .exchange_code(AuthorizationCallback {
                redirect_uri: self.callback_url(),
                code,
                nonce: attempt.nonce,
                pkce_verifier: attempt.pkce_verifier,
            })
            .await?;
        let user = self.open_session(identity, session).await?;
        let Some((product, packs)) = attempt.add_to_cart else {
            return Ok(None);
        };
        let is_added = self.add_intended_item(user, product, packs).await;
        if is_added {
            self.visits.add(VisitStep::Cart);
        }
        Ok(Some(is_added))
    }
}

fn failure(error: &AppError) -> SignInOutcome {
    tracing::warn!(error = ?error.source, "sign-in failed: {}", error.message);
    match error.kind() {
        ErrorKind::Unavailable | ErrorKind::Busy => SignInOutcome::Unavailable,
        _ => SignInOutcome::Refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::customers::sessions::SignInClaim;

    const SIGNED_IN: SignInOutcome = SignInOutcome::SignedIn {
        added_to_cart: Some(true),
    };

    fn attempt(claim: Option<(i64, Option<SignInOutcome>)>) -> SignInAttempt {
        SignInAttempt {
            state_hash: "state".into(),
            browser_token_hash: Secret::from_text("browser").hash(),
            nonce: String::new(),
            pkce_verifier: String::new(),
            return_to: "/".into(),
            add_to_cart: None,
            expires_at_ms: 600_000,
            claim: claim.map(|(at_ms, outcome)| SignInClaim {
                at_ms,
                code_hash: "code".into(),
                outcome,
            }),
        }
    }

    fn step(claim: Option<(i64, Option<SignInOutcome>)>, now_ms: i64) -> CallbackStep {
        let browser = Secret::from_text("browser");
        decide(&attempt(claim), Some(&browser), "code", now_ms)
    }

    #[test]
    fn callback_is_claimed_once_and_repeated_for_a_minute() {
        use CallbackStep::{ExchangeCode, Respond, Wait};
        let refused = Respond(SignInOutcome::Refused);
        assert_eq!(step(None, 599_999), ExchangeCode);
        assert_eq!(step(None, 600_000), refused, "expired");
        assert_eq!(step(Some((1000, None)), 1001), Wait);
        let lost = Respond(SignInOutcome::Unavailable);
        assert_eq!(step(Some((1000, None)), 21_000), lost, "the process ended");
        // At the provider until the last moment: the repetition comes after the attempt has expired.
        let done = Some((599_999, Some(SIGNED_IN)));
        assert_eq!(step(done, 659_998), Respond(SIGNED_IN));
        assert_eq!(step(done, 659_999), refused);
    }

    #[test]
    fn callback_needs_the_same_browser_and_the_same_code() {
        let refused = CallbackStep::Respond(SignInOutcome::Refused);
        let other = Secret::from_text("other");
        let browser = Secret::from_text("browser");
        for claim in [None, Some((1, None)), Some((1, Some(SIGNED_IN)))] {
            let attempt = attempt(claim);
            assert_eq!(decide(&attempt, None, "code", 2), refused);
            assert_eq!(decide(&attempt, Some(&other), "code", 2), refused);
            if claim.is_some() {
                assert_eq!(decide(&attempt, Some(&browser), "another", 2), refused);
            }
        }
    }
}
