//! Signed payloads: JSON with a MAC. The sandbox issues them and verifies them later without
//! storing them. They are not encrypted.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::Sha256;

pub(super) struct PayloadSigner {
    key: [u8; 32],
}

impl PayloadSigner {
    pub(super) fn new(key: [u8; 32]) -> PayloadSigner {
        PayloadSigner { key }
    }

    pub(super) fn sign<T: Serialize>(&self, content: &T) -> Result<String, serde_json::Error> {
        let content = URL_SAFE_NO_PAD.encode(serde_json::to_vec(content)?);
        let tag =
            URL_SAFE_NO_PAD.encode(mac(&self.key, content.as_bytes()).finalize().into_bytes());
        Ok(format!("{content}.{tag}"))
    }

    pub(super) fn verify<T: DeserializeOwned>(&self, signed: &str) -> Option<T> {
        let (content, tag) = signed.split_once('.')?;
        let tag = URL_SAFE_NO_PAD.decode(tag).ok()?;
        mac(&self.key, content.as_bytes()).verify_slice(&tag).ok()?;
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(content).ok()?).ok()
    }
}

/// A separate key for each purpose.
pub(super) fn derive(secret: &[u8; 32], purpose: &str) -> [u8; 32] {
    let text = format!("sandbox google: {purpose}");
    mac(secret, text.as_bytes()).finalize().into_bytes().into()
}

fn mac(key: &[u8; 32], message: &[u8]) -> Hmac<Sha256> {
    // HMAC pads a short key with zeros to the block size. Done here, the constructor cannot fail.
    let mut block = [0; 64];
    block[..32].copy_from_slice(key);
    <Hmac<Sha256> as hmac::digest::KeyInit>::new(&block.into()).chain_update(message)
}

#[cfg(test)]
mod tests {
    use super::{PayloadSigner, derive};

    #[test]
    fn verify_rejects_foreign_and_changed_payloads() {
        let (ours, other) = (PayloadSigner::new([1; 32]), PayloadSigner::new([2; 32]));
        let signed = ours.sign(&"hello").unwrap();
        assert_eq!(ours.verify::<String>(&signed).as_deref(), Some("hello"));
        assert_eq!(other.verify::<String>(&signed), None);
        assert_eq!(ours.verify::<String>(&format!("x{signed}")), None);
        assert_eq!(
            ours.verify::<String>(signed.split('.').next().unwrap()),
            None
        );
        assert_eq!(ours.verify::<String>(""), None);
    }

    #[test]
    fn derive_gives_one_key_per_purpose() {
        assert_ne!(derive(&[1; 32], "a"), derive(&[1; 32], "b"));
        assert_ne!(derive(&[1; 32], "a"), derive(&[2; 32], "a"));
    }
}
