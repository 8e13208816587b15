//! People: sign-ins, sessions, profiles, addresses, wishes.

use async_trait::async_trait;
use mirasa_app::ports::storage::{
    NewSession, NewUser, ReadPeople, SavedAddress, SignInAttempt, StoreError, StoreResult, User,
    WritePeople,
};
use mirasa_domain::address::Address;
use mirasa_domain::pack::Packs;
use mirasa_domain::product::ProductId;
use mirasa_domain::user::{Gender, Profile, Role, UserId};

use crate::engine::{SqlRepository, to_u32};
use crate::query::query;
use crate::row::row;

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
        let role = Role::parse(&self.role).ok_or_else(|| {
            StoreError::Broken(anyhow::anyhow!("user {} has role {}", self.id, self.role))
        })?;
        Ok(User {
            id: UserId(self.id),
            email: self.email,
            name: self.name,
            phone: self.phone,
            date_of_birth: self.date_of_birth,
            gender: self.gender,
            photo: self.photo,
            profile_picture: self.profile_picture,
            role,
        })
    }
}

row! {
    pub(crate) struct AddressRow {
        id: String,
        address_name: String,
        name: String,
        phone: String,
        line1: String,
        line2: String,
        city: String,
        state: String,
        pincode: String,
        is_default: bool,
    }
}

impl From<AddressRow> for SavedAddress {
    fn from(row: AddressRow) -> SavedAddress {
        SavedAddress {
            id: row.id,
            is_default: row.is_default,
            address: Address {
                address_name: row.address_name,
                name: row.name,
                phone: row.phone,
                line1: row.line1,
                line2: row.line2,
                city: row.city,
                state: row.state,
                pincode: row.pincode,
            },
        }
    }
}

row! {
    struct AttemptRow {
        state_hash: String,
        browser_hash: String,
        nonce: String,
        pkce_verifier: String,
        return_to: String,
        wanted_product: Option<String>,
        wanted_50g: i64,
        wanted_100g: i64,
        expires_at: i64,
    }
}

const SESSION_USER: &str = "select u.* from sessions s join users u on u.id = s.user_id
    where s.token_hash = $1 and s.expires_at > $2 and u.deleted_at is null";
const USER: &str = "select * from users where id = $1 and deleted_at is null";
const USER_BY_IDENTITY: &str =
    "select * from users where issuer = $1 and subject = $2 and deleted_at is null";
const ADDRESSES: &str = "select * from addresses where user_id = $1 and deleted_at is null order by is_default desc, created_at, id";
pub(crate) const ADDRESS: &str =
    "select * from addresses where user_id = $1 and id = $2 and deleted_at is null";
pub(crate) const ADDRESS_AND_LOCK: &str =
    "select a.* from addresses a join users u on u.id = a.user_id
    where a.user_id = $1 and a.id = $2 and a.deleted_at is null for update of u";
const INSERT_ATTEMPT: &str = "insert into sign_in_attempts
    (state_hash, browser_hash, nonce, pkce_verifier, return_to, wanted_product, wanted_50g, wanted_100g, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
const INSERT_USER: &str =
    "insert into users (id, issuer, subject, email, name, photo, role, created_at, updated_at, role_source)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $8, case when $7 = 'admin' then 'config' end) on conflict (issuer, subject) where deleted_at is null do nothing";
const REFRESH_USER: &str = "update users set email = $2, photo = $3, role = $4, updated_at = $5,
    role_source = case when role = $4 then role_source else 'config' end where id = $1";
const UPDATE_PROFILE: &str = "update users set name = $2, phone = $3, date_of_birth = $4, gender = $5, updated_at = $6 where id = $1";
const INSERT_ADDRESS: &str = "insert into addresses
    (id, user_id, address_name, name, phone, line1, line2, city, state, pincode, is_default, created_at, updated_at)
    values ($2, $1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)";
const UPDATE_ADDRESS: &str = "update addresses set address_name = $3, name = $4, phone = $5, line1 = $6, line2 = $7, city = $8, state = $9,
    pincode = $10, is_default = $11, updated_at = $12 where user_id = $1 and id = $2 and deleted_at is null";
const DELETE_ADDRESS: &str =
    "update addresses set deleted_at = $3 where user_id = $1 and id = $2 and deleted_at is null";
const ADD_WISH: &str = "insert into wishes (user_id, product_id, added_at) values ($1, $2, $3) on conflict (user_id, product_id) do nothing";

#[async_trait]
impl ReadPeople for SqlRepository<'_> {
    async fn user_by_session(
        &mut self,
        token_hash: &str,
        now_ms: i64,
    ) -> StoreResult<Option<User>> {
        let row = self
            .fetch_optional::<UserRow>(query(SESSION_USER).bind(token_hash).bind(now_ms))
            .await?;
        row.map(UserRow::into_user).transpose()
    }

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

    async fn addresses(&mut self, user: &UserId) -> StoreResult<Vec<SavedAddress>> {
        let rows = self
            .fetch_all::<AddressRow>(query(ADDRESSES).bind(&user.0))
            .await?;
        Ok(rows.into_iter().map(SavedAddress::from).collect())
    }

    async fn address(&mut self, user: &UserId, id: &str) -> StoreResult<Option<SavedAddress>> {
        let row = self.fetch_optional::<AddressRow>(query(ADDRESS).bind(&user.0).bind(id));
        Ok(row.await?.map(SavedAddress::from))
    }

    async fn wishlist(&mut self, user: &UserId) -> StoreResult<Vec<ProductId>> {
        const WISHES: &str =
            "select product_id from wishes where user_id = $1 order by added_at desc, product_id";
        let ids = self
            .fetch_all::<String>(query(WISHES).bind(&user.0))
            .await?;
        Ok(ids.into_iter().map(ProductId).collect())
    }
}

#[async_trait]
impl WritePeople for SqlRepository<'_> {
    async fn insert_sign_in_attempt(&mut self, attempt: &SignInAttempt) -> StoreResult<()> {
        let packs = attempt
            .add_to_cart
            .as_ref()
            .map_or(Packs::ZERO, |(_, packs)| *packs);
        self.execute_deferred(
            query(INSERT_ATTEMPT)
                .bind(&attempt.state_hash)
                .bind(&attempt.browser_token_hash)
                .bind(&attempt.nonce)
                .bind(&attempt.pkce_verifier)
                .bind(&attempt.return_to)
                .bind(
                    attempt
                        .add_to_cart
                        .as_ref()
                        .map(|(product, _)| product.0.as_str()),
                )
                .bind(i64::from(packs.of_50g))
                .bind(i64::from(packs.of_100g))
                .bind(attempt.expires_at_ms),
        )
        .await
    }

    async fn take_sign_in_attempt(
        &mut self,
        state_hash: &str,
    ) -> StoreResult<Option<SignInAttempt>> {
        const TAKE: &str = "delete from sign_in_attempts where state_hash = $1 returning *";
        let row = self
            .fetch_optional::<AttemptRow>(query(TAKE).bind(state_hash))
            .await?;
        Ok(row.map(|row| SignInAttempt {
            state_hash: row.state_hash,
            browser_token_hash: row.browser_hash,
            nonce: row.nonce,
            pkce_verifier: row.pkce_verifier,
            return_to: row.return_to,
            add_to_cart: row.wanted_product.map(|product| {
                (
                    ProductId(product),
                    Packs {
                        of_50g: to_u32(row.wanted_50g),
                        of_100g: to_u32(row.wanted_100g),
                    },
                )
            }),
            expires_at_ms: row.expires_at,
        }))
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
            query(REFRESH_USER)
                .bind(&id.0)
                .bind(email)
                .bind(photo)
                .bind(role.as_str())
                .bind(now_ms),
        )
        .await
    }

    async fn insert_session(&mut self, session: &NewSession) -> StoreResult<()> {
        const INSERT: &str = "insert into sessions (token_hash, user_id, created_at, expires_at) values ($1, $2, $3, $4)";
        let insert = query(INSERT)
            .bind(&session.token_hash)
            .bind(&session.user.0)
            .bind(session.created_at_ms)
            .bind(session.expires_at_ms);
        self.execute_deferred(insert).await
    }

    async fn delete_session(&mut self, token_hash: &str) -> StoreResult<()> {
        self.execute_deferred(query("delete from sessions where token_hash = $1").bind(token_hash))
            .await
    }

    async fn delete_sessions_of(&mut self, user: &UserId) -> StoreResult<()> {
        self.execute_deferred(query("delete from sessions where user_id = $1").bind(&user.0))
            .await
    }

    async fn delete_expired(&mut self, now_ms: i64) -> StoreResult<u64> {
        let sessions = self
            .execute(query("delete from sessions where expires_at <= $1").bind(now_ms))
            .await?;
        let attempts = self
            .execute(query("delete from sign_in_attempts where expires_at <= $1").bind(now_ms))
            .await?;
        let buckets = self
            .execute(query("delete from call_buckets where full_at <= $1").bind(now_ms))
            .await?;
        Ok(sessions + attempts + buckets)
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

    async fn insert_address(
        &mut self,
        user: &UserId,
        address: &SavedAddress,
        now_ms: i64,
    ) -> StoreResult<()> {
        self.write_address(INSERT_ADDRESS, user, address, now_ms)
            .await
    }

    async fn update_address(
        &mut self,
        user: &UserId,
        address: &SavedAddress,
        now_ms: i64,
    ) -> StoreResult<()> {
        self.write_address(UPDATE_ADDRESS, user, address, now_ms)
            .await
    }

    async fn clear_default_address(&mut self, user: &UserId) -> StoreResult<()> {
        self.execute_deferred(
            query("update addresses set is_default = $2 where user_id = $1 and is_default")
                .bind(&user.0)
                .bind(false),
        )
        .await
    }

    async fn delete_address(&mut self, user: &UserId, id: &str, now_ms: i64) -> StoreResult<bool> {
        let done = self
            .execute(query(DELETE_ADDRESS).bind(&user.0).bind(id).bind(now_ms))
            .await?;
        Ok(done > 0)
    }

    async fn add_to_wishlist(
        &mut self,
        user: &UserId,
        product: &ProductId,
        now_ms: i64,
    ) -> StoreResult<()> {
        self.execute_deferred(query(ADD_WISH).bind(&user.0).bind(&product.0).bind(now_ms))
            .await
    }

    async fn remove_from_wishlist(
        &mut self,
        user: &UserId,
        product: &ProductId,
    ) -> StoreResult<()> {
        self.execute_deferred(
            query("delete from wishes where user_id = $1 and product_id = $2")
                .bind(&user.0)
                .bind(&product.0),
        )
        .await
    }
}

impl SqlRepository<'_> {
    /// On PostgreSQL the shopper can be held in the same go.
    /// Insert and update bind the same columns in the same order.
    async fn write_address(
        &mut self,
        statement: &'static str,
        user: &UserId,
        saved: &SavedAddress,
        now_ms: i64,
    ) -> StoreResult<()> {
        let address = &saved.address;
        self.execute_deferred(
            query(statement)
                .bind(&user.0)
                .bind(&saved.id)
                .bind(&address.address_name)
                .bind(&address.name)
                .bind(&address.phone)
                .bind(&address.line1)
                .bind(&address.line2)
                .bind(&address.city)
                .bind(&address.state)
                .bind(&address.pincode)
                .bind(saved.is_default)
                .bind(now_ms),
        )
        .await
    }
}
