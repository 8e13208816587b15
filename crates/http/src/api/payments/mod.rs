//! Checkout, webhooks of providers, and stock that unpaid orders hold.

pub mod reservation_types;
pub mod webhooks;
