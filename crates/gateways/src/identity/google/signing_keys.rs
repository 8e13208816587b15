//! The provider's public keys (RFC 7517) and their signatures (RFC 7518 and 8037), verified by ring.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents,
    UnparsedPublicKey,
};
use serde::Deserialize;

/// Public-key signatures only. A shared secret (HS256) or no signature (none) proves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Algorithm {
    Rs256,
    Es256,
    EdDsa,
}

impl Algorithm {
    pub(super) fn parse(name: &str) -> Option<Algorithm> {
        match name {
            "RS256" => Some(Algorithm::Rs256),
            "ES256" => Some(Algorithm::Es256),
            "EdDSA" => Some(Algorithm::EdDsa),
            _ => None,
        }
    }
}

/// A key that signs with one of the algorithms.
pub(super) struct SigningKey {
    id: Option<String>,
    material: KeyMaterial,
}

/// Public keys as ring takes them.
enum KeyMaterial {
    Rsa { n: Vec<u8>, e: Vec<u8> },
    P256(Vec<u8>),
    Ed25519(Vec<u8>),
}

#[derive(Deserialize)]
struct Jwk {
    kty: String,
    kid: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    alg: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

impl SigningKey {
    /// None for keys of another type or purpose, and for invalid ones.
    pub(super) fn parse(json: serde_json::Value) -> Option<SigningKey> {
        let jwk: Jwk = serde_json::from_value(json).ok()?;
        if jwk.purpose.is_some_and(|purpose| purpose != "sig") {
            return None;
        }
        let material = match (jwk.kty.as_str(), jwk.crv.as_deref()) {
            ("RSA", _) => KeyMaterial::Rsa {
                n: number(jwk.n)?,
                e: number(jwk.e)?,
            },
            ("EC", Some("P-256")) => {
                let (x, y) = (bytes(jwk.x)?, bytes(jwk.y)?);
                // 4: the point is not compressed.
                KeyMaterial::P256([&[4], x.as_slice(), y.as_slice()].concat())
            }
            ("OKP", Some("Ed25519")) => KeyMaterial::Ed25519(bytes(jwk.x)?),
            _ => return None,
        };
        let key = SigningKey {
            id: jwk.kid,
            material,
        };
        let is_for_key = |name: String| Algorithm::parse(&name) == Some(key.algorithm());
        jwk.alg.is_none_or(is_for_key).then_some(key)
    }

    pub(super) fn has_id(&self, id: &str) -> bool {
        self.id.as_deref() == Some(id)
    }

    pub(super) fn algorithm(&self) -> Algorithm {
        match self.material {
            KeyMaterial::Rsa { .. } => Algorithm::Rs256,
            KeyMaterial::P256(_) => Algorithm::Es256,
            KeyMaterial::Ed25519(_) => Algorithm::EdDsa,
        }
    }

    pub(super) fn has_signed(&self, message: &[u8], signature: &[u8]) -> bool {
        let verified = match &self.material {
            KeyMaterial::Rsa { n, e } => RsaPublicKeyComponents { n, e }.verify(
                &RSA_PKCS1_2048_8192_SHA256,
                message,
                signature,
            ),
            KeyMaterial::P256(point) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(message, signature)
            }
            KeyMaterial::Ed25519(point) => {
                UnparsedPublicKey::new(&ED25519, point).verify(message, signature)
            }
        };
        verified.is_ok()
    }
}

fn bytes(encoded: Option<String>) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(encoded?).ok()
}

/// Without leading zeros, which some providers send and ring rejects.
fn number(encoded: Option<String>) -> Option<Vec<u8>> {
    let bytes = bytes(encoded)?;
    let start = bytes.iter().position(|byte| *byte != 0)?;
    Some(bytes.get(start..)?.to_vec())
}
