//! Refunds, one file per step:
//!
//! 1. `request`: what a customer or an admin asks for is checked and stored.
//! 2. `restocking`: whether packs of the order can come back into stock.
//! 3. `send`: the worker that sends refunds to the gateway and polls them.

mod request;
mod restocking;
pub mod send;

pub use crate::refunds::request::RefundInput;
pub(crate) use crate::refunds::request::payment_left;
pub(crate) use crate::refunds::restocking::{not_in_shop, read_whereabouts};
