//! Admins by configuration. A user whose email is removed from `admin_emails` loses the role at the next start. Admins
//! who got the role from another admin keep it.

use mirasa_domain::audit::{AdminAction, AuditEntry};

use crate::repository::Transaction;
use crate::repository::customers::{AdminRole, RoleSource};
use crate::{AppError, Shop};

/// The actor in the audit log when the configuration changes a role.
const BY_CONFIGURATION: &str = "configuration";

impl Shop {
    pub(crate) fn is_configured_admin(&self, email: &str) -> bool {
        let mut emails = self.settings.admin_emails.iter();
        emails.any(|named| named.eq_ignore_ascii_case(email))
    }

    /// Takes the role from admins by configuration who are no longer in `admin_emails`, even from the last one: another
    /// email can be added there, and its user becomes an admin when signing in. Admins from before the source of a role
    /// was recorded count as configured if they are in `admin_emails`.
    ///
    /// Writes only if something changes, so that the server starts on a read-only database.
    pub async fn apply_admin_emails(&self) -> Result<(), AppError> {
        let roles: Vec<AdminRole> = self
            .db
            .read(async move |db| Ok::<_, AppError>(db.admin_roles().await?))
            .await?;
        if roles.iter().all(|role| self.role_change(role).is_none()) {
            return Ok(());
        }
        let shop = self.clone();
        self.db
            .write(async move |tx| {
                tx.lock_admins().await?;
                let mut remaining = 0;
                for role in tx.admin_roles().await? {
                    match shop.role_change(&role) {
                        Some(Change::Revoke) => shop.revoke_configured(tx, &role).await?,
                        Some(Change::Record(source)) => {
                            tx.set_role_source(&role.id, source).await?;
                            remaining += 1;
                        }
                        None => remaining += 1,
                    }
                }
                if remaining == 0 {
                    tracing::warn!("the shop has no admin until a user in admin_emails signs in");
                }
                Ok(())
            })
            .await
    }

    fn role_change(&self, role: &AdminRole) -> Option<Change> {
        match (role.source, self.is_configured_admin(&role.email)) {
            (Some(RoleSource::Config), false) => Some(Change::Revoke),
            (Some(_), _) => None,
            (None, true) => Some(Change::Record(RoleSource::Config)),
            (None, false) => Some(Change::Record(RoleSource::Console)),
        }
    }

    async fn revoke_configured(
        &self,
        tx: &mut dyn Transaction,
        role: &AdminRole,
    ) -> Result<(), AppError> {
        let now_ms = self.now_ms();
        tx.revoke_admin(&role.id, now_ms).await?;
        let entry = AuditEntry {
            id: self.ids.new_id(),
            at_ms: now_ms,
            actor: BY_CONFIGURATION.into(),
            action: AdminAction::UserChanged,
            subject_id: role.id.0.clone(),
            detail: format!("{}, customer: not in admin_emails any more", role.email),
        };
        tracing::warn!(
            user = role.id.0,
            "an admin is a customer now: not in admin_emails any more"
        );
        Ok(tx.insert_audit_entry(&entry).await?)
    }
}

enum Change {
    Revoke,
    Record(RoleSource),
}
