//! Secrets that a browser carries: random, and kept on our side only as a hash.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq as _;

use crate::ports::clock::IdGenerator;

/// What the browser gets. Never logged: `Debug` shows nothing of it.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    pub fn generate(ids: &dyn IdGenerator) -> Secret {
        Secret(URL_SAFE_NO_PAD.encode(ids.random_bytes()))
    }

    pub fn from_text(text: &str) -> Secret {
        Secret(text.to_owned())
    }

    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What we keep: knowing it does not let anybody in.
    pub fn hash(&self) -> String {
        base16ct::lower::encode_string(&Sha256::digest(self.0.as_bytes()))
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

/// A secret that both sides know in the clear, such as the metrics' token. It cannot be compared with `==`,
/// which stops at the first letter that differs and so tells a patient stranger how far they have got:
///
/// ```compile_fail
/// use mirasa_app::secret::Password;
/// let _ = Password::new("hush") == Password::new("hush");
/// ```
pub struct SharedSecret(String);

impl SharedSecret {
    pub fn new(text: impl Into<String>) -> SharedSecret {
        SharedSecret(text.into())
    }

    /// Takes as long for a nearly right guess as for a wrong one. An empty password is none, and nobody
    /// knows it.
    pub fn matches(&self, guess: &str) -> bool {
        !self.0.is_empty() && bool::from(self.0.as_bytes().ct_eq(guess.as_bytes()))
    }
}

impl std::fmt::Debug for SharedSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Password")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_password_is_it() {
        let password = SharedSecret::new("let-me-look");
        assert!(password.matches("let-me-look"));
        for guess in ["", "l", "let-me-loo", "let-me-look ", "Let-me-look"] {
            assert!(!password.matches(guess), "{guess:?}");
        }
        assert!(
            !SharedSecret::new("").matches(""),
            "no password lets nobody in"
        );
    }

    #[test]
    fn nothing_of_a_secret_is_shown() {
        let shown = format!(
            "{:?} {:?}",
            SharedSecret::new("hush"),
            Secret::from_text("hush")
        );
        assert_eq!(shown, "Password Secret");
    }
}
