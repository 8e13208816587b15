//! Order issues: what an admin must decide about an order.

use mirasa_domain::issue::{IssueId, IssueKind, OrderIssue};
use mirasa_domain::order::Order;
use mirasa_domain::user::User;

use crate::repository::Transaction;
use crate::repository::orders::issues::OpenIssue;
use crate::{AppError, Shop};

impl Shop {
    pub async fn open_issues(&self) -> Result<Vec<OpenIssue>, AppError> {
        self.db
            .read(async move |db| Ok(db.open_issues().await?))
            .await
    }

    /// An admin settles an issue. Money that is kept needs a reason.
    pub async fn resolve_issue(
        &self,
        admin: &User,
        id: IssueId,
        reason: String,
    ) -> Result<(), AppError> {
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                let find_issue = || AppError::not_found("There is no such issue");
                let issue = tx.open_issue_by_id(&id).await?.ok_or_else(find_issue)?;
                if issue.kind == IssueKind::PaymentKept {
                    tx.lock_order(&issue.order_id).await?;
                    // Read again: a refund may have resolved it before the lock.
                    let issue = tx.open_issue_by_id(&id).await?.ok_or_else(find_issue)?;
                    return shop.confirm_kept_payment(tx, &admin, &issue, &reason).await;
                }
                match tx.resolve_issue(&id, reason.trim(), now_ms).await? {
                    true => Ok(()),
                    false => Err(find_issue()),
                }
            })
            .await
    }

    pub(crate) async fn open_issue(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        kind: IssueKind,
        subject_id: &(impl AsRef<str> + Sync + ?Sized),
        detail: String,
    ) -> Result<(), AppError> {
        let issue = OrderIssue {
            id: self.ids.new_id().into(),
            order_id: order.id.clone(),
            kind,
            subject_id: subject_id.as_ref().to_owned(),
            detail,
            created_at_ms: self.now_ms(),
            order_is_deleted: order.deleted_at_ms.is_some(),
        };
        Ok(tx.open_issue(&issue).await?)
    }
}
