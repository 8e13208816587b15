//! An order's way from the cart to settled money, one file per step:
//!
//! 1. `checkout`: from a cart, or a failed order, to what has to be paid.
//! 2. `place_order`: writes the order and its payment attempt and reserves the stock, in one transaction.
//! 3. `create_payment`: asks the gateway for a payment page, after that transaction.
//! 4. `poll`: asks the gateway for the state of a payment: after a webhook, for a customer who has returned, and
//!    regularly for all payments that are due.
//! 5. `settle`: changes the order once, whatever reported the payment.
//! 6. `refund`: sends refunds to the gateway and polls them.
//! 7. `end_order`: ends an order that is not paid and releases its stock.

pub mod checkout;
mod create_payment;
pub(crate) mod end_order;
mod place_order;
pub mod poll;
mod refund;
pub mod settle;
