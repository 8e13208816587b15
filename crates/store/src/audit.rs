//! The audit log of what admins did.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::audit::{AuditQueries, AuditRepository};
use mirasa_domain::audit::AuditEntry;

use crate::engine::SqlRepository;
use crate::query::query;
use crate::row::row;

row! {
    struct AuditRow {
        id: String,
        at: i64,
        who: String,
        action: String,
        about: String,
        detail: String,
    }
}

#[async_trait]
impl AuditQueries for SqlRepository<'_> {
    async fn audit_log_for(&mut self, about: &str) -> StoreResult<Vec<AuditEntry>> {
        const FIND: &str =
            "select * from audit where about = $1 order by at desc, id desc limit 200";
        let rows = self.fetch_all::<AuditRow>(query(FIND).bind(about)).await?;
        let entry = |row: AuditRow| AuditEntry {
            id: row.id,
            at_ms: row.at,
            actor: row.who,
            action: row.action,
            subject_id: row.about,
            detail: row.detail,
        };
        Ok(rows.into_iter().map(entry).collect())
    }
}

#[async_trait]
impl AuditRepository for SqlRepository<'_> {
    async fn insert_audit_entry(&mut self, entry: &AuditEntry) -> StoreResult<()> {
        const INSERT: &str = "insert into audit (id, at, who, action, about, detail) values ($1, $2, $3, $4, $5, $6)";
        let insert = query(INSERT)
            .bind(&entry.id)
            .bind(entry.at_ms)
            .bind(&entry.actor)
            .bind(&entry.action)
            .bind(&entry.subject_id)
            .bind(&entry.detail);
        self.execute_deferred(insert).await
    }
}
