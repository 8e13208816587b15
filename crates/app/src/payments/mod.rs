//! An order from checkout to settlement, one file per step:
//!
//! 1. `checkout`: finds or places the order for a cart, or for a failed order that is paid again. `checkout_step` is
//!    what its transaction returns.
//! 2. `place_order`: writes the order and its payment attempt and reserves the stock, in one transaction.
//! 3. `create_payment`: requests a payment page from the gateway, after that transaction.
//! 4. `poll`: queries the state of a payment: after a webhook, for a customer who has returned, and regularly for all
//!    payments that are due.
//! 5. `settle`: applies the result to the order, once, whichever source reported it. `mirasa_domain::settlement` decides
//!    what changes, and when a payment without a result is polled again.
//! 6. `end_order`: ends an order that is not paid and releases its stock.
//!
//! `reservations` is for admins: what unpaid orders hold, and releasing it.

pub mod checkout;
mod checkout_step;
mod create_payment;
pub(crate) mod end_order;
mod payment_metrics;
mod place_order;
pub mod poll;
pub mod reservations;
pub mod settle;
