//! OrderState: the one function that ends a payment. The gateway's call, the shopper's return and the
//! reconciler all come here; whoever is first changes the order, the others find nothing left to do.

use mirasa_domain::end_reason::EndReason;
use mirasa_domain::order::{
    PaymentEvent, PaymentStatus, SettlementAction, poll_delay_s, seconds_until_next_look_after_end,
};
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::Stock;

use crate::checkout::no_such_order;
use crate::ending::{Ending, fail_order};
use crate::failpoints::failpoint;
use crate::letters::{self, Occasion};
use crate::ports::orders::{Attempt, AttemptState, Concern, Order, Refund, Settling, StockMove};
use crate::ports::payment::{GatewayPayment, GatewayPaymentState};
use crate::ports::storage::Writes;
use crate::{AppError, Shop};

/// Past the page's own end by so much, an attempt that is still pending is given up.
const GRACE_MS: i64 = 60_000;
/// So much later if the gateway cannot be asked: what it would say may well be "paid".
const UNHEARD_GRACE_MS: i64 = 30 * 60_000;
/// An order that was given up is still asked about, now and then and for so long: late money must not
/// lie at the gateway unseen, even if its own call is lost.
const WATCH_FOR_MS: i64 = 3 * 24 * 60 * 60_000;

/// E-mail and name of the shopper, unless they have left.
type Recipient = Option<(String, String)>;

/// What a settlement leaves behind.
#[derive(Default)]
struct Settled {
    /// The stock of what has moved.
    left: Vec<(ProductId, Stock)>,
    /// The order as it is now, if it is paid: whoever waits for that need not read it again.
    paid: Option<Order>,
}

impl Settled {
    fn unpaid(left: Vec<(ProductId, Stock)>) -> Settled {
        Settled { left, paid: None }
    }

    fn of_known(order: Order) -> Settled {
        let is_paid = order.state.payment_status == PaymentStatus::Completed;
        Settled {
            left: Vec::new(),
            paid: is_paid.then_some(order),
        }
    }
}

/// What came of asking the gateway about an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    Report(GatewayPayment),
    /// It has never heard of it.
    Unknown,
    /// It did not answer.
    Nothing,
}

impl From<Option<GatewayPayment>> for Told {
    fn from(report: Option<GatewayPayment>) -> Told {
        report.map_or(Told::Unknown, Told::Report)
    }
}

impl Shop {
    /// One transaction: the attempt, the order, the stock, the cart, the letter and what comes next. Answers
    /// the order, where it is paid.
    pub async fn settle(
        &self,
        merchant_order_id: &str,
        told: Told,
    ) -> Result<Option<Order>, AppError> {
        let (shop, id) = (self.clone(), merchant_order_id.to_owned());
        let Settled { left, paid } = self
            .db
            .write(move |writes| {
                Box::pin(async move {
                    let settled = shop.settle_within(writes, &id, told).await?;
                    failpoint("settling");
                    Ok::<_, AppError>(settled)
                })
            })
            .await?;
        self.catalogue.set_stock(&left);
        failpoint("settled");
        Ok(paid)
    }

    async fn settle_within(
        &self,
        writes: &mut dyn Writes,
        merchant_order_id: &str,
        told: Told,
    ) -> Result<Settled, AppError> {
        let now_ms = self.now_ms();
        let Settling {
            order,
            attempt,
            recipient,
        } = writes
            .hold_settling(merchant_order_id)
            .await?
            .ok_or_else(no_such_order)?;
        let id = attempt.merchant_order_id.clone();
        if attempt.state == AttemptState::Completed {
            return Ok(Settled::of_known(order));
        }
        let (news, ending) = match &told {
            Told::Report(report) if report.state == GatewayPaymentState::Completed => (
                PaymentEvent::Paid(report.amount),
                Ending::of(EndReason::Expired),
            ),
            // What has failed can only be changed by money.
            _ if attempt.state == AttemptState::Failed => return Ok(Settled::default()),
            Told::Report(report) if report.state == GatewayPaymentState::Failed => {
                let words = report.error_message.as_deref();
                (
                    PaymentEvent::Failed,
                    Ending::of_refusal(&order, words, now_ms),
                )
            }
            Told::Unknown if is_dead(&attempt, now_ms) => {
                (PaymentEvent::Abandoned, Ending::of(EndReason::NotStarted))
            }
            _ => {
                let left = self.wait_or_give_up(writes, order, &attempt, &told).await;
                return left.map(Settled::unpaid);
            }
        };
        let is_current = order.merchant_order_id == id;
        let paid_by_this = order.paid_by.as_deref() == Some(&id);
        let verdict = order.state.decide(news, is_current, paid_by_this);
        let state = if matches!(news, PaymentEvent::Paid(_)) {
            AttemptState::Completed
        } else {
            AttemptState::Failed
        };
        let (mode, transaction) = match &told {
            Told::Report(report) => (report.mode.as_deref(), report.transaction_id.as_deref()),
            Told::Unknown | Told::Nothing => (None, None),
        };
        writes.close_attempt(&id, state, mode, transaction).await?;
        match verdict {
            SettlementAction::Nothing => Ok(Settled::of_known(order)),
            SettlementAction::Complete => {
                let paid = self.complete(writes, order, recipient, &id).await?;
                Ok(Settled::of_known(paid))
            }
            SettlementAction::Fail => {
                let left = fail_order(self, writes, order, ending).await;
                left.map(Settled::unpaid)
            }
            SettlementAction::CompleteLate => self.revive(writes, order, recipient, &id).await,
            SettlementAction::RefundEnded(reason) => {
                let why = format!("Paid after {}", what_ended(reason));
                self.refund(writes, &order, &id, &why).await?;
                Ok(Settled::default())
            }
            SettlementAction::RefundDuplicate => {
                self.refund(writes, &order, &id, "Paid twice").await?;
                Ok(Settled::default())
            }
            SettlementAction::ReportMismatch => {
                let PaymentEvent::Paid(paid) = news else {
                    return Ok(Settled::default());
                };
                let detail = format!(
                    "The gateway says {paid} were paid, the order comes to {}. Nothing was marked paid.",
                    order.state.total
                );
                self.concern(writes, &order, "amount mismatch", &id, detail)
                    .await?;
                if order.state.payment_status == PaymentStatus::Pending && is_current {
                    let left =
                        fail_order(self, writes, order, Ending::of(EndReason::AmountMismatch))
                            .await;
                    return left.map(Settled::unpaid);
                }
                Ok(Settled::default())
            }
        }
    }

    /// The gateway has nothing final to say. While there is time, it is asked again; when time is up, the
    /// order is over, and its attempt is watched for a while longer.
    async fn wait_or_give_up(
        &self,
        writes: &mut dyn Writes,
        order: Order,
        attempt: &Attempt,
        told: &Told,
    ) -> Result<Vec<(ProductId, Stock)>, AppError> {
        let (now_ms, id) = (self.now_ms(), &attempt.merchant_order_id);
        let grace_ms = if *told == Told::Nothing {
            UNHEARD_GRACE_MS
        } else {
            GRACE_MS
        };
        let is_current = order.merchant_order_id == *id;
        let is_over = now_ms > attempt.expires_at_ms + grace_ms;
        if now_ms > attempt.expires_at_ms + WATCH_FOR_MS {
            writes
                .close_attempt(id, AttemptState::Failed, None, None)
                .await?;
        } else {
            let age_s = (now_ms - attempt.created_at_ms) / 1000;
            let is_waited_for = order.state.payment_status == PaymentStatus::Pending && is_current;
            let wait_s = if is_waited_for && !is_over {
                poll_delay_s(age_s)
            } else {
                seconds_until_next_look_after_end(age_s)
            };
            let next_ms = now_ms + wait_s * 1000;
            writes.schedule_look(id, now_ms, next_ms).await?;
        }
        if !is_over {
            return Ok(Vec::new());
        }
        match order
            .state
            .decide(PaymentEvent::Abandoned, is_current, false)
        {
            SettlementAction::Fail => {
                fail_order(self, writes, order, Ending::of(EndReason::Expired)).await
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Answers the order as it is now.
    async fn complete(
        &self,
        writes: &mut dyn Writes,
        mut order: Order,
        recipient: Recipient,
        attempt: &str,
    ) -> Result<Order, AppError> {
        order.state = order.state.completed();
        order.payment_error = None;
        order.paid_by = Some(attempt.to_owned());
        order.updated_at_ms = self.now_ms();
        writes
            .save_settlement(
                &order.id,
                order.state,
                None,
                Some(attempt),
                order.updated_at_ms,
            )
            .await?;
        writes.take_bought_packs(&order.user, &order.lines).await?;
        writes.bump_cart(&order.user, order.updated_at_ms).await?;
        letters::write_to(self, writes, recipient, &order, Occasion::Confirmed).await?;
        Ok(order)
    }

    /// Money after the end: the goods again if there are any, else the money back. Either way somebody
    /// should know.
    async fn revive(
        &self,
        writes: &mut dyn Writes,
        order: Order,
        recipient: Recipient,
        attempt: &str,
    ) -> Result<Settled, AppError> {
        let left = if order.state.stock_reserved {
            Some(Vec::new())
        } else {
            writes
                .move_order_stock(&order.id, &order.lines, StockMove::TakeAgain, self.now_ms())
                .await?
        };
        let Some(left) = left else {
            self.refund(
                writes,
                &order,
                attempt,
                "Paid after the order had ended, and the goods are gone",
            )
            .await?;
            return Ok(Settled::default());
        };
        let detail = "Paid after the order had been given up. The goods were there and have been taken again.".to_owned();
        self.concern(writes, &order, "late payment", attempt, detail)
            .await?;
        let paid = Some(self.complete(writes, order, recipient, attempt).await?);
        Ok(Settled { left, paid })
    }

    async fn refund(
        &self,
        writes: &mut dyn Writes,
        order: &Order,
        attempt: &str,
        reason: &str,
    ) -> Result<(), AppError> {
        let refund = Refund {
            id: format!("R{}", self.ids.new_id().replace('-', "")),
            merchant_order_id: attempt.to_owned(),
            order_id: order.id.clone(),
            amount: order.state.total,
            reason: reason.to_owned(),
            state: "wanted".into(),
            looks: 0,
        };
        if writes.want_refund(&refund, self.now_ms()).await? {
            self.concern(
                writes,
                order,
                "refund",
                attempt,
                format!("{reason}: {} go back to the shopper.", refund.amount),
            )
            .await?;
        }
        Ok(())
    }

    pub(crate) async fn concern(
        &self,
        writes: &mut dyn Writes,
        order: &Order,
        kind: &str,
        about: &str,
        detail: String,
    ) -> Result<(), AppError> {
        let concern = Concern {
            id: self.ids.new_id(),
            order_id: order.id.clone(),
            kind: kind.to_owned(),
            about: about.to_owned(),
            detail,
            created_at_ms: self.now_ms(),
            order_is_deleted: order.deleted_at_ms.is_some(),
        };
        Ok(writes.raise_concern(&concern).await?)
    }
}

/// The gateway does not know it, and whoever wanted to tell it of it has long stopped trying.
fn is_dead(attempt: &Attempt, now_ms: i64) -> bool {
    let began_long_ago = now_ms > attempt.created_at_ms + GRACE_MS;
    match attempt.state {
        AttemptState::Opening => began_long_ago,
        _ => now_ms > attempt.expires_at_ms + GRACE_MS,
    }
}

/// For the owner, after "Paid after".
fn what_ended(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Cancelled => "the order was cancelled",
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
