//! Outside services as the shop wants to see them. Each port has its adapters in another crate.

pub mod clock;
pub mod identity;
pub mod images;
pub mod mail;
pub mod payment;
pub mod pincodes;
