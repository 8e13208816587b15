//! Parcels.

pub mod admin;
pub mod pack_and_ship;
pub mod pack_and_ship_types;
pub mod types;
