//! The audit log.

use std::collections::HashMap;

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::operations::audit::{AuditQueries, AuditRepository};
use mirasa_domain::audit::{AdminAction, AuditEntry};
use mirasa_domain::order::OrderId;

use crate::sql::engine::{ROWS_PER_INSERT, SqlRepository, placeholder_rows, placeholders};
use crate::sql::query::{Query, query};
use crate::sql::row::row;

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

row! {
    struct WhoRow {
        about: OrderId,
        who: String,
    }
}

#[async_trait]
impl AuditQueries for SqlRepository<'_> {
    async fn audit_log_for(&mut self, subject_id: &str) -> StoreResult<Vec<AuditEntry>> {
        const FIND: &str =
            "select * from audit where about = $1 order by at desc, id desc limit 200";
        let rows = self
            .fetch_all::<AuditRow>(query(FIND).bind(subject_id))
            .await?;
        Ok(rows.into_iter().filter_map(AuditRow::into_entry).collect())
    }

    async fn first_audited(
        &mut self,
        order_ids: &[OrderId],
        action: AdminAction,
        detail: &str,
    ) -> StoreResult<Vec<(OrderId, String)>> {
        if order_ids.is_empty() {
            return Ok(Vec::new());
        }
        let text = format!(
            "select about, who from audit where action = $1 and detail = $2 and about in ({}) order by at desc, id desc",
            placeholders(3, order_ids.len())
        );
        let find = query(text).bind(action.as_str()).bind(detail);
        let rows: Vec<WhoRow> = self
            .fetch_all(order_ids.iter().fold(find, Query::bind))
            .await?;
        // Of several, the first one comes last and stays.
        let first: HashMap<_, _> = rows.into_iter().map(|row| (row.about, row.who)).collect();
        Ok(first.into_iter().collect())
    }
}

impl AuditRow {
    /// None if it is of an action that a later version has added: during an update, this version shows the others.
    fn into_entry(self) -> Option<AuditEntry> {
        Some(AuditEntry {
            action: AdminAction::parse(&self.action)?,
            id: self.id,
            at_ms: self.at,
            actor: self.who,
            subject_id: self.about,
            detail: self.detail,
        })
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
            .bind(entry.action.as_str())
            .bind(&entry.subject_id)
            .bind(&entry.detail);
        self.execute_deferred(insert).await
    }

    async fn insert_audit_entries(&mut self, entries: &[AuditEntry]) -> StoreResult<()> {
        for chunk in entries.chunks(ROWS_PER_INSERT) {
            let text = format!(
                "insert into audit (id, at, who, action, about, detail) values {}",
                placeholder_rows(chunk.len(), 6)
            );
            let mut insert = query(text);
            for entry in chunk {
                insert = insert
                    .bind(&entry.id)
                    .bind(entry.at_ms)
                    .bind(&entry.actor)
                    .bind(entry.action.as_str())
                    .bind(&entry.subject_id)
                    .bind(&entry.detail);
            }
            self.execute_deferred(insert).await?;
        }
        Ok(())
    }
}
