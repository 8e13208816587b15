//! Ending an order that is not paid. Whoever ends it comes here: the gateway's refusal, a newer checkout, an admin
//! who cancels, deletes or releases, a customer whose account goes.
//!
//! An ended order has its stock released with a ledger row, its payment page is never offered again, and its attempt
//! stays watched: settlement returns late money or, where nobody decided the end, takes the goods again.

use mirasa_domain::end_reason::EndReason;
use mirasa_domain::order::PaymentStatus;
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::Stock;
use mirasa_domain::user::UserId;

use crate::checkout::{held_products, no_such_order};
use crate::failpoints::failpoint;
use crate::letters::{self, Occasion};
use crate::ports::orders::{Order, StockMove};
use crate::ports::storage::Writes;
use crate::{AppError, Shop};

const FAILED: &str = "Payment failed. Please try again.";

/// Why an order ends, and what its customer reads about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ending {
    pub reason: EndReason,
    text: String,
    sends_email: bool,
}

impl Ending {
    pub fn of(reason: EndReason) -> Ending {
        let text = match reason {
            EndReason::Failed => FAILED,
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
        Ending {
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
    pub fn of_refusal(order: &Order, words: Option<&str>, now_ms: i64) -> Ending {
        let reason = EndReason::for_declined_payment(order.expires_at_ms, now_ms);
        let text = words.unwrap_or(FAILED).to_owned();
        Ending {
            text,
            ..Ending::of(reason)
        }
    }

    /// The customer checks out again.
    pub fn of_replacement(order: &Order, now_ms: i64) -> Ending {
        Ending {
            sends_email: false,
            ..Ending::of(EndReason::for_replaced_order(order.expires_at_ms, now_ms))
        }
    }
}

/// Ends a pending order unpaid: cancelled, its stock released, the cart as it was.
pub(crate) async fn fail_order(
    shop: &Shop,
    writes: &mut dyn Writes,
    order: Order,
    ending: Ending,
) -> Result<Vec<(ProductId, Stock)>, AppError> {
    let now_ms = shop.now_ms();
    writes
        .save_settlement(
            &order.id,
            order.state.failed(ending.reason),
            Some(&ending.text),
            None,
            now_ms,
        )
        .await?;
    let left = if order.state.stock_reserved {
        writes
            .move_order_stock(&order.id, &order.lines, StockMove::Release, now_ms)
            .await?
            .unwrap_or_default()
    } else {
        Vec::new()
    };
    if ending.sends_email {
        letters::write(shop, writes, &order, Occasion::PaymentFailed(ending.text)).await?;
    }
    Ok(left)
}

impl Shop {
    /// The order as it is once its customer and itself are locked, in the order in which settlement locks them.
    pub(crate) async fn lock_and_read_order(
        &self,
        writes: &mut dyn Writes,
        id: &str,
    ) -> Result<Order, AppError> {
        let order = writes.order(id).await?.ok_or_else(no_such_order)?;
        writes.lock_shopper(&order.user).await?;
        writes.lock_order(id).await?;
        writes.order(id).await?.ok_or_else(no_such_order)
    }

    /// Ends an order because somebody decided so. A pending one is ended now; one that has failed is marked, so that
    /// late money is returned; a paid one stays as it is. The caller holds the customer's lock. Returns the stock of
    /// the released products.
    pub(crate) async fn end_order(
        &self,
        writes: &mut dyn Writes,
        order: Order,
        reason: EndReason,
    ) -> Result<Vec<(ProductId, Stock)>, AppError> {
        let Some(ended) = order.state.ended_on_purpose(reason) else {
            return Ok(Vec::new());
        };
        writes.forget_keys_of(&order.id).await?;
        let left = if order.state.payment_status == PaymentStatus::Pending {
            fail_order(self, writes, order, Ending::of(reason)).await?
        } else {
            let (words, now_ms) = (order.payment_error.as_deref(), self.now_ms());
            writes
                .save_settlement(&order.id, ended, words, None, now_ms)
                .await?;
            Vec::new()
        };
        failpoint("ending an order");
        Ok(left)
    }

    /// Ends all unpaid orders of a customer whose account is deleted. The caller holds the customer's lock.
    pub(crate) async fn end_orders_of(
        &self,
        writes: &mut dyn Writes,
        user: &UserId,
    ) -> Result<Vec<(ProductId, Stock)>, AppError> {
        let pending = writes.pending_orders_of(user).await?;
        let products: Vec<_> = held_products(&pending).collect();
        writes.lock_products(&products).await?;
        let mut left = Vec::new();
        for order in pending {
            left.extend(
                self.end_order(writes, order, EndReason::AccountDeleted)
                    .await?,
            );
        }
        writes
            .mark_failed_orders(user, EndReason::AccountDeleted)
            .await?;
        Ok(left)
    }
}
