//! The access token. It lives for ten days and is renewed one day before its end. Failed logins lock the account, so after
//! one the login rests.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mirasa_app::ports::clock::Clock;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::http_client::{CourierHttp, HttpError};

const RENEW_BEFORE_END_MS: i64 = 24 * 60 * 60_000;
/// If the token does not tell its end.
const DEFAULT_TTL_MS: i64 = 9 * 24 * 60 * 60_000;
/// A wrong clock must not cause a login for each request.
const MIN_TTL_MS: i64 = 60_000;
/// After the partner has refused a login. Accounts are locked for 15 to 60 minutes.
const COOL_DOWN_MS: i64 = 10 * 60_000;

pub(super) struct TokenCache {
    url: String,
    email: String,
    password: String,
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    token: Option<(Arc<str>, i64)>,
    cool_down_until_ms: i64,
}

impl TokenCache {
    pub(super) fn new(
        url: String,
        email: String,
        password: String,
        clock: Arc<dyn Clock>,
    ) -> TokenCache {
        TokenCache {
            url,
            email,
            password,
            clock,
            state: Mutex::default(),
        }
    }

    /// The lock is held while it logs in, so that concurrent requests share one login.
    pub(super) async fn get(&self, http: &CourierHttp) -> Result<Arc<str>, HttpError> {
        let mut state = self.state.lock().await;
        match &state.token {
            Some((token, renew_at_ms)) if self.clock.now_ms() < *renew_at_ms => Ok(token.clone()),
            _ => self.log_in(&mut state, http).await,
        }
    }

    /// Another token than the rejected one.
    pub(super) async fn replace(
        &self,
        rejected: &Arc<str>,
        http: &CourierHttp,
    ) -> Result<Arc<str>, HttpError> {
        let mut state = self.state.lock().await;
        match &state.token {
            Some((token, _)) if !Arc::ptr_eq(token, rejected) => Ok(token.clone()),
            _ => self.log_in(&mut state, http).await,
        }
    }

    async fn log_in(&self, state: &mut State, http: &CourierHttp) -> Result<Arc<str>, HttpError> {
        let no_token = |error| HttpError::NoToken(Box::new(error));
        let now_ms = self.clock.now_ms();
        if now_ms < state.cool_down_until_ms {
            return Err(no_token(HttpError::LoginCoolingDown));
        }
        state.token = None;
        let body = json!({ "email": self.email, "password": self.password });
        let response = http.json(Method::POST, &self.url, "", Some(&body)).await;
        let token = match response {
            Ok(response) => response["token"].as_str().map(Arc::<str>::from),
            Err(error) => {
                if is_refusal(&error) {
                    state.cool_down_until_ms = now_ms + COOL_DOWN_MS;
                }
                return Err(no_token(error));
            }
        };
        let token = token.ok_or_else(|| no_token(HttpError::InvalidBody))?;
        let ttl_ms = lifetime_ms(&token).unwrap_or(DEFAULT_TTL_MS + RENEW_BEFORE_END_MS);
        let renew_at_ms = now_ms + (ttl_ms - RENEW_BEFORE_END_MS).max(MIN_TTL_MS);
        state.token = Some((token.clone(), renew_at_ms));
        Ok(token)
    }
}

/// A server error or a lost connection does not lock the account.
fn is_refusal(error: &HttpError) -> bool {
    matches!(error, HttpError::Status { status, .. }
        if status.is_client_error() && *status != StatusCode::TOO_MANY_REQUESTS)
}

/// From the claims of the token. Its clock may differ from ours, so only the difference counts.
fn lifetime_ms(token: &str) -> Option<i64> {
    let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1)?).ok()?;
    let claims: Value = serde_json::from_slice(&claims).ok()?;
    let seconds = claims["exp"]
        .as_i64()?
        .checked_sub(claims["iat"].as_i64()?)?;
    seconds.checked_mul(1000)
}
