//! What goes on by itself: asking about pending payments, giving money back, sending letters. The work is
//! rows in the database that a worker leases; it may die at any time, and several may run at once.

use mirasa_domain::order::seconds_until_next_look;

use crate::letters::{self, Occasion};
use crate::ports::mail::Letter;
use crate::ports::orders::{Attempt, Mail, Order, Refund};
use crate::ports::payment::{RefundAsk, RefundState};
use crate::{Fault, Shop};

const LEASE_MS: i64 = 60_000;
const AT_ONCE: i64 = 20;
/// After so many failures a letter needs a person; it is still tried, once an hour.
const TRIES_BEFORE_CONCERN: i64 = 5;

impl Shop {
    /// Looks after every payment that is due. Returns how many there were.
    pub async fn reconcile(&self) -> Result<usize, Fault> {
        let now_ms = self.now_ms();
        let due: Vec<Attempt> = self
            .db
            .write(move |writes| {
                Box::pin(async move {
                    Ok::<_, Fault>(
                        writes
                            .lease_attempts(now_ms, now_ms + LEASE_MS, AT_ONCE)
                            .await?,
                    )
                })
            })
            .await?;
        let count = due.len();
        for attempt in due {
            let id = attempt.merchant_order_id.clone();
            match self.gateway.status(&id).await {
                Ok(report) => self.settle(attempt, report).await?,
                Err(error) => {
                    tracing::warn!(
                        error = format!("{:#}", anyhow::Error::from(error)),
                        "the gateway did not tell about a payment"
                    );
                    let wait_s =
                        seconds_until_next_look((self.now_ms() - attempt.created_at_ms) / 1000)
                            .max(3);
                    let (now, next) = (self.now_ms(), self.now_ms() + wait_s * 1000);
                    self.db
                        .write(move |writes| {
                            Box::pin(async move {
                                Ok::<_, Fault>(writes.schedule_look(&id, now, next).await?)
                            })
                        })
                        .await?;
                }
            }
        }
        Ok(count)
    }

    pub async fn give_refunds(&self) -> Result<usize, Fault> {
        let now_ms = self.now_ms();
        let due: Vec<Refund> = self
            .db
            .write(move |writes| {
                Box::pin(async move {
                    Ok::<_, Fault>(
                        writes
                            .lease_refunds(now_ms, now_ms + LEASE_MS, AT_ONCE)
                            .await?,
                    )
                })
            })
            .await?;
        let count = due.len();
        for refund in due {
            self.give_refund(refund).await?;
        }
        Ok(count)
    }

    async fn give_refund(&self, refund: Refund) -> Result<(), Fault> {
        let ask = RefundAsk {
            merchant_refund_id: refund.id.clone(),
            merchant_order_id: refund.merchant_order_id.clone(),
            amount: refund.amount,
        };
        let told = match refund.state.as_str() {
            "wanted" => self.gateway.refund(ask).await.map(Some),
            _ => self.gateway.refund_status(&refund.id).await,
        };
        let state = match &told {
            Ok(Some(report)) if report.state == RefundState::Completed => "completed",
            Ok(Some(report)) if report.state == RefundState::Failed => "failed",
            Ok(Some(_)) => "pending",
            Ok(None) => "wanted",
            Err(error) => {
                tracing::warn!(%error, "a refund could not be asked for");
                refund.state.as_str()
            }
        };
        let (state, shop, now_ms) = (state.to_owned(), self.clone(), self.now_ms());
        let next_ms = now_ms + (30_000_i64 << refund.looks.min(7));
        self.db
            .write(move |writes| {
                Box::pin(async move {
                    writes
                        .save_refund(&refund.id, &state, next_ms, now_ms)
                        .await?;
                    let order: Option<Order> =
                        writes.order_by_attempt(&refund.merchant_order_id).await?;
                    let Some(order) = order else { return Ok(()) };
                    match state.as_str() {
                        "completed" => {
                            letters::write(
                                &shop,
                                writes,
                                &order,
                                Occasion::Refunded(refund.amount.to_string()),
                            )
                            .await
                        }
                        "failed" => {
                            let detail = format!(
                                "The gateway could not return {}: {}",
                                refund.amount, refund.reason
                            );
                            shop.concern(writes, &order, "refund failed", &refund.id, detail)
                                .await
                        }
                        _ => Ok(()),
                    }
                })
            })
            .await
    }

    /// A letter may go out twice if the program dies between sending and writing that down; never not at
    /// all. Its message id stays the same, so that mailboxes can tell.
    pub async fn send_letters(&self) -> Result<usize, Fault> {
        let now_ms = self.now_ms();
        let due: Vec<Mail> = self
            .db
            .write(move |writes| {
                Box::pin(async move {
                    Ok::<_, Fault>(
                        writes
                            .lease_mails(now_ms, now_ms + LEASE_MS, AT_ONCE)
                            .await?,
                    )
                })
            })
            .await?;
        let count = due.len();
        for mail in due {
            let letter = Letter {
                to: mail.recipient.clone(),
                subject: mail.subject.clone(),
                text: mail.text_body.clone(),
                html: mail.html_body.clone(),
                message_id: mail.id.clone(),
            };
            let sent = self.mailer.send(letter).await;
            let (shop, now_ms) = (self.clone(), self.now_ms());
            self.db
                .write(move |writes| {
                    Box::pin(async move { shop.note_letter(writes, mail, sent, now_ms).await })
                })
                .await?;
        }
        Ok(count)
    }

    async fn note_letter(
        &self,
        writes: &mut dyn crate::ports::storage::Writes,
        mail: Mail,
        sent: anyhow::Result<()>,
        now_ms: i64,
    ) -> Result<(), Fault> {
        let Err(error) = sent else {
            return Ok(writes.mail_sent(&mail.id, now_ms).await?);
        };
        tracing::warn!(
            error = format!("{error:#}"),
            mail = mail.id,
            "a letter could not be sent"
        );
        let wait_ms = (10_000_i64 << mail.tries.clamp(0, 9)).min(3_600_000);
        writes
            .mail_failed(&mail.id, &format!("{error:#}"), now_ms + wait_ms)
            .await?;
        if mail.tries + 1 >= TRIES_BEFORE_CONCERN
            && let Some(order_id) = &mail.order_id
            && let Some(order) = writes.order(order_id).await?
        {
            let detail = format!(
                "\"{}\" could not be sent to {}.",
                mail.subject, mail.recipient
            );
            self.concern(writes, &order, "mail not sent", &mail.id, detail)
                .await?;
        }
        Ok(())
    }
}
