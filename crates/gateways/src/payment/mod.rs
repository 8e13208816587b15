//! Payment by PhonePe's Standard Checkout v2: the adapter that asks, and the sandbox gateway that
//! answers where no PhonePe is configured. Both speak the protocol over HTTP; neither knows the other.

mod phonepe;
pub mod sandbox;
#[cfg(test)]
mod tests;

pub use phonepe::{PhonePe, PhonePeSettings, Unusable};

/// Attempts and refunds are named by the shop, in PhonePe's alphabet.
fn is_merchant_number(text: &str) -> bool {
    (1..=63).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// reqwest panics without a provider; the program installs one at its start, a test may not.
fn ensure_tls_provider() {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        let _ = rustls::crypto::ring::default_provider().install_default();
    }
}
