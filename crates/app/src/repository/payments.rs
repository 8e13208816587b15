//! Payment attempts. Workers lease them to poll the gateway.

use async_trait::async_trait;
use mirasa_domain::order::Order;
use mirasa_domain::payment::{PaymentAttempt, PaymentAttemptState};

use crate::repository::StoreResult;

/// All that settling an attempt needs to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptWithOrder {
    pub order: Order,
    pub attempt: PaymentAttempt,
    /// E-mail and name of the shopper, unless they have left.
    pub recipient: Option<(String, String)>,
}

#[async_trait]
pub trait PaymentQueries: Send {
    async fn attempt(&mut self, merchant_order_id: &str) -> StoreResult<Option<PaymentAttempt>>;
    async fn attempt_with_order(
        &mut self,
        merchant_order_id: &str,
    ) -> StoreResult<Option<AttemptWithOrder>>;
}

#[async_trait]
pub trait PaymentRepository: Send {
    /// Holds the shopper, the order and the attempt until the transaction ends.
    async fn lock_attempt_with_order(
        &mut self,
        merchant_order_id: &str,
    ) -> StoreResult<Option<AttemptWithOrder>>;
    async fn insert_attempt(
        &mut self,
        attempt: &PaymentAttempt,
        next_look_at_ms: i64,
    ) -> StoreResult<()>;
    /// False if its order is not waiting to be paid any more.
    async fn open_attempt(
        &mut self,
        merchant_order_id: &str,
        redirect_url: &str,
        gateway_order_id: &str,
        expires_at_ms: i64,
    ) -> StoreResult<bool>;
    async fn close_attempt(
        &mut self,
        merchant_order_id: &str,
        state: PaymentAttemptState,
        mode: Option<&str>,
        transaction_id: Option<&str>,
    ) -> StoreResult<()>;
    /// Attempts that are due for a look, leased so that nobody else looks meanwhile.
    async fn lease_attempts(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        most: i64,
    ) -> StoreResult<Vec<PaymentAttempt>>;
    async fn schedule_poll(
        &mut self,
        merchant_order_id: &str,
        polled_at_ms: i64,
        next_look_at_ms: i64,
    ) -> StoreResult<()>;
}
