//! The sandbox's RSA key, generated from a seed on first use, on a blocking thread.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng as _;
use rsa::sha2::Sha256;
use rsa::traits::PublicKeyParts as _;
use rsa::{Pkcs1v15Sign, RsaPrivateKey};
use serde_json::{Value, json};
use sha2::Digest as _;
use tokio::sync::OnceCell;

const BITS: usize = 2048;

/// Shops with the same secret have the same key. It is generated once per process, because that
/// takes up to a second and the tests start hundreds of shops.
static KEY_CACHE: Mutex<Vec<([u8; 32], Arc<SigningKey>)>> = Mutex::new(Vec::new());

pub struct LazySigningKey {
    seed: [u8; 32],
    key: OnceCell<Arc<SigningKey>>,
}

impl LazySigningKey {
    pub fn new(seed: [u8; 32]) -> LazySigningKey {
        LazySigningKey {
            seed,
            key: OnceCell::new(),
        }
    }

    pub async fn get(&self) -> anyhow::Result<&SigningKey> {
        let seed = self.seed;
        self.key
            .get_or_try_init(|| async move {
                tokio::task::spawn_blocking(move || SigningKey::cached(seed))
                    .await
                    .context("making the sandbox's signing key")?
            })
            .await
            .map(|key| &**key)
    }
}

pub struct SigningKey {
    id: String,
    private: RsaPrivateKey,
}

impl SigningKey {
    fn cached(seed: [u8; 32]) -> anyhow::Result<Arc<SigningKey>> {
        let mut cache = KEY_CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, key)) = cache.iter().find(|(of, _)| *of == seed) {
            return Ok(Arc::clone(key));
        }
        let key = Arc::new(SigningKey::from_seed(seed)?);
        cache.push((seed, Arc::clone(&key)));
        Ok(key)
    }

    fn from_seed(seed: [u8; 32]) -> anyhow::Result<SigningKey> {
        let private = RsaPrivateKey::new(&mut ChaCha20Rng::from_seed(seed), BITS)?;
        let id = base16ct::lower::encode_string(&Sha256::digest(private.n().to_bytes_be())[..8]);
        Ok(SigningKey { id, private })
    }

    pub fn public_jwk(&self) -> Value {
        json!({
            "kty": "RSA",
            "use": "sig",
            "alg": "RS256",
            "kid": self.id,
            "n": URL_SAFE_NO_PAD.encode(self.private.n().to_bytes_be()),
            "e": URL_SAFE_NO_PAD.encode(self.private.e().to_bytes_be()),
        })
    }

    /// A JSON web token with these claims, signed with RS256.
    pub fn sign(&self, claims: &Value) -> anyhow::Result<String> {
        let header = json!({ "alg": "RS256", "typ": "JWT", "kid": self.id });
        let part = |json: &Value| URL_SAFE_NO_PAD.encode(json.to_string());
        let signed = format!("{}.{}", part(&header), part(claims));
        let signature = self.signature(&signed)?;
        Ok(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }

    pub fn signature(&self, message: &str) -> anyhow::Result<Vec<u8>> {
        let digest = Sha256::digest(message);
        Ok(self.private.sign(Pkcs1v15Sign::new::<Sha256>(), &digest)?)
    }
}

#[cfg(test)]
mod tests {
    use super::SigningKey;

    #[test]
    fn same_seed_gives_same_key() {
        let jwk = |seed| SigningKey::from_seed([seed; 32]).unwrap().public_jwk();
        assert_eq!(jwk(3), jwk(3));
        assert_ne!(jwk(3)["n"], jwk(4)["n"]);
        assert_ne!(jwk(3)["kid"], jwk(4)["kid"]);
    }
}
