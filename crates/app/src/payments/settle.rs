//! Settlement: the one function that changes an order after a payment. The webhook, the returning customer and the
//! reconciler all call it; the first changes the order, the others find nothing left to do.

use mirasa_domain::issue::IssueKind;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, PaymentStatus};
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::payment::{AttemptId, PaymentAttemptState};
use mirasa_domain::product::ProductId;
use mirasa_domain::settlement::{
    self, AttemptChange, OrderChange, PaymentReport, RefundCause, Settlement,
};
use mirasa_domain::stock::{Stock, StockMovement};

use crate::cart::discounts::can_use_again;
use crate::emails::{self, OrderEmail};
use crate::orders::order_not_found;
use crate::payments::end_order::fail_order;
use crate::payments::payment_metrics::{count_payment, settlement_result};
use crate::ports::payment::{GatewayPayment, GatewayPaymentState};
use crate::refunds::send::NewRefund;
use crate::repository::Transaction;
use crate::repository::payments::{AttemptWithOrder, PaymentDetails};
use crate::runtime::failpoints::failpoint;
use crate::{AppError, Shop};

/// The result of polling the gateway for an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PollOutcome {
    Payment(GatewayPayment),
    /// The gateway does not know the attempt.
    NotFound,
    NoResponse,
}

impl From<Option<GatewayPayment>> for PollOutcome {
    fn from(payment: Option<GatewayPayment>) -> PollOutcome {
        payment.map_or(PollOutcome::NotFound, PollOutcome::Payment)
    }
}

impl PollOutcome {
    pub(super) fn report(&self) -> PaymentReport {
        match self {
            PollOutcome::Payment(payment) => match payment.state {
                GatewayPaymentState::Completed => PaymentReport::Paid(payment.amount),
                GatewayPaymentState::Failed => {
                    PaymentReport::Declined(payment.error_message.clone())
                }
                GatewayPaymentState::Pending => PaymentReport::Pending,
            },
            PollOutcome::NotFound => PaymentReport::Unknown,
            PollOutcome::NoResponse => PaymentReport::NoResponse,
        }
    }

    fn details(&self, received: Option<Paise>) -> PaymentDetails<'_> {
        match self {
            PollOutcome::Payment(payment) => PaymentDetails {
                received,
                mode: payment.mode.as_deref(),
                transaction_id: payment.transaction_id.as_deref(),
            },
            PollOutcome::NotFound | PollOutcome::NoResponse => PaymentDetails::default(),
        }
    }
}

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
}

impl Shop {
    /// Applies the result of a poll to the attempt, order, stock, cart and outbox, in one transaction. Returns the order
    /// if it is paid.
    pub async fn settle(
        &self,
        merchant_order_id: &AttemptId,
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
        merchant_order_id: &AttemptId,
        outcome: PollOutcome,
    ) -> Result<SettleOutcome, AppError> {
        let AttemptWithOrder {
            order,
            attempt,
            recipient,
        } = tx
            .lock_attempt_with_order(merchant_order_id)
            .await?
            .ok_or_else(order_not_found)?;
        let (id, now_ms) = (&attempt.merchant_order_id, self.now_ms());
        let Settlement {
            attempt: attempt_change,
            order: change,
        } = settlement::settle(&order, &attempt, outcome.report(), now_ms);
        change_attempt(tx, id, attempt_change, &outcome, now_ms).await?;
        let result = settlement_result(&change);
        let settled = match change {
            OrderChange::Nothing => SettleOutcome::unchanged(order),
            OrderChange::Complete => {
                SettleOutcome::unchanged(self.complete_order(tx, order, recipient, id).await?)
            }
            OrderChange::CompleteLate => {
                self.complete_late_payment(tx, order, recipient, id).await?
            }
            OrderChange::End(end) => SettleOutcome::unpaid(fail_order(self, tx, order, end).await?),
            OrderChange::Refund(cause) => {
                self.refund_at_once(tx, &order, id, cause).await?;
                SettleOutcome::default()
            }
            OrderChange::ReportMismatch { received, end } => {
                self.report_mismatch(tx, &order, id.as_str(), received)
                    .await?;
                match end {
                    Some(end) => SettleOutcome::unpaid(fail_order(self, tx, order, end).await?),
                    None => SettleOutcome::default(),
                }
            }
        };
        Ok(SettleOutcome { result, ..settled })
    }

    async fn report_mismatch(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        attempt: &str,
        paid: Paise,
    ) -> Result<(), AppError> {
        let detail = format!(
            "The gateway says {paid} were paid, the order comes to {}. Nothing was marked paid.",
            order.state.total
        );
        self.open_issue(tx, order, IssueKind::AmountMismatch, attempt, detail)
            .await
    }

    /// Returns the completed order.
    pub(super) async fn complete_order(
        &self,
        tx: &mut dyn Transaction,
        mut order: Order,
        recipient: Recipient,
        attempt: &AttemptId,
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
        attempt: &AttemptId,
    ) -> Result<SettleOutcome, AppError> {
        let left = match self.reserve_again(tx, &order).await? {
            Ok(left) => left,
            Err(cause) => {
                self.refund_at_once(tx, &order, attempt, cause).await?;
                return Ok(SettleOutcome::default());
            }
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

    /// Takes the discount code and the stock of an ended order again. Returns the new stock.
    async fn reserve_again(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
    ) -> Result<Result<Vec<(ProductId, Stock)>, RefundCause>, AppError> {
        if let Err(reason) = can_use_again(tx, order).await? {
            return Ok(Err(RefundCause::NoUseLeft(reason)));
        }
        if order.state.stock_reserved {
            return Ok(Ok(Vec::new()));
        }
        let (again, now_ms) = (StockMovement::ReserveAgain, self.now_ms());
        let left = tx
            .apply_stock_movement(&order.id, &order.lines, again, now_ms)
            .await?;
        Ok(left.ok_or(RefundCause::NoStockLeft))
    }

    /// Refunds a whole payment that the shop cannot keep. An admin sees why.
    async fn refund_at_once(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        attempt: &AttemptId,
        cause: RefundCause,
    ) -> Result<(), AppError> {
        let (amount, reason) = (order.state.total, cause.to_string());
        let new = NewRefund {
            merchant_order_id: attempt.to_owned(),
            amount,
            lines: Vec::new(),
            reason: reason.clone(),
            requested_by: Actor::System,
            retry_of: None,
            rest_kept: Paise::ZERO,
            id: None,
        };
        self.insert_refund(tx, order, new).await?;
        let amount = amount.two_decimals();
        let detail = format!("{reason}: {amount} go back to the shopper.");
        self.open_issue(tx, order, IssueKind::Refund, attempt, detail)
            .await
    }
}

async fn change_attempt(
    tx: &mut dyn Transaction,
    id: &AttemptId,
    change: AttemptChange,
    outcome: &PollOutcome,
    now_ms: i64,
) -> Result<(), AppError> {
    let (state, details) = match change {
        AttemptChange::Nothing => return Ok(()),
        AttemptChange::PollAgain { delay_s } => {
            let next_poll_at_ms = now_ms + delay_s * 1000;
            return Ok(tx.schedule_poll(id, now_ms, next_poll_at_ms).await?);
        }
        AttemptChange::Complete(received) => (
            PaymentAttemptState::Completed,
            outcome.details(Some(received)),
        ),
        AttemptChange::Fail => (PaymentAttemptState::Failed, outcome.details(None)),
        AttemptChange::GiveUp => (PaymentAttemptState::Failed, PaymentDetails::default()),
    };
    Ok(tx.close_attempt(id, state, details).await?)
}
