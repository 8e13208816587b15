//! What operators look at: the audit log, the lag of the background work, and the rate limits that instances share.

mod audit;
pub mod queues;
pub mod rate_limits;
