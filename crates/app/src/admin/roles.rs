//! Admins by configuration: an email that is removed from `admin_emails` loses the role at the next start. Admins
//! made by other admins keep theirs.

use mirasa_domain::audit::{AdminAction, AuditEntry};

use crate::repository::Transaction;
use crate::repository::users::{AdminRole, RoleSource};
use crate::{AppError, Shop};

/// Who changes a role that no person changes.
const BY_CONFIGURATION: &str = "configuration";

impl Shop {
    pub(crate) fn is_configured_admin(&self, email: &str) -> bool {
        let mut emails = self.settings.admin_emails.iter();
        emails.any(|named| named.eq_ignore_ascii_case(email))
    }

    /// Takes the role from admins by configuration who are not named there any more, even from the last one: whoever
    /// writes the configuration can name another, who becomes an admin on signing in. Admins from before the
    /// source of a role was recorded count as made by the configuration if it names them.
    ///
    /// Writes only if there is something to change, so that the shop starts on a database that can only be read.
    pub async fn apply_admin_emails(&self) -> Result<(), AppError> {
        let roles: Vec<AdminRole> = self
            .db
            .read(|db| Box::pin(async move { Ok::<_, AppError>(db.admin_roles().await?) }))
            .await?;
        if roles.iter().all(|role| self.change_of(role).is_none()) {
            return Ok(());
        }
        let shop = self.clone();
        self.db
            .write(move |tx| {
                Box::pin(async move {
                    tx.lock_admins().await?;
                    let mut left = 0;
                    for role in tx.admin_roles().await? {
                        match shop.change_of(&role) {
                            Some(Change::Revoke) => shop.revoke_configured(tx, &role).await?,
                            Some(Change::Record(source)) => {
                                tx.set_role_source(&role.id, source).await?;
                                left += 1;
                            }
                            None => left += 1,
                        }
                    }
                    if left == 0 {
                        tracing::warn!(
                            "the shop has no admin until somebody named in admin_emails signs in"
                        );
                    }
                    Ok(())
                })
            })
            .await
    }

    fn change_of(&self, role: &AdminRole) -> Option<Change> {
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
