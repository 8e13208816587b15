//! The sandbox's signing key, derived from a seed: shops with the same secret have the same key.
//!
//! Ed25519, which providers may use beside RS256: an RSA key takes a second and a library to generate.

use anyhow::anyhow;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

pub const ALGORITHM: &str = "EdDSA";

pub struct SigningKey {
    id: String,
    pair: Ed25519KeyPair,
}

impl SigningKey {
    pub fn from_seed(seed: [u8; 32]) -> anyhow::Result<SigningKey> {
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed)
            .map_err(|_| anyhow!("the sandbox's signing key cannot be made"))?;
        let id = base16ct::lower::encode_string(&Sha256::digest(pair.public_key())[..8]);
        Ok(SigningKey { id, pair })
    }

    pub fn public_jwk(&self) -> Value {
        json!({
            "kty": "OKP",
            "crv": "Ed25519",
            "use": "sig",
            "alg": ALGORITHM,
            "kid": self.id,
            "x": URL_SAFE_NO_PAD.encode(self.pair.public_key()),
        })
    }

    /// A JSON web token with these claims.
    pub fn sign(&self, claims: &Value) -> String {
        let header = json!({ "alg": ALGORITHM, "typ": "JWT", "kid": self.id });
        let part = |json: &Value| URL_SAFE_NO_PAD.encode(json.to_string());
        let signed = format!("{}.{}", part(&header), part(claims));
        let signature = self.pair.sign(signed.as_bytes());
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}

#[cfg(test)]
mod tests {
    use super::SigningKey;

    #[test]
    fn same_seed_gives_same_key() {
        let jwk = |seed| SigningKey::from_seed([seed; 32]).unwrap().public_jwk();
        assert_eq!(jwk(3), jwk(3));
        assert_ne!(jwk(3)["x"], jwk(4)["x"]);
        assert_ne!(jwk(3)["kid"], jwk(4)["kid"]);
    }
}
