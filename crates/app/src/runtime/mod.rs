//! What keeps the program running: workers and their supervision, load shedding, traces and failpoints.

pub mod failpoints;
pub mod leased_rows;
pub mod load_shedder;
pub mod supervision;
pub mod telemetry;
pub mod workers;
