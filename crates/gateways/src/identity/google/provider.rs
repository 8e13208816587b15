//! The provider's metadata, fetched once and cached: endpoints, signing algorithms and keys.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use anyhow::anyhow;
use mirasa_app::ports::clock::Clock;
use mirasa_app::ports::identity::IdentityError;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::sync::Mutex;
use url::Url;

use super::http_client::ProviderHttp;
use super::signing_keys::{Algorithm, SigningKey};

const METADATA_TTL_MS: i64 = 60 * 60 * 1000;
/// An unknown key causes a refresh, but not more often than this.
const MIN_REFRESH_INTERVAL_MS: i64 = 10 * 1000;

pub(super) struct ProviderMetadata {
    pub(super) authorization_endpoint: Url,
    pub(super) token_endpoint: String,
    pub(super) algorithms: Vec<Algorithm>,
    pub(super) keys: Vec<SigningKey>,
    fetched_at_ms: i64,
}

/// OpenID Connect Discovery 1.0, section 3: the fields that are used here.
#[derive(Deserialize)]
struct DiscoveryDocument {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    id_token_signing_alg_values_supported: Vec<String>,
}

#[derive(Deserialize)]
struct KeySet {
    keys: Vec<serde_json::Value>,
}

pub(super) struct Provider {
    issuer: String,
    clock: Arc<dyn Clock>,
    metadata: RwLock<Option<Arc<ProviderMetadata>>>,
    /// Held while the metadata is fetched; other callers wait for the result.
    fetch_lock: Mutex<()>,
    failures: AtomicU64,
}

impl Provider {
    pub(super) fn new(issuer: String, clock: Arc<dyn Clock>) -> Provider {
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
        let issuer = self.issuer.trim_end_matches('/');
        let document: DiscoveryDocument =
            fetch_json(http, &format!("{issuer}/.well-known/openid-configuration")).await?;
        if document.issuer != self.issuer {
            return Err(IdentityError::Unreachable(anyhow!(
                "the provider's metadata are those of another issuer"
            )));
        }
        let authorization_endpoint =
            Url::parse(&document.authorization_endpoint).map_err(|error| {
                IdentityError::Unreachable(
                    anyhow::Error::new(error).context("the provider's authorization endpoint"),
                )
            })?;
        let set: KeySet = fetch_json(http, &document.jwks_uri).await?;
        Ok(ProviderMetadata {
            authorization_endpoint,
            token_endpoint: document.token_endpoint,
            algorithms: supported_algorithms(&document.id_token_signing_alg_values_supported),
            keys: set.keys.into_iter().filter_map(SigningKey::parse).collect(),
            fetched_at_ms,
        })
    }
}

async fn fetch_json<T: DeserializeOwned>(
    http: &ProviderHttp,
    url: &str,
) -> Result<T, IdentityError> {
    let body = http.get(url).await.map_err(|error| {
        IdentityError::Unreachable(
            anyhow::Error::new(error).context("requesting the provider's metadata"),
        )
    })?;
    serde_json::from_slice(&body).map_err(|error| {
        IdentityError::Unreachable(
            anyhow::Error::new(error).context("the provider's metadata are invalid"),
        )
    })
}

/// The announced ones that are secure. Every provider must support RS256.
fn supported_algorithms(announced: &[String]) -> Vec<Algorithm> {
    let announced = announced.iter().filter_map(|name| Algorithm::parse(name));
    std::iter::once(Algorithm::Rs256).chain(announced).collect()
}
