//! Deleted orders: out of every list, and shown again.

use mirasa_domain::audit::AdminAction;
use mirasa_domain::end_reason::EndReason;
use mirasa_domain::issue::IssueKind;
use mirasa_domain::order::{Order, OrderId};
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::user::User;

use crate::orders::lock::read_order;
use crate::orders::{SeenOrder, order_not_found};
use crate::{AppError, Shop};

impl Shop {
    /// Removes the order from every list. An unpaid order is ended first. The money of a paid one that was not refunded
    /// is kept for this reason; without one it becomes an issue.
    pub async fn delete_order(
        &self,
        admin: &User,
        id: OrderId,
        seen: SeenOrder,
        keep_reason: Option<String>,
    ) -> Result<(), AppError> {
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        let left = self
            .db
            .write(async move |tx| {
                let order = shop.lock_and_read_seen_order(tx, &id, seen).await?;
                if order.releases_what_left() {
                    shop.report_release(tx, &order, "deleted").await?;
                }
                let left = shop.end_order(tx, order, EndReason::Deleted).await?;
                tx.delete_order(&id, now_ms).await?;
                shop.cancel_parcels_of(tx, &id).await?;
                let (kind, actor) = (OrderEventKind::Deleted, Actor::Admin(admin.email.clone()));
                shop.close_cancellation_request(tx, &id, actor.clone())
                    .await?;
                shop.record_event(tx, &id, kind, actor, String::new())
                    .await?;
                shop.audit(tx, &admin, AdminAction::OrderDeleted, &id, String::new())
                    .await?;
                shop.update_order_issues(tx, &id).await?;
                let issue = tx.open_issue_about(IssueKind::PaymentKept, &id).await?;
                if let (Some(issue), Some(reason)) = (issue, keep_reason) {
                    shop.confirm_kept_payment(tx, &admin, &issue, &reason)
                        .await?;
                }
                Ok::<_, AppError>(left)
            })
            .await?;
        self.show_released(&left);
        Ok(())
    }

    /// Shows a deleted order in the lists again. Its payment, stock and status stay as they are.
    pub async fn restore_order(&self, admin: &User, id: OrderId) -> Result<Order, AppError> {
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                let deleted = tx.deleted_order(&id).await?;
                let deleted = deleted.ok_or_else(order_not_found)?;
                tx.lock_user(&deleted.user).await?;
                tx.lock_order(&id).await?;
                if tx.restore_order(&id, now_ms).await? {
                    let actor = Actor::Admin(admin.email.clone());
                    shop.record_event(tx, &id, OrderEventKind::Restored, actor, String::new())
                        .await?;
                    shop.audit(tx, &admin, AdminAction::OrderRestored, &id, String::new())
                        .await?;
                    shop.update_order_issues(tx, &id).await?;
                }
                read_order(tx, &id).await
            })
            .await
    }
}
