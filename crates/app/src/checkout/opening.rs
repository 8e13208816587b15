//! The gateway's page for an order that is written down. It is asked for with no transaction open; what comes
//! of it, a page or none, is written down before anybody hears of it.

use mirasa_domain::end_reason::{EndReason, MIN_PAGE_MS};
use mirasa_domain::money::Paise;
use mirasa_domain::order::{PaymentStatus, poll_delay_s};
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::Stock;

use super::Checkout;
use crate::ending::{Ending, fail_order};
use crate::failpoints::failpoint;
use crate::ports::orders::{Attempt, AttemptState};
use crate::ports::payment::{CreatePaymentRequest, PaymentError, PaymentPage};
use crate::ports::storage::Writes;
use crate::{AppError, ErrorKind, Shop};

const CANNOT_PAY: &str = "Failed to initiate payment";

impl Shop {
    /// Until the order's deadline, but for as long as the gateway's shortest page at least.
    pub(super) fn new_attempt(&self, order_id: &str, amount: Paise, deadline_ms: i64) -> Attempt {
        let now_ms = self.now_ms();
        Attempt {
            merchant_order_id: format!("M{}", self.ids.new_id().replace('-', "")),
            order_id: order_id.to_owned(),
            amount,
            state: AttemptState::Opening,
            redirect_url: None,
            expires_at_ms: deadline_ms.max(now_ms + MIN_PAGE_MS),
            created_at_ms: now_ms,
            looked_at_ms: 0,
        }
    }

    pub(super) async fn insert_attempt(
        &self,
        writes: &mut dyn Writes,
        attempt: &Attempt,
    ) -> Result<(), AppError> {
        let next_look_ms = attempt.created_at_ms + poll_delay_s(0) * 1000;
        Ok(writes.insert_attempt(attempt, next_look_ms).await?)
    }

    /// Another attempt for an order that has one already.
    pub(super) async fn write_attempt(
        &self,
        writes: &mut dyn Writes,
        attempt: &Attempt,
    ) -> Result<(), AppError> {
        self.insert_attempt(writes, attempt).await?;
        Ok(writes
            .set_current_attempt(
                &attempt.order_id,
                &attempt.merchant_order_id,
                attempt.expires_at_ms,
            )
            .await?)
    }

    /// Asks the gateway for the page, with no transaction open. If nobody knows what became of the first
    /// ask, a second one goes under a new number.
    pub(super) async fn open_payment(
        &self,
        first: Attempt,
        left: Vec<(ProductId, Stock)>,
    ) -> Result<Checkout, AppError> {
        self.catalogue.set_stock(&left);
        failpoint("order committed");
        match self.ask_for_page(&first).await {
            Ok(page) => return self.show_page(&first, page).await,
            Err(PaymentError::Rejected(reason)) => return Err(self.give_up(first, reason).await),
            Err(PaymentError::OutcomeUnknown(error)) => {
                tracing::warn!(error = format!("{error:#}"), "the gateway did not answer")
            }
        }
        let second = self.new_attempt(&first.order_id, first.amount, first.expires_at_ms);
        let (shop, attempt) = (self.clone(), second.clone());
        self.db
            .write(move |writes| {
                Box::pin(async move {
                    shop.lock_unpaid(writes, &attempt.order_id).await?;
                    shop.write_attempt(writes, &attempt).await
                })
            })
            .await?;
        match self.ask_for_page(&second).await {
            Ok(page) => self.show_page(&second, page).await,
            Err(error) => Err(self.give_up(second, error.to_string()).await),
        }
    }

    /// Locks the order and its customer. Refuses if the order has ended meanwhile: what was asked for here must not
    /// be paid any more.
    async fn lock_unpaid(&self, writes: &mut dyn Writes, order_id: &str) -> Result<(), AppError> {
        let order = self.lock_and_read_order(writes, order_id).await?;
        if order.state.payment_status == PaymentStatus::Pending {
            Ok(())
        } else {
            Err(replaced())
        }
    }

    async fn ask_for_page(&self, attempt: &Attempt) -> Result<PaymentPage, PaymentError> {
        let id = attempt.merchant_order_id.clone();
        // Less than its shortest time the gateway refuses; a second of waiting must not matter.
        let open_for_ms = (attempt.expires_at_ms - self.now_ms()).max(MIN_PAGE_MS);
        self.gateway
            .create_payment(CreatePaymentRequest {
                redirect_url: format!(
                    "{}/payment/status?merchantOrderId={id}",
                    self.settings.public_url
                ),
                merchant_order_id: id,
                amount: attempt.amount,
                message: "Payment for your order".into(),
                expire_after_s: u32::try_from((open_for_ms + 999) / 1000).unwrap_or(u32::MAX),
            })
            .await
    }

    /// Writes the page down before anybody is sent to it.
    async fn show_page(&self, attempt: &Attempt, page: PaymentPage) -> Result<Checkout, AppError> {
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
            .write_single(move |writes| {
                Box::pin(async move {
                    let opened =
                        writes.open_attempt(&attempt, &url, &gateway_order_id, expires_at_ms);
                    Ok::<_, AppError>(opened.await?)
                })
            })
            .await?;
        if !opened {
            return Err(replaced());
        }
        Ok(Checkout {
            redirect_url,
            merchant_order_id: id,
        })
    }

    /// No page, no payment: the goods go back at once, and the key is forgotten so that a retry is free.
    async fn give_up(&self, attempt: Attempt, reason: String) -> AppError {
        let shop = self.clone();
        let ended: Result<Vec<(ProductId, Stock)>, AppError> = self
            .db
            .write(move |writes| {
                Box::pin(async move {
                    if shop.lock_unpaid(writes, &attempt.order_id).await.is_err() {
                        return Ok(Vec::new());
                    }
                    writes.forget_keys_of(&attempt.order_id).await?;
                    match writes.order(&attempt.order_id).await? {
                        Some(order) => {
                            let ending = Ending::of(EndReason::NotStarted);
                            fail_order(&shop, writes, order, ending).await
                        }
                        None => Ok(Vec::new()),
                    }
                })
            })
            .await;
        match ended {
            Ok(left) => self.catalogue.set_stock(&left),
            // The reconciler will find the order and end it.
            Err(fault) => {
                tracing::error!(error = ?fault, "could not give up an order that cannot be paid")
            }
        }
        AppError {
            source: Some(anyhow::anyhow!(reason)),
            ..AppError::new(ErrorKind::Unavailable, CANNOT_PAY)
        }
    }
}

fn replaced() -> AppError {
    AppError::conflict("This checkout was replaced by a newer one.")
}
