//! Rate limits. Each client has a token bucket for each limit: a request takes a token, and one comes back after each
//! refill interval. The buckets are so large that normal use never empties them.

pub mod check;
pub mod client;
pub mod limiter;
pub mod limits;
pub mod shared;
