//! Refunds: sends those that are due to the gateway and polls those that it has accepted.

use mirasa_domain::issue::IssueKind;
use mirasa_domain::order::Order;
use mirasa_domain::refund::{Refund, RefundStatus};

use crate::emails::{self, OrderEmail};
use crate::failpoints::failpoint;
use crate::ports::payment::{GatewayRefundState, PaymentError, RefundRequest};
use crate::workers::{BATCH_SIZE, LEASE_MS, join_all};
use crate::{AppError, Shop};

impl Shop {
    pub async fn process_refunds(&self) -> Result<usize, AppError> {
        let now_ms = self.now_ms();
        let due: Vec<Refund> = self
            .db
            .write(move |tx| tx.lease_refunds(now_ms, now_ms + LEASE_MS, BATCH_SIZE as i64))
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
        let (shop, now_ms) = (self.clone(), self.now_ms());
        let next_poll_at_ms = now_ms + (30_000_i64 << refund.poll_count.min(7));
        self.db
            .write(move |tx| {
                Box::pin(async move {
                    let is_changed = tx
                        .update_refund(&refund.id, status, next_poll_at_ms, now_ms)
                        .await?;
                    if !is_changed {
                        return Ok(());
                    }
                    let order: Option<Order> = tx
                        .order_by_payment_attempt(&refund.merchant_order_id)
                        .await?;
                    let Some(order) = order else { return Ok(()) };
                    match status {
                        RefundStatus::Completed => {
                            emails::enqueue(
                                &shop,
                                tx,
                                &order,
                                OrderEmail::Refunded(refund.amount.to_string()),
                            )
                            .await
                        }
                        RefundStatus::Failed => {
                            let detail = format!(
                                "The gateway could not return {}: {}",
                                refund.amount, refund.reason
                            );
                            shop.open_issue(tx, &order, IssueKind::RefundFailed, &refund.id, detail)
                                .await
                        }
                        RefundStatus::Requested | RefundStatus::Pending => Ok(()),
                    }
                })
            })
            .await
    }

    /// A webhook reports a refund: the next run of the worker polls it.
    pub async fn schedule_refund_now(&self, id: String) -> Result<(), AppError> {
        let now_ms = self.now_ms();
        self.db
            .write(move |tx| {
                Box::pin(async move { Ok(tx.schedule_refund_now(&id, now_ms).await?) })
            })
            .await
    }
}
