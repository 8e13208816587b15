//! What the store knows about stock that unpaid orders reserve, and about orders that have ended.

use async_trait::async_trait;
use mirasa_domain::end_reason::EndReason;
use mirasa_domain::money::Paise;
use mirasa_domain::pack::Packs;
use mirasa_domain::user::UserId;

use super::orders::Order;
use super::storage::StoreResult;

/// An unpaid order and the stock that it keeps from others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reservation {
    pub order_id: String,
    pub customer_name: String,
    pub customer_email: String,
    pub packs: Packs,
    pub total: Paise,
    pub created_at_ms: i64,
    pub expires_at_ms: i64,
}

/// A recent order, as far as the customer's next one depends on it: paid, or ended unpaid at a certain time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecentOrder {
    Paid,
    Unpaid { ended_at_ms: i64 },
}

#[async_trait]
pub trait ReadReservations: Send {
    /// Unpaid orders that hold stock, the most grams first.
    async fn reservations(&mut self, limit: i64) -> StoreResult<Vec<Reservation>>;
    /// The customer's orders since then that were paid or count as unpaid, newest first. None if the account has
    /// been deleted.
    async fn recent_orders(
        &mut self,
        user: &UserId,
        since_ms: i64,
    ) -> StoreResult<Option<Vec<RecentOrder>>>;
    /// The customer's orders that an admin deleted, newest first.
    async fn deleted_orders_of(&mut self, user: &UserId) -> StoreResult<Vec<Order>>;
}

#[async_trait]
pub trait WriteReservations: ReadReservations {
    /// Gives this reason to the customer's failed orders, unless somebody had decided their end before.
    async fn mark_failed_orders(&mut self, user: &UserId, reason: EndReason) -> StoreResult<()>;
}
