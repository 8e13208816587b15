//! Issues that an admin must resolve.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::orders::issues::{IssueQueries, IssueRepository, OpenIssue};
use mirasa_domain::issue::{IssueGroup, IssueId, IssueKind, OrderIssue};
use mirasa_domain::order::OrderId;
use mirasa_domain::refund::RefundId;
use mirasa_domain::shipment::ShipmentId;

use crate::shipping::conditions::NEEDS_ATTENTION;
use crate::sql::engine::{SqlRepository, placeholders};
use crate::sql::query::{Query, query};
use crate::sql::row::{FromRow, Row, row};

row! {
    pub(crate) struct IssueRow {
        id: IssueId,
        order_id: OrderId,
        kind: String,
        about: String,
        detail: String,
        created_at: i64,
        order_deleted_at: Option<i64>,
    }
}

impl IssueRow {
    /// None if it is of a kind that a later version has added: during an update, this version shows the others.
    pub(crate) fn into_issue(self) -> Option<OrderIssue> {
        Some(OrderIssue {
            kind: IssueKind::parse(&self.kind)?,
            id: self.id,
            order_id: self.order_id,
            subject_id: self.about,
            detail: self.detail,
            created_at_ms: self.created_at,
            order_is_deleted: self.order_deleted_at.is_some(),
        })
    }
}

/// The group of the issue `c`, as `IssueGroup` has it. Whatever waits is counted once: money that could not be returned as
/// a failed refund, a parcel that needs a decision as a parcel.
pub(crate) fn issue_group() -> String {
    format!(
        "case c.kind when 'refund failed' then 'failedRefunds' when 'mail not sent' then ''
         when 'paid, cancelled, not refunded' then case when exists (select 1 from concerns f
            where f.order_id = c.order_id and f.kind = 'refund failed' and f.settled_at is null) then '' else 'keptPayments' end
         else case when c.kind in ('parcel returned', 'parcel lost', 'parcel rejected')
            and exists (select 1 from shipments s where s.id = c.about and {NEEDS_ATTENTION}) then '' else 'issues' end end"
    )
}

const SELECT_OPEN: &str = "select c.*, o.deleted_at as order_deleted_at from concerns c join orders o on o.id = c.order_id
    where c.settled_at is null";

struct GroupedIssueRow(IssueRow, String);

impl FromRow for GroupedIssueRow {
    fn from_row(row: &Row<'_>) -> StoreResult<GroupedIssueRow> {
        Ok(GroupedIssueRow(
            IssueRow::from_row(row)?,
            row.get("issue_group")?,
        ))
    }
}

#[async_trait]
impl IssueQueries for SqlRepository<'_> {
    async fn open_issues(&mut self) -> StoreResult<Vec<OpenIssue>> {
        let text = format!(
            "select c.*, o.deleted_at as order_deleted_at, {} as issue_group from concerns c join orders o on o.id = c.order_id
             where c.settled_at is null order by c.created_at desc limit 200",
            issue_group()
        );
        let rows = self.fetch_all::<GroupedIssueRow>(query(text)).await?;
        let issue = |GroupedIssueRow(row, group): GroupedIssueRow| {
            Some(OpenIssue {
                issue: row.into_issue()?,
                group: IssueGroup::parse(&group)?,
            })
        };
        Ok(rows.into_iter().filter_map(issue).collect())
    }

    async fn open_issue_by_id(&mut self, id: &IssueId) -> StoreResult<Option<OrderIssue>> {
        let text = format!("{SELECT_OPEN} and c.id = $1");
        let row: Option<IssueRow> = self.fetch_optional(query(text).bind(id)).await?;
        Ok(row.and_then(IssueRow::into_issue))
    }

    async fn open_issue_about(
        &mut self,
        kind: IssueKind,
        order_id: &OrderId,
    ) -> StoreResult<Option<OrderIssue>> {
        let text = format!("{SELECT_OPEN} and c.kind = $1 and c.about = $2");
        let find = query(text).bind(kind.as_str()).bind(order_id);
        let row: Option<IssueRow> = self.fetch_optional(find).await?;
        Ok(row.and_then(IssueRow::into_issue))
    }
}

fn bind_issue<'q>(text: &'static str, issue: &'q OrderIssue) -> Query<'q> {
    query(text)
        .bind(&issue.id)
        .bind(&issue.order_id)
        .bind(issue.kind.as_str())
        .bind(&issue.subject_id)
        .bind(&issue.detail)
        .bind(issue.created_at_ms)
}

#[async_trait]
impl IssueRepository for SqlRepository<'_> {
    async fn open_issue(&mut self, issue: &OrderIssue) -> StoreResult<()> {
        const INSERT: &str = "insert into concerns (id, order_id, kind, about, detail, created_at) values ($1, $2, $3, $4, $5, $6)
            on conflict (kind, about) do nothing";
        self.execute_deferred(bind_issue(INSERT, issue)).await
    }

    async fn keep_issue_open(&mut self, issue: &OrderIssue) -> StoreResult<()> {
        const KEEP: &str = "insert into concerns (id, order_id, kind, about, detail, created_at) values ($1, $2, $3, $4, $5, $6)
            on conflict (kind, about) do update set detail = excluded.detail, settled_at = null,
            created_at = case when concerns.settled_at is null then concerns.created_at else excluded.created_at end
            where concerns.reason is null";
        self.execute_deferred(bind_issue(KEEP, issue)).await
    }

    async fn forget_issue_about(
        &mut self,
        kind: IssueKind,
        order_id: &OrderId,
        now_ms: i64,
    ) -> StoreResult<()> {
        const FORGET: &str = "update concerns set settled_at = coalesce(settled_at, $3), reason = null where kind = $1 and about = $2";
        let forget = query(FORGET)
            .bind(kind.as_str())
            .bind(order_id)
            .bind(now_ms);
        self.execute_deferred(forget).await
    }

    async fn resolve_issue(
        &mut self,
        id: &IssueId,
        reason: &str,
        now_ms: i64,
    ) -> StoreResult<bool> {
        const RESOLVE: &str =
            "update concerns set settled_at = $2, reason = $3 where id = $1 and settled_at is null";
        let resolve = query(RESOLVE).bind(id).bind(now_ms).bind(reason);
        Ok(self.execute(resolve).await? > 0)
    }

    async fn resolve_issue_about(
        &mut self,
        kind: IssueKind,
        shipment_id: &ShipmentId,
        now_ms: i64,
    ) -> StoreResult<()> {
        const RESOLVE: &str = "update concerns set settled_at = $3 where kind = $1 and about = $2 and settled_at is null";
        let resolve = query(RESOLVE)
            .bind(kind.as_str())
            .bind(shipment_id)
            .bind(now_ms);
        self.execute_deferred(resolve).await
    }

    async fn resolve_issues_about(
        &mut self,
        kind: IssueKind,
        refund_ids: &[RefundId],
        now_ms: i64,
    ) -> StoreResult<()> {
        if refund_ids.is_empty() {
            return Ok(());
        }
        let text = format!(
            "update concerns set settled_at = $2 where kind = $1 and settled_at is null and about in ({})",
            placeholders(3, refund_ids.len())
        );
        let resolve = query(text).bind(kind.as_str()).bind(now_ms);
        self.execute_deferred(refund_ids.iter().fold(resolve, Query::bind))
            .await
    }
}
