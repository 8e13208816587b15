//! Sends the emails of the outbox.

use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use mirasa_domain::issue::IssueKind;

use crate::ports::mail::Email;
use crate::repository::Transaction;
use crate::repository::outbox::OutboxEmail;
use crate::workers::BATCH_SIZE;
use crate::{AppError, Shop};

/// Longer than a slow mail server takes; otherwise another instance would send the email too.
const EMAIL_LEASE_MS: i64 = 300_000;
/// After so many failures an issue is opened. The email is still retried, once an hour.
const ATTEMPTS_BEFORE_ISSUE: i64 = 5;

impl Shop {
    /// An email may be sent twice if the server dies between sending and recording it, but is never lost. Its
    /// message id stays the same, so that mailboxes can detect the repeat.
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
                    let email = Email {
                        to: mail.recipient.clone(),
                        subject: mail.subject.clone(),
                        text: mail.text_body.clone(),
                        html: mail.html_body.clone(),
                        message_id: mail.id.clone(),
                    };
                    let sent = shop.mailer.send(email).await;
                    (mail, sent)
                })
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
                    Ok((mail, sent)) => {
                        results.push((mail, sent.map_err(|error| format!("{error:#}"))))
                    }
                    Err(died) => outcome = outcome.and(Err(AppError::internal(died))),
                }
            }
            outcome = outcome.and(self.record_results(results).await);
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
        // A mail server's rejection quotes the address.
        tracing::warn!(
            error = redact(&error, &mail.recipient),
            mail = mail.id,
            "an email could not be sent"
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
            self.open_issue(tx, &order, IssueKind::EmailNotSent, &mail.id, detail)
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
