//! Admins set any status from any other. What follows for money, stock, invoice and parcels is the same whatever the order of calls.

use mirasa_domain::audit::AdminAction;
use mirasa_domain::end_reason::EndReason;
use mirasa_domain::order::{Order, OrderId, OrderStatus, PaymentStatus};
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::product::ProductId;
use mirasa_domain::refund::Refund;
use mirasa_domain::refund_plan::ReturnedPayment;
use mirasa_domain::stock::Stock;
use mirasa_domain::user::User;

use crate::cart::discounts::{can_use_again, no_use_left};
use crate::emails::{self, OrderEmail, TrackingLink};
use crate::orders::lock::read_order;
use crate::orders::repeated_problems::made_good_otherwise;
use crate::orders::{LeavingConfirmation, SeenOrder, ensure_none_is_open};
use crate::refunds::check_restock;
use crate::runtime::failpoints::failpoint;
use crate::{AppError, ErrorCode, Shop};

/// What a request says besides the status.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StatusOptions {
    pub seen: SeenOrder,
    pub confirmed: LeavingConfirmation,
    /// For `cancelled`: everything that is left of its payment is refunded.
    pub refund: bool,
    /// For `cancelled`: its items go back into stock.
    pub restock: bool,
    /// The items were sent and are in the shop again.
    pub came_back: bool,
    /// The admin knows that packs were replaced or refunded before.
    pub even_if_repeated: bool,
}

impl Shop {
    /// Sets any status from any other. Cancelling an unpaid order ends it; a paid order only changes its status, unless
    /// the options say more. A request that has seen the order is refused if the order must not leave the shop; another one
    /// opens an issue.
    pub async fn set_order_status(
        &self,
        admin: &User,
        id: OrderId,
        status: OrderStatus,
        options: StatusOptions,
    ) -> Result<Order, AppError> {
        let cancels_more = options.refund || options.restock;
        if status != OrderStatus::Cancelled && cancels_more {
            let message = "Only a cancelled order can be refunded and restocked with its status";
            return Err(AppError::invalid(message).with_field("orderStatus"));
        }
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        let (order, left) = self
            .db
            .write(async move |tx| {
                let mut order = shop.lock_and_read_seen_order(tx, &id, options.seen).await?;
                let was = order.state.order_status;
                let is_pending = order.state.payment_status == PaymentStatus::Pending;
                let actor = Actor::Admin(admin.email.clone());
                if was == status && !is_pending && !cancels_more {
                    return Ok((order, Vec::new()));
                }
                if options.restock {
                    check_restock(tx, &order, options.seen, options.came_back).await?;
                }
                // A cancelled order has released the use of its code.
                if was == OrderStatus::Cancelled && was != status && order.is_paid() {
                    let usable = can_use_again(tx, &order).await?;
                    usable.map_err(|reason| no_use_left(&order, &reason))?;
                }
                let returns = options.refund && order.is_paid();
                if returns && !options.even_if_repeated {
                    shop.check_return_not_replaced(tx, &order).await?;
                }
                let reopens = was == OrderStatus::Cancelled && was != status;
                let made_good = match reopens {
                    true => made_good_otherwise(tx, &order).await?,
                    false => None,
                };
                if let Some(made_good) = &made_good
                    && options.seen.is_given()
                    && !options.even_if_repeated
                {
                    return Err(AppError::new(ErrorCode::ProblemRepeated, made_good));
                }
                let leaves = status.has_left_shop() && !was.has_left_shop();
                let refunds = tx.refunds_of(std::slice::from_ref(&id)).await?;
                if leaves && options.seen.is_given() {
                    let requests = tx.cancellation_requests_of(std::slice::from_ref(&id));
                    ensure_none_is_open(&id, &requests.await?)?;
                    shop.check_leaving(tx, &mut order, &refunds, options.confirmed)
                        .await?;
                }
                let mut left = if status == OrderStatus::Cancelled {
                    shop.note_release(tx, &order, "cancelled").await?;
                    shop.end_order(tx, order.clone(), EndReason::Cancelled)
                        .await?
                } else if was.has_left_shop() && !status.has_left_shop() {
                    shop.end_if_time_is_over(tx, &order).await?
                } else {
                    Vec::new()
                };
                let mut invoice = None;
                if was != status {
                    if leaves {
                        shop.pack_unpacked(tx, &actor, &order, &refunds).await?;
                    }
                    tx.set_order_status(&id, status, now_ms).await?;
                    if leaves {
                        shop.note_leaving(tx, &order, &refunds, status).await?;
                        invoice = shop.issue_invoice(tx, &order).await?;
                    }
                    let (kind, detail) = (OrderEventKind::StatusSet, status.as_str().to_owned());
                    shop.record_event(tx, &id, kind, actor.clone(), detail)
                        .await?;
                    let detail = format!("{} to {}", was.as_str(), status.as_str());
                    shop.audit(tx, &admin, AdminAction::OrderStatusSet, &id, detail)
                        .await?;
                }
                if let Some(made_good) = made_good {
                    let is_confirmed = options.even_if_repeated;
                    shop.note_made_good_twice(tx, &order, status, &made_good, is_confirmed)
                        .await?;
                }
                let returned = if returns {
                    let reason = "Cancelled by the shop";
                    shop.return_payment(tx, &order, reason, actor.clone())
                        .await?
                } else {
                    ReturnedPayment::default()
                };
                if options.restock && order.is_paid() {
                    left.extend(shop.restock_all(tx, &order, actor).await?);
                }
                if status == OrderStatus::Cancelled {
                    shop.cancel_parcels_of(tx, &id).await?;
                    let by = Actor::Admin(admin.email.clone());
                    shop.close_cancellation_request(tx, &id, by).await?;
                }
                shop.update_order_issues(tx, &id).await?;
                let is_news = was != status && is_true(&order, &refunds, status, leaves);
                let email = match OrderEmail::for_status(status).filter(|_| is_news) {
                    Some(OrderEmail::Cancelled(_)) => Some(OrderEmail::Cancelled(returned)),
                    Some(OrderEmail::Shipped(_)) => {
                        let shipments = tx.shipments_of(std::slice::from_ref(&id)).await?;
                        let link = shipments.last().and_then(TrackingLink::of);
                        Some(OrderEmail::Shipped(link))
                    }
                    None => returned.refund.map(|_| OrderEmail::Cancelled(returned)),
                    other => other,
                };
                if let Some(email) = email {
                    emails::enqueue_with_invoice(&shop, tx, &order, email, invoice).await?;
                }
                failpoint("setting a status");
                Ok::<_, AppError>((read_order(tx, &id).await?, left))
            })
            .await?;
        self.show_released(&left);
        Ok(order)
    }

    /// Shows the stock of released products in the catalogue.
    pub(crate) fn show_released(&self, left: &[(ProductId, Stock)]) {
        self.catalogue.apply_stock(left);
        failpoint("orders ended");
    }
}

/// Whether the email about a status says what is so. An order that was not paid, or of which nothing is sent, is not on
/// its way. `leaves`: it has just left the shop.
fn is_true(order: &Order, refunds: &[Refund], status: OrderStatus, leaves: bool) -> bool {
    match status {
        OrderStatus::Shipped | OrderStatus::Delivered => {
            order.is_paid()
                && !order.is_in_stock_again()
                && (!leaves || order.has_packs_to_send(refunds))
        }
        // It says that the shop has the payment.
        OrderStatus::Confirmed => order.is_paid() && order.has_packs_to_send(refunds),
        OrderStatus::Pending | OrderStatus::Cancelled | OrderStatus::NotApplicable => true,
    }
}
