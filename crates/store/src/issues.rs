//! Issues that an admin must resolve.

use async_trait::async_trait;
use mirasa_app::repository::issues::{IssueQueries, IssueRepository};
use mirasa_app::repository::{StoreError, StoreResult};
use mirasa_domain::issue::{IssueKind, OrderIssue};

use crate::engine::SqlRepository;
use crate::query::query;
use crate::row::row;

row! {
    pub(crate) struct IssueRow {
        id: String,
        order_id: String,
        kind: String,
        about: String,
        detail: String,
        created_at: i64,
        order_deleted_at: Option<i64>,
    }
}

impl IssueRow {
    pub(crate) fn into_issue(self) -> StoreResult<OrderIssue> {
        let kind = IssueKind::parse(&self.kind).ok_or_else(|| {
            StoreError::Broken(anyhow::anyhow!(
                "issue {} is of kind {}",
                self.id,
                self.kind
            ))
        })?;
        Ok(OrderIssue {
            id: self.id,
            order_id: self.order_id,
            kind,
            subject_id: self.about,
            detail: self.detail,
            created_at_ms: self.created_at,
            order_is_deleted: self.order_deleted_at.is_some(),
        })
    }
}

#[async_trait]
impl IssueQueries for SqlRepository<'_> {
    async fn open_issues(&mut self) -> StoreResult<Vec<OrderIssue>> {
        const OPEN: &str = "select c.*, o.deleted_at as order_deleted_at from concerns c join orders o on o.id = c.order_id
            where c.settled_at is null order by c.created_at desc limit 200";
        let rows = self.fetch_all::<IssueRow>(query(OPEN)).await?;
        rows.into_iter().map(IssueRow::into_issue).collect()
    }
}

#[async_trait]
impl IssueRepository for SqlRepository<'_> {
    async fn open_issue(&mut self, issue: &OrderIssue) -> StoreResult<()> {
        const INSERT: &str = "insert into concerns (id, order_id, kind, about, detail, created_at) values ($1, $2, $3, $4, $5, $6)
            on conflict (kind, about) do nothing";
        self.execute_deferred(
            query(INSERT)
                .bind(&issue.id)
                .bind(&issue.order_id)
                .bind(issue.kind.as_str())
                .bind(&issue.subject_id)
                .bind(&issue.detail)
                .bind(issue.created_at_ms),
        )
        .await
    }

    async fn resolve_issue(&mut self, id: &str, now_ms: i64) -> StoreResult<bool> {
        Ok(self
            .execute(
                query("update concerns set settled_at = $2 where id = $1 and settled_at is null")
                    .bind(id)
                    .bind(now_ms),
            )
            .await?
            > 0)
    }

    async fn resolve_issue_about(
        &mut self,
        kind: IssueKind,
        subject_id: &str,
        now_ms: i64,
    ) -> StoreResult<()> {
        const RESOLVE: &str = "update concerns set settled_at = $3 where kind = $1 and about = $2 and settled_at is null";
        let resolve = query(RESOLVE)
            .bind(kind.as_str())
            .bind(subject_id)
            .bind(now_ms);
        self.execute_deferred(resolve).await
    }
}
