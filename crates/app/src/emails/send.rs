//! Sends the emails of the outbox.

use mirasa_domain::issue::IssueKind;

use crate::ports::mail::{Attachment, Email};
use crate::repository::Transaction;
use crate::repository::emails::outbox::OutboxEmail;
use crate::runtime::leased_rows::{LeasedRows, LeasedWork};
use crate::{AppError, Shop};

/// Longer than a slow mail server takes; otherwise another instance would send the email too.
const EMAIL_LEASE_MS: i64 = 300_000;
/// After this number of failures an issue is opened. The email is still retried, once an hour.
const ATTEMPTS_BEFORE_ISSUE: i64 = 5;

/// The mailer limits its connections to the mail server; the other emails wait for one.
const MAX_EMAILS_IN_PROGRESS: usize = 64;

/// An email, and why it could not be sent.
type SentEmail = (OutboxEmail, Result<(), String>);

/// Emails that are due, to be sent by the worker. An email may be sent twice if the server dies between sending and
/// recording it, but is never lost. Its message id stays the same, so that mailboxes can detect the repeat.
#[derive(Clone)]
pub struct DueEmails(pub Shop);

impl LeasedRows for DueEmails {
    type Row = OutboxEmail;
    type Done = SentEmail;
    const MAX_IN_PROGRESS: usize = MAX_EMAILS_IN_PROGRESS;

    async fn lease(&self, limit: usize) -> Result<Vec<OutboxEmail>, AppError> {
        let now_ms = self.0.now_ms();
        let due: Vec<OutboxEmail> = self
            .0
            .db
            .write(async move |tx| {
                tx.lease_emails(now_ms, now_ms + EMAIL_LEASE_MS, limit as i64)
                    .await
            })
            .await?;
        for email in &due {
            let age_ms = now_ms - email.created_at_ms;
            metrics::histogram!("email_age_seconds").record(age_ms as f64 / 1000.0);
        }
        Ok(due)
    }

    async fn work(self, email: OutboxEmail) -> SentEmail {
        self.0.send_email(email).await
    }

    async fn record(&self, done: Vec<SentEmail>) -> Result<(), AppError> {
        self.0.record_results(done).await
    }
}

impl Shop {
    /// Sends every email that is due. Returns how many there were.
    pub async fn send_emails(&self) -> Result<usize, AppError> {
        LeasedWork::all_due(DueEmails(self.clone()), MAX_EMAILS_IN_PROGRESS).await
    }

    async fn send_email(&self, email: OutboxEmail) -> SentEmail {
        let message = Email {
            to: email.recipient.clone(),
            subject: email.subject.clone(),
            text: email.text_body.clone(),
            html: email.html_body.clone(),
            message_id: email.id.clone(),
            in_reply_to: email.in_reply_to.clone(),
            reply_to: email.reply_to.clone(),
            attachments: self.attachments_of(&email).await,
        };
        let sent = self.mailer.send(message).await;
        // As text: the transaction may run twice, and an error cannot be cloned.
        (email, sent.map_err(|error| format!("{error:#}")))
    }

    /// An email without its invoice is better than none: the customer also finds it with the order.
    async fn attachments_of(&self, email: &OutboxEmail) -> Vec<Attachment> {
        let invoice = email.invoice_id.clone();
        let Some(id) = invoice.filter(|_| !self.mailer.discards()) else {
            return Vec::new();
        };
        match self.attached_pdf(id).await {
            Ok(pdf) => vec![Attachment {
                name: pdf.name,
                bytes: pdf.bytes,
            }],
            Err(error) => {
                tracing::error!(%error, mail = email.id.as_str(), "an invoice could not be attached");
                Vec::new()
            }
        }
    }

    async fn record_results(&self, ended: Vec<SentEmail>) -> Result<(), AppError> {
        let (shop, now_ms) = (self.clone(), self.now_ms());
        let sent = ended.iter().filter(|(_, result)| result.is_ok()).count() as u64;
        let failed = ended.len() as u64 - sent;
        metrics::counter!("emails_total", "result" => "sent").increment(sent);
        metrics::counter!("emails_total", "result" => "failed").increment(failed);
        self.db
            .write(async move |tx| {
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
            mail = email.id.as_str(),
            "an email could not be sent"
        );
        let wait_ms = (10_000_i64 << email.attempts.clamp(0, 9)).min(3_600_000);
        tx.mark_email_failed(&email.id, &error, now_ms + wait_ms)
            .await?;
        // An account may have been deleted meanwhile, with its emails. Nothing must name the address again.
        if email.attempts + 1 >= ATTEMPTS_BEFORE_ISSUE
            && tx.email(&email.id).await?.is_some()
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
