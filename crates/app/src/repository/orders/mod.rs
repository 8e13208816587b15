//! Orders.

pub mod cancellations;
pub mod events;
pub mod issues;
pub mod notes;
pub mod problems;
pub mod search;

use async_trait::async_trait;
use mirasa_domain::address::Address;
use mirasa_domain::end_reason::EndReason;
use mirasa_domain::order::{Order, OrderId, OrderState, OrderStatus};
use mirasa_domain::payment::AttemptId;
use mirasa_domain::user::UserId;

use crate::repository::StoreResult;

/// What the cool-down needs to know about a recent order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecentOrder {
    Paid,
    Unpaid { ended_at_ms: i64 },
}

#[async_trait]
pub trait OrderQueries: Send {
    async fn order(&mut self, id: &OrderId) -> StoreResult<Option<Order>>;
    /// An order that an admin deleted.
    async fn deleted_order(&mut self, id: &OrderId) -> StoreResult<Option<Order>>;
    /// In any order, also deleted ones.
    async fn orders_by_id(&mut self, ids: &[OrderId]) -> StoreResult<Vec<Order>>;
    async fn order_by_payment_attempt(
        &mut self,
        merchant_order_id: &AttemptId,
    ) -> StoreResult<Option<Order>>;
    /// Newest first.
    async fn orders_of(&mut self, user: &UserId) -> StoreResult<Vec<Order>>;
    async fn pending_orders_of(&mut self, user: &UserId) -> StoreResult<Vec<Order>>;
    /// The customer's orders that an admin deleted, newest first.
    async fn deleted_orders_of(&mut self, user: &UserId) -> StoreResult<Vec<Order>>;
    /// The customer's orders since this time that are paid or count as unpaid, newest first. None if the account is
    /// deleted.
    async fn recent_orders(
        &mut self,
        user: &UserId,
        since_ms: i64,
    ) -> StoreResult<Option<Vec<RecentOrder>>>;
}

#[async_trait]
pub trait OrderRepository: Send {
    async fn insert_order(&mut self, order: &Order) -> StoreResult<()>;
    /// Locks the order until the transaction ends.
    async fn lock_order(&mut self, id: &OrderId) -> StoreResult<()>;
    /// Locks them in the order of their ids.
    async fn lock_orders(&mut self, ids: &[OrderId]) -> StoreResult<()>;
    async fn save_order_state(
        &mut self,
        order_id: &OrderId,
        state: OrderState,
        error: Option<&str>,
        paid_by_attempt: Option<&AttemptId>,
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Makes the attempt the order's current one.
    async fn set_current_attempt(
        &mut self,
        order_id: &OrderId,
        merchant_order_id: &AttemptId,
        expires_at_ms: i64,
    ) -> StoreResult<()>;
    async fn set_order_status(
        &mut self,
        id: &OrderId,
        status: OrderStatus,
        now_ms: i64,
    ) -> StoreResult<bool>;
    async fn set_order_address(
        &mut self,
        id: &OrderId,
        address: &Address,
        now_ms: i64,
    ) -> StoreResult<()>;
    /// The admin has decided to send the packs although all money went back.
    async fn set_sends_refunded(&mut self, id: &OrderId) -> StoreResult<()>;
    async fn delete_order(&mut self, id: &OrderId, now_ms: i64) -> StoreResult<bool>;
    async fn restore_order(&mut self, id: &OrderId, now_ms: i64) -> StoreResult<bool>;
    /// Sets this reason for the customer's failed orders that have no deliberate reason.
    async fn mark_failed_orders(&mut self, user: &UserId, reason: EndReason) -> StoreResult<()>;
}
