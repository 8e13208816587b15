//! What the owner does: products, orders and people, each deed with its line in the audit trail.

mod people;
mod products;

use mirasa_domain::order::OrderStatus;

pub(crate) use self::people::not_the_last;
pub use self::products::{NewProduct, ProductEdit};
use crate::checkout::no_such_order;
use crate::letters::{self, Occasion};
use crate::ports::admin::AuditEntry;
use crate::ports::orders::Order;
use crate::ports::storage::{User, Writes};
use crate::{Fault, Shop};

impl Shop {
    /// Any status from any other.
    pub async fn set_order_status(
        &self,
        who: &User,
        id: String,
        status: OrderStatus,
    ) -> Result<Order, Fault> {
        let (shop, who, now_ms) = (self.clone(), who.clone(), self.now_ms());
        self.db
            .write(move |writes| {
                Box::pin(async move {
                    writes.lock_order(&id).await?;
                    let order = writes.order(&id).await?.ok_or_else(no_such_order)?;
                    let was = order.settlement.order;
                    if was == status {
                        return Ok(order);
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
                    writes.order(&id).await?.ok_or_else(no_such_order)
                })
            })
            .await
    }

    pub async fn delete_order(&self, who: &User, id: String) -> Result<(), Fault> {
        let (shop, who, now_ms) = (self.clone(), who.clone(), self.now_ms());
        self.db
            .write(move |writes| {
                Box::pin(async move {
                    if !writes.delete_order(&id, now_ms).await? {
                        return Err(no_such_order());
                    }
                    shop.audit(writes, &who, "order deleted", &id, String::new())
                        .await
                })
            })
            .await
    }

    pub async fn audit_of(&self, about: String) -> Result<Vec<AuditEntry>, Fault> {
        self.db
            .read(move |reads| Box::pin(async move { Ok(reads.audit_of(&about).await?) }))
            .await
    }

    async fn audit(
        &self,
        writes: &mut dyn Writes,
        who: &User,
        action: &str,
        about: &str,
        detail: String,
    ) -> Result<(), Fault> {
        let entry = AuditEntry {
            id: self.ids.id(),
            at_ms: self.now_ms(),
            who: who.email.clone(),
            action: action.to_owned(),
            about: about.to_owned(),
            detail,
        };
        Ok(writes.write_audit(&entry).await?)
    }
}
