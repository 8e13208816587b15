//! How late the background work is, for the metrics.

use async_trait::async_trait;

use crate::repository::StoreResult;

/// When the first row of each kind of work was or will be due. None: there is no such work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FirstDue {
    pub emails_ms: Option<i64>,
    pub payments_ms: Option<i64>,
    pub refunds_ms: Option<i64>,
    pub parcels_ms: Option<i64>,
}

#[async_trait]
pub trait QueueQueries: Send {
    /// Reads the first entry of four indexes.
    async fn first_due(&mut self) -> StoreResult<FirstDue>;
}
