//! Places an order: writes it, reserves its stock and adds the first payment attempt. An equal unpaid order is reused.

use mirasa_domain::end_reason::{CoolDown, UNPAID_COUNTS_FOR_MS};
use mirasa_domain::money::Paise;
use mirasa_domain::new_order::{self, OrderDraft, PricedOrder, Replacement};
use mirasa_domain::order::Order;
use mirasa_domain::order_end::OrderEnd;
use mirasa_domain::payment::{PaymentAttempt, PaymentAttemptState};
use mirasa_domain::user::UserId;

use crate::payments::checkout_step::{CheckoutRedirect, CheckoutStep, is_opening};
use crate::payments::end_order::fail_order;
use crate::repository::Transaction;
use crate::repository::orders::RecentOrder;
use crate::repository::payments::PaymentDetails;
use crate::runtime::failpoints::failpoint;
use crate::{AppError, Shop};

impl Shop {
    /// Writes the order. Pending orders of the customer are replaced. If one of them has the same items and address,
    /// it is reused.
    pub(super) async fn place_order(
        &self,
        tx: &mut dyn Transaction,
        user: &UserId,
        mut pending_orders: Vec<Order>,
        draft: OrderDraft,
    ) -> Result<CheckoutStep, AppError> {
        let now_ms = self.now_ms();
        let priced = new_order::price(&draft, self.settings.max_packs_per_order, now_ms)?;
        pending_orders.retain(new_order::can_be_replaced);
        if let Some(step) = same_checkout(tx, &pending_orders, &priced, now_ms).await? {
            return Ok(step);
        }
        let Replacement { ends, deadline_ms } = new_order::replace(pending_orders, now_ms);
        self.check_cool_down(tx, user, &ends).await?;
        let mut released = Vec::new();
        for (pending, end) in ends {
            released.extend(fail_order(self, tx, pending, end).await?);
        }
        let left = priced.stock_left(&draft.products, released)?;
        let attempt = self.new_attempt(&self.ids.new_id().into(), priced.total, deadline_ms);
        let order = priced.place(user.clone(), &attempt, now_ms);
        tx.insert_order(&order).await?;
        tx.reserve_stock(&order.id, &order.lines, now_ms).await?;
        if order.state.total == Paise::ZERO {
            let redirect = self.complete_free_order(tx, order, attempt).await?;
            return Ok(CheckoutStep::Paid(redirect, left));
        }
        self.insert_attempt(tx, &attempt).await?;
        Ok(CheckoutStep::CreatePayment(attempt, left))
    }

    /// There is nothing to pay, so the gateway is not called. The order has a completed attempt of zero, so that all that
    /// follows a payment is the same for it.
    async fn complete_free_order(
        &self,
        tx: &mut dyn Transaction,
        order: Order,
        attempt: PaymentAttempt,
    ) -> Result<CheckoutRedirect, AppError> {
        let id = attempt.merchant_order_id.clone();
        let redirect_url = self.payment_result_url(&id);
        let attempt = PaymentAttempt {
            state: PaymentAttemptState::Completed,
            redirect_url: Some(redirect_url.clone()),
            ..attempt
        };
        self.insert_attempt(tx, &attempt).await?;
        let details = PaymentDetails {
            received: Some(Paise::ZERO),
            ..PaymentDetails::default()
        };
        tx.close_attempt(&id, attempt.state, details).await?;
        let user = tx.user(&order.user).await?;
        let recipient = user.map(|user| (user.email, user.name));
        self.complete_order(tx, order, recipient, &id).await?;
        failpoint("completing a free order");
        Ok(CheckoutRedirect {
            redirect_url,
            merchant_order_id: id,
        })
    }

    /// Rejects a new order after too many unpaid ones in a row. `ends` are those of the pending orders that the new
    /// one replaces.
    async fn check_cool_down(
        &self,
        tx: &mut dyn Transaction,
        user: &UserId,
        ends: &[(Order, OrderEnd)],
    ) -> Result<(), AppError> {
        let now_ms = self.now_ms();
        let recent = tx
            .recent_orders(user, now_ms - UNPAID_COUNTS_FOR_MS)
            .await?
            .ok_or_else(AppError::not_authenticated)?;
        let unpaid_now = ends.iter().filter(|(_, end)| end.reason.is_unpaid());
        let mut ends_ms: Vec<_> = unpaid_now.map(|_| now_ms).collect();
        for order in recent {
            match order {
                RecentOrder::Paid => break,
                RecentOrder::Unpaid { ended_at_ms } => ends_ms.push(ended_at_ms),
            }
        }
        CoolDown::after(&ends_ms, now_ms).map_or(Ok(()), |cool_down| Err(cool_down.into()))
    }
}

/// The payment page of a pending order that is the same as the new one.
async fn same_checkout(
    tx: &mut dyn Transaction,
    pending_orders: &[Order],
    priced: &PricedOrder,
    now_ms: i64,
) -> Result<Option<CheckoutStep>, AppError> {
    for pending in pending_orders.iter().filter(|one| priced.is_same_as(one)) {
        let attempt = tx.attempt(&pending.merchant_order_id).await?;
        let step = attempt.and_then(|attempt| reusable_page(attempt, now_ms));
        if step.is_some() {
            return Ok(step);
        }
    }
    Ok(None)
}

/// The payment page of the same unpaid order, if it stays valid for another minute.
fn reusable_page(attempt: PaymentAttempt, now_ms: i64) -> Option<CheckoutStep> {
    if is_opening(&attempt, now_ms) {
        return Some(CheckoutStep::WaitForOtherRequest);
    }
    if attempt.state != PaymentAttemptState::Open || attempt.expires_at_ms <= now_ms + 60_000 {
        return None;
    }
    Some(CheckoutStep::Redirect(CheckoutRedirect {
        redirect_url: attempt.redirect_url?,
        merchant_order_id: attempt.merchant_order_id,
    }))
}
