//! Parcels.

pub mod admin;
pub mod types;
