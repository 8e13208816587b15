//! Things that the sandbox hands out and must recognise later without having kept them: JSON with a
//! MAC. Readable by anybody, made by nobody else.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::Sha256;

pub(super) struct Seal {
    key: [u8; 32],
}

impl Seal {
    pub(super) fn new(key: [u8; 32]) -> Seal {
        Seal { key }
    }

    pub(super) fn close<T: Serialize>(&self, content: &T) -> Result<String, serde_json::Error> {
        let content = URL_SAFE_NO_PAD.encode(serde_json::to_vec(content)?);
        let tag =
            URL_SAFE_NO_PAD.encode(mac(&self.key, content.as_bytes()).finalize().into_bytes());
        Ok(format!("{content}.{tag}"))
    }

    pub(super) fn open<T: DeserializeOwned>(&self, sealed: &str) -> Option<T> {
        let (content, tag) = sealed.split_once('.')?;
        let tag = URL_SAFE_NO_PAD.decode(tag).ok()?;
        mac(&self.key, content.as_bytes()).verify_slice(&tag).ok()?;
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(content).ok()?).ok()
    }
}

/// A key of its own for each purpose.
pub(super) fn derive(secret: &[u8; 32], purpose: &str) -> [u8; 32] {
    let text = format!("sandbox google: {purpose}");
    mac(secret, text.as_bytes()).finalize().into_bytes().into()
}

fn mac(key: &[u8; 32], message: &[u8]) -> Hmac<Sha256> {
    // HMAC fills a short key with zeros to the hash's block; done here, nothing is left to fail.
    let mut block = [0; 64];
    block[..32].copy_from_slice(key);
    <Hmac<Sha256> as hmac::digest::KeyInit>::new(&block.into()).chain_update(message)
}

#[cfg(test)]
mod tests {
    use super::{Seal, derive};

    #[test]
    fn only_the_own_seal_opens_and_only_unbroken() {
        let (ours, other) = (Seal::new([1; 32]), Seal::new([2; 32]));
        let sealed = ours.close(&"hello").unwrap();
        assert_eq!(ours.open::<String>(&sealed).as_deref(), Some("hello"));
        assert_eq!(other.open::<String>(&sealed), None);
        assert_eq!(ours.open::<String>(&format!("x{sealed}")), None);
        assert_eq!(ours.open::<String>(sealed.split('.').next().unwrap()), None);
        assert_eq!(ours.open::<String>(""), None);
    }

    #[test]
    fn each_purpose_has_its_own_key() {
        assert_ne!(derive(&[1; 32], "a"), derive(&[1; 32], "b"));
        assert_ne!(derive(&[1; 32], "a"), derive(&[2; 32], "a"));
    }
}
