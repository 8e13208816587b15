//! What the background workers share.

/// Rows that a worker handles at once. A worker that had a full batch runs again without waiting.
pub const BATCH_SIZE: usize = 20;
