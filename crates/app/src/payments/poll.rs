//! Polls the gateway for the state of payments: after a webhook, for a customer who waits, and for all that are due.

use std::time::Duration;

use mirasa_domain::order::{Order, PaymentStatus};
use mirasa_domain::payment::{PaymentAttempt, PaymentAttemptState};
use mirasa_domain::user::User;
use tracing::Instrument as _;

use crate::failpoints::failpoint;
use crate::orders::{can_view, order_not_found};
use crate::payments::settle::PollOutcome;
use crate::repository::payments::AttemptWithOrder;
use crate::workers::{BATCH_SIZE, LEASE_MS, join_all};
use crate::{AppError, Shop};

/// The customer's page requests the order every 3 seconds, and there may be several tabs. The gateway is not polled for
/// each request.
const MIN_POLL_INTERVAL_MS: i64 = 1_500;
/// How long a customer's request waits for a gateway that does not respond.
const POLL_TIMEOUT: Duration = Duration::from_secs(4);

impl Shop {
    /// Polls every payment that is due. Returns how many there were.
    pub async fn reconcile_payments(&self) -> Result<usize, AppError> {
        let now_ms = self.now_ms();
        let due: Vec<PaymentAttempt> = self
            .db
            .write(move |tx| tx.lease_attempts(now_ms, now_ms + LEASE_MS, BATCH_SIZE as i64))
            .await?;
        let count = due.len();
        let polls = due.into_iter().map(|attempt| {
            let shop = self.clone();
            async move {
                let outcome = match shop
                    .gateway
                    .payment_status(&attempt.merchant_order_id)
                    .await
                {
                    Ok(payment) => payment.into(),
                    Err(error) => {
                        let error = format!("{:#}", anyhow::Error::from(error));
                        tracing::warn!(error, "the gateway did not report a payment");
                        PollOutcome::NoResponse
                    }
                };
                failpoint("status heard");
                let settled = shop.settle(&attempt.merchant_order_id, outcome).await;
                settled.map(drop)
            }
        });
        join_all(polls).await.map(|()| count)
    }

    /// Polls one attempt and settles the result, without an open transaction. Returns the order if it is paid.
    async fn poll_and_settle(&self, merchant_order_id: &str) -> Result<Option<Order>, AppError> {
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
    pub async fn handle_payment_webhook(&self, merchant_order_id: &str) -> Result<(), AppError> {
        let id = merchant_order_id.to_owned();
        let attempt: Option<PaymentAttempt> = self
            .db
            .point_read(move |db| {
                Box::pin(async move { Ok::<_, AppError>(db.attempt(&id).await?) })
            })
            .await?;
        let attempt = attempt.ok_or_else(order_not_found)?;
        if attempt.state == PaymentAttemptState::Completed {
            return Ok(());
        }
        self.poll_and_settle(merchant_order_id).await.map(drop)
    }

    /// Polls for a request that waits. After the timeout the poll goes on in the background.
    pub(crate) async fn poll_with_timeout(&self, merchant_order_id: &str) -> Option<Order> {
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
        merchant_order_id: &str,
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
        merchant_order_id: &str,
    ) -> Result<AttemptWithOrder, AppError> {
        let id = merchant_order_id.to_owned();
        let found: Option<AttemptWithOrder> = self
            .db
            .point_read(move |db| {
                Box::pin(async move { Ok::<_, AppError>(db.attempt_with_order(&id).await?) })
            })
            .await?;
        found
            .filter(|found| can_view(user, &found.order))
            .ok_or_else(order_not_found)
    }
}
