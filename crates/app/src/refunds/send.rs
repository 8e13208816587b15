//! Refunds: records them, sends those that are due to the gateway and polls those that it has accepted.

use mirasa_domain::issue::IssueKind;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderId};
use mirasa_domain::order_event::{Actor, OrderEvent, OrderEventKind};
use mirasa_domain::payment::AttemptId;
use mirasa_domain::refund::{
    Refund, RefundId, RefundLine, RefundProgress, RefundReport, RefundStatus, failed_at_ms,
};
use mirasa_domain::refund_cover;
use mirasa_domain::refund_plan::rest_kept_text;

use crate::emails::{self, OrderEmail};
use crate::orders::replaced_before;
use crate::ports::payment::{GatewayRefund, GatewayRefundState, PaymentError, RefundRequest};
use crate::repository::Transaction;
use crate::runtime::failpoints::failpoint;
use crate::runtime::leased_rows::{LEASE_MS, LeasedRows, LeasedWork, first_failure};
use crate::{AppError, Shop};

/// A refund to be recorded.
pub(crate) struct NewRefund {
    pub merchant_order_id: AttemptId,
    pub amount: Paise,
    pub lines: Vec<RefundLine>,
    pub reason: String,
    pub requested_by: Actor,
    pub retry_of: Option<RefundId>,
    /// What is left of the payment afterwards and is too little to be refunded.
    pub rest_kept: Paise,
    /// None for a new id.
    pub id: Option<RefundId>,
}

/// Requests to the gateway that one instance has at a time.
const MAX_REFUNDS_IN_PROGRESS: usize = 20;

/// Refunds that are due, to be sent or polled by the worker.
#[derive(Clone)]
pub struct DueRefunds(pub Shop);

impl LeasedRows for DueRefunds {
    type Row = Refund;
    type Done = Result<(), AppError>;
    const MAX_IN_PROGRESS: usize = MAX_REFUNDS_IN_PROGRESS;

    async fn lease(&self, limit: usize) -> Result<Vec<Refund>, AppError> {
        let now_ms = self.0.now_ms();
        self.0
            .db
            .write(async move |tx| {
                Ok(tx
                    .lease_refunds(now_ms, now_ms + LEASE_MS, limit as i64)
                    .await?)
            })
            .await
    }

    async fn work(self, refund: Refund) -> Self::Done {
        self.0.process_refund(refund).await
    }

    async fn record(&self, done: Vec<Self::Done>) -> Result<(), AppError> {
        first_failure(done)
    }
}

impl Shop {
    pub(crate) fn new_refund_id(&self) -> RefundId {
        RefundId(format!("R{}", self.ids.new_id().replace('-', "")))
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
        let detail = format!("{}, {}", refund.amount.two_decimals(), refund.reason);
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
        order_id: &OrderId,
        rest: Paise,
        actor: Actor,
    ) -> Result<(), AppError> {
        if rest == Paise::ZERO {
            return Ok(());
        }
        let (kind, detail) = (OrderEventKind::RestKept, rest_kept_text(rest));
        let events = tx.events_of(std::slice::from_ref(order_id)).await?;
        let is_same = |event: &OrderEvent| event.kind == kind && event.detail == detail;
        if events.iter().any(is_same) {
            return Ok(());
        }
        self.record_event(tx, order_id, kind, actor, detail).await
    }

    /// Sends or polls every refund that is due. Returns how many there were.
    pub async fn process_refunds(&self) -> Result<usize, AppError> {
        LeasedWork::all_due(DueRefunds(self.clone()), MAX_REFUNDS_IN_PROGRESS).await
    }

    async fn process_refund(&self, refund: Refund) -> Result<(), AppError> {
        let report = self.request_or_poll(&refund).await;
        failpoint("refund asked for");
        let progress = refund.after(report);
        let result = match &progress {
            RefundProgress::Completed => Some("completed"),
            RefundProgress::Failed(_) => Some("failed"),
            RefundProgress::Waiting(_) => None,
        };
        let shop = self.clone();
        let is_changed: bool = self
            .db
            .write(async move |tx| shop.record_progress(tx, &refund, progress).await)
            .await?;
        if let Some(result) = result.filter(|_| is_changed) {
            metrics::counter!("refunds_total", "result" => result).increment(1);
        }
        Ok(())
    }

    async fn request_or_poll(&self, refund: &Refund) -> RefundReport {
        let asked = match refund.status {
            RefundStatus::Requested => {
                let request = RefundRequest {
                    merchant_refund_id: refund.id.clone(),
                    merchant_order_id: refund.merchant_order_id.clone(),
                    amount: refund.amount,
                };
                self.gateway.create_refund(request).await.map(Some)
            }
            _ => self.gateway.refund_status(&refund.id).await,
        };
        let Err(PaymentError::Rejected(reason)) = &asked else {
            return report(asked, RefundReport::Unknown);
        };
        tracing::warn!(reason, "the gateway rejected a refund");
        // It may reject a repeat of a refund that it has already made.
        let known = self.gateway.refund_status(&refund.id).await;
        report(known, RefundReport::Rejected)
    }

    /// False if the refund already has a final status.
    async fn record_progress(
        &self,
        tx: &mut dyn Transaction,
        refund: &Refund,
        progress: RefundProgress,
    ) -> Result<bool, AppError> {
        let now_ms = self.now_ms();
        let next_poll_at_ms = refund.next_poll_at_ms(now_ms);
        // In the same sequence as all other changes of an order.
        let order: Option<Order> = tx
            .order_by_payment_attempt(&refund.merchant_order_id)
            .await?;
        if let Some(order) = &order {
            tx.lock_user(&order.user).await?;
            tx.lock_order(&order.id).await?;
        }
        let (id, order) = (&refund.id, order.as_ref());
        match progress {
            RefundProgress::Waiting(status) => Ok(tx
                .update_refund(id, status, None, next_poll_at_ms, now_ms)
                .await?),
            RefundProgress::Completed => {
                let status = RefundStatus::Completed;
                let is_changed = tx
                    .update_refund(id, status, None, next_poll_at_ms, now_ms)
                    .await?;
                if let Some(order) = order.filter(|_| is_changed) {
                    self.record_returned(tx, order, refund).await?;
                }
                Ok(is_changed)
            }
            RefundProgress::Failed(reason) => {
                let order_ids: Vec<_> = order.iter().map(|order| order.id.clone()).collect();
                let failed_at_ms = failed_at_ms(&tx.refunds_of(&order_ids).await?, now_ms);
                let (status, reason) = (RefundStatus::Failed, reason.as_deref());
                let is_changed = tx
                    .update_refund(id, status, reason, next_poll_at_ms, failed_at_ms)
                    .await?;
                if let Some(order) = order.filter(|_| is_changed) {
                    self.record_not_returned(tx, order, refund).await?;
                }
                Ok(is_changed)
            }
        }
    }

    async fn record_returned(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        refund: &Refund,
    ) -> Result<(), AppError> {
        // Read again: an invoice may have been issued since the refund was leased.
        let note = match tx.refund(&refund.id).await? {
            Some(refund) => self.issue_credit_note(tx, order, &refund).await?,
            None => None,
        };
        let (kind, amount) = (
            OrderEventKind::RefundCompleted,
            refund.amount.two_decimals(),
        );
        self.record_event(tx, &order.id, kind, Actor::System, amount)
            .await?;
        let email = OrderEmail::Refunded(refund.amount);
        emails::enqueue_with_invoice(self, tx, order, email, note).await
    }

    async fn record_not_returned(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        refund: &Refund,
    ) -> Result<(), AppError> {
        let (kind, amount) = (OrderEventKind::RefundFailed, refund.amount.two_decimals());
        self.record_event(tx, &order.id, kind, Actor::System, amount)
            .await?;
        let detail = format!(
            "The gateway could not return {}: {}",
            refund.amount.two_decimals(),
            refund.reason
        );
        self.open_issue(tx, order, IssueKind::RefundFailed, &refund.id, detail)
            .await?;
        // The money of an ended order is kept again, whatever an admin confirmed before.
        tx.forget_issue_about(IssueKind::PaymentKept, &order.id, self.now_ms())
            .await?;
        self.update_order_issues(tx, &order.id).await
    }

    /// A webhook reports a refund: the next run of the worker polls it.
    pub async fn schedule_refund_now(&self, id: RefundId) -> Result<(), AppError> {
        let now_ms = self.now_ms();
        self.db
            .write(async move |tx| Ok(tx.schedule_refund_now(&id, now_ms).await?))
            .await
    }
}

/// `unknown`: what it means that the gateway does not know the refund.
fn report(
    heard: Result<Option<GatewayRefund>, PaymentError>,
    unknown: RefundReport,
) -> RefundReport {
    match heard {
        Ok(Some(refund)) => match refund.state {
            GatewayRefundState::Completed => RefundReport::Completed,
            GatewayRefundState::Failed => RefundReport::Failed(refund.error_code),
            GatewayRefundState::Pending => RefundReport::Pending,
        },
        Ok(None) => unknown,
        Err(error) => {
            tracing::warn!(%error, "a refund could not be requested");
            RefundReport::NoResponse
        }
    }
}

/// The amount of one of an order's payments.
pub(crate) fn received_by(payments: &[(AttemptId, Paise)], payment: &AttemptId) -> Paise {
    let received = payments.iter().find(|(id, _)| id == payment);
    received.map_or(Paise::ZERO, |(_, received)| *received)
}
