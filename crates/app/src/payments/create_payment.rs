//! Creates the payment page of an order. The gateway is called without an open transaction, and its result is stored
//! before the customer is redirected.

use mirasa_domain::end_reason::{EndReason, MIN_PAGE_MS};
use mirasa_domain::money::Paise;
use mirasa_domain::order::{OrderId, PaymentStatus};
use mirasa_domain::order_end::OrderEnd;
use mirasa_domain::payment::{AttemptId, PaymentAttempt, PaymentAttemptState, poll_delay_s};
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::Stock;

use crate::payments::checkout_step::CheckoutRedirect;
use crate::payments::end_order::fail_order;
use crate::payments::payment_metrics::count_payment;
use crate::ports::payment::{CreatePaymentRequest, PaymentError, PaymentPage};
use crate::repository::Transaction;
use crate::runtime::failpoints::failpoint;
use crate::{AppError, ErrorCode, Shop};

const PAYMENT_NOT_STARTED: &str = "Failed to initiate payment";

impl Shop {
    /// The attempt expires at the order's deadline, but not before the gateway's minimum.
    pub(super) fn new_attempt(
        &self,
        order_id: &OrderId,
        amount: Paise,
        deadline_ms: i64,
    ) -> PaymentAttempt {
        let now_ms = self.now_ms();
        PaymentAttempt {
            merchant_order_id: AttemptId::from_unique(&self.ids.new_id()),
            order_id: order_id.to_owned(),
            amount,
            state: PaymentAttemptState::Opening,
            redirect_url: None,
            expires_at_ms: deadline_ms.max(now_ms + MIN_PAGE_MS),
            created_at_ms: now_ms,
            polled_at_ms: 0,
        }
    }

    pub(super) async fn insert_attempt(
        &self,
        tx: &mut dyn Transaction,
        attempt: &PaymentAttempt,
    ) -> Result<(), AppError> {
        let next_poll_at_ms = attempt.created_at_ms + poll_delay_s(0) * 1000;
        Ok(tx.insert_attempt(attempt, next_poll_at_ms).await?)
    }

    /// Adds another attempt to an order and makes it the current one.
    pub(super) async fn add_attempt(
        &self,
        tx: &mut dyn Transaction,
        attempt: &PaymentAttempt,
    ) -> Result<(), AppError> {
        self.insert_attempt(tx, attempt).await?;
        Ok(tx
            .set_current_attempt(
                &attempt.order_id,
                &attempt.merchant_order_id,
                attempt.expires_at_ms,
            )
            .await?)
    }

    /// Requests the page, without an open transaction. If the outcome of the first request is unknown, a second
    /// attempt with a new merchant order id follows.
    pub(super) async fn create_payment(
        &self,
        first: PaymentAttempt,
        left: Vec<(ProductId, Stock)>,
    ) -> Result<CheckoutRedirect, AppError> {
        self.catalogue.apply_stock(&left);
        failpoint("order committed");
        match self.request_page(&first).await {
            Ok(page) => return self.save_page(&first, page).await,
            Err(PaymentError::Rejected(reason)) => {
                return Err(self.cancel_unpayable(first, reason).await);
            }
            Err(PaymentError::OutcomeUnknown(error)) => {
                tracing::warn!(error = format!("{error:#}"), "the gateway did not respond")
            }
        }
        let second = self.new_attempt(&first.order_id, first.amount, first.expires_at_ms);
        let (shop, attempt) = (self.clone(), second.clone());
        self.db
            .write(async move |tx| {
                shop.lock_pending_order(tx, &attempt.order_id).await?;
                shop.add_attempt(tx, &attempt).await
            })
            .await?;
        match self.request_page(&second).await {
            Ok(page) => self.save_page(&second, page).await,
            Err(error) => Err(self.cancel_unpayable(second, error.to_string()).await),
        }
    }

    /// Locks the order and its customer. Fails if the order has ended meanwhile: its page must not be paid any more.
    async fn lock_pending_order(
        &self,
        tx: &mut dyn Transaction,
        order_id: &OrderId,
    ) -> Result<(), AppError> {
        let order = self.lock_and_read_order(tx, order_id).await?;
        if order.state.payment_status == PaymentStatus::Pending {
            Ok(())
        } else {
            Err(checkout_replaced())
        }
    }

    /// The page that shows the result of a payment.
    pub(super) fn payment_result_url(&self, merchant_order_id: &AttemptId) -> String {
        let shop = &self.settings.public_url;
        format!("{shop}/payment/status?merchantOrderId={merchant_order_id}")
    }

    async fn request_page(&self, attempt: &PaymentAttempt) -> Result<PaymentPage, PaymentError> {
        let id = attempt.merchant_order_id.clone();
        // The gateway rejects a shorter lifetime. The time since the attempt was created must not cause that.
        let lifetime_ms = (attempt.expires_at_ms - self.now_ms()).max(MIN_PAGE_MS);
        self.gateway
            .create_payment(CreatePaymentRequest {
                redirect_url: self.payment_result_url(&id),
                merchant_order_id: id,
                amount: attempt.amount,
                message: "Payment for your order".into(),
                expire_after_s: u32::try_from((lifetime_ms + 999) / 1000).unwrap_or(u32::MAX),
            })
            .await
    }

    /// Stores the page before the customer is redirected to it.
    async fn save_page(
        &self,
        attempt: &PaymentAttempt,
        page: PaymentPage,
    ) -> Result<CheckoutRedirect, AppError> {
        failpoint("page asked for");
        let id = attempt.merchant_order_id.clone();
        let PaymentPage {
            redirect_url,
            gateway_order_id,
            expires_at_ms,
        } = page;
        let (attempt, url) = (id.clone(), redirect_url.clone());
        let opened = self
            .db
            .write_autocommit(async move |tx| {
                let opened = tx.open_attempt(&attempt, &url, &gateway_order_id, expires_at_ms);
                Ok::<_, AppError>(opened.await?)
            })
            .await?;
        if !opened {
            return Err(checkout_replaced());
        }
        Ok(CheckoutRedirect {
            redirect_url,
            merchant_order_id: id,
        })
    }

    /// Ends an order that got no payment page: releases its stock and deletes its idempotency key, so that the customer
    /// can try again.
    async fn cancel_unpayable(&self, attempt: PaymentAttempt, reason: String) -> AppError {
        count_payment("not_started");
        let shop = self.clone();
        let ended: Result<Vec<(ProductId, Stock)>, AppError> = self
            .db
            .write(async move |tx| {
                if shop
                    .lock_pending_order(tx, &attempt.order_id)
                    .await
                    .is_err()
                {
                    return Ok(Vec::new());
                }
                tx.delete_idempotency_keys(&attempt.order_id).await?;
                match tx.order(&attempt.order_id).await? {
                    Some(order) => {
                        let end = OrderEnd::new(EndReason::NotStarted);
                        fail_order(&shop, tx, order, end).await
                    }
                    None => Ok(Vec::new()),
                }
            })
            .await;
        match ended {
            Ok(left) => self.catalogue.apply_stock(&left),
            // The reconciler will find the order and end it.
            Err(error) => {
                tracing::error!(?error, "could not end an order that cannot be paid")
            }
        }
        AppError {
            source: Some(anyhow::anyhow!(reason)),
            ..AppError::new(ErrorCode::PaymentNotStarted, PAYMENT_NOT_STARTED)
        }
    }
}

fn checkout_replaced() -> AppError {
    AppError::new(
        ErrorCode::CheckoutReplaced,
        "This checkout was replaced by a newer one.",
    )
}
