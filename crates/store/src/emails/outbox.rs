//! Emails that wait to be sent. Workers lease them.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::emails::outbox::{OutboxEmail, OutboxQueries, OutboxRepository};
use mirasa_domain::invoice::InvoiceId;
use mirasa_domain::message::EmailId;
use mirasa_domain::order::OrderId;

use crate::sql::engine::{SqlRepository, pad_list, placeholders};
use crate::sql::query::{Query, query};
use crate::sql::row::row;

row! {
    struct EmailRow {
        id: EmailId,
        order_id: Option<OrderId>,
        kind: String,
        recipient: String,
        subject: String,
        text_body: String,
        html_body: String,
        tries: i64,
        created_at: i64,
        sent_at: Option<i64>,
        in_reply_to: Option<EmailId>,
        reply_to: Option<String>,
        document_id: Option<InvoiceId>,
    }
}

impl From<EmailRow> for OutboxEmail {
    fn from(row: EmailRow) -> OutboxEmail {
        OutboxEmail {
            id: row.id,
            order_id: row.order_id,
            kind: row.kind,
            recipient: row.recipient,
            subject: row.subject,
            text_body: row.text_body,
            html_body: row.html_body,
            in_reply_to: row.in_reply_to,
            reply_to: row.reply_to,
            invoice_id: row.document_id,
            attempts: row.tries,
            created_at_ms: row.created_at,
            sent_at_ms: row.sent_at,
        }
    }
}

/// The outer conditions are for the index.
fn lease_emails_query(skip_locked: &str) -> String {
    format!(
        "with due as (select id from mails where sent_at is null and next_try_at <= $1 and leased_until <= $1
            order by next_try_at limit $3 {skip_locked})
        update mails set leased_until = $2 where sent_at is null and next_try_at <= $1 and leased_until <= $1
            and id in (select id from due) returning *"
    )
}

#[async_trait]
impl OutboxQueries for SqlRepository<'_> {
    async fn recent_emails(&mut self, limit: i64) -> StoreResult<Vec<OutboxEmail>> {
        let rows = self
            .fetch_all::<EmailRow>(
                query("select * from mails order by created_at desc, id desc limit $1").bind(limit),
            )
            .await?;
        Ok(rows.into_iter().map(OutboxEmail::from).collect())
    }

    async fn email(&mut self, id: &EmailId) -> StoreResult<Option<OutboxEmail>> {
        let row = self
            .fetch_optional::<EmailRow>(query("select * from mails where id = $1").bind(id))
            .await?;
        Ok(row.map(OutboxEmail::from))
    }
}

#[async_trait]
impl OutboxRepository for SqlRepository<'_> {
    async fn insert_email(&mut self, email: &OutboxEmail) -> StoreResult<()> {
        const INSERT: &str = "insert into mails (id, order_id, kind, recipient, subject, text_body, html_body, created_at, tries, next_try_at,
            leased_until, in_reply_to, reply_to, document_id) values ($1, $2, $3, $4, $5, $6, $7, $8, 0, $8, 0, $9, $10, $11)";
        self.execute_deferred(
            query(INSERT)
                .bind(&email.id)
                .bind(&email.order_id)
                .bind(&email.kind)
                .bind(&email.recipient)
                .bind(&email.subject)
                .bind(&email.text_body)
                .bind(&email.html_body)
                .bind(email.created_at_ms)
                .bind(&email.in_reply_to)
                .bind(&email.reply_to)
                .bind(&email.invoice_id),
        )
        .await
    }

    async fn lease_emails(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        limit: i64,
    ) -> StoreResult<Vec<OutboxEmail>> {
        let lease = query(lease_emails_query(self.skip_locked()))
            .bind(now_ms)
            .bind(until_ms)
            .bind(limit);
        let rows = self.fetch_all::<EmailRow>(lease).await?;
        Ok(rows.into_iter().map(OutboxEmail::from).collect())
    }

    async fn mark_emails_sent(&mut self, ids: &[EmailId], now_ms: i64) -> StoreResult<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let ids = pad_list(ids);
        let text = format!(
            "with sent as (select id from mails where id in ({}) order by id {})
            update mails set sent_at = $1, tries = tries + 1, last_error = null, leased_until = 0
                where id in (select id from sent)",
            placeholders(2, ids.len()),
            self.lock_rows()
        );
        let update = ids.into_iter().fold(query(text).bind(now_ms), Query::bind);
        self.execute_deferred(update).await
    }

    async fn mark_email_failed(
        &mut self,
        id: &EmailId,
        error: &str,
        next_attempt_at_ms: i64,
    ) -> StoreResult<()> {
        const FAILED: &str = "update mails set tries = tries + 1, last_error = $2, next_try_at = $3, leased_until = 0 where id = $1";
        self.execute_deferred(query(FAILED).bind(id).bind(error).bind(next_attempt_at_ms))
            .await
    }
}
