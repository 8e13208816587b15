//! Shared by the benchmark binaries: a minimal HTTP client, and the CPU time of processes. Not part of the server.

pub mod http_client;
pub mod process;
