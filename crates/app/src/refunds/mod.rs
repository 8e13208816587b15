//! Refunds, one file per step:
//!
//! 1. `plan`: which payment is refunded, and how much of it.
//! 2. `request`: what a customer or an admin asks for is checked and stored. `retry` asks for a failed refund again.
//! 3. `restocking`: whether packs of the order can come back into stock. `restock` puts them there.
//! 4. `send`: the worker that sends refunds to the gateway and polls them.

mod plan;
mod request;
mod restock;
mod restocking;
mod retry;
pub mod send;

pub(crate) use crate::refunds::plan::payment_left;
pub use crate::refunds::request::RefundInput;
pub(crate) use crate::refunds::restocking::{not_in_shop, read_whereabouts};
