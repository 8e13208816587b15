//! Sends the emails of the outbox.

use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use mirasa_domain::issue::IssueKind;
use tracing::Instrument as _;

use crate::invoices::PdfFile;
use crate::ports::mail::{Attachment, Email};
use crate::repository::Transaction;
use crate::repository::outbox::OutboxEmail;
use crate::workers::BATCH_SIZE;
use crate::{AppError, Shop};

/// Longer than a slow mail server takes; otherwise another instance would send the email too.
const EMAIL_LEASE_MS: i64 = 300_000;
/// After this number of failures an issue is opened. The email is still retried, once an hour.
const ATTEMPTS_BEFORE_ISSUE: i64 = 5;

impl Shop {
    /// An email may be sent twice if the server dies between sending and recording it, but is never lost. Its
    /// message id stays the same, so that mailboxes can detect the repeat.
    pub async fn send_emails(&self) -> Result<usize, AppError> {
        let now_ms = self.now_ms();
        let due: Vec<OutboxEmail> = self
            .db
            .write(move |tx| tx.lease_emails(now_ms, now_ms + EMAIL_LEASE_MS, BATCH_SIZE as i64))
            .await?;
        let count = due.len();
        let sending: FuturesUnordered<_> = due
            .into_iter()
            .map(|email| {
                let shop = self.clone();
                let sending = async move {
                    let message = Email {
                        to: email.recipient.clone(),
                        subject: email.subject.clone(),
                        text: email.text_body.clone(),
                        html: email.html_body.clone(),
                        message_id: email.id.clone(),
                        in_reply_to: email.in_reply_to.clone(),
                        reply_to: email.reply_to.clone(),
                        attachments: shop.attachments_of(&email).await,
                    };
                    let sent = shop.mailer.send(message).await;
                    (email, sent)
                };
                tokio::spawn(sending.in_current_span())
            })
            .collect();
        // A slow email does not delay the others; those that end together are recorded in one transaction.
        let mut sending = sending.ready_chunks(BATCH_SIZE);
        let mut outcome = Ok(());
        while let Some(ended) = sending.next().await {
            let mut results = Vec::with_capacity(ended.len());
            for one in ended {
                match one {
                    // As text: the transaction may run twice, and an error cannot be cloned.
                    Ok((email, sent)) => {
                        results.push((email, sent.map_err(|error| format!("{error:#}"))))
                    }
                    Err(panicked) => outcome = outcome.and(Err(AppError::internal(panicked))),
                }
            }
            outcome = outcome.and(self.record_results(results).await);
        }
        outcome.map(|()| count)
    }

    /// An email without its document is better than none: the customer also finds it with the order.
    async fn attachments_of(&self, email: &OutboxEmail) -> Vec<Attachment> {
        let document = email.document_id.clone();
        let Some(id) = document.filter(|_| !self.mailer.discards()) else {
            return Vec::new();
        };
        match self.attached_pdf(id).await {
            Ok(PdfFile { name, bytes }) => vec![Attachment { name, bytes }],
            Err(error) => {
                tracing::error!(%error, mail = email.id, "a document could not be attached");
                Vec::new()
            }
        }
    }

    async fn record_results(
        &self,
        ended: Vec<(OutboxEmail, Result<(), String>)>,
    ) -> Result<(), AppError> {
        let (shop, now_ms) = (self.clone(), self.now_ms());
        let sent = ended.iter().filter(|(_, result)| result.is_ok()).count() as u64;
        let failed = ended.len() as u64 - sent;
        metrics::counter!("emails_total", "result" => "sent").increment(sent);
        metrics::counter!("emails_total", "result" => "failed").increment(failed);
        self.db
            .write(move |tx| {
                Box::pin(async move {
                    let (mut sent, mut failed) = (Vec::new(), Vec::new());
                    for (email, result) in ended {
                        match result {
                            Ok(()) => sent.push(email.id),
                            Err(error) => failed.push((email, error)),
                        }
                    }
                    tx.mark_emails_sent(&sent, now_ms).await?;
                    for (email, error) in failed {
                        shop.record_failure(tx, email, error, now_ms).await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    async fn record_failure(
        &self,
        tx: &mut dyn Transaction,
        email: OutboxEmail,
        error: String,
        now_ms: i64,
    ) -> Result<(), AppError> {
        // A mail server's rejection quotes the address.
        tracing::warn!(
            error = redact(&error, &email.recipient),
            mail = email.id,
            "an email could not be sent"
        );
        let wait_ms = (10_000_i64 << email.attempts.clamp(0, 9)).min(3_600_000);
        tx.mark_email_failed(&email.id, &error, now_ms + wait_ms)
            .await?;
        if email.attempts + 1 >= ATTEMPTS_BEFORE_ISSUE
            && let Some(order_id) = &email.order_id
            && let Some(order) = tx.order(order_id).await?
        {
            let detail = format!(
                "\"{}\" could not be sent to {}.",
                email.subject, email.recipient
            );
            self.open_issue(tx, &order, IssueKind::EmailNotSent, &email.id, detail)
                .await?;
        }
        Ok(())
    }
}

/// The text for the log, without the name, in whatever case it is quoted.
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
