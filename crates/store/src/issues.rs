//! Issues that an admin must resolve.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::issues::{IssueQueries, IssueRepository};
use mirasa_domain::issue::OrderIssue;

use crate::engine::SqlRepository;
use crate::query::query;
use crate::row::row;

row! {
    struct ConcernRow {
        id: String,
        order_id: String,
        kind: String,
        about: String,
        detail: String,
        created_at: i64,
        order_deleted_at: Option<i64>,
    }
}

#[async_trait]
impl IssueQueries for SqlRepository<'_> {
    async fn open_issues(&mut self) -> StoreResult<Vec<OrderIssue>> {
        const OPEN: &str = "select c.*, o.deleted_at as order_deleted_at from concerns c join orders o on o.id = c.order_id
            where c.settled_at is null order by c.created_at desc limit 200";
        let rows = self.fetch_all::<ConcernRow>(query(OPEN)).await?;
        let concern = |row: ConcernRow| OrderIssue {
            id: row.id,
            order_id: row.order_id,
            kind: row.kind,
            subject_id: row.about,
            detail: row.detail,
            created_at_ms: row.created_at,
            order_is_deleted: row.order_deleted_at.is_some(),
        };
        Ok(rows.into_iter().map(concern).collect())
    }
}

#[async_trait]
impl IssueRepository for SqlRepository<'_> {
    async fn open_issue(&mut self, concern: &OrderIssue) -> StoreResult<()> {
        const INSERT: &str = "insert into concerns (id, order_id, kind, about, detail, created_at) values ($1, $2, $3, $4, $5, $6)
            on conflict (kind, about) do nothing";
        self.execute_deferred(
            query(INSERT)
                .bind(&concern.id)
                .bind(&concern.order_id)
                .bind(&concern.kind)
                .bind(&concern.subject_id)
                .bind(&concern.detail)
                .bind(concern.created_at_ms),
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
}
