//! Payments with PhonePe's Standard Checkout v2.

mod phonepe;
#[cfg(test)]
mod tests;

pub use phonepe::{PhonePe, PhonePeConfigError, PhonePeSettings};

/// Ids of payment attempts and refunds are chosen by the shop, within PhonePe's rules.
fn is_valid_merchant_id(text: &str) -> bool {
    (1..=63).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// reqwest panics without a crypto provider. The server installs one at its start; a test may not.
fn ensure_tls_provider() {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        let _ = rustls::crypto::ring::default_provider().install_default();
    }
}
