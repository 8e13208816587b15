//! What the owner was notified of, and what is new since then.

use async_trait::async_trait;
use mirasa_domain::issue::OrderIssue;
use mirasa_domain::message::ContactMessage;
use mirasa_domain::money::Paise;
use mirasa_domain::notification::{NotificationKind, NotificationState, Period};
use mirasa_domain::order::OrderId;

use crate::repository::StoreResult;

/// The first rows of a period, oldest first, and the number of all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstOf<T> {
    pub rows: Vec<T>,
    pub count: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaidOrder {
    pub id: OrderId,
    pub total: Paise,
    pub customer_name: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedProblem {
    pub order_id: OrderId,
    pub message: String,
}

#[async_trait]
pub trait NotificationQueries: Send {
    async fn notification(
        &mut self,
        kind: NotificationKind,
    ) -> StoreResult<Option<NotificationState>>;
    /// Messages of the period that are neither read nor done.
    async fn unread_messages_of(
        &mut self,
        period: Period,
        limit: i64,
    ) -> StoreResult<FirstOf<ContactMessage>>;
    /// Orders that were paid in the period.
    async fn paid_orders_of(
        &mut self,
        period: Period,
        limit: i64,
    ) -> StoreResult<FirstOf<PaidOrder>>;
    /// Problems that were reported in the period and are still open.
    async fn open_problems_of(
        &mut self,
        period: Period,
        limit: i64,
    ) -> StoreResult<FirstOf<ReportedProblem>>;
    /// The orders of the requests to cancel of the period that are still open.
    async fn open_cancellation_requests_of(
        &mut self,
        period: Period,
        limit: i64,
    ) -> StoreResult<FirstOf<OrderId>>;
    /// Issues of the period that are still open: failed refunds, or all others.
    async fn open_issues_of(
        &mut self,
        period: Period,
        failed_refunds: bool,
        limit: i64,
    ) -> StoreResult<FirstOf<OrderIssue>>;
}

#[async_trait]
pub trait NotificationRepository: Send {
    /// The owner is notified of what is newer than `now_ms`. Has no effect on a kind that was begun before.
    async fn begin_notification(&mut self, kind: NotificationKind, now_ms: i64) -> StoreResult<()>;
    /// Instances that notify at the same time take turns.
    async fn lock_notification(
        &mut self,
        kind: NotificationKind,
    ) -> StoreResult<Option<NotificationState>>;
    async fn record_notification(
        &mut self,
        kind: NotificationKind,
        sent_at_ms: Option<i64>,
        seen_until_ms: i64,
    ) -> StoreResult<()>;
    async fn end_notifications(&mut self) -> StoreResult<()>;
    /// Deletes the emails that were written before this time and have been sent.
    async fn delete_sent_notifications(&mut self, before_ms: i64) -> StoreResult<u64>;
}
