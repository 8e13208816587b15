//! Secrets: random tokens of which the server stores only a hash, and shared secrets of the configuration.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq as _;

use crate::ports::clock::IdGenerator;

/// A random token in a browser's cookie. `Debug` does not print it, so it is never logged.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    pub fn generate(ids: &dyn IdGenerator) -> Secret {
        Secret(URL_SAFE_NO_PAD.encode(ids.random_bytes()))
    }

    /// A token that can be computed again from both secrets, and not from one of them.
    pub fn combine(&self, other: &str) -> Secret {
        let digest = Sha256::new()
            .chain_update(self.0.as_bytes())
            .chain_update([0])
            .chain_update(other.as_bytes())
            .finalize();
        Secret(URL_SAFE_NO_PAD.encode(digest))
    }

    pub fn from_text(text: &str) -> Secret {
        Secret(text.to_owned())
    }

    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The stored form. The token cannot be derived from it.
    pub fn hash(&self) -> String {
        base16ct::lower::encode_string(&Sha256::digest(self.0.as_bytes()))
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

/// A secret that both sides know, such as the metrics token. It cannot be compared with `==`, whose duration reveals
/// how many characters of a guess are right:
///
/// ```compile_fail
/// use mirasa_app::secret::SharedSecret;
/// let _ = SharedSecret::new("hush") == SharedSecret::new("hush");
/// ```
pub struct SharedSecret(String);

impl SharedSecret {
    pub fn new(text: impl Into<String>) -> SharedSecret {
        SharedSecret(text.into())
    }

    /// Compares in constant time. An empty secret matches nothing.
    pub fn matches(&self, guess: &str) -> bool {
        !self.0.is_empty() && bool::from(self.0.as_bytes().ct_eq(guess.as_bytes()))
    }
}

impl std::fmt::Debug for SharedSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SharedSecret")
    }
}

/// A text that only the shop can make from `text`. The label separates the uses of the secret.
pub(crate) fn keyed_hash(secret: &[u8; 32], label: &str, text: &str) -> String {
    // A key of any length is valid.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret) else {
        return String::new();
    };
    mac.update(label.as_bytes());
    mac.update(text.as_bytes());
    URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_secret_matches_only_the_whole_text() {
        let secret = SharedSecret::new("let-me-in");
        assert!(secret.matches("let-me-in"));
        for guess in ["", "l", "let-me-i", "let-me-in ", "Let-me-in"] {
            assert!(!secret.matches(guess), "{guess:?}");
        }
        assert!(!SharedSecret::new("").matches(""), "no secret is set");
    }

    #[test]
    fn debug_does_not_print_a_secret() {
        let printed = format!(
            "{:?} {:?}",
            SharedSecret::new("hush"),
            Secret::from_text("hush")
        );
        assert_eq!(printed, "SharedSecret Secret");
    }
}
