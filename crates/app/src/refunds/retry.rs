//! An admin requests a failed refund again.

use mirasa_domain::audit::AdminAction;
use mirasa_domain::order_event::Actor;
use mirasa_domain::refund::{Refund, RefundId, RefundStatus};
use mirasa_domain::refund_cover;
use mirasa_domain::refund_plan::RefundSelection;
use mirasa_domain::user::User;

use crate::refunds::plan::{is_of_sale, plan_for, refunds_of};
use crate::refunds::send::NewRefund;
use crate::{AppError, Shop};

const PARTLY_REFUNDED: &str =
    "A part of this refund was refunded otherwise. Refund the rest with a new refund.";

impl Shop {
    /// Requests what a failed refund was for again, under a new id: the gateway does not accept a failed one again. Packs
    /// and money that were refunded meanwhile cannot be refunded twice.
    pub async fn retry_refund(&self, admin: &User, id: RefundId) -> Result<Refund, AppError> {
        let (shop, admin) = (self.clone(), admin.clone());
        self.db
            .write(async move |tx| {
                let found = tx.refund(&id).await?.ok_or_else(refund_not_found)?;
                // Also of a deleted order: the customer is owed the money all the same.
                let order = shop.lock_and_read_even_deleted(tx, &found.order_id).await?;
                // Read again: it may have been repeated or replaced before the order was locked.
                let refunds = tx.refunds_of(std::slice::from_ref(&order.id)).await?;
                let failed = refunds.iter().find(|refund| refund.id == id);
                let failed = failed.ok_or_else(refund_not_found)?;
                if !refund_cover::is_open(failed, &refunds) {
                    return Err(not_repeatable(failed));
                }
                let payments = tx.payments_received(&order.id).await?;
                let payment = &failed.merchant_order_id;
                let of_payment = refunds_of(payment, &refunds);
                if !refund_cover::is_owed(failed, &order.lines, &of_payment) {
                    return Err(AppError::conflict(PARTLY_REFUNDED));
                }
                let selection = match is_of_sale(&order, payment) {
                    true => RefundSelection::of(failed),
                    false => RefundSelection::Amount(failed.amount),
                };
                let plan = plan_for(&order, &payments, payment, &refunds, selection)?;
                let new = NewRefund {
                    merchant_order_id: payment.clone(),
                    amount: plan.amount,
                    lines: plan.lines,
                    reason: failed.reason.clone(),
                    requested_by: Actor::Admin(admin.email.clone()),
                    retry_of: Some(id.clone()),
                    rest_kept: plan.rest_kept,
                    id: None,
                };
                let refund = shop.insert_refund(tx, &order, new).await?;
                shop.cancel_empty_parcels_of(tx, &order.id).await?;
                let (action, detail) = (AdminAction::RefundRetried, refund.amount.to_string());
                shop.audit(tx, &admin, action, &order.id, detail).await?;
                Ok::<_, AppError>(refund)
            })
            .await
    }
}

fn not_repeatable(refund: &Refund) -> AppError {
    let message = match (refund.status, &refund.superseded_by) {
        (RefundStatus::Failed, Some(_)) => {
            "Another refund was requested instead of this one. It cannot be repeated."
        }
        _ => "Only a failed refund can be repeated, and only once.",
    };
    AppError::conflict(message)
}

fn refund_not_found() -> AppError {
    AppError::not_found("There is no such refund")
}
