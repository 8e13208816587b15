//! How late the background work is, for the metrics.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::operations::queues::{FirstDue, QueueQueries};

use crate::sql::engine::SqlRepository;
use crate::sql::query::query;
use crate::sql::row::row;

row! {
    struct FirstDueRow {
        emails: Option<i64>,
        payments: Option<i64>,
        refunds: Option<i64>,
        parcels: Option<i64>,
    }
}

/// The conditions are those of the indexes by which the workers find their rows.
const FIRST_DUE: &str =
    "select (select min(next_try_at) from mails where sent_at is null) as emails,
    (select min(next_look_at) from payment_attempts where state in ('opening', 'open')) as payments,
    (select min(next_look_at) from refunds where state in ('wanted', 'pending')) as refunds,
    (select min(due_at) from shipments where step <> 'done') as parcels";

#[async_trait]
impl QueueQueries for SqlRepository<'_> {
    async fn first_due(&mut self) -> StoreResult<FirstDue> {
        let row: FirstDueRow = self.fetch_one(query(FIRST_DUE)).await?;
        Ok(FirstDue {
            emails_ms: row.emails,
            payments_ms: row.payments,
            refunds_ms: row.refunds,
            parcels_ms: row.parcels,
        })
    }
}
