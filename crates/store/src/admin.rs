//! The trail of the owner's deeds, and the list of people.

use async_trait::async_trait;
use mirasa_app::ports::admin::{AuditEntry, ReadAdmin, WriteAdmin};
use mirasa_app::ports::storage::{Stored, User};
use mirasa_domain::user::{Role, UserId};

use crate::engine::Session;
use crate::id_parts::Ids;
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

#[async_trait]
impl ReadAdmin for Session<'_> {
    async fn audit_of(&mut self, about: &str) -> Stored<Vec<AuditEntry>> {
        const FIND: &str =
            "select * from audit where about = $1 order by at desc, id desc limit 200";
        let rows = self.all::<AuditRow>(query(FIND).bind(about)).await?;
        let entry = |row: AuditRow| AuditEntry {
            id: row.id,
            at_ms: row.at,
            who: row.who,
            action: row.action,
            about: row.about,
            detail: row.detail,
        };
        Ok(rows.into_iter().map(entry).collect())
    }

    async fn find_users(&mut self, search: &str, limit: i64) -> Stored<Vec<User>> {
        // Whom to show is found in an index that has names and addresses; only then are rows read.
        let (matches, words) = if search.is_empty() {
            (String::new(), String::new())
        } else {
            let contains = self.contains();
            let matches = format!(
                "and ({contains}(lower(name), $2) > 0 or {contains}(lower(email), $2) > 0)"
            );
            (matches, search.to_lowercase())
        };
        let text = format!(
            "select * from users where id in (select id from users where deleted_at is null {matches}
             order by created_at desc, id desc limit $1) order by created_at desc, id desc"
        );
        let mut find = query(text).bind(limit);
        if !words.is_empty() {
            find = find.bind(words);
        }
        let rows: Vec<UserRow> = self.all(find).await?;
        rows.into_iter().map(UserRow::into_user).collect()
    }
}

#[async_trait]
impl WriteAdmin for Session<'_> {
    async fn write_audit(&mut self, entry: &AuditEntry) -> Stored<()> {
        const INSERT: &str = "insert into audit (id, at, who, action, about, detail) values ($1, $2, $3, $4, $5, $6)";
        let insert = query(INSERT)
            .bind(&entry.id)
            .bind(entry.at_ms)
            .bind(&entry.who)
            .bind(&entry.action)
            .bind(&entry.about)
            .bind(&entry.detail);
        self.send(insert).await
    }

    async fn lock_admins(&mut self) -> Stored<Vec<UserId>> {
        let text = if self.is_postgres() {
            "select id from users where role = 'admin' and deleted_at is null order by id for update"
        } else {
            "select id from users where role = 'admin' and deleted_at is null order by id"
        };
        let ids = self.all::<String>(query(text)).await?;
        Ok(ids.into_iter().map(UserId).collect())
    }

    async fn update_user(
        &mut self,
        id: &UserId,
        name: &str,
        phone: Option<&str>,
        role: Role,
        now_ms: i64,
    ) -> Stored<()> {
        const UPDATE: &str = "update users set name = $2, phone = $3, role = $4, updated_at = $5 where id = $1 and deleted_at is null";
        self.send(
            query(UPDATE)
                .bind(&id.0)
                .bind(name)
                .bind(phone)
                .bind(role.as_str())
                .bind(now_ms),
        )
        .await
    }

    async fn index_ids(&mut self) -> Stored<bool> {
        let more_orders = self.fill_id_parts(Ids::Orders).await?;
        let more_people = self.fill_id_parts(Ids::Users).await?;
        Ok(more_orders || more_people)
    }

    async fn delete_user(&mut self, id: &UserId, now_ms: i64) -> Stored<()> {
        self.run(query("delete from sessions where user_id = $1").bind(&id.0))
            .await?;
        self.send(
            query("update users set deleted_at = $2 where id = $1 and deleted_at is null")
                .bind(&id.0)
                .bind(now_ms),
        )
        .await
    }
}
