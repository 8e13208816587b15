//! Goods and services tax: registration numbers, states, rates and the arithmetic of prices that include tax.

mod gstin;
mod rate;
mod split;
mod state;

pub use gstin::{Gstin, InvalidGstin};
pub use rate::{RatePeriod, TaxRate, rate_on};
pub use split::{TaxAmounts, TaxKind, split};
pub use state::State;
