//! The server: configuration, wiring, commands and background workers.

pub mod cli;
pub mod commands;
pub mod config;
mod connection_limits;
mod listener;
mod secret;
pub mod serve;
pub mod wiring;
mod workers;
