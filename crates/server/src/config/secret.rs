//! A setting that must not be shown: passwords, tokens, and addresses that contain a password.

use serde::Deserialize;

/// `Debug` prints only whether it is set, so that a configuration can be logged.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text itself, for the adapter that needs it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Secret {
        Secret(text.to_owned())
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Secret {
        Secret(text)
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.is_empty() { "(empty)" } else { "(set)" })
    }
}
