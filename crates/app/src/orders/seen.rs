//! What a request of an admin has seen of an order. A difference is a conflict that says what happened meanwhile.

use mirasa_domain::order::{Order, OrderId, short_id};
use mirasa_domain::order_changes::{self, SeenOrder};
use mirasa_domain::order_event::{Actor, OrderEvent, OrderEventKind};

use crate::orders::order_not_found;
use crate::orders::packing::PACKED;
use crate::repository::Transaction;
use crate::{AppError, ErrorCode, Shop};

impl Shop {
    /// As `lock_and_read_order`, for an order that must be what the request has seen.
    pub(crate) async fn lock_and_read_seen_order(
        &self,
        tx: &mut dyn Transaction,
        id: &OrderId,
        seen: SeenOrder,
    ) -> Result<Order, AppError> {
        if !seen.is_given() {
            return self.lock_and_read_order(tx, id).await;
        }
        let order = match self.lock_and_read_order(tx, id).await {
            Err(error) if error.code == ErrorCode::OrderNotFound => {
                tx.deleted_order(id).await?.ok_or_else(order_not_found)?
            }
            found => found?,
        };
        self.check_seen(tx, &order, seen).await?;
        Ok(order)
    }

    /// The caller has locked the order.
    pub(crate) async fn check_seen(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        seen: SeenOrder,
    ) -> Result<(), AppError> {
        if seen.is(order) {
            return Ok(());
        }
        let events = match seen.version {
            Some(version) => tx.events_after(&order.id, version).await?,
            // The last change of the status, and what came with it.
            None => {
                let mut events = tx.events_of(std::slice::from_ref(&order.id)).await?;
                let is_change = |status| status == order.state.order_status;
                let last = events
                    .iter()
                    .rposition(|event| event.status().is_some_and(is_change));
                events.split_off(last.unwrap_or_default())
            }
        };
        let mut changes = order_changes::describe(&events, self.now_ms());
        if changes.is_empty() {
            changes = match packed(tx, order).await? {
                Some(packed) => order_changes::describe(&[packed], self.now_ms()),
                None => format!("It is {} now.", order.state.order_status.as_str()),
            };
        }
        let text = format!("Order {} has changed. {changes}", short_id(&order.id));
        Err(AppError::new(ErrorCode::OrderChanged, text))
    }
}

/// Packing is no stored event: the order has its time, and the audit log who did it.
async fn packed(tx: &mut dyn Transaction, order: &Order) -> Result<Option<OrderEvent>, AppError> {
    let Some(at_ms) = order.packed_at_ms else {
        return Ok(None);
    };
    let log = tx.audit_log_for(order.id.as_str()).await?;
    let entry = log.into_iter().find(|entry| entry.detail == PACKED);
    Ok(Some(OrderEvent {
        id: order.id.0.clone(),
        order_id: order.id.clone(),
        at_ms,
        kind: OrderEventKind::Packed,
        actor: entry.map_or(Actor::System, |entry| Actor::Admin(entry.actor)),
        detail: String::new(),
    }))
}
