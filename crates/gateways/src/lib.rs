//! Adapters for the outside services behind the ports of `mirasa_app`: one module for each port.

pub mod courier;
pub mod identity;
pub mod mail;
pub mod payment;
pub mod pincodes;
