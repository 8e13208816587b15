//! What goes on by itself: asking about pending payments, giving money back, sending letters. The work is
//! rows in the database that a worker leases; it may die at any time, and several may run at once.

use std::future::Future;

use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use mirasa_domain::order::Order;
use mirasa_domain::payment::PaymentAttempt;
use mirasa_domain::refund::Refund;

use crate::emails::{self, OrderEmail};
use crate::failpoints::failpoint;
use crate::payments::settle::PollOutcome;
use crate::ports::mail::Email;
use crate::ports::payment::{GatewayRefundState, PaymentError, RefundRequest};
use crate::repository::Transaction;
use crate::repository::outbox::OutboxEmail;
use crate::{AppError, Shop};

const LEASE_MS: i64 = 60_000;
/// Longer than a slow mail server takes, or another instance would send the letter too.
const EMAIL_LEASE_MS: i64 = 300_000;
/// So much is taken on at once; whoever did so many should look again without waiting.
pub const BATCH_SIZE: usize = 20;
/// After so many failures a letter needs a person; it is still tried, once an hour.
const ATTEMPTS_BEFORE_ISSUE: i64 = 5;

impl Shop {
    /// Looks after every payment that is due. Returns how many there were.
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
        let looks = due.into_iter().map(|attempt| {
            let shop = self.clone();
            async move {
                let told = match shop
                    .gateway
                    .payment_status(&attempt.merchant_order_id)
                    .await
                {
                    Ok(report) => report.into(),
                    Err(error) => {
                        let error = format!("{:#}", anyhow::Error::from(error));
                        tracing::warn!(error, "the gateway did not tell about a payment");
                        PollOutcome::NoResponse
                    }
                };
                failpoint("status heard");
                let settled = shop.settle(&attempt.merchant_order_id, told).await;
                settled.map(drop)
            }
        });
        join_all(looks).await.map(|()| count)
    }

    pub async fn process_refunds(&self) -> Result<usize, AppError> {
        let now_ms = self.now_ms();
        let due: Vec<Refund> = self
            .db
            .write(move |tx| {
                Box::pin(async move {
                    Ok::<_, AppError>(
                        tx.lease_refunds(now_ms, now_ms + LEASE_MS, BATCH_SIZE as i64)
                            .await?,
                    )
                })
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
        let ask = RefundRequest {
            merchant_refund_id: refund.id.clone(),
            merchant_order_id: refund.merchant_order_id.clone(),
            amount: refund.amount,
        };
        let mut told = match refund.state.as_str() {
            "wanted" => self.gateway.create_refund(ask).await.map(Some),
            _ => self.gateway.refund_status(&refund.id).await,
        };
        let mut refused = false;
        if let Err(PaymentError::Rejected(reason)) = &told {
            tracing::warn!(reason, "the gateway refused a refund");
            // It may have refused a repeat of what it did long ago.
            told = self.gateway.refund_status(&refund.id).await;
            refused = matches!(told, Ok(None));
        }
        failpoint("refund asked for");
        let state = match &told {
            Ok(Some(report)) if report.state == GatewayRefundState::Completed => "completed",
            Ok(Some(report)) if report.state == GatewayRefundState::Failed => "failed",
            Ok(Some(_)) => "pending",
            Ok(None) if refused => "failed",
            Ok(None) => "wanted",
            Err(error) => {
                tracing::warn!(%error, "a refund could not be asked for");
                refund.state.as_str()
            }
        };
        let (state, shop, now_ms) = (state.to_owned(), self.clone(), self.now_ms());
        let next_ms = now_ms + (30_000_i64 << refund.poll_count.min(7));
        self.db
            .write(move |tx| {
                Box::pin(async move {
                    let is_news = tx
                        .update_refund(&refund.id, &state, next_ms, now_ms)
                        .await?;
                    if !is_news {
                        return Ok(());
                    }
                    let order: Option<Order> = tx
                        .order_by_payment_attempt(&refund.merchant_order_id)
                        .await?;
                    let Some(order) = order else { return Ok(()) };
                    match state.as_str() {
                        "completed" => {
                            emails::enqueue(
                                &shop,
                                tx,
                                &order,
                                OrderEmail::Refunded(refund.amount.to_string()),
                            )
                            .await
                        }
                        "failed" => {
                            let detail = format!(
                                "The gateway could not return {}: {}",
                                refund.amount, refund.reason
                            );
                            shop.open_issue(tx, &order, "refund failed", &refund.id, detail)
                                .await
                        }
                        _ => Ok(()),
                    }
                })
            })
            .await
    }

    /// The gateway has called about a refund: it is looked at on the next round.
    pub async fn schedule_refund_now(&self, id: String) -> Result<(), AppError> {
        let now_ms = self.now_ms();
        self.db
            .write(move |tx| {
                Box::pin(async move { Ok(tx.schedule_refund_now(&id, now_ms).await?) })
            })
            .await
    }

    /// Whether there is more to be done.
    pub async fn index_new_ids(&self) -> Result<bool, AppError> {
        self.db
            .write(|tx| Box::pin(async move { Ok(tx.index_new_ids().await?) }))
            .await
    }

    /// A letter may go out twice if the program dies between sending and writing that down; never not at
    /// all. Its message id stays the same, so that mailboxes can tell.
    pub async fn send_emails(&self) -> Result<usize, AppError> {
        let now_ms = self.now_ms();
        let due: Vec<OutboxEmail> = self
            .db
            .write(move |tx| {
                Box::pin(async move {
                    Ok::<_, AppError>(
                        tx.lease_emails(now_ms, now_ms + EMAIL_LEASE_MS, BATCH_SIZE as i64)
                            .await?,
                    )
                })
            })
            .await?;
        let count = due.len();
        let sending: FuturesUnordered<_> = due
            .into_iter()
            .map(|mail| {
                let shop = self.clone();
                tokio::spawn(async move {
                    let letter = Email {
                        to: mail.recipient.clone(),
                        subject: mail.subject.clone(),
                        text: mail.text_body.clone(),
                        html: mail.html_body.clone(),
                        message_id: mail.id.clone(),
                    };
                    let sent = shop.mailer.send(letter).await;
                    (mail, sent)
                })
            })
            .collect();
        // One slow letter holds up no other, and those that are gone together are noted together.
        let mut sending = sending.ready_chunks(BATCH_SIZE);
        let mut outcome = Ok(());
        while let Some(ended) = sending.next().await {
            let mut told = Vec::with_capacity(ended.len());
            for one in ended {
                match one {
                    // As text: the note may have to be written twice, and an error has no copy.
                    Ok((mail, sent)) => {
                        told.push((mail, sent.map_err(|error| format!("{error:#}"))))
                    }
                    Err(died) => outcome = outcome.and(Err(AppError::internal(died))),
                }
            }
            outcome = outcome.and(self.record_results(told).await);
        }
        outcome.map(|()| count)
    }

    async fn record_results(
        &self,
        ended: Vec<(OutboxEmail, Result<(), String>)>,
    ) -> Result<(), AppError> {
        let (shop, now_ms) = (self.clone(), self.now_ms());
        self.db
            .write(move |tx| {
                Box::pin(async move {
                    let (mut sent, mut failed) = (Vec::new(), Vec::new());
                    for (mail, outcome) in ended {
                        match outcome {
                            Ok(()) => sent.push(mail.id),
                            Err(error) => failed.push((mail, error)),
                        }
                    }
                    tx.mark_emails_sent(&sent, now_ms).await?;
                    for (mail, error) in failed {
                        shop.record_failure(tx, mail, error, now_ms).await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    async fn record_failure(
        &self,
        tx: &mut dyn Transaction,
        mail: OutboxEmail,
        error: String,
        now_ms: i64,
    ) -> Result<(), AppError> {
        // A mail server's refusal quotes the address that it refuses.
        tracing::warn!(
            error = redact(&error, &mail.recipient),
            mail = mail.id,
            "a letter could not be sent"
        );
        let wait_ms = (10_000_i64 << mail.attempts.clamp(0, 9)).min(3_600_000);
        tx.mark_email_failed(&mail.id, &error, now_ms + wait_ms)
            .await?;
        if mail.attempts + 1 >= ATTEMPTS_BEFORE_ISSUE
            && let Some(order_id) = &mail.order_id
            && let Some(order) = tx.order(order_id).await?
        {
            let detail = format!(
                "\"{}\" could not be sent to {}.",
                mail.subject, mail.recipient
            );
            self.open_issue(tx, &order, "mail not sent", &mail.id, detail)
                .await?;
        }
        Ok(())
    }
}

/// The text for the log, where no name of a person may stand, in whatever letters it was quoted.
fn redact(text: &str, name: &str) -> String {
    let (lower, name) = (text.to_ascii_lowercase(), name.to_ascii_lowercase());
    let mut kept = String::new();
    let mut from = 0;
    for (at, _) in lower.match_indices(&name) {
        kept.push_str(&text[from..at]);
        kept.push('…');
        from = at + name.len();
    }
    kept + &text[from..]
}

/// Does all of it, side by side; what goes wrong with one holds up no other. Tells of the first failure.
async fn join_all<W>(work: impl Iterator<Item = W>) -> Result<(), AppError>
where
    W: Future<Output = Result<(), AppError>> + Send + 'static,
{
    let running: Vec<_> = work.map(tokio::spawn).collect();
    let mut outcome = Ok(());
    for one in running {
        let ended = one
            .await
            .unwrap_or_else(|died| Err(AppError::internal(died)));
        outcome = outcome.and(ended);
    }
    outcome
}
