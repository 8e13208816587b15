//! The outside services as traits. Their adapters are in other crates.

pub mod clock;
pub mod courier;
pub mod identity;
pub mod images;
pub mod mail;
pub mod payment;
pub mod pincodes;
