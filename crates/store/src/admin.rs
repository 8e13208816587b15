//! The trail of the owner's deeds, and the list of people.

use async_trait::async_trait;
use mirasa_app::ports::admin::{AdminRole, AuditEntry, ReadAdmin, RoleSource, WriteAdmin};
use mirasa_app::ports::storage::{StoreResult, User};
use mirasa_domain::user::{Role, UserId};

use crate::engine::SqlRepository;
use crate::id_parts::{IndexedTable, MAX_CANDIDATES};
use crate::people::UserRow;
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

row! {
    struct AdminRoleRow {
        id: String,
        email: String,
        role_source: Option<String>,
    }
}

#[async_trait]
impl ReadAdmin for SqlRepository<'_> {
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

    async fn admin_roles(&mut self) -> StoreResult<Vec<AdminRole>> {
        const FIND: &str = "select id, email, role_source from users where role = 'admin' and deleted_at is null order by id";
        let rows = self.fetch_all::<AdminRoleRow>(query(FIND)).await?;
        let role = |row: AdminRoleRow| AdminRole {
            id: UserId(row.id),
            email: row.email,
            source: row.role_source.as_deref().and_then(RoleSource::parse),
        };
        Ok(rows.into_iter().map(role).collect())
    }

    async fn find_users(&mut self, search: &str, skip: i64, limit: i64) -> StoreResult<Vec<User>> {
        let (matches, words) = if search.is_empty() {
            (String::new(), None)
        } else if let Some(phrase) = self.trigram_phrase(search).await? {
            let matches =
                "and rowid in (select rowid from people_words where people_words match $3)";
            (matches.to_owned(), Some(phrase))
        } else {
            let contains = self.position_fn();
            let matches = format!(
                "and ({contains}(lower(name), $3) > 0 or {contains}(lower(email), $3) > 0)"
            );
            (matches, Some(search.to_lowercase()))
        };
        // Whom to show is found in an index that has names and addresses; only then are rows read.
        let text = format!(
            "select * from users where id in (select id from users where deleted_at is null {matches}
             order by created_at desc, id desc limit $1 offset $2) order by created_at desc, id desc"
        );
        let find = query(text).bind(limit).bind(skip);
        let find = match words {
            Some(words) => find.bind(words),
            None => find,
        };
        let rows: Vec<UserRow> = self.fetch_all(find).await?;
        rows.into_iter().map(UserRow::into_user).collect()
    }
}

impl SqlRepository<'_> {
    /// What to ask SQLite's index of people for, if it can tell that few have this in their name or address. Many
    /// are found sooner from the newest on, and PostgreSQL has no such index that every shop may install.
    async fn trigram_phrase(&mut self, search: &str) -> StoreResult<Option<String>> {
        // The index knows nothing shorter than three letters.
        if self.is_postgres() || search.chars().count() < 3 {
            return Ok(None);
        }
        let phrase = format!("\"{}\"", search.replace('"', "\"\""));
        let count = format!(
            "select count(*) from (select 1 from people_words where people_words match $1 limit {})",
            MAX_CANDIDATES + 1
        );
        let found = self.fetch_one::<i64>(query(count).bind(&phrase)).await?;
        Ok((found <= MAX_CANDIDATES as i64).then_some(phrase))
    }
}

#[async_trait]
impl WriteAdmin for SqlRepository<'_> {
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

    async fn lock_admins(&mut self) -> StoreResult<Vec<UserId>> {
        let text = if self.is_postgres() {
            "select id from users where role = 'admin' and deleted_at is null order by id for update"
        } else {
            "select id from users where role = 'admin' and deleted_at is null order by id"
        };
        let ids = self.fetch_all::<String>(query(text)).await?;
        Ok(ids.into_iter().map(UserId).collect())
    }

    async fn set_role_source(&mut self, id: &UserId, source: RoleSource) -> StoreResult<()> {
        const UPDATE: &str = "update users set role_source = $2 where id = $1";
        self.execute_deferred(query(UPDATE).bind(&id.0).bind(source.as_str()))
            .await
    }

    async fn revoke_admin(&mut self, id: &UserId, now_ms: i64) -> StoreResult<()> {
        const UPDATE: &str =
            "update users set role = 'customer', role_source = null, updated_at = $2 where id = $1";
        self.execute_deferred(query(UPDATE).bind(&id.0).bind(now_ms))
            .await
    }

    async fn update_user(
        &mut self,
        id: &UserId,
        name: &str,
        phone: Option<&str>,
        role: Role,
        now_ms: i64,
    ) -> StoreResult<()> {
        const UPDATE: &str = "update users set name = $2, phone = $3, role = $4, updated_at = $5,
            role_source = case when role = $4 then role_source else 'console' end where id = $1 and deleted_at is null";
        self.execute_deferred(
            query(UPDATE)
                .bind(&id.0)
                .bind(name)
                .bind(phone)
                .bind(role.as_str())
                .bind(now_ms),
        )
        .await
    }

    async fn index_new_ids(&mut self) -> StoreResult<bool> {
        let more_orders = self.fill_id_parts(IndexedTable::Orders).await?;
        let more_people = self.fill_id_parts(IndexedTable::Users).await?;
        Ok(more_orders || more_people)
    }

    async fn delete_user(&mut self, id: &UserId, now_ms: i64) -> StoreResult<()> {
        self.execute(query("delete from sessions where user_id = $1").bind(&id.0))
            .await?;
        self.execute_deferred(
            query("update users set deleted_at = $2 where id = $1 and deleted_at is null")
                .bind(&id.0)
                .bind(now_ms),
        )
        .await
    }
}
