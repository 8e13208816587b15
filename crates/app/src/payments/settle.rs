//! Settlement: the one function that changes an order after a payment. The webhook, the returning customer and the
//! reconciler all call it; the first changes the order, the others find nothing left to do.

use mirasa_domain::end_reason::EndReason;
use mirasa_domain::issue::IssueKind;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, PaymentEvent, PaymentStatus, SettlementAction};
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::payment::{PaymentAttempt, PaymentAttemptState};
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::{Stock, StockMovement};

use crate::cart::discounts::can_use_again;
use crate::emails::{self, OrderEmail};
use crate::orders::order_not_found;
use crate::payments::end_order::{OrderEnd, fail_order};
use crate::payments::payment_metrics::{count_payment, failure_result};
use crate::payments::poll_schedule::{
    EXPIRY_GRACE_MS, LATE_PAYMENT_WINDOW_MS, NO_RESPONSE_GRACE_MS, PollOutcome, is_orphaned,
    next_delay_s,
};
use crate::ports::payment::GatewayPaymentState;
use crate::refunds::send::NewRefund;
use crate::repository::Transaction;
use crate::repository::payments::{AttemptWithOrder, PaymentDetails};
use crate::runtime::failpoints::failpoint;
use crate::{AppError, Shop};

/// Email address and name of the customer, unless the account was deleted.
type Recipient = Option<(String, String)>;

#[derive(Default)]
struct SettleOutcome {
    /// The new stock of the products whose stock has changed.
    remaining_stock: Vec<(ProductId, Stock)>,
    /// The new state of the order, if it is paid. The caller does not have to read it again.
    paid: Option<Order>,
    /// The label of the metric, if the payment has reached a result.
    result: Option<&'static str>,
}

impl SettleOutcome {
    fn unpaid(left: Vec<(ProductId, Stock)>) -> SettleOutcome {
        SettleOutcome {
            remaining_stock: left,
            ..SettleOutcome::default()
        }
    }

    fn unchanged(order: Order) -> SettleOutcome {
        let is_paid = order.state.payment_status == PaymentStatus::Completed;
        SettleOutcome {
            remaining_stock: Vec::new(),
            paid: is_paid.then_some(order),
            result: None,
        }
    }

    fn with_result(self, result: Option<&'static str>) -> SettleOutcome {
        SettleOutcome { result, ..self }
    }
}

impl Shop {
    /// Applies the result of a poll to the attempt, order, stock, cart and outbox, in one transaction. Returns the order
    /// if it is paid.
    pub async fn settle(
        &self,
        merchant_order_id: &str,
        outcome: PollOutcome,
    ) -> Result<Option<Order>, AppError> {
        let (shop, id) = (self.clone(), merchant_order_id.to_owned());
        let SettleOutcome {
            remaining_stock,
            paid,
            result,
        } = self
            .db
            .write(async move |tx| {
                let settled = shop.settle_in(tx, &id, outcome).await?;
                failpoint("settling");
                Ok::<_, AppError>(settled)
            })
            .await?;
        self.catalogue.apply_stock(&remaining_stock);
        if let Some(result) = result {
            count_payment(result);
        }
        failpoint("settled");
        Ok(paid)
    }

    async fn settle_in(
        &self,
        tx: &mut dyn Transaction,
        merchant_order_id: &str,
        outcome: PollOutcome,
    ) -> Result<SettleOutcome, AppError> {
        let now_ms = self.now_ms();
        let AttemptWithOrder {
            order,
            attempt,
            recipient,
        } = tx
            .lock_attempt_with_order(merchant_order_id)
            .await?
            .ok_or_else(order_not_found)?;
        let id = attempt.merchant_order_id.clone();
        if attempt.state == PaymentAttemptState::Completed {
            return Ok(SettleOutcome::unchanged(order));
        }
        let (event, end) = match &outcome {
            PollOutcome::Payment(payment) if payment.state == GatewayPaymentState::Completed => (
                PaymentEvent::Paid(payment.amount),
                OrderEnd::new(EndReason::Expired),
            ),
            // Only a payment changes a failed attempt.
            _ if attempt.state == PaymentAttemptState::Failed => {
                return Ok(SettleOutcome::default());
            }
            PollOutcome::Payment(payment) if payment.state == GatewayPaymentState::Failed => {
                let message = payment.error_message.as_deref();
                (
                    PaymentEvent::Failed,
                    OrderEnd::declined(&order, message, now_ms),
                )
            }
            PollOutcome::NotFound if is_orphaned(&attempt, now_ms) => (
                PaymentEvent::Abandoned,
                OrderEnd::new(EndReason::NotStarted),
            ),
            _ => {
                return self
                    .reschedule_or_expire(tx, order, &attempt, &outcome)
                    .await;
            }
        };
        let is_current = order.merchant_order_id == id;
        let paid_by_this = order.paid_by_attempt.as_deref() == Some(&id);
        let action = order.state.decide(event, is_current, paid_by_this);
        let state = if matches!(event, PaymentEvent::Paid(_)) {
            PaymentAttemptState::Completed
        } else {
            PaymentAttemptState::Failed
        };
        let details = match &outcome {
            PollOutcome::Payment(payment) => PaymentDetails {
                received: matches!(event, PaymentEvent::Paid(_)).then_some(payment.amount),
                mode: payment.mode.as_deref(),
                transaction_id: payment.transaction_id.as_deref(),
            },
            PollOutcome::NotFound | PollOutcome::NoResponse => PaymentDetails::default(),
        };
        tx.close_attempt(&id, state, details).await?;
        let result = match action {
            SettlementAction::Nothing => None,
            SettlementAction::Complete => Some("completed"),
            SettlementAction::Fail => Some(failure_result(end.reason)),
            SettlementAction::CompleteLate => Some("late"),
            SettlementAction::RefundEnded(_) | SettlementAction::RefundDuplicate => {
                Some("refunded")
            }
            SettlementAction::ReportMismatch => Some("amount_mismatch"),
        };
        let settled = match action {
            SettlementAction::Nothing => Ok(SettleOutcome::unchanged(order)),
            SettlementAction::Complete => {
                let paid = self.complete_order(tx, order, recipient, &id).await?;
                Ok(SettleOutcome::unchanged(paid))
            }
            SettlementAction::Fail => {
                let left = fail_order(self, tx, order, end).await;
                left.map(SettleOutcome::unpaid)
            }
            SettlementAction::CompleteLate => {
                self.complete_late_payment(tx, order, recipient, &id).await
            }
            SettlementAction::RefundEnded(reason) => {
                let why = format!("Paid after {}", what_ended(reason));
                self.refund_at_once(tx, &order, &id, &why).await?;
                Ok(SettleOutcome::default())
            }
            SettlementAction::RefundDuplicate => {
                self.refund_at_once(tx, &order, &id, "Paid twice").await?;
                Ok(SettleOutcome::default())
            }
            SettlementAction::ReportMismatch => {
                let PaymentEvent::Paid(paid) = event else {
                    return Ok(SettleOutcome::default());
                };
                let detail = format!(
                    "The gateway says {paid} were paid, the order comes to {}. Nothing was marked paid.",
                    order.state.total
                );
                self.open_issue(tx, &order, IssueKind::AmountMismatch, &id, detail)
                    .await?;
                let has_left = order.state.order_status.has_left_shop();
                if order.state.payment_status == PaymentStatus::Pending && is_current && !has_left {
                    let end = OrderEnd::new(EndReason::AmountMismatch);
                    let left = fail_order(self, tx, order, end).await?;
                    return Ok(SettleOutcome::unpaid(left).with_result(result));
                }
                Ok(SettleOutcome::default())
            }
        };
        settled.map(|settled: SettleOutcome| settled.with_result(result))
    }

    /// The payment has no final state. Schedules the next poll. After the deadline the order expires, but its attempt is
    /// still polled until `LATE_PAYMENT_WINDOW_MS` has passed.
    async fn reschedule_or_expire(
        &self,
        tx: &mut dyn Transaction,
        order: Order,
        attempt: &PaymentAttempt,
        outcome: &PollOutcome,
    ) -> Result<SettleOutcome, AppError> {
        let (now_ms, id) = (self.now_ms(), &attempt.merchant_order_id);
        let grace_ms = if *outcome == PollOutcome::NoResponse {
            NO_RESPONSE_GRACE_MS
        } else {
            EXPIRY_GRACE_MS
        };
        let is_current = order.merchant_order_id == *id;
        let is_over = now_ms > attempt.expires_at_ms + grace_ms;
        if now_ms > attempt.expires_at_ms + LATE_PAYMENT_WINDOW_MS {
            let details = PaymentDetails::default();
            tx.close_attempt(id, PaymentAttemptState::Failed, details)
                .await?;
        } else {
            let is_waited_for = order.state.payment_status == PaymentStatus::Pending && is_current;
            let delay_s = next_delay_s(attempt, is_waited_for && !is_over, now_ms);
            let next_poll_at_ms = now_ms + delay_s * 1000;
            tx.schedule_poll(id, now_ms, next_poll_at_ms).await?;
        }
        if !is_over {
            return Ok(SettleOutcome::default());
        }
        match order
            .state
            .decide(PaymentEvent::Abandoned, is_current, false)
        {
            SettlementAction::Fail => {
                let reason = EndReason::Expired;
                let left = fail_order(self, tx, order, OrderEnd::new(reason)).await?;
                Ok(SettleOutcome::unpaid(left).with_result(Some(failure_result(reason))))
            }
            _ => Ok(SettleOutcome::default()),
        }
    }

    /// Returns the completed order.
    pub(super) async fn complete_order(
        &self,
        tx: &mut dyn Transaction,
        mut order: Order,
        recipient: Recipient,
        attempt: &str,
    ) -> Result<Order, AppError> {
        order.state = order.state.completed();
        order.payment_error = None;
        order.paid_by_attempt = Some(attempt.to_owned());
        order.updated_at_ms = self.now_ms();
        tx.save_order_state(
            &order.id,
            order.state,
            None,
            Some(attempt),
            order.updated_at_ms,
        )
        .await?;
        tx.remove_ordered_from_cart(&order.user, &order.lines)
            .await?;
        if let Some(discount) = &order.discount {
            tx.clear_used_cart_discount(&order.user, &discount.discount_id)
                .await?;
        }
        tx.increment_cart_version(&order.user, order.updated_at_ms)
            .await?;
        let kind = OrderEventKind::Paid;
        self.record_event(tx, &order.id, kind, Actor::System, String::new())
            .await?;
        // An admin may have shipped it before the payment was reported.
        let invoice = if order.state.order_status.has_left_shop() {
            self.pack_when_paid(tx, &order, attempt).await?;
            self.update_order_issues(tx, &order.id).await?;
            self.issue_invoice(tx, &order).await?
        } else {
            None
        };
        emails::enqueue_to(self, tx, recipient, &order, OrderEmail::Confirmed, invoice).await?;
        Ok(order)
    }

    /// A payment after the order ended: completes the order if its stock can be reserved again and its discount code has
    /// a use left, otherwise requests a refund. Both open an order issue.
    async fn complete_late_payment(
        &self,
        tx: &mut dyn Transaction,
        order: Order,
        recipient: Recipient,
        attempt: &str,
    ) -> Result<SettleOutcome, AppError> {
        if let Err(reason) = can_use_again(tx, &order).await? {
            let reason =
                format!("Paid after the order had ended, and its code has no use left ({reason})");
            self.refund_at_once(tx, &order, attempt, &reason).await?;
            return Ok(SettleOutcome::default());
        }
        let left = if order.state.stock_reserved {
            Some(Vec::new())
        } else {
            tx.apply_stock_movement(
                &order.id,
                &order.lines,
                StockMovement::ReserveAgain,
                self.now_ms(),
            )
            .await?
        };
        let Some(left) = left else {
            self.refund_at_once(
                tx,
                &order,
                attempt,
                "Paid after the order had ended, and the goods are gone",
            )
            .await?;
            return Ok(SettleOutcome::default());
        };
        let detail = "Paid after the order had been given up. The goods were there and have been taken again.".to_owned();
        self.open_issue(tx, &order, IssueKind::LatePayment, attempt, detail)
            .await?;
        let paid = self.complete_order(tx, order, recipient, attempt).await?;
        self.update_order_issues(tx, &paid.id).await?;
        let paid = Some(paid);
        Ok(SettleOutcome {
            remaining_stock: left,
            paid,
            result: None,
        })
    }

    /// Refunds a whole payment that the shop cannot keep. An admin sees why.
    async fn refund_at_once(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        attempt: &str,
        reason: &str,
    ) -> Result<(), AppError> {
        let amount = order.state.total;
        let new = NewRefund {
            merchant_order_id: attempt.to_owned(),
            amount,
            lines: Vec::new(),
            reason: reason.to_owned(),
            requested_by: Actor::System,
            retry_of: None,
            rest_kept: Paise::ZERO,
            id: None,
        };
        self.insert_refund(tx, order, new).await?;
        let detail = format!("{reason}: {amount} go back to the shopper.");
        self.open_issue(tx, order, IssueKind::Refund, attempt, detail)
            .await
    }
}

/// For the text of an issue, after "Paid after".
fn what_ended(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Cancelled => "the order was cancelled",
        EndReason::CancelledByCustomer => "the customer cancelled the order",
        EndReason::Deleted => "the order was deleted",
        EndReason::AccountDeleted => "the customer's account was deleted",
        EndReason::Released => "its reserved stock was released",
        EndReason::Failed
        | EndReason::Expired
        | EndReason::Replaced
        | EndReason::NotStarted
        | EndReason::AmountMismatch => "the order had ended",
    }
}
