//! Secrets that a browser carries: random, and kept on our side only as a hash.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::ports::clock::Ids;

/// What the browser gets. Never logged: `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn fresh(ids: &dyn Ids) -> Secret {
        Secret(URL_SAFE_NO_PAD.encode(ids.random()))
    }

    pub fn from_browser(text: &str) -> Secret {
        Secret(text.to_owned())
    }

    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What we keep: knowing it does not let anybody in.
    pub fn hash(&self) -> String {
        hex::encode(Sha256::digest(self.0.as_bytes()))
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}
