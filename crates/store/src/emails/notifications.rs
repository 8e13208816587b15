//! What the owner was notified of, and what is new since then. Each query reads a range of an index.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::emails::notifications::{
    FirstOf, NotificationQueries, NotificationRepository, PaidOrder, ReportedProblem,
};
use mirasa_domain::issue::OrderIssue;
use mirasa_domain::message::ContactMessage;
use mirasa_domain::notification::{NotificationKind, NotificationState, Period};
use mirasa_domain::order::OrderId;

use crate::messages::MessageRow;
use crate::orders::issues::IssueRow;
use crate::orders::row::OrderRow;
use crate::sql::engine::SqlRepository;
use crate::sql::query::query;
use crate::sql::row::{FromRow, row};

row! {
    struct NotificationRow {
        last_sent_at: Option<i64>,
        seen_until: i64,
    }
}

row! {
    struct ReportedProblemRow {
        order_id: OrderId,
        message: String,
    }
}

const FIND: &str = "select last_sent_at, seen_until from notifications where kind = $1";
const LOCK: &str = "select last_sent_at, seen_until from notifications where kind = $1 for update";

impl SqlRepository<'_> {
    async fn notification_row(
        &mut self,
        text: &'static str,
        kind: NotificationKind,
    ) -> StoreResult<Option<NotificationState>> {
        let found = query(text).bind(kind.as_str());
        let row = self.fetch_optional::<NotificationRow>(found).await?;
        Ok(row.map(|row| NotificationState {
            last_sent_at_ms: row.last_sent_at,
            seen_until_ms: row.seen_until,
        }))
    }

    /// `$1` and `$2` are the period.
    async fn first_of<T: FromRow>(
        &mut self,
        columns: &str,
        rows: &str,
        order: &str,
        period: Period,
        limit: i64,
    ) -> StoreResult<FirstOf<T>> {
        let count = query(format!("select count(*) {rows}"))
            .bind(period.after_ms)
            .bind(period.until_ms);
        let count = self.fetch_one::<i64>(count).await?;
        if count == 0 {
            let rows = Vec::new();
            return Ok(FirstOf { rows, count });
        }
        let find = query(format!("select {columns} {rows} order by {order} limit $3"))
            .bind(period.after_ms)
            .bind(period.until_ms)
            .bind(limit);
        let rows = self.fetch_all(find).await?;
        Ok(FirstOf { rows, count })
    }
}

#[async_trait]
impl NotificationQueries for SqlRepository<'_> {
    async fn notification(
        &mut self,
        kind: NotificationKind,
    ) -> StoreResult<Option<NotificationState>> {
        self.notification_row(FIND, kind).await
    }

    async fn unread_messages_of(
        &mut self,
        period: Period,
        limit: i64,
    ) -> StoreResult<FirstOf<ContactMessage>> {
        const ROWS: &str = "from contact_queries where read_at is null and done_at is null and at > $1 and at <= $2";
        let found = self
            .first_of::<MessageRow>("*", ROWS, "at, id", period, limit)
            .await?;
        Ok(FirstOf {
            rows: found.rows.into_iter().map(ContactMessage::from).collect(),
            count: found.count,
        })
    }

    async fn paid_orders_of(
        &mut self,
        period: Period,
        limit: i64,
    ) -> StoreResult<FirstOf<PaidOrder>> {
        const ROWS: &str = "from order_events e join orders o on o.id = e.order_id
            where e.kind = 'paid' and e.at > $1 and e.at <= $2 and o.deleted_at is null";
        let found = self
            .first_of::<OrderRow>("o.*", ROWS, "e.at, e.id", period, limit)
            .await?;
        let mut rows = Vec::with_capacity(found.rows.len());
        for row in found.rows {
            let order = row.into_order()?;
            rows.push(PaidOrder {
                id: order.id,
                total: order.state.total,
                customer_name: order.address.name,
            });
        }
        Ok(FirstOf {
            rows,
            count: found.count,
        })
    }

    async fn open_problems_of(
        &mut self,
        period: Period,
        limit: i64,
    ) -> StoreResult<FirstOf<ReportedProblem>> {
        const ROWS: &str =
            "from order_problems where state = 'open' and created_at > $1 and created_at <= $2";
        let found = self
            .first_of::<ReportedProblemRow>(
                "order_id, message",
                ROWS,
                "created_at, id",
                period,
                limit,
            )
            .await?;
        let problem = |row: ReportedProblemRow| ReportedProblem {
            order_id: row.order_id,
            message: row.message,
        };
        Ok(FirstOf {
            rows: found.rows.into_iter().map(problem).collect(),
            count: found.count,
        })
    }

    async fn open_cancellation_requests_of(
        &mut self,
        period: Period,
        limit: i64,
    ) -> StoreResult<FirstOf<OrderId>> {
        const ROWS: &str = "from cancellation_requests where decided_at is null and requested_at > $1 and requested_at <= $2";
        self.first_of::<OrderId>("order_id", ROWS, "requested_at, id", period, limit)
            .await
    }

    async fn open_issues_of(
        &mut self,
        period: Period,
        failed_refunds: bool,
        limit: i64,
    ) -> StoreResult<FirstOf<OrderIssue>> {
        let comparison = if failed_refunds { "=" } else { "<>" };
        let rows = format!(
            "from concerns c join orders o on o.id = c.order_id where c.settled_at is null
             and c.created_at > $1 and c.created_at <= $2 and c.kind {comparison} 'refund failed'"
        );
        let columns = "c.*, o.deleted_at as order_deleted_at";
        let found = self
            .first_of::<IssueRow>(columns, &rows, "c.created_at, c.id", period, limit)
            .await?;
        Ok(FirstOf {
            rows: found
                .rows
                .into_iter()
                .filter_map(IssueRow::into_issue)
                .collect(),
            count: found.count,
        })
    }
}

#[async_trait]
impl NotificationRepository for SqlRepository<'_> {
    async fn begin_notification(&mut self, kind: NotificationKind, now_ms: i64) -> StoreResult<()> {
        const INSERT: &str = "insert into notifications (kind, seen_until) values ($1, $2) on conflict (kind) do nothing";
        self.execute_deferred(query(INSERT).bind(kind.as_str()).bind(now_ms))
            .await
    }

    async fn lock_notification(
        &mut self,
        kind: NotificationKind,
    ) -> StoreResult<Option<NotificationState>> {
        let text = if self.is_postgres() { LOCK } else { FIND };
        self.notification_row(text, kind).await
    }

    async fn record_notification(
        &mut self,
        kind: NotificationKind,
        sent_at_ms: Option<i64>,
        seen_until_ms: i64,
    ) -> StoreResult<()> {
        const SET: &str =
            "update notifications set last_sent_at = $2, seen_until = $3 where kind = $1";
        let set = query(SET)
            .bind(kind.as_str())
            .bind(sent_at_ms)
            .bind(seen_until_ms);
        self.execute_deferred(set).await
    }

    async fn end_notifications(&mut self) -> StoreResult<()> {
        self.execute_deferred(query("delete from notifications"))
            .await
    }

    async fn delete_sent_notifications(&mut self, before_ms: i64) -> StoreResult<u64> {
        const DELETE: &str = "delete from mails where kind = 'notification' and created_at < $1 and sent_at is not null";
        self.execute(query(DELETE).bind(before_ms)).await
    }
}
