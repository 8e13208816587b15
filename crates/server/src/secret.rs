//! Settings that must not be shown: passwords, tokens, and URLs that contain a password.

use serde::de::{Deserialize, Deserializer, Error as _};

/// `Debug` prints only whether it is set, so that a configuration can be logged.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secret(String);

/// The error of a derived implementation quotes the value.
impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Secret, D::Error> {
        let text = String::deserialize(deserializer);
        text.map(Secret)
            .map_err(|_| D::Error::custom("must be a text in quotes"))
    }
}

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
