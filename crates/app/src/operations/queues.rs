//! Readiness, and how late the background work is.

use crate::repository::operations::queues::FirstDue;
use crate::runtime::supervision;
use crate::{AppError, Shop};

impl Shop {
    /// Whether the database can be written to and the essential workers run.
    pub async fn is_ready(&self) -> bool {
        self.db.ping().await.is_ok() && supervision::report().is_ready
    }

    /// Sets the gauges of how long the oldest due row of each kind of work has waited. A row counts until its work is
    /// done, also while a worker has leased it.
    pub async fn measure_queues(&self) -> Result<(), AppError> {
        let first: FirstDue = self
            .db
            .point_read(async move |db| Ok::<_, AppError>(db.first_due().await?))
            .await?;
        // Without a delivery partner nobody works on the rows.
        let parcels_ms = first.parcels_ms.filter(|_| self.courier.is_some());
        for (queue, due_at_ms) in [
            ("emails", first.emails_ms),
            ("payments", first.payments_ms),
            ("refunds", first.refunds_ms),
            ("parcels", parcels_ms),
        ] {
            let late_ms = due_at_ms.map_or(0, |due_at_ms| (self.now_ms() - due_at_ms).max(0));
            metrics::gauge!("due_work_lag_seconds", "queue" => queue).set(late_ms as f64 / 1000.0);
        }
        Ok(())
    }
}
