//! Ends an unpaid order. All causes use this file: a declined payment, a newer checkout, an admin who cancels, deletes
//! or releases the order, and a deleted account.
//!
//! The stock of an ended order is released with a ledger row, and its payment page is never offered again. Its attempt
//! is still polled: a late payment is refunded or, if the end was not deliberate, reserves the stock again.

use mirasa_domain::end_reason::EndReason;
use mirasa_domain::order::{Order, PaymentStatus};
use mirasa_domain::order_end::OrderEnd;
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::{Stock, StockMovement};
use mirasa_domain::user::UserId;

use crate::emails::{self, OrderEmail};
use crate::repository::Transaction;
use crate::runtime::failpoints::failpoint;
use crate::{AppError, Shop};

/// Ends a pending order unpaid: cancels it and releases its stock. The cart does not change.
pub(crate) async fn fail_order(
    shop: &Shop,
    tx: &mut dyn Transaction,
    order: Order,
    end: OrderEnd,
) -> Result<Vec<(ProductId, Stock)>, AppError> {
    let now_ms = shop.now_ms();
    tx.save_order_state(
        &order.id,
        order.state.failed(end.reason),
        Some(&end.message),
        None,
        now_ms,
    )
    .await?;
    // A deliberate end has an event of its own, by the person who ended the order.
    if !end.reason.is_deliberate() {
        let (kind, detail) = (OrderEventKind::Ended, end.message.clone());
        shop.record_event(tx, &order.id, kind, Actor::System, detail)
            .await?;
    }
    let left = if order.state.stock_reserved {
        tx.apply_stock_movement(&order.id, &order.lines, StockMovement::Release, now_ms)
            .await?
            .unwrap_or_default()
    } else {
        Vec::new()
    };
    if end.sends_email {
        emails::enqueue(shop, tx, &order, OrderEmail::PaymentFailed(end.message)).await?;
    }
    Ok(left)
}

/// The products whose stock these orders have reserved.
pub(super) fn reserved_products(orders: &[Order]) -> impl Iterator<Item = ProductId> {
    let lines = orders.iter().flat_map(|order| &order.lines);
    lines.map(|line| line.product.clone())
}

impl Shop {
    /// Ends an order deliberately. A pending order is ended now. A failed order is marked, so that a late payment is
    /// refunded. A paid order does not change. The caller has locked the customer. Returns the new stock of the
    /// released products.
    pub(crate) async fn end_order(
        &self,
        tx: &mut dyn Transaction,
        order: Order,
        reason: EndReason,
    ) -> Result<Vec<(ProductId, Stock)>, AppError> {
        let Some(ended) = order.state.ended_deliberately(reason) else {
            return Ok(Vec::new());
        };
        tx.delete_idempotency_keys(&order.id).await?;
        let left = if order.state.payment_status == PaymentStatus::Pending {
            fail_order(self, tx, order, OrderEnd::new(reason)).await?
        } else {
            let (message, now_ms) = (order.payment_error.as_deref(), self.now_ms());
            tx.save_order_state(&order.id, ended, message, None, now_ms)
                .await?;
            Vec::new()
        };
        failpoint("ending an order");
        Ok(left)
    }

    /// Ends all unpaid orders of a customer whose account is deleted. The caller has locked the customer.
    pub(crate) async fn end_orders_of(
        &self,
        tx: &mut dyn Transaction,
        user: &UserId,
    ) -> Result<Vec<(ProductId, Stock)>, AppError> {
        let mut pending = tx.pending_orders_of(user).await?;
        // What has left the shop cannot be released. An admin decides.
        pending.retain(|order| !order.state.order_status.has_left_shop());
        let products: Vec<_> = reserved_products(&pending).collect();
        tx.lock_products(&products).await?;
        let mut left = Vec::new();
        for order in pending {
            left.extend(self.end_order(tx, order, EndReason::AccountDeleted).await?);
        }
        tx.mark_failed_orders(user, EndReason::AccountDeleted)
            .await?;
        Ok(left)
    }
}
