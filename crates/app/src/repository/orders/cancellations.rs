//! Requests of customers to cancel a packed order.

use async_trait::async_trait;
use mirasa_domain::cancellation::{CancellationDecision, CancellationRequest};
use mirasa_domain::order::OrderId;

use crate::repository::StoreResult;

#[async_trait]
pub trait CancellationQueries: Send {
    /// All requests of these orders, the one that counts last: after a closed one the customer may ask again.
    async fn cancellation_requests_of(
        &mut self,
        order_ids: &[OrderId],
    ) -> StoreResult<Vec<CancellationRequest>>;
}

#[async_trait]
pub trait CancellationRepository: Send {
    async fn insert_cancellation_request(
        &mut self,
        request: &CancellationRequest,
    ) -> StoreResult<()>;
    /// Decides about the open request of the order, if there is one.
    async fn decide_cancellation(
        &mut self,
        order_id: &OrderId,
        decision: &CancellationDecision,
    ) -> StoreResult<()>;
}
