//! The program: its configuration, its wiring, its commands.

pub mod cli;
pub mod commands;
pub mod config;
mod listen;
mod peers;
pub mod serve;
pub mod wiring;
