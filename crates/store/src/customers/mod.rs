//! Users and their roles.

pub(crate) mod addresses;
pub(crate) mod list;
pub(crate) mod sessions;

use async_trait::async_trait;
use mirasa_app::repository::customers::{
    AdminRole, NewUser, RoleSource, UserQueries, UserRepository,
};
use mirasa_app::repository::{StoreError, StoreResult};
use mirasa_domain::user::{Gender, Profile, Role, User, UserId};

use crate::sql::engine::SqlRepository;
use crate::sql::query::query;
use crate::sql::row::row;
use crate::sqlite::id_ngrams::MAX_CANDIDATES;

row! {
    struct AdminRoleRow {
        id: String,
        email: String,
        role_source: Option<String>,
    }
}

row! {
    pub(crate) struct UserRow {
        id: String,
        email: String,
        name: String,
        phone: Option<String>,
        date_of_birth: Option<String>,
        gender: Option<String>,
        photo: Option<String>,
        profile_picture: Option<String>,
        role: String,
    }
}

impl UserRow {
    pub(crate) fn into_user(self) -> StoreResult<User> {
        let broken = |field: &str, text: &str| {
            StoreError::Broken(anyhow::anyhow!("user {} has {field} {text}", self.id))
        };
        let role = Role::parse(&self.role).ok_or_else(|| broken("role", &self.role))?;
        let gender = self.gender.as_deref();
        let gender = gender
            .map(|text| Gender::parse(text).ok_or_else(|| broken("gender", text)))
            .transpose()?;
        Ok(User {
            id: UserId(self.id),
            email: self.email,
            name: self.name,
            phone: self.phone,
            date_of_birth: self.date_of_birth,
            gender,
            photo: self.photo,
            profile_picture: self.profile_picture,
            role,
        })
    }
}

const USER: &str = "select * from users where id = $1 and deleted_at is null";

const USER_BY_IDENTITY: &str =
    "select * from users where issuer = $1 and subject = $2 and deleted_at is null";

const INSERT_USER: &str =
    "insert into users (id, issuer, subject, email, name, photo, role, created_at, updated_at, role_source)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $8, case when $7 = 'admin' then 'config' end) on conflict (issuer, subject) where deleted_at is null do nothing";

const UPDATE_IDENTITY: &str = "update users set email = $2, photo = $3, role = $4, updated_at = $5,
    role_source = case when role = $4 then role_source else 'config' end where id = $1";

const UPDATE_PROFILE: &str = "update users set name = $2, phone = $3, date_of_birth = $4, gender = $5, updated_at = $6 where id = $1";

#[async_trait]
impl UserQueries for SqlRepository<'_> {
    async fn user(&mut self, id: &UserId) -> StoreResult<Option<User>> {
        let row = self
            .fetch_optional::<UserRow>(query(USER).bind(&id.0))
            .await?;
        row.map(UserRow::into_user).transpose()
    }

    async fn user_by_identity(&mut self, issuer: &str, subject: &str) -> StoreResult<Option<User>> {
        let row = self
            .fetch_optional::<UserRow>(query(USER_BY_IDENTITY).bind(issuer).bind(subject))
            .await?;
        row.map(UserRow::into_user).transpose()
    }

    async fn find_users(
        &mut self,
        search: &str,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<User>> {
        let (matches, words) = if search.is_empty() {
            (String::new(), None)
        } else if let Some(phrase) = self.trigram_phrase(search).await? {
            let matches =
                "and rowid in (select rowid from people_words where people_words match $3)";
            (matches.to_owned(), Some(phrase))
        } else {
            let contains = |column| self.contains(column, "$3");
            let (name, email) = (contains("lower(name)"), contains("lower(email)"));
            let matches = format!("and ({name} or {email})");
            (matches, Some(self.search_pattern(&search.to_lowercase())))
        };
        // The ids are read from an index that has names and emails, before the rows are read.
        let text = format!(
            "select * from users where id in (select id from users where deleted_at is null {matches}
             order by created_at desc, id desc limit $1 offset $2) order by created_at desc, id desc"
        );
        let find = query(text).planned_each_time(words.is_some());
        let find = find.bind(limit).bind(offset);
        let find = match words {
            Some(words) => find.bind(words),
            None => find,
        };
        let rows: Vec<UserRow> = self.fetch_all(find).await?;
        rows.into_iter().map(UserRow::into_user).collect()
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
}

#[async_trait]
impl UserRepository for SqlRepository<'_> {
    async fn lock_user(&mut self, user: &UserId) -> StoreResult<()> {
        if self.is_postgres() {
            self.fetch_optional::<UserId>(query(SqlRepository::FOR_UPDATE_USER).bind(&user.0))
                .await?;
        }
        Ok(())
    }

    async fn lock_users(&mut self, users: &[UserId]) -> StoreResult<()> {
        let ids: Vec<_> = users.iter().map(|user| user.0.clone()).collect();
        self.lock_all("users", &ids).await
    }

    async fn insert_user(&mut self, user: &NewUser, now_ms: i64) -> StoreResult<()> {
        self.execute_deferred(
            query(INSERT_USER)
                .bind(&user.id.0)
                .bind(&user.issuer)
                .bind(&user.subject)
                .bind(&user.email)
                .bind(&user.name)
                .bind(&user.photo)
                .bind(user.role.as_str())
                .bind(now_ms),
        )
        .await
    }

    async fn update_identity(
        &mut self,
        id: &UserId,
        email: &str,
        photo: Option<&str>,
        role: Role,
        now_ms: i64,
    ) -> StoreResult<()> {
        self.execute_deferred(
            query(UPDATE_IDENTITY)
                .bind(&id.0)
                .bind(email)
                .bind(photo)
                .bind(role.as_str())
                .bind(now_ms),
        )
        .await
    }

    async fn update_profile(
        &mut self,
        id: &UserId,
        profile: &Profile,
        now_ms: i64,
    ) -> StoreResult<()> {
        self.execute_deferred(
            query(UPDATE_PROFILE)
                .bind(&id.0)
                .bind(&profile.name)
                .bind(&profile.phone)
                .bind(&profile.date_of_birth)
                .bind(profile.gender.map(Gender::as_str))
                .bind(now_ms),
        )
        .await
    }

    async fn set_profile_picture(
        &mut self,
        id: &UserId,
        file: &str,
        now_ms: i64,
    ) -> StoreResult<()> {
        self.execute_deferred(
            query("update users set profile_picture = $2, updated_at = $3 where id = $1")
                .bind(&id.0)
                .bind(file)
                .bind(now_ms),
        )
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
}

impl SqlRepository<'_> {
    /// The query of SQLite's trigram index of users, if it finds at most `MAX_CANDIDATES`. If there are more, a scan from
    /// the newest user on is faster. PostgreSQL chooses by itself.
    pub(crate) async fn trigram_phrase(&mut self, search: &str) -> StoreResult<Option<String>> {
        // A trigram has three characters.
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
