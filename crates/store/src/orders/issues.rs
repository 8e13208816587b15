//! Issues that an admin must resolve.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::orders::issues::{IssueQueries, IssueRepository};
use mirasa_domain::issue::{IssueId, IssueKind, OrderIssue};
use mirasa_domain::order::OrderId;
use mirasa_domain::refund::RefundId;
use mirasa_domain::shipment::ShipmentId;

use crate::sql::engine::{SqlRepository, placeholders};
use crate::sql::query::{Query, query};
use crate::sql::row::row;

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

const SELECT_OPEN: &str = "select c.*, o.deleted_at as order_deleted_at from concerns c join orders o on o.id = c.order_id
    where c.settled_at is null";

#[async_trait]
impl IssueQueries for SqlRepository<'_> {
    async fn open_issues(&mut self) -> StoreResult<Vec<OrderIssue>> {
        let text = format!("{SELECT_OPEN} order by c.created_at desc limit 200");
        let rows = self.fetch_all::<IssueRow>(query(text)).await?;
        Ok(rows.into_iter().filter_map(IssueRow::into_issue).collect())
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
