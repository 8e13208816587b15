//! Stock that unpaid orders reserve, and releasing it.

use mirasa_domain::audit::AdminAction;
use mirasa_domain::end_reason::EndReason;
use mirasa_domain::order::{Order, OrderId, PaymentStatus, short_id};
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::user::User;

use crate::orders::order_not_found;
use crate::repository::stock::Reservation;
use crate::{AppError, Shop};

const MAX_LISTED: usize = 50;

impl Shop {
    /// The largest reservations, and whether there are more.
    pub async fn reservations(&self) -> Result<(Vec<Reservation>, bool), AppError> {
        let mut found: Vec<Reservation> = self
            .db
            .read(async move |db| Ok::<_, AppError>(db.reservations(MAX_LISTED as i64 + 1).await?))
            .await?;
        let more = found.len() > MAX_LISTED;
        found.truncate(MAX_LISTED);
        Ok((found, more))
    }

    /// Ends an unpaid order, so that others can buy what it had reserved.
    pub async fn release_order(&self, admin: &User, id: OrderId) -> Result<Order, AppError> {
        let (shop, admin) = (self.clone(), admin.clone());
        let (order, left) = self
            .db
            .write(async move |tx| {
                let order = shop.lock_and_read_order(tx, &id).await?;
                if order.state.payment_status != PaymentStatus::Pending {
                    return Err(AppError::conflict("This order no longer reserves stock."));
                }
                if order.state.order_status.has_left_shop() {
                    return Err(AppError::conflict(format!(
                        "Order {} is {}. Set its status back first.",
                        short_id(&id),
                        order.state.order_status.as_str()
                    )));
                }
                let left = shop.end_order(tx, order, EndReason::Released).await?;
                shop.update_order_issues(tx, &id).await?;
                let (kind, actor) = (OrderEventKind::Ended, Actor::Admin(admin.email.clone()));
                let detail = "Reserved items released".to_owned();
                shop.record_event(tx, &id, kind, actor, detail).await?;
                shop.audit(tx, &admin, AdminAction::StockReleased, &id, String::new())
                    .await?;
                let order = tx.order(&id).await?.ok_or_else(order_not_found)?;
                Ok((order, left))
            })
            .await?;
        self.show_released(&left);
        Ok(order)
    }
}
