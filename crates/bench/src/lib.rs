//! Shared by the benchmark binaries: a minimal HTTP client, the CPU time of processes, and customers. Not part of the server.

pub mod http_client;
pub mod process;
pub mod shop;
