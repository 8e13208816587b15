//! The server: configuration, wiring, commands and background workers.

pub mod cli;
pub mod commands;
pub mod config;
mod connection_limits;
mod listener;
pub mod metrics;
mod secret;
pub mod serve;
mod telemetry;
mod unread_body;
pub mod wiring;
mod workers;
