//! Sign-in with Google by OpenID Connect.

mod google;
#[cfg(test)]
mod tests;

pub use google::{GoogleConfigError, GoogleSettings, GoogleSignIn};
