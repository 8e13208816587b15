//! Users and their roles.

pub mod addresses;
pub mod erasure;
pub mod list;
pub mod sessions;

use async_trait::async_trait;
use mirasa_domain::user::{Profile, Role, User, UserId};

use crate::repository::StoreResult;

#[derive(Debug, Clone)]
pub struct NewUser {
    pub id: UserId,
    pub issuer: String,
    pub subject: String,
    pub email: String,
    pub name: String,
    pub photo: Option<String>,
    pub role: Role,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdminRole {
    pub id: UserId,
    pub email: String,
    /// None for admins from before it was recorded.
    pub source: Option<RoleSource>,
}

mirasa_domain::text_enum! {
    /// Where an admin has the role from.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RoleSource {
        /// `admin_emails`, which can also revoke it.
        Config = "config",
        /// Another admin.
        Console = "console",
    }
}

#[async_trait]
pub trait UserQueries: Send {
    async fn user(&mut self, id: &UserId) -> StoreResult<Option<User>>;
    async fn user_by_identity(&mut self, issuer: &str, subject: &str) -> StoreResult<Option<User>>;
    /// By name or email, newest first.
    async fn find_users(&mut self, search: &str, offset: i64, limit: i64)
    -> StoreResult<Vec<User>>;
    async fn admin_roles(&mut self) -> StoreResult<Vec<AdminRole>>;
}

#[async_trait]
pub trait UserRepository: Send {
    /// Locks the user until the transaction ends: concurrent requests of one customer run one after the other.
    async fn lock_user(&mut self, user: &UserId) -> StoreResult<()>;
    /// Locks them in the order of their ids.
    async fn lock_users(&mut self, users: &[UserId]) -> StoreResult<()>;
    /// Has no effect if there is a user with this identity. The role of a new admin is from the configuration.
    async fn insert_user(&mut self, user: &NewUser, now_ms: i64) -> StoreResult<()>;
    /// A role that changes here is from the configuration.
    async fn update_identity(
        &mut self,
        id: &UserId,
        email: &str,
        photo: Option<&str>,
        role: Role,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn update_profile(
        &mut self,
        id: &UserId,
        profile: &Profile,
        now_ms: i64,
    ) -> StoreResult<()>;
    async fn set_profile_picture(
        &mut self,
        id: &UserId,
        file: &str,
        now_ms: i64,
    ) -> StoreResult<()>;
    /// A role that changes here is from another admin.
    async fn update_user(
        &mut self,
        id: &UserId,
        name: &str,
        phone: Option<&str>,
        role: Role,
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Removes the user from every list. The row stays in the database.
    async fn delete_user(&mut self, id: &UserId, now_ms: i64) -> StoreResult<()>;
    /// Locks and returns all admins, so that two admins cannot demote each other at the same time.
    async fn lock_admins(&mut self) -> StoreResult<Vec<UserId>>;
    async fn set_role_source(&mut self, id: &UserId, source: RoleSource) -> StoreResult<()>;
    /// Makes the admin a customer.
    async fn revoke_admin(&mut self, id: &UserId, now_ms: i64) -> StoreResult<()>;
}
