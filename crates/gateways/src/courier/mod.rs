//! Parcels with Shiprocket.

mod shiprocket;
#[cfg(test)]
mod tests;

pub use shiprocket::{
    BoxSize, Shiprocket, ShiprocketAccount, ShiprocketConfigError, ShiprocketSettings,
};
