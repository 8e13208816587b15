//! Audit log, queues and rate limits.

pub mod audit;
pub mod queues;
pub mod rate_limits;
