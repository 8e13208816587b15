//! What the provider says about itself, asked once and remembered: its endpoints, its signing
//! algorithms and its keys.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use anyhow::anyhow;
use mirasa_app::ports::clock::Clock;
use mirasa_app::ports::identity::IdentityError;
use oauth2::{AuthUrl, TokenUrl};
use openidconnect::core::{CoreJsonWebKeySet, CoreJwsSigningAlgorithm, CoreProviderMetadata};
use openidconnect::{DiscoveryError, IssuerUrl};
use tokio::sync::Mutex;

use super::http_client::{HttpFault, ProviderHttp};

const KEEP_MS: i64 = 60 * 60 * 1000;
/// A key that we do not know makes us ask again, but not for every such token that comes in.
const ASK_AGAIN_MS: i64 = 10 * 1000;

pub(super) struct Known {
    pub(super) authorization_endpoint: AuthUrl,
    pub(super) token_endpoint: TokenUrl,
    pub(super) algorithms: Vec<CoreJwsSigningAlgorithm>,
    pub(super) keys: CoreJsonWebKeySet,
    asked_at_ms: i64,
}

pub(super) struct Provider {
    issuer: IssuerUrl,
    clock: Arc<dyn Clock>,
    known: RwLock<Option<Arc<Known>>>,
    /// Held by the one who asks; the others wait for that answer instead of asking too.
    asking: Mutex<()>,
    failures: AtomicU64,
}

impl Provider {
    pub(super) fn new(issuer: IssuerUrl, clock: Arc<dyn Clock>) -> Provider {
        Provider {
            issuer,
            clock,
            known: RwLock::new(None),
            asking: Mutex::new(()),
            failures: AtomicU64::new(0),
        }
    }

    pub(super) async fn known(&self, http: &ProviderHttp) -> Result<Arc<Known>, IdentityError> {
        let now_ms = self.clock.now_ms();
        self.known_if(http, |known| now_ms - known.asked_at_ms < KEEP_MS)
            .await
    }

    /// Asks again, unless `old` is only seconds old or somebody has already asked since.
    pub(super) async fn newer_than(
        &self,
        old: &Arc<Known>,
        http: &ProviderHttp,
    ) -> Result<Arc<Known>, IdentityError> {
        let now_ms = self.clock.now_ms();
        self.known_if(http, |known| {
            !Arc::ptr_eq(known, old) || now_ms - known.asked_at_ms < ASK_AGAIN_MS
        })
        .await
    }

    async fn known_if(
        &self,
        http: &ProviderHttp,
        good_enough: impl Fn(&Arc<Known>) -> bool,
    ) -> Result<Arc<Known>, IdentityError> {
        if let Some(known) = self.remembered().filter(&good_enough) {
            return Ok(known);
        }
        let failures = self.failures.load(Ordering::Acquire);
        let _asking = self.asking.lock().await;
        if let Some(known) = self.remembered().filter(&good_enough) {
            return Ok(known);
        }
        if self.failures.load(Ordering::Acquire) != failures {
            // Who waited behind a timeout need not sit through one of their own.
            return Err(IdentityError::Unreachable(anyhow!(
                "the provider did not say what it is a moment ago"
            )));
        }
        let known = match self.ask(http).await {
            Ok(known) => Arc::new(known),
            Err(error) => {
                self.failures.fetch_add(1, Ordering::AcqRel);
                return Err(error);
            }
        };
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Some(known.clone());
        Ok(known)
    }

    fn remembered(&self) -> Option<Arc<Known>> {
        self.known
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    async fn ask(&self, http: &ProviderHttp) -> Result<Known, IdentityError> {
        let asked_at_ms = self.clock.now_ms();
        let found = CoreProviderMetadata::discover_async(self.issuer.clone(), http)
            .await
            .map_err(discovery_failed)?;
        let token_endpoint = found.token_endpoint().cloned().ok_or_else(|| {
            IdentityError::Unreachable(anyhow!("the provider names no token endpoint"))
        })?;
        Ok(Known {
            authorization_endpoint: found.authorization_endpoint().clone(),
            token_endpoint,
            algorithms: acceptable(found.id_token_signing_alg_values_supported()),
            keys: found.jwks().clone(),
            asked_at_ms,
        })
    }
}

/// Public-key signatures alone, and of these what is announced; RS256 every provider must have.
/// A shared secret (HS256) or no signature (none) proves nothing here, whoever announces it.
fn acceptable(announced: &[CoreJwsSigningAlgorithm]) -> Vec<CoreJwsSigningAlgorithm> {
    use CoreJwsSigningAlgorithm::{EcdsaP256Sha256, EdDsa, RsaSsaPkcs1V15Sha256};
    let more = [EcdsaP256Sha256, EdDsa]
        .into_iter()
        .filter(|algorithm| announced.contains(algorithm));
    [RsaSsaPkcs1V15Sha256].into_iter().chain(more).collect()
}

fn discovery_failed(error: DiscoveryError<HttpFault>) -> IdentityError {
    IdentityError::Unreachable(match error {
        DiscoveryError::Request(fault) => {
            anyhow::Error::new(fault).context("asking the provider what it is")
        }
        other => anyhow!("the provider's description of itself is unusable: {other}"),
    })
}
