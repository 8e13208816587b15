//! The provider's metadata, fetched once and cached: endpoints, signing algorithms and keys.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use anyhow::anyhow;
use mirasa_app::ports::clock::Clock;
use mirasa_app::ports::identity::IdentityError;
use oauth2::{AuthUrl, TokenUrl};
use openidconnect::core::{CoreJsonWebKeySet, CoreJwsSigningAlgorithm, CoreProviderMetadata};
use openidconnect::{DiscoveryError, IssuerUrl};
use tokio::sync::Mutex;

use super::http_client::{HttpError, ProviderHttp};

const METADATA_TTL_MS: i64 = 60 * 60 * 1000;
/// An unknown key causes a refresh, but not more often than this.
const MIN_REFRESH_INTERVAL_MS: i64 = 10 * 1000;

pub(super) struct ProviderMetadata {
    pub(super) authorization_endpoint: AuthUrl,
    pub(super) token_endpoint: TokenUrl,
    pub(super) algorithms: Vec<CoreJwsSigningAlgorithm>,
    pub(super) keys: CoreJsonWebKeySet,
    fetched_at_ms: i64,
}

pub(super) struct Provider {
    issuer: IssuerUrl,
    clock: Arc<dyn Clock>,
    metadata: RwLock<Option<Arc<ProviderMetadata>>>,
    /// Held while the metadata is fetched; other callers wait for the result.
    fetch_lock: Mutex<()>,
    failures: AtomicU64,
}

impl Provider {
    pub(super) fn new(issuer: IssuerUrl, clock: Arc<dyn Clock>) -> Provider {
        Provider {
            issuer,
            clock,
            metadata: RwLock::new(None),
            fetch_lock: Mutex::new(()),
            failures: AtomicU64::new(0),
        }
    }

    pub(super) async fn metadata(
        &self,
        http: &ProviderHttp,
    ) -> Result<Arc<ProviderMetadata>, IdentityError> {
        let now_ms = self.clock.now_ms();
        self.metadata_if(http, |metadata| {
            now_ms - metadata.fetched_at_ms < METADATA_TTL_MS
        })
        .await
    }

    /// Fetches the metadata again, unless `current` is only seconds old or has been replaced
    /// meanwhile.
    pub(super) async fn refresh(
        &self,
        current: &Arc<ProviderMetadata>,
        http: &ProviderHttp,
    ) -> Result<Arc<ProviderMetadata>, IdentityError> {
        let now_ms = self.clock.now_ms();
        self.metadata_if(http, |metadata| {
            !Arc::ptr_eq(metadata, current)
                || now_ms - metadata.fetched_at_ms < MIN_REFRESH_INTERVAL_MS
        })
        .await
    }

    async fn metadata_if(
        &self,
        http: &ProviderHttp,
        is_acceptable: impl Fn(&Arc<ProviderMetadata>) -> bool,
    ) -> Result<Arc<ProviderMetadata>, IdentityError> {
        if let Some(metadata) = self.cached().filter(&is_acceptable) {
            return Ok(metadata);
        }
        let failures = self.failures.load(Ordering::Acquire);
        let _guard = self.fetch_lock.lock().await;
        if let Some(metadata) = self.cached().filter(&is_acceptable) {
            return Ok(metadata);
        }
        if self.failures.load(Ordering::Acquire) != failures {
            // The caller has waited for another one's timeout already.
            return Err(IdentityError::Unreachable(anyhow!(
                "the provider did not say what it is a moment ago"
            )));
        }
        let metadata = match self.fetch(http).await {
            Ok(metadata) => Arc::new(metadata),
            Err(error) => {
                self.failures.fetch_add(1, Ordering::AcqRel);
                return Err(error);
            }
        };
        *self
            .metadata
            .write()
            .unwrap_or_else(PoisonError::into_inner) = Some(metadata.clone());
        Ok(metadata)
    }

    fn cached(&self) -> Option<Arc<ProviderMetadata>> {
        self.metadata
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    async fn fetch(&self, http: &ProviderHttp) -> Result<ProviderMetadata, IdentityError> {
        let fetched_at_ms = self.clock.now_ms();
        let document = CoreProviderMetadata::discover_async(self.issuer.clone(), http)
            .await
            .map_err(discovery_failed)?;
        let token_endpoint = document.token_endpoint().cloned().ok_or_else(|| {
            IdentityError::Unreachable(anyhow!("the provider names no token endpoint"))
        })?;
        Ok(ProviderMetadata {
            authorization_endpoint: document.authorization_endpoint().clone(),
            token_endpoint,
            algorithms: supported_algorithms(document.id_token_signing_alg_values_supported()),
            keys: document.jwks().clone(),
            fetched_at_ms,
        })
    }
}

/// Public-key signatures only, and only announced ones; every provider must support RS256. A shared
/// secret (HS256) or no signature (none) proves nothing, even if announced.
fn supported_algorithms(announced: &[CoreJwsSigningAlgorithm]) -> Vec<CoreJwsSigningAlgorithm> {
    use CoreJwsSigningAlgorithm::{EcdsaP256Sha256, EdDsa, RsaSsaPkcs1V15Sha256};
    let more = [EcdsaP256Sha256, EdDsa]
        .into_iter()
        .filter(|algorithm| announced.contains(algorithm));
    [RsaSsaPkcs1V15Sha256].into_iter().chain(more).collect()
}

fn discovery_failed(error: DiscoveryError<HttpError>) -> IdentityError {
    IdentityError::Unreachable(match error {
        DiscoveryError::Request(error) => {
            anyhow::Error::new(error).context("requesting the provider's metadata")
        }
        other => anyhow!("the provider's description of itself is unusable: {other}"),
    })
}
