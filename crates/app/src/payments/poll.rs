//! Polls the gateway for the state of payments: after a webhook, for a customer who waits, and for all that are due.

use std::collections::BTreeMap;
use std::time::Duration;

use mirasa_domain::order::{Order, PaymentStatus};
use mirasa_domain::payment::{AttemptId, PaymentAttempt, PaymentAttemptState};
use mirasa_domain::settlement::only_delay_s;
use mirasa_domain::user::User;
use tracing::Instrument as _;

use crate::orders::{can_view, order_not_found};
use crate::payments::settle::PollOutcome;
use crate::repository::payments::{AttemptWithOrder, LeasedAttempt};
use crate::runtime::failpoints::failpoint;
use crate::runtime::leased_rows::{LEASE_MS, LeasedRows, LeasedWork};
use crate::{AppError, Shop};

/// The customer's page requests the order every 3 seconds, and there may be several tabs. The gateway is not polled for
/// each request.
const MIN_POLL_INTERVAL_MS: i64 = 1_500;
/// How long a customer's request waits for a gateway that does not respond.
const POLL_TIMEOUT: Duration = Duration::from_secs(4);

/// As many requests to the gateway as one instance has at a time: at 100 ms each, 2,560 polls per second.
const MAX_POLLS_IN_PROGRESS: usize = 256;

/// Payments that are due, to be polled by the worker.
#[derive(Clone)]
pub struct DuePayments(pub Shop);

/// A payment to poll again after the delay.
pub struct StillPending {
    id: AttemptId,
    delay_s: i64,
}

impl LeasedRows for DuePayments {
    type Row = LeasedAttempt;
    type Done = Result<Option<StillPending>, AppError>;
    const MAX_IN_PROGRESS: usize = MAX_POLLS_IN_PROGRESS;

    async fn lease(&self, limit: usize) -> Result<Vec<LeasedAttempt>, AppError> {
        let now_ms = self.0.now_ms();
        let due: Vec<LeasedAttempt> = self
            .0
            .db
            .write(async move |tx| {
                tx.lease_attempts(now_ms, now_ms + LEASE_MS, limit as i64)
                    .await
            })
            .await?;
        for attempt in &due {
            let lag_ms = now_ms - attempt.due_at_ms;
            metrics::histogram!("payment_poll_lag_seconds").record(lag_ms as f64 / 1000.0);
        }
        Ok(due)
    }

    async fn work(self, attempt: LeasedAttempt) -> Self::Done {
        self.0.poll_leased(attempt).await
    }

    async fn record(&self, done: Vec<Self::Done>) -> Result<(), AppError> {
        self.0.record_polls(done).await
    }
}

impl Shop {
    /// Polls every payment that is due. Returns how many there were.
    pub async fn reconcile_payments(&self) -> Result<usize, AppError> {
        LeasedWork::all_due(DuePayments(self.clone()), MAX_POLLS_IN_PROGRESS).await
    }

    /// Most payments are still pending. Those are returned, to be rescheduled together.
    async fn poll_leased(&self, leased: LeasedAttempt) -> Result<Option<StillPending>, AppError> {
        let id = leased.attempt.merchant_order_id.clone();
        let outcome = match self.gateway.payment_status(&id).await {
            Ok(payment) => payment.into(),
            Err(error) => {
                let error = format!("{:#}", anyhow::Error::from(error));
                tracing::warn!(error, "the gateway did not report a payment");
                PollOutcome::NoResponse
            }
        };
        failpoint("status heard");
        let LeasedAttempt {
            attempt,
            is_waited_for,
            ..
        } = &leased;
        let report = outcome.report();
        if let Some(delay_s) = only_delay_s(attempt, *is_waited_for, &report, self.now_ms()) {
            return Ok(Some(StillPending { id, delay_s }));
        }
        self.settle(&id, outcome).await.map(|_| None)
    }

    async fn record_polls(
        &self,
        ended: Vec<Result<Option<StillPending>, AppError>>,
    ) -> Result<(), AppError> {
        let mut outcome = Ok(());
        let mut by_delay: BTreeMap<i64, Vec<AttemptId>> = BTreeMap::new();
        for result in ended {
            match result {
                Ok(Some(pending)) => by_delay
                    .entry(pending.delay_s)
                    .or_default()
                    .push(pending.id),
                Ok(None) => {}
                Err(error) => outcome = outcome.and(Err(error)),
            }
        }
        if by_delay.is_empty() {
            return outcome;
        }
        let now_ms = self.now_ms();
        let scheduled: Result<(), AppError> = self
            .db
            .write(async move |tx| {
                for (delay_s, ids) in by_delay {
                    tx.schedule_polls(&ids, now_ms, now_ms + delay_s * 1000)
                        .await?;
                }
                Ok(())
            })
            .await;
        outcome.and(scheduled)
    }

    /// Polls one attempt and settles the result, without an open transaction. Returns the order if it is paid.
    async fn poll_and_settle(
        &self,
        merchant_order_id: &AttemptId,
    ) -> Result<Option<Order>, AppError> {
        let payment = self
            .gateway
            .payment_status(merchant_order_id)
            .await
            .map_err(AppError::unavailable)?;
        failpoint("status heard");
        self.settle(merchant_order_id, payment.into()).await
    }

    /// Handles a webhook of the gateway. Usually the customer has returned before it and the payment is settled: then
    /// the gateway is not polled.
    pub async fn handle_payment_webhook(
        &self,
        merchant_order_id: &AttemptId,
    ) -> Result<(), AppError> {
        let id = merchant_order_id.to_owned();
        let attempt: Option<PaymentAttempt> = self
            .db
            .point_read(async move |db| Ok::<_, AppError>(db.attempt(&id).await?))
            .await?;
        let attempt = attempt.ok_or_else(order_not_found)?;
        if attempt.state == PaymentAttemptState::Completed {
            return Ok(());
        }
        self.poll_and_settle(merchant_order_id).await.map(drop)
    }

    /// Polls for a request that waits. After the timeout the poll goes on in the background.
    pub(crate) async fn poll_with_timeout(&self, merchant_order_id: &AttemptId) -> Option<Order> {
        let (shop, id) = (self.finishing(), merchant_order_id.to_owned());
        let polling = async move {
            shop.poll_and_settle(&id).await.unwrap_or_else(|error| {
                tracing::warn!(error = ?error.source, "could not poll the gateway for a waiting customer");
                None
            })
        };
        let polling = tokio::spawn(polling.in_current_span());
        let polled = tokio::time::timeout(POLL_TIMEOUT, polling).await;
        polled.ok()?.ok()?
    }

    /// The order for a customer who has returned from the payment page. Polls the gateway, so that they do not wait
    /// for the reconciler.
    pub async fn order_by_payment(
        &self,
        user: &User,
        merchant_order_id: &AttemptId,
    ) -> Result<Order, AppError> {
        let AttemptWithOrder { order, attempt, .. } =
            self.visible_attempt(user, merchant_order_id).await?;
        let polled_recently = attempt.polled_at_ms + MIN_POLL_INTERVAL_MS > self.now_ms();
        if order.state.payment_status != PaymentStatus::Pending || polled_recently {
            return Ok(order);
        }
        match self.poll_with_timeout(merchant_order_id).await {
            Some(paid) => Ok(paid),
            None => Ok(self.visible_attempt(user, merchant_order_id).await?.order),
        }
    }

    async fn visible_attempt(
        &self,
        user: &User,
        merchant_order_id: &AttemptId,
    ) -> Result<AttemptWithOrder, AppError> {
        let id = merchant_order_id.to_owned();
        let found: Option<AttemptWithOrder> = self
            .db
            .point_read(async move |db| Ok::<_, AppError>(db.attempt_with_order(&id).await?))
            .await?;
        found
            .filter(|found| can_view(user, &found.order))
            .ok_or_else(order_not_found)
    }
}
