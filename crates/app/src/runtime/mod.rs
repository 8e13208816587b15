//! What keeps the program running: workers and their supervision, load shedding, rate limits, the audit log, traces and failpoints.

mod audit;
pub mod failpoints;
pub mod load_shedder;
pub mod queues;
pub mod rate_limits;
pub mod supervision;
pub mod telemetry;
pub mod workers;
