//! Ending an order that is not paid. Whoever ends it comes here: the gateway's refusal, a newer checkout, an admin
//! who cancels, deletes or releases, a customer whose account goes.
//!
//! An ended order has its stock released with a ledger row, its payment page is never offered again, and its attempt
//! stays watched: settlement returns late money or, where nobody decided the end, takes the goods again.

use mirasa_domain::end_reason::EndReason;
use mirasa_domain::order::{Order, PaymentStatus};
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::{Stock, StockMovement};
use mirasa_domain::user::UserId;

use crate::emails::{self, OrderEmail};
use crate::failpoints::failpoint;
use crate::payments::checkout::{order_not_found, reserved_products};
use crate::repository::Transaction;
use crate::{AppError, Shop};

const PAYMENT_FAILED: &str = "Payment failed. Please try again.";

/// Why an order ends, and what its customer reads about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OrderEnd {
    pub reason: EndReason,
    text: String,
    sends_email: bool,
}

impl OrderEnd {
    pub fn new(reason: EndReason) -> OrderEnd {
        let text = match reason {
            EndReason::Failed => PAYMENT_FAILED,
            EndReason::Expired => "The time to pay was over.",
            EndReason::Replaced => "Replaced by a newer checkout.",
            EndReason::NotStarted => "The payment could not be started.",
            EndReason::AmountMismatch => {
                "The payment does not match this order. We are looking into it."
            }
            EndReason::Cancelled | EndReason::Deleted => {
                "The shop cancelled this order. Money paid for it is returned."
            }
            EndReason::AccountDeleted => {
                "The account was deleted. Money paid for this order is returned."
            }
            EndReason::Released => "The shop released the items that this order had reserved.",
        };
        OrderEnd {
            reason,
            text: text.to_owned(),
            // A customer who checked out again, or never saw a payment page, needs no email; a cancelled order has
            // one of its own; and none may say that nothing was charged where something was.
            sends_email: matches!(
                reason,
                EndReason::Failed | EndReason::Expired | EndReason::Released
            ),
        }
    }

    /// The gateway says that the payment is over, perhaps with its own words.
    pub fn declined(order: &Order, words: Option<&str>, now_ms: i64) -> OrderEnd {
        let reason = EndReason::for_declined_payment(order.expires_at_ms, now_ms);
        let text = words.unwrap_or(PAYMENT_FAILED).to_owned();
        OrderEnd {
            text,
            ..OrderEnd::new(reason)
        }
    }

    /// The customer checks out again.
    pub fn replaced(order: &Order, now_ms: i64) -> OrderEnd {
        OrderEnd {
            sends_email: false,
            ..OrderEnd::new(EndReason::for_replaced_order(order.expires_at_ms, now_ms))
        }
    }
}

/// Ends a pending order unpaid: cancelled, its stock released, the cart as it was.
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
        Some(&end.text),
        None,
        now_ms,
    )
    .await?;
    let left = if order.state.stock_reserved {
        tx.apply_stock_movement(&order.id, &order.lines, StockMovement::Release, now_ms)
            .await?
            .unwrap_or_default()
    } else {
        Vec::new()
    };
    if end.sends_email {
        emails::enqueue(shop, tx, &order, OrderEmail::PaymentFailed(end.text)).await?;
    }
    Ok(left)
}

impl Shop {
    /// The order as it is once its customer and itself are locked, in the order in which settlement locks them.
    pub(crate) async fn lock_and_read_order(
        &self,
        tx: &mut dyn Transaction,
        id: &str,
    ) -> Result<Order, AppError> {
        let order = tx.order(id).await?.ok_or_else(order_not_found)?;
        tx.lock_user(&order.user).await?;
        tx.lock_order(id).await?;
        tx.order(id).await?.ok_or_else(order_not_found)
    }

    /// Ends an order because somebody decided so. A pending one is ended now; one that has failed is marked, so that
    /// late money is returned; a paid one stays as it is. The caller holds the customer's lock. Returns the stock of
    /// the released products.
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
            let (words, now_ms) = (order.payment_error.as_deref(), self.now_ms());
            tx.save_order_state(&order.id, ended, words, None, now_ms)
                .await?;
            Vec::new()
        };
        failpoint("ending an order");
        Ok(left)
    }

    /// Ends all unpaid orders of a customer whose account is deleted. The caller holds the customer's lock.
    pub(crate) async fn end_orders_of(
        &self,
        tx: &mut dyn Transaction,
        user: &UserId,
    ) -> Result<Vec<(ProductId, Stock)>, AppError> {
        let pending = tx.pending_orders_of(user).await?;
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
