//! Refunds: records them, sends those that are due to the gateway and polls those that it has accepted.

use mirasa_domain::issue::IssueKind;
use mirasa_domain::money::Paise;
use mirasa_domain::order::Order;
use mirasa_domain::order_event::{Actor, OrderEvent, OrderEventKind};
use mirasa_domain::refund::{Refund, RefundLine, RefundStatus};
use mirasa_domain::refund_cover;
use mirasa_domain::refund_plan::rest_kept_text;

use crate::emails::{self, OrderEmail};
use crate::orders::replaced_before;
use crate::ports::payment::{GatewayRefundState, PaymentError, RefundRequest};
use crate::repository::Transaction;
use crate::runtime::failpoints::failpoint;
use crate::runtime::workers::{BATCH_SIZE, LEASE_MS, join_all};
use crate::{AppError, Shop};

/// A refund to be recorded.
pub(crate) struct NewRefund {
    pub merchant_order_id: String,
    pub amount: Paise,
    pub lines: Vec<RefundLine>,
    pub reason: String,
    pub requested_by: Actor,
    pub retry_of: Option<String>,
    /// What is left of the payment afterwards and is too little to be refunded.
    pub rest_kept: Paise,
    /// None for a new id.
    pub id: Option<String>,
}

impl Shop {
    pub(crate) fn new_refund_id(&self) -> String {
        format!("R{}", self.ids.new_id().replace('-', ""))
    }

    /// Records the refund and its event, and closes the failed refunds that it covers. The worker sends it to the gateway
    /// after the transaction. The caller has locked the order.
    pub(crate) async fn insert_refund(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        new: NewRefund,
    ) -> Result<Refund, AppError> {
        let now_ms = self.now_ms();
        let earlier = tx.refunds_of(std::slice::from_ref(&order.id)).await?;
        // What was requested after a failure is known by its time, also if the clock was set back.
        let failed = earlier.iter().filter(|one| !one.counts());
        let last_failure_ms = failed.map(|one| one.updated_at_ms).max();
        let refund = Refund {
            id: new.id.unwrap_or_else(|| self.new_refund_id()),
            merchant_order_id: new.merchant_order_id,
            order_id: order.id.clone(),
            amount: new.amount,
            reason: new.reason,
            status: RefundStatus::Requested,
            requested_by: new.requested_by,
            retry_of: new.retry_of,
            error: None,
            superseded_by: None,
            deducted_from: None,
            lines: new.lines,
            poll_count: 0,
            created_at_ms: now_ms.max(last_failure_ms.unwrap_or(now_ms)),
            updated_at_ms: now_ms,
        };
        self.close_covered_refunds(tx, order, &refund, earlier)
            .await?;
        tx.insert_refund(&refund).await?;
        let packs = refund.lines.iter();
        let packs: Vec<_> = packs.map(|one| (one.product.clone(), one.packs)).collect();
        let warning = replaced_before(tx, order, &packs).await?;
        tx.set_refund_repeated(&refund.id, warning.is_some())
            .await?;
        let detail = format!("{}, {}", refund.amount, refund.reason);
        let (kind, actor) = (OrderEventKind::RefundRequested, refund.requested_by.clone());
        self.record_event(tx, &order.id, kind, actor.clone(), detail)
            .await?;
        self.record_rest_kept(tx, &order.id, new.rest_kept, actor)
            .await?;
        self.update_order_issues(tx, &order.id).await?;
        Ok(refund)
    }

    /// Failed refunds that a new one covers are not repeated, and their issues are resolved.
    async fn close_covered_refunds(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        new: &Refund,
        mut earlier: Vec<Refund>,
    ) -> Result<(), AppError> {
        earlier.retain(|one| one.merchant_order_id == new.merchant_order_id);
        if earlier.iter().all(Refund::counts) {
            return Ok(());
        }
        let payments = tx.payments_received(&order.id).await?;
        let received = received_by(&payments, &new.merchant_order_id);
        let covered = refund_cover::covered_by(new, &order.lines, received, &earlier);
        tx.supersede_refunds(&covered, &new.id).await?;
        tx.resolve_issues_about(IssueKind::RefundFailed, &covered, self.now_ms())
            .await?;
        Ok(())
    }

    /// Says in the history, once, that the rest of a payment is too little to be refunded.
    pub(crate) async fn record_rest_kept(
        &self,
        tx: &mut dyn Transaction,
        order_id: &str,
        rest: Paise,
        actor: Actor,
    ) -> Result<(), AppError> {
        if rest == Paise::ZERO {
            return Ok(());
        }
        let (kind, detail) = (OrderEventKind::RestKept, rest_kept_text(rest));
        let events = tx.events_of(&[order_id.to_owned()]).await?;
        let is_same = |event: &OrderEvent| event.kind == kind && event.detail == detail;
        if events.iter().any(is_same) {
            return Ok(());
        }
        self.record_event(tx, order_id, kind, actor, detail).await
    }

    pub async fn process_refunds(&self) -> Result<usize, AppError> {
        let now_ms = self.now_ms();
        let due: Vec<Refund> = self
            .db
            .write(async move |tx| {
                tx.lease_refunds(now_ms, now_ms + LEASE_MS, BATCH_SIZE as i64)
                    .await
            })
            .await?;
        let count = due.len();
        let refunds = due.into_iter().map(|refund| {
            let shop = self.clone();
            async move { shop.process_refund(refund).await }
        });
        join_all(refunds).await.map(|()| count)
    }

    async fn process_refund(&self, refund: Refund) -> Result<(), AppError> {
        let request = RefundRequest {
            merchant_refund_id: refund.id.clone(),
            merchant_order_id: refund.merchant_order_id.clone(),
            amount: refund.amount,
        };
        let mut result = match refund.status {
            RefundStatus::Requested => self.gateway.create_refund(request).await.map(Some),
            _ => self.gateway.refund_status(&refund.id).await,
        };
        let mut rejected = false;
        if let Err(PaymentError::Rejected(reason)) = &result {
            tracing::warn!(reason, "the gateway rejected a refund");
            // It may reject a repeat of a refund that it has already made.
            result = self.gateway.refund_status(&refund.id).await;
            rejected = matches!(result, Ok(None));
        }
        failpoint("refund asked for");
        let status = match &result {
            Ok(Some(refunded)) if refunded.state == GatewayRefundState::Completed => {
                RefundStatus::Completed
            }
            Ok(Some(refunded)) if refunded.state == GatewayRefundState::Failed => {
                RefundStatus::Failed
            }
            Ok(Some(_)) => RefundStatus::Pending,
            Ok(None) if rejected => RefundStatus::Failed,
            Ok(None) => RefundStatus::Requested,
            Err(error) => {
                tracing::warn!(%error, "a refund could not be requested");
                refund.status
            }
        };
        let failure = match &result {
            _ if status != RefundStatus::Failed => None,
            Ok(Some(refunded)) => refunded.error_code.clone(),
            Ok(None) => Some("rejected by the gateway".to_owned()),
            Err(error) => Some(error.to_string()),
        };
        let (shop, now_ms) = (self.clone(), self.now_ms());
        let next_poll_at_ms = now_ms + (30_000_i64 << refund.poll_count.min(7));
        let is_changed: bool = self
            .db
            .write(async move |tx| {
                // In the same sequence as all other changes of an order.
                let order: Option<Order> = tx
                    .order_by_payment_attempt(&refund.merchant_order_id)
                    .await?;
                if let Some(order) = &order {
                    tx.lock_user(&order.user).await?;
                    tx.lock_order(&order.id).await?;
                }
                let mut ended_at_ms = now_ms;
                if let (RefundStatus::Failed, Some(order)) = (status, &order) {
                    // After all that was requested before it failed, also if the clock was set back.
                    let refunds = tx.refunds_of(std::slice::from_ref(&order.id)).await?;
                    let requested = refunds.iter().map(|one| one.created_at_ms + 1);
                    ended_at_ms = requested.fold(now_ms, i64::max);
                }
                let is_changed = tx
                    .update_refund(
                        &refund.id,
                        status,
                        failure.as_deref(),
                        next_poll_at_ms,
                        ended_at_ms,
                    )
                    .await?;
                let Some(order) = order.filter(|_| is_changed) else {
                    return Ok(is_changed);
                };
                let amount = refund.amount.to_string();
                match status {
                    RefundStatus::Completed => {
                        // Read again: an invoice may have been issued since the refund was leased.
                        let note = match tx.refund(&refund.id).await? {
                            Some(refund) => shop.issue_credit_note(tx, &order, &refund).await?,
                            None => None,
                        };
                        let kind = OrderEventKind::RefundCompleted;
                        shop.record_event(tx, &order.id, kind, Actor::System, amount.clone())
                            .await?;
                        let email = OrderEmail::Refunded(amount);
                        emails::enqueue_with_invoice(&shop, tx, &order, email, note).await?;
                    }
                    RefundStatus::Failed => {
                        let kind = OrderEventKind::RefundFailed;
                        shop.record_event(tx, &order.id, kind, Actor::System, amount)
                            .await?;
                        let detail = format!(
                            "The gateway could not return {}: {}",
                            refund.amount, refund.reason
                        );
                        shop.open_issue(tx, &order, IssueKind::RefundFailed, &refund.id, detail)
                            .await?;
                        // The money of an ended order is kept again, whatever an admin confirmed before.
                        let kept = IssueKind::PaymentKept;
                        tx.forget_issue_about(kept, &order.id, now_ms).await?;
                        shop.update_order_issues(tx, &order.id).await?;
                    }
                    RefundStatus::Requested | RefundStatus::Pending => {}
                }
                Ok::<_, AppError>(true)
            })
            .await?;
        let result = match status {
            RefundStatus::Completed => "completed",
            RefundStatus::Failed => "failed",
            RefundStatus::Requested | RefundStatus::Pending => return Ok(()),
        };
        if is_changed {
            metrics::counter!("refunds_total", "result" => result).increment(1);
        }
        Ok(())
    }

    /// A webhook reports a refund: the next run of the worker polls it.
    pub async fn schedule_refund_now(&self, id: String) -> Result<(), AppError> {
        let now_ms = self.now_ms();
        self.db
            .write(async move |tx| Ok(tx.schedule_refund_now(&id, now_ms).await?))
            .await
    }
}

/// The amount of one of an order's payments.
pub(crate) fn received_by(payments: &[(String, Paise)], payment: &str) -> Paise {
    let received = payments.iter().find(|(id, _)| id == payment);
    received.map_or(Paise::ZERO, |(_, received)| *received)
}
