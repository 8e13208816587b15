//! The outside world behind the app's ports: one folder a port, each with its sandbox.

pub mod identity;
pub mod mail;
pub mod payment;
pub mod pictures;
pub mod pincodes;
mod sandbox_page;
