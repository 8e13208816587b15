//! The outside world as the shop wants to see it. Each port has its adapters elsewhere.

pub mod admin;
pub mod clock;
pub mod identity;
pub mod images;
pub mod limits;
pub mod mail;
pub mod orders;
pub mod payment;
pub mod pincodes;
pub mod privacy;
pub mod reservations;
pub mod storage;
