//! What the owner does: products, orders and people, each deed with its line in the audit trail.

mod people;
mod products;
mod roles;

use mirasa_domain::end_reason::EndReason;
use mirasa_domain::order::{OrderStatus, PaymentStatus};
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::Stock;

pub(crate) use self::people::not_the_last;
pub use self::products::{CountEdit, NewProduct, ProductEdit, StockEdit};
use crate::checkout::no_such_order;
use crate::failpoints::failpoint;
use crate::letters::{self, Occasion};
use crate::ports::admin::AuditEntry;
use crate::ports::orders::Order;
use crate::ports::storage::{User, Writes};
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
            .write(move |writes| {
                Box::pin(async move {
                    let order = shop.lock_and_read_order(writes, &id).await?;
                    let was = order.state.order_status;
                    let is_pending = order.state.payment_status == PaymentStatus::Pending;
                    if was == status && !is_pending {
                        return Ok((order, Vec::new()));
                    }
                    let left = if status == OrderStatus::Cancelled {
                        shop.end_order(writes, order.clone(), EndReason::Cancelled)
                            .await?
                    } else {
                        Vec::new()
                    };
                    if was == status {
                        return Ok((read_order(writes, &id).await?, left));
                    }
                    writes.set_order_status(&id, status, now_ms).await?;
                    shop.audit(
                        writes,
                        &who,
                        "order status",
                        &id,
                        format!("{} to {}", was.as_str(), status.as_str()),
                    )
                    .await?;
                    if let Some(occasion) = Occasion::of_status(status) {
                        letters::write(&shop, writes, &order, occasion).await?;
                    }
                    Ok::<_, AppError>((read_order(writes, &id).await?, left))
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
            .write(move |writes| {
                Box::pin(async move {
                    let order = shop.lock_and_read_order(writes, &id).await?;
                    let left = shop.end_order(writes, order, EndReason::Deleted).await?;
                    writes.delete_order(&id, now_ms).await?;
                    shop.audit(writes, &who, "order deleted", &id, String::new())
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
        self.catalogue.set_stock(left);
        failpoint("orders ended");
    }

    pub async fn audit_of(&self, about: String) -> Result<Vec<AuditEntry>, AppError> {
        self.db
            .read(move |reads| Box::pin(async move { Ok(reads.audit_of(&about).await?) }))
            .await
    }

    pub(crate) async fn audit(
        &self,
        writes: &mut dyn Writes,
        who: &User,
        action: &str,
        about: &str,
        detail: String,
    ) -> Result<(), AppError> {
        let entry = AuditEntry {
            id: self.ids.new_id(),
            at_ms: self.now_ms(),
            who: who.email.clone(),
            action: action.to_owned(),
            about: about.to_owned(),
            detail,
        };
        Ok(writes.write_audit(&entry).await?)
    }
}

async fn read_order(writes: &mut dyn Writes, id: &str) -> Result<Order, AppError> {
    writes.order(id).await?.ok_or_else(no_such_order)
}
