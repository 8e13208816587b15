//! Sums of paid orders by day.
//!
//! Triggers mark the days whose orders or refunds change, in the transaction that changes them. A worker stores the sums of
//! a marked day and deletes the marks that it has seen. A read takes the stored sums of the other days and counts the
//! marked days from their orders, so it is never behind.

pub(crate) mod conditions;
mod count;
mod read;
mod write;
