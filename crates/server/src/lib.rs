//! The program: its configuration, its wiring, its commands.

pub mod cli;
pub mod commands;
pub mod config;
mod listen;
pub mod serve;
pub mod wiring;
