//! What waits for an admin. Each count reads a small index of its own.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::reports::to_do::{FailedEmail, ToDoCounts, ToDoLimits, ToDoQueries};
use mirasa_domain::message::EmailId;
use mirasa_domain::order::OrderId;

use crate::orders::issues::issue_group;
use crate::orders::work::{HAS_PACKS_TO_SEND, TO_PACK, TO_SEND, to_confirm};
use crate::shipping::conditions::{NEEDS_ATTENTION, TO_SHIP, unscanned};
use crate::sql::engine::SqlRepository;
use crate::sql::query::query;
use crate::sql::row::row;

row! {
    struct CountsRow {
        to_pack: i64,
        to_ship: i64,
        overdue: i64,
        to_confirm: i64,
        kept_payments: i64,
        problems: i64,
        cancellations: i64,
        overdue_cancellations: i64,
        failed_refunds: i64,
        issues: i64,
        messages: i64,
        failed_emails: i64,
        parcels: i64,
        unscanned_parcels: i64,
        old_batches: i64,
    }
}

row! {
    struct FailedEmailRow {
        id: EmailId,
        order_id: Option<OrderId>,
        recipient: String,
        subject: String,
        tries: i64,
        last_error: Option<String>,
        created_at: i64,
        next_try_at: i64,
    }
}

/// An issue is opened after as many attempts (crates/app/src/emails/send.rs).
const FAILED_EMAIL: &str = "sent_at is null and tries >= 5";

#[async_trait]
impl ToDoQueries for SqlRepository<'_> {
    async fn to_do_counts(&mut self, limits: ToDoLimits) -> StoreResult<ToDoCounts> {
        let group = issue_group();
        let text = format!(
            "select (select count(*) from orders where {TO_PACK} and {HAS_PACKS_TO_SEND}) as to_pack,
             (select count(*) {TO_SHIP} and {HAS_PACKS_TO_SEND}) as to_ship,
             (select count(*) from orders where {TO_SEND} and created_at < $1 and {HAS_PACKS_TO_SEND}) as overdue,
             (select count(*) from ({}) to_confirm) as to_confirm,
             (select count(*) from order_problems where state = 'open') as problems,
             (select count(*) from cancellation_requests where decided_at is null) as cancellations,
             (select count(*) from cancellation_requests where decided_at is null and requested_at < $4) as overdue_cancellations,
             (select count(*) from concerns c where c.settled_at is null and {group} = 'failedRefunds') as failed_refunds,
             (select count(*) from concerns c where c.settled_at is null and {group} = 'keptPayments') as kept_payments,
             (select count(*) from concerns c where c.settled_at is null and {group} = 'issues') as issues,
             (select count(*) from contact_queries where read_at is null and done_at is null) as messages,
             (select count(*) from mails where {FAILED_EMAIL}) as failed_emails,
             (select count(*) from shipments s where {NEEDS_ATTENTION}) as parcels,
             (select count(*) from shipments s where {}) as unscanned_parcels,
             (select count(*) from batches where left_grams > 0 and best_before < $3) as old_batches",
            to_confirm(),
            unscanned("$2")
        );
        let counts = query(text)
            .bind(limits.overdue_before_ms)
            .bind(limits.unscanned_before_ms)
            .bind(limits.min_best_before)
            .bind(limits.cancellations_before_ms);
        let row: CountsRow = self.fetch_one(counts).await?;
        Ok(ToDoCounts {
            to_pack: row.to_pack,
            to_ship: row.to_ship,
            overdue: row.overdue,
            to_confirm: row.to_confirm,
            kept_payments: row.kept_payments,
            problems: row.problems,
            cancellations: row.cancellations,
            overdue_cancellations: row.overdue_cancellations,
            failed_refunds: row.failed_refunds,
            issues: row.issues,
            messages: row.messages,
            failed_emails: row.failed_emails,
            parcels: row.parcels,
            unscanned_parcels: row.unscanned_parcels,
            old_batches: row.old_batches,
        })
    }

    async fn failed_emails(&mut self, limit: i64) -> StoreResult<Vec<FailedEmail>> {
        let text = format!(
            "select id, order_id, recipient, subject, tries, last_error, created_at, next_try_at from mails
             where {FAILED_EMAIL} order by created_at desc, id desc limit $1"
        );
        let rows: Vec<FailedEmailRow> = self.fetch_all(query(text).bind(limit)).await?;
        let email = |row: FailedEmailRow| FailedEmail {
            id: row.id,
            order_id: row.order_id,
            recipient: row.recipient,
            subject: row.subject,
            attempts: row.tries,
            error: row.last_error.unwrap_or_default(),
            created_at_ms: row.created_at,
            next_attempt_at_ms: row.next_try_at,
        };
        Ok(rows.into_iter().map(email).collect())
    }
}
