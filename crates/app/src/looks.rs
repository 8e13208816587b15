//! Asking the gateway what became of a payment: when it calls, and for a shopper who waits.

use std::time::Duration;

use mirasa_domain::order::PaymentStatus;

use crate::checkout::no_such_order;
use crate::failpoints::failpoint;
use crate::orders::may_see;
use crate::ports::orders::{Attempt, AttemptState, Order, Settling};
use crate::ports::storage::User;
use crate::{AppError, Shop};

/// A shopper's page asks every few seconds; the gateway need not be asked each time.
const LOOK_AGAIN_MS: i64 = 1_500;
/// A shopper who waits for a page does not wait longer than this for a gateway that hangs.
const PATIENCE: Duration = Duration::from_secs(4);

impl Shop {
    /// Asks the gateway about an attempt and settles what it says. Called without a transaction. Answers
    /// the order, where it is paid.
    async fn look_and_settle(&self, merchant_order_id: &str) -> Result<Option<Order>, AppError> {
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
    pub async fn look_at_news(&self, merchant_order_id: &str) -> Result<(), AppError> {
        let id = merchant_order_id.to_owned();
        let attempt: Option<Attempt> = self
            .db
            .glance(move |reads| {
                Box::pin(async move { Ok::<_, AppError>(reads.attempt(&id).await?) })
            })
            .await?;
        let attempt = attempt.ok_or_else(no_such_order)?;
        if attempt.state == AttemptState::Completed {
            return Ok(());
        }
        self.look_and_settle(merchant_order_id).await.map(drop)
    }

    /// Asks for somebody who waits: it goes on behind their back if it takes too long.
    pub(crate) async fn look_soon(&self, merchant_order_id: &str) -> Option<Order> {
        let (shop, id) = (self.finishing(), merchant_order_id.to_owned());
        let looking = tokio::spawn(async move {
            shop.look_and_settle(&id).await.unwrap_or_else(|fault| {
                tracing::warn!(error = ?fault.source, "could not ask the gateway for a waiting shopper");
                None
            })
        });
        let looked = tokio::time::timeout(PATIENCE, looking).await;
        looked.ok()?.ok()?
    }

    /// The shopper is back and looks at the order: they should not wait for the reconciler.
    pub async fn order_for_payer(
        &self,
        user: &User,
        merchant_order_id: &str,
    ) -> Result<Order, AppError> {
        let Settling { order, attempt, .. } = self.settling_for(user, merchant_order_id).await?;
        let asked_lately = attempt.looked_at_ms + LOOK_AGAIN_MS > self.now_ms();
        if order.state.payment_status != PaymentStatus::Pending || asked_lately {
            return Ok(order);
        }
        match self.look_soon(merchant_order_id).await {
            Some(paid) => Ok(paid),
            None => Ok(self.settling_for(user, merchant_order_id).await?.order),
        }
    }

    async fn settling_for(
        &self,
        user: &User,
        merchant_order_id: &str,
    ) -> Result<Settling, AppError> {
        let id = merchant_order_id.to_owned();
        let found: Option<Settling> = self
            .db
            .glance(move |reads| {
                Box::pin(async move { Ok::<_, AppError>(reads.settling(&id).await?) })
            })
            .await?;
        found
            .filter(|found| may_see(user, &found.order))
            .ok_or_else(no_such_order)
    }
}
