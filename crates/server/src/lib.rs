//! The program: its configuration, its wiring, its commands.

pub mod cli;
pub mod commands;
pub mod config;
mod connection_limits;
mod listener;
pub mod serve;
pub mod wiring;
mod workers;
