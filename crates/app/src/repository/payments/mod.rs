//! Payment attempts. Workers lease them to poll the gateway.

pub mod checkout;
pub mod request_keys;

use async_trait::async_trait;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderId};
use mirasa_domain::payment::{AttemptId, PaymentAttempt, PaymentAttemptState};

use crate::repository::StoreResult;

/// What settlement needs to know about an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptWithOrder {
    pub order: Order,
    pub attempt: PaymentAttempt,
    /// Email address and name of the customer, unless the account was deleted.
    pub recipient: Option<(String, String)>,
}

/// An attempt that a worker polls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeasedAttempt {
    pub attempt: PaymentAttempt,
    /// Its order is pending and has no newer attempt.
    pub is_waited_for: bool,
    /// When it was due.
    pub due_at_ms: i64,
}

/// What the gateway reports about a payment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PaymentDetails<'a> {
    /// The amount that was paid.
    pub received: Option<Paise>,
    pub mode: Option<&'a str>,
    pub transaction_id: Option<&'a str>,
}

#[async_trait]
pub trait PaymentQueries: Send {
    async fn attempt(
        &mut self,
        merchant_order_id: &AttemptId,
    ) -> StoreResult<Option<PaymentAttempt>>;
    /// The attempts of an order that were paid, and the amounts that the gateway received, oldest first.
    async fn payments_received(
        &mut self,
        order_id: &OrderId,
    ) -> StoreResult<Vec<(AttemptId, Paise)>>;
    /// The same for many orders, each with the order's id.
    async fn payments_received_for(
        &mut self,
        order_ids: &[OrderId],
    ) -> StoreResult<Vec<(OrderId, (AttemptId, Paise))>>;
    async fn attempt_with_order(
        &mut self,
        merchant_order_id: &AttemptId,
    ) -> StoreResult<Option<AttemptWithOrder>>;
}

#[async_trait]
pub trait PaymentRepository: Send {
    /// Locks the customer, the order and the attempt until the transaction ends.
    async fn lock_attempt_with_order(
        &mut self,
        merchant_order_id: &AttemptId,
    ) -> StoreResult<Option<AttemptWithOrder>>;
    async fn insert_attempt(
        &mut self,
        attempt: &PaymentAttempt,
        next_poll_at_ms: i64,
    ) -> StoreResult<()>;
    /// Stores the payment page. False if the order is no longer pending.
    async fn open_attempt(
        &mut self,
        merchant_order_id: &AttemptId,
        redirect_url: &str,
        gateway_order_id: &str,
        expires_at_ms: i64,
    ) -> StoreResult<bool>;
    async fn close_attempt(
        &mut self,
        merchant_order_id: &AttemptId,
        state: PaymentAttemptState,
        payment: PaymentDetails<'_>,
    ) -> StoreResult<()>;
    /// Attempts that are due for a poll. The lease keeps other workers from polling them.
    async fn lease_attempts(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        limit: i64,
    ) -> StoreResult<Vec<LeasedAttempt>>;
    async fn schedule_poll(
        &mut self,
        merchant_order_id: &AttemptId,
        polled_at_ms: i64,
        next_poll_at_ms: i64,
    ) -> StoreResult<()>;
    /// The same for several. Attempts that another transaction changes are left out, because it schedules them.
    async fn schedule_polls(
        &mut self,
        merchant_order_ids: &[AttemptId],
        polled_at_ms: i64,
        next_poll_at_ms: i64,
    ) -> StoreResult<()>;
}
