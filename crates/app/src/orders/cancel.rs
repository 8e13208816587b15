//! A customer cancels an order.

use mirasa_domain::cancellation::{CancellationRequest, needs_request};
use mirasa_domain::end_reason::EndReason;
use mirasa_domain::order::{NotCancellable, Order, OrderId, OrderStatus};
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::refund_plan::ReturnedPayment;
use mirasa_domain::user::UserId;

use crate::emails::{self, OrderEmail};
use crate::orders::cancellation_requests::declined_before;
use crate::orders::order_not_found;
use crate::runtime::failpoints::failpoint;
use crate::{AppError, ErrorCode, Shop};

/// Stored with the event, for the consistency check. Earlier versions also cancelled packed orders at once.
const NOT_PACKED: &str = "not packed";

impl Shop {
    /// Cancels an order on the day on which it was placed, before it is packed: the status, the stock, the refund, the
    /// email and the history, in one transaction. Once it is packed or has a parcel, it may have been handed over: then the
    /// cancellation is only requested. A repeated request changes nothing.
    pub async fn cancel_order(&self, user: &UserId, id: OrderId) -> Result<Order, AppError> {
        let (shop, user, now_ms) = (self.clone(), user.clone(), self.now_ms());
        let (order, left) = self
            .db
            .write(async move |tx| {
                let order = shop.lock_and_read_order(tx, &id).await?;
                if order.user != user {
                    return Err(order_not_found());
                }
                let events = tx.events_of(std::slice::from_ref(&id)).await?;
                let is_cancelled = order.state.order_status == OrderStatus::Cancelled
                    && events
                        .iter()
                        .any(|event| event.kind == OrderEventKind::CancelledByCustomer);
                if is_cancelled {
                    return Ok((order, Vec::new()));
                }
                let ids = std::slice::from_ref(&id);
                let earlier = tx.cancellation_requests_of(ids).await?.pop();
                if earlier.as_ref().is_some_and(CancellationRequest::is_open) {
                    return Ok((order, Vec::new()));
                }
                order.cancellable_until_ms(now_ms)?;
                if earlier.is_some_and(|earlier| earlier.is_final()) {
                    return Err(declined_before());
                }
                if needs_request(&order, &tx.shipments_of(ids).await?) {
                    shop.request_cancellation(tx, &order).await?;
                    return Ok((order, Vec::new()));
                }
                let (kind, actor) = (OrderEventKind::CancelledByCustomer, Actor::Customer);
                shop.record_event(tx, &id, kind, actor.clone(), NOT_PACKED.to_owned())
                    .await?;
                let (returned, left) = if order.is_paid() {
                    let reason = "Cancelled by the customer";
                    let returned = shop
                        .return_payment(tx, &order, reason, actor.clone())
                        .await?;
                    let left = shop.restock_all(tx, &order, actor).await?;
                    tx.set_order_status(&id, OrderStatus::Cancelled, now_ms)
                        .await?;
                    shop.cancel_parcels_of(tx, &id).await?;
                    (returned, left)
                } else {
                    let reason = EndReason::CancelledByCustomer;
                    let left = shop.end_order(tx, order.clone(), reason).await?;
                    (ReturnedPayment::default(), left)
                };
                emails::enqueue(&shop, tx, &order, OrderEmail::Cancelled(returned)).await?;
                failpoint("cancelling an order");
                let order = tx.order(&id).await?.ok_or_else(order_not_found)?;
                Ok::<_, AppError>((order, left))
            })
            .await?;
        self.show_released(&left);
        Ok(order)
    }
}

impl From<NotCancellable> for AppError {
    fn from(refusal: NotCancellable) -> AppError {
        match refusal {
            NotCancellable::DayOver => AppError::new(
                ErrorCode::CancellationPeriodOver,
                "An order can be cancelled until 11:59 PM IST on the day it was placed.",
            ),
            NotCancellable::Status(status) => AppError::new(
                ErrorCode::OrderNotCancellable,
                format!(
                    "This order is {} and can no longer be cancelled.",
                    status.as_str()
                ),
            ),
        }
    }
}
