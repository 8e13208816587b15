//! What the owner does: products, orders and people, each deed with its line in the audit trail.

mod products;
mod roles;
mod users;

use mirasa_domain::audit::{AdminAction, AuditEntry};
use mirasa_domain::end_reason::EndReason;
use mirasa_domain::order::{Order, OrderStatus, PaymentStatus};
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::Stock;
use mirasa_domain::user::User;

pub use self::products::{CountEdit, NewProduct, ProductEdit, StockEdit};
pub(crate) use self::users::ensure_not_last_admin;
use crate::emails::{self, OrderEmail};
use crate::failpoints::failpoint;
use crate::payments::checkout::order_not_found;
use crate::repository::Transaction;
use crate::{AppError, Shop};

impl Shop {
    /// Any status from any other. Cancelling an unpaid order ends it; a paid one only changes its status.
    pub async fn set_order_status(
        &self,
        who: &User,
        id: String,
        status: OrderStatus,
    ) -> Result<Order, AppError> {
        let (shop, who, now_ms) = (self.clone(), who.clone(), self.now_ms());
        let (order, left) = self
            .db
            .write(move |tx| {
                Box::pin(async move {
                    let order = shop.lock_and_read_order(tx, &id).await?;
                    let was = order.state.order_status;
                    let is_pending = order.state.payment_status == PaymentStatus::Pending;
                    if was == status && !is_pending {
                        return Ok((order, Vec::new()));
                    }
                    let left = if status == OrderStatus::Cancelled {
                        shop.end_order(tx, order.clone(), EndReason::Cancelled)
                            .await?
                    } else {
                        Vec::new()
                    };
                    if was == status {
                        return Ok((read_order(tx, &id).await?, left));
                    }
                    tx.set_order_status(&id, status, now_ms).await?;
                    shop.audit(
                        tx,
                        &who,
                        AdminAction::OrderStatusSet,
                        &id,
                        format!("{} to {}", was.as_str(), status.as_str()),
                    )
                    .await?;
                    if let Some(occasion) = OrderEmail::for_status(status) {
                        emails::enqueue(&shop, tx, &order, occasion).await?;
                    }
                    Ok::<_, AppError>((read_order(tx, &id).await?, left))
                })
            })
            .await?;
        self.show_released(&left);
        Ok(order)
    }

    /// Takes the order out of every list. An unpaid one is ended first.
    pub async fn delete_order(&self, who: &User, id: String) -> Result<(), AppError> {
        let (shop, who, now_ms) = (self.clone(), who.clone(), self.now_ms());
        let left = self
            .db
            .write(move |tx| {
                Box::pin(async move {
                    let order = shop.lock_and_read_order(tx, &id).await?;
                    let left = shop.end_order(tx, order, EndReason::Deleted).await?;
                    tx.delete_order(&id, now_ms).await?;
                    shop.audit(tx, &who, AdminAction::OrderDeleted, &id, String::new())
                        .await?;
                    Ok::<_, AppError>(left)
                })
            })
            .await?;
        self.show_released(&left);
        Ok(())
    }

    /// What ending orders has released is on sale again.
    pub(crate) fn show_released(&self, left: &[(ProductId, Stock)]) {
        self.catalogue.apply_stock(left);
        failpoint("orders ended");
    }

    pub async fn audit_log_for(&self, about: String) -> Result<Vec<AuditEntry>, AppError> {
        self.db
            .read(move |db| Box::pin(async move { Ok(db.audit_log_for(&about).await?) }))
            .await
    }

    pub(crate) async fn audit(
        &self,
        tx: &mut dyn Transaction,
        who: &User,
        action: AdminAction,
        about: &str,
        detail: String,
    ) -> Result<(), AppError> {
        let entry = AuditEntry {
            id: self.ids.new_id(),
            at_ms: self.now_ms(),
            actor: who.email.clone(),
            action,
            subject_id: about.to_owned(),
            detail,
        };
        Ok(tx.insert_audit_entry(&entry).await?)
    }
}

async fn read_order(tx: &mut dyn Transaction, id: &str) -> Result<Order, AppError> {
    tx.order(id).await?.ok_or_else(order_not_found)
}
