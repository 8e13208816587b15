//! Sign-in with Google by OpenID Connect: the adapter that asks, and the sandbox that answers
//! where no Google is configured. Both speak the protocol over HTTP; neither knows the other.

mod google;
pub mod sandbox;
#[cfg(test)]
mod tests;

pub use google::{GoogleSettings, GoogleSignIn, Unusable};
