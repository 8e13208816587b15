//! Two RSA keys, with which the tests sign tokens as Google does. Made with `openssl genpkey -algorithm RSA -outform DER`;
//! they protect nothing.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::rsa::PublicKeyComponents;
use ring::signature::{KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair};
use serde_json::{Value, json};

use super::fake_server::forge;

pub(super) struct SigningKey {
    id: &'static str,
    pair: RsaKeyPair,
}

/// The fake provider's key.
pub(super) fn known_key() -> &'static SigningKey {
    static KEY: LazyLock<SigningKey> =
        LazyLock::new(|| SigningKey::new("known", include_bytes!("known_key.der")));
    &KEY
}

pub(super) fn other_key() -> &'static SigningKey {
    static KEY: LazyLock<SigningKey> =
        LazyLock::new(|| SigningKey::new("other", include_bytes!("other_key.der")));
    &KEY
}

impl SigningKey {
    fn new(id: &'static str, der: &[u8]) -> SigningKey {
        let pair = RsaKeyPair::from_der(der).unwrap();
        SigningKey { id, pair }
    }

    pub(super) fn public_jwk(&self) -> Value {
        let public = PublicKeyComponents::<Vec<u8>>::from(self.pair.public_key());
        json!({
            "kty": "RSA",
            "use": "sig",
            "alg": "RS256",
            "kid": self.id,
            "n": URL_SAFE_NO_PAD.encode(public.n),
            "e": URL_SAFE_NO_PAD.encode(public.e),
        })
    }

    /// A JSON web token with these claims.
    pub(super) fn sign(&self, claims: &Value) -> String {
        let header = json!({ "alg": "RS256", "typ": "JWT", "kid": self.id });
        forge(header, claims, |signed| self.signature(signed))
    }

    pub(super) fn signature(&self, message: &str) -> Vec<u8> {
        let mut signature = vec![0; self.pair.public().modulus_len()];
        self.pair
            .sign(
                &RSA_PKCS1_SHA256,
                &SystemRandom::new(),
                message.as_bytes(),
                &mut signature,
            )
            .unwrap();
        signature
    }
}
