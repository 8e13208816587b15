//! What the store keeps for the owner: the trail of their deeds, and the list of people.

use async_trait::async_trait;
use mirasa_domain::user::{Role, UserId};

use super::storage::{StoreResult, User};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    pub id: String,
    pub at_ms: i64,
    pub actor: String,
    pub action: String,
    pub subject_id: String,
    pub detail: String,
}

/// Who gave an admin their role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoleSource {
    /// `admin_emails`, which can take it back.
    Config,
    /// Another admin.
    Console,
}

impl RoleSource {
    pub const fn as_str(self) -> &'static str {
        match self {
            RoleSource::Config => "config",
            RoleSource::Console => "console",
        }
    }

    pub fn parse(text: &str) -> Option<RoleSource> {
        let all = [RoleSource::Config, RoleSource::Console];
        all.into_iter().find(|source| source.as_str() == text)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdminRole {
    pub id: UserId,
    pub email: String,
    /// Not known of admins from before it was recorded.
    pub source: Option<RoleSource>,
}

#[async_trait]
pub trait ReadAdmin: Send {
    /// Newest first.
    async fn audit_log_for(&mut self, about: &str) -> StoreResult<Vec<AuditEntry>>;
    async fn admin_roles(&mut self) -> StoreResult<Vec<AdminRole>>;
    /// By name or e-mail, newest first.
    async fn find_users(&mut self, search: &str, skip: i64, limit: i64) -> StoreResult<Vec<User>>;
}

#[async_trait]
pub trait WriteAdmin: ReadAdmin {
    async fn insert_audit_entry(&mut self, entry: &AuditEntry) -> StoreResult<()>;
    /// All admins, held until the transaction ends: two who demote each other take turns.
    async fn lock_admins(&mut self) -> StoreResult<Vec<UserId>>;
    async fn set_role_source(&mut self, id: &UserId, source: RoleSource) -> StoreResult<()>;
    /// Makes the admin a customer.
    async fn revoke_admin(&mut self, id: &UserId, now_ms: i64) -> StoreResult<()>;
    /// A role that changes here is given by another admin.
    async fn update_user(
        &mut self,
        id: &UserId,
        name: &str,
        phone: Option<&str>,
        role: Role,
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Makes orders and people that came lately quick to find by a part of their id. Whether there are more.
    async fn index_new_ids(&mut self) -> StoreResult<bool>;
    /// Takes the person out of every list; stays recoverable.
    async fn delete_user(&mut self, id: &UserId, now_ms: i64) -> StoreResult<()>;
}
