//! Sign-in with Google by OpenID Connect: the adapter, and the sandbox provider for a shop without
//! Google credentials.

mod google;
pub mod sandbox;
#[cfg(test)]
mod tests;

pub use google::{GoogleConfigError, GoogleSettings, GoogleSignIn};
