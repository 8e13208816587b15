//! The audit log: what admins did.

use mirasa_domain::audit::{AdminAction, AuditEntry};
use mirasa_domain::user::User;

use crate::repository::Transaction;
use crate::{AppError, Shop};

impl Shop {
    pub async fn audit_log_for(&self, subject_id: String) -> Result<Vec<AuditEntry>, AppError> {
        self.db
            .read(async move |db| Ok(db.audit_log_for(&subject_id).await?))
            .await
    }

    pub(crate) async fn audit(
        &self,
        tx: &mut dyn Transaction,
        admin: &User,
        action: AdminAction,
        subject_id: &(impl AsRef<str> + Sync + ?Sized),
        detail: String,
    ) -> Result<(), AppError> {
        let entry = AuditEntry {
            id: self.ids.new_id(),
            at_ms: self.now_ms(),
            actor: admin.email.clone(),
            action,
            subject_id: subject_id.as_ref().to_owned(),
            detail,
        };
        Ok(tx.insert_audit_entry(&entry).await?)
    }
}
