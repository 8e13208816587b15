//! Parcels.

pub(crate) mod conditions;
mod read;
mod rows;
mod write;
