//! Asking the gateway what became of a payment: when it calls, and for a shopper who waits.

use std::time::Duration;

use mirasa_domain::order::{Order, PaymentStatus};
use mirasa_domain::payment::{PaymentAttempt, PaymentAttemptState};
use mirasa_domain::user::User;

use crate::failpoints::failpoint;
use crate::orders::can_view;
use crate::payments::checkout::order_not_found;
use crate::payments::settle::PollOutcome;
use crate::repository::payments::AttemptWithOrder;
use crate::workers::{BATCH_SIZE, LEASE_MS, join_all};
use crate::{AppError, Shop};

/// A shopper's page asks every few seconds; the gateway need not be asked each time.
const MIN_POLL_INTERVAL_MS: i64 = 1_500;
/// A shopper who waits for a page does not wait longer than this for a gateway that hangs.
const POLL_TIMEOUT: Duration = Duration::from_secs(4);

impl Shop {
    /// Polls every payment that is due. Returns how many there were.
    pub async fn reconcile_payments(&self) -> Result<usize, AppError> {
        let now_ms = self.now_ms();
        let due: Vec<PaymentAttempt> = self
            .db
            .write(move |tx| {
                Box::pin(async move {
                    Ok::<_, AppError>(
                        tx.lease_attempts(now_ms, now_ms + LEASE_MS, BATCH_SIZE as i64)
                            .await?,
                    )
                })
            })
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

    /// Asks the gateway about an attempt and settles what it says. Called without a transaction. Answers
    /// the order, where it is paid.
    async fn poll_and_settle(&self, merchant_order_id: &str) -> Result<Option<Order>, AppError> {
        let report = self
            .gateway
            .payment_status(merchant_order_id)
            .await
            .map_err(AppError::unavailable)?;
        failpoint("status heard");
        self.settle(merchant_order_id, report.into()).await
    }

    /// The gateway has called. Mostly the shopper was back before, and all is settled: then there is nothing to
    /// be asked.
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

    /// Asks for somebody who waits: it goes on behind their back if it takes too long.
    pub(crate) async fn poll_with_timeout(&self, merchant_order_id: &str) -> Option<Order> {
        let (shop, id) = (self.finishing(), merchant_order_id.to_owned());
        let looking = tokio::spawn(async move {
            shop.poll_and_settle(&id).await.unwrap_or_else(|fault| {
                tracing::warn!(error = ?fault.source, "could not ask the gateway for a waiting shopper");
                None
            })
        });
        let polled = tokio::time::timeout(POLL_TIMEOUT, looking).await;
        polled.ok()?.ok()?
    }

    /// The shopper is back and looks at the order: they should not wait for the reconciler.
    pub async fn order_by_payment(
        &self,
        user: &User,
        merchant_order_id: &str,
    ) -> Result<Order, AppError> {
        let AttemptWithOrder { order, attempt, .. } =
            self.visible_attempt(user, merchant_order_id).await?;
        let asked_lately = attempt.polled_at_ms + MIN_POLL_INTERVAL_MS > self.now_ms();
        if order.state.payment_status != PaymentStatus::Pending || asked_lately {
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
