//! Audit log, queues and rate limits.

pub(crate) mod audit;
pub(crate) mod queues;
pub(crate) mod rate_limits;
