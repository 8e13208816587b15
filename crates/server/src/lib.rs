//! The program: its configuration, its wiring, its commands.

pub mod cli;
pub mod commands;
pub mod config;
pub mod serve;
pub mod wiring;
