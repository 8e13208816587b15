//! What the shop must know to send parcels with Shiprocket.

use std::time::Duration;

/// An account at Shiprocket or at its sandbox.
pub struct ShiprocketAccount {
    /// `https://apiv2.shiprocket.in/v1/external`
    pub base_url: String,
    /// Of the API user, which is not the main account.
    pub email: String,
    pub password: String,
    /// As set for the webhook in Shiprocket's panel.
    pub webhook_token: String,
}

pub struct ShiprocketSettings {
    pub account: ShiprocketAccount,
    /// The nickname of the pickup address.
    pub pickup_location: String,
    pub pickup_pincode: String,
    pub box_size: BoxSize,
    /// For one request, including the whole response.
    pub timeout: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoxSize {
    pub length_cm: u32,
    pub breadth_cm: u32,
    pub height_cm: u32,
}

/// Contains no secrets.
impl std::fmt::Debug for ShiprocketSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ShiprocketSettings")
            .field("base_url", &self.account.base_url)
            .field("pickup_location", &self.pickup_location)
            .finish_non_exhaustive()
    }
}

/// Settings with which no parcel can be sent.
#[derive(Debug, thiserror::Error)]
pub enum ShiprocketConfigError {
    #[error("the delivery partner's address {0:?} is not one")]
    InvalidUrl(String),
    #[error("no HTTP client for parcels")]
    HttpClient(#[source] reqwest::Error),
}
