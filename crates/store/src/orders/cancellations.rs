//! Requests of customers to cancel a packed order.

use async_trait::async_trait;
use mirasa_app::repository::orders::cancellations::{CancellationQueries, CancellationRepository};
use mirasa_app::repository::{StoreError, StoreResult};
use mirasa_domain::cancellation::{CancellationDecision, CancellationOutcome, CancellationRequest};
use mirasa_domain::order::OrderId;
use mirasa_domain::order_event::Actor;

use crate::sql::engine::{SqlRepository, placeholders};
use crate::sql::query::{Query, query};
use crate::sql::row::row;

row! {
    struct CancellationRow {
        id: String,
        order_id: OrderId,
        requested_at: i64,
        decided_at: Option<i64>,
        decision: Option<String>,
        decided_by: Option<String>,
        message: String,
    }
}

impl CancellationRow {
    fn into_request(self) -> StoreResult<CancellationRequest> {
        let broken = || StoreError::Broken(anyhow::anyhow!("cancellation request {}", self.id));
        let decision = match (self.decided_at, self.decision) {
            (Some(at_ms), Some(outcome)) => Some(CancellationDecision {
                outcome: CancellationOutcome::parse(&outcome).ok_or_else(broken)?,
                at_ms,
                by: Actor::parse(self.decided_by.as_deref().unwrap_or("system")),
                message: self.message,
            }),
            _ => None,
        };
        Ok(CancellationRequest {
            id: self.id,
            order_id: self.order_id,
            requested_at_ms: self.requested_at,
            decision,
        })
    }
}

#[async_trait]
impl CancellationQueries for SqlRepository<'_> {
    async fn cancellation_requests_of(
        &mut self,
        order_ids: &[OrderId],
    ) -> StoreResult<Vec<CancellationRequest>> {
        if order_ids.is_empty() {
            return Ok(Vec::new());
        }
        let text = format!(
            "select id, order_id, requested_at, decided_at, decision, decided_by, message from cancellation_requests
             where order_id in ({}) order by case when decision = 'closed' then 0 else 1 end, requested_at, id",
            placeholders(1, order_ids.len())
        );
        let find = order_ids.iter().fold(query(text), Query::bind);
        let rows: Vec<CancellationRow> = self.fetch_all(find).await?;
        rows.into_iter()
            .map(CancellationRow::into_request)
            .collect()
    }
}

#[async_trait]
impl CancellationRepository for SqlRepository<'_> {
    async fn insert_cancellation_request(
        &mut self,
        request: &CancellationRequest,
    ) -> StoreResult<()> {
        const INSERT: &str =
            "insert into cancellation_requests (id, order_id, requested_at) values ($1, $2, $3)";
        let insert = query(INSERT)
            .bind(&request.id)
            .bind(&request.order_id)
            .bind(request.requested_at_ms);
        self.execute_deferred(insert).await
    }

    async fn decide_cancellation(
        &mut self,
        order_id: &OrderId,
        decision: &CancellationDecision,
    ) -> StoreResult<()> {
        const DECIDE: &str =
            "update cancellation_requests set decided_at = $2, decision = $3, decided_by = $4, message = $5
            where order_id = $1 and decided_at is null";
        let decide = query(DECIDE)
            .bind(order_id)
            .bind(decision.at_ms)
            .bind(decision.outcome.as_str())
            .bind(decision.by.as_str())
            .bind(&decision.message);
        self.execute_deferred(decide).await
    }
}
