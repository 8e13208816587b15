//! Refunds that a person asks for: a customer who cancels, or an admin.

use std::fmt;

use mirasa_domain::audit::AdminAction;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderId};
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::payment::AttemptId;
use mirasa_domain::product::ProductId;
use mirasa_domain::refund::{Refund, RefundId, RefundStatus};
use mirasa_domain::refund_plan::{
    self, RefundError, RefundPlan, RefundSelection, ReturnedPayment, left_of, rest_kept_text,
};
use mirasa_domain::restock::Restock;
use mirasa_domain::stock::Stock;
use mirasa_domain::user::User;
use mirasa_domain::{refund_cover, validation};
use sha2::{Digest, Sha256};

use crate::emails::{self, OrderEmail};
use crate::orders::{SeenOrder, check_not_replaced, replaced_before};
use crate::refunds::restocking::{check_restock, ensure_not_lost};
use crate::refunds::send::{NewRefund, received_by};
use crate::repository::Transaction;
use crate::request_key::{RequestKey, claim_key};
use crate::runtime::failpoints::failpoint;
use crate::{AppError, ErrorCode, Shop};

const MAX_REASON_CHARS: usize = 300;
const PARTLY_REFUNDED: &str =
    "A part of this refund was refunded otherwise. Refund the rest with a new refund.";

/// What an admin wants to refund.
#[derive(Debug, Clone)]
pub struct RefundInput {
    pub selection: RefundSelection,
    /// The customer reads it.
    pub reason: String,
    /// Whether the items go back into stock.
    pub restock: bool,
    /// They were sent and are in the shop again.
    pub came_back: bool,
    /// Makes a repeated request safe.
    pub idempotency_key: Option<String>,
    pub seen: SeenOrder,
    /// The admin knows that packs were replaced before.
    pub even_if_repeated: bool,
}

type NewStock = Vec<(ProductId, Stock)>;

impl Shop {
    /// Refunds a part or all of an order's payment.
    pub async fn refund_order(
        &self,
        admin: &User,
        order_id: OrderId,
        input: RefundInput,
    ) -> Result<Refund, AppError> {
        let reason = validation::required("reason", &input.reason, MAX_REASON_CHARS)?;
        let key = input.idempotency_key.as_deref();
        let request = (&input.selection, &reason, input.restock);
        let key = key.map(|key| RequestKey::new(format!("refund {order_id}"), key, &request));
        let key = key.transpose()?;
        let (shop, admin) = (self.clone(), admin.clone());
        let (refund, left) = self
            .db
            .write(async move |tx| {
                let order = shop.lock_and_read_order(tx, &order_id).await?;
                if let Some(key) = &key {
                    claim_key(tx, key, None, shop.now_ms()).await?;
                }
                let id = key.map(|key| refund_id_for(&order_id, &key.key));
                if let Some(id) = &id
                    && let Some(earlier) = tx.refund(id).await?
                {
                    return Ok((earlier, Vec::new()));
                }
                shop.check_seen(tx, &order, input.seen).await?;
                let (payment, plan) = shop.plan_refund(tx, &order, input.selection).await?;
                let plan = plan?;
                if !input.even_if_repeated {
                    check_not_replaced(tx, &order, &plan.packs(&order)).await?;
                }
                let refunds = tx.refunds_of(std::slice::from_ref(&order.id)).await?;
                let restock = match plan.restock(&order, &refunds_of(&payment, &refunds)) {
                    None if input.restock => {
                        let message = "Choose the packs that go back into stock";
                        return Err(AppError::invalid(message).with_field("restock"));
                    }
                    restock => restock.filter(|_| input.restock).unwrap_or_default(),
                };
                if !restock.is_empty() {
                    check_restock(tx, &order, input.seen, input.came_back).await?;
                }
                let new = NewRefund {
                    merchant_order_id: payment,
                    amount: plan.amount,
                    lines: plan.lines,
                    reason: reason.clone(),
                    requested_by: Actor::Admin(admin.email.clone()),
                    retry_of: None,
                    rest_kept: plan.rest_kept,
                    id,
                };
                let refund = shop.insert_refund(tx, &order, new).await?;
                let actor = Actor::Admin(admin.email.clone());
                let left = shop.restock(tx, &order, &restock, actor).await?;
                shop.cancel_empty_parcels_of(tx, &order.id).await?;
                let detail = format!("{}, {reason}", refund.amount);
                let action = AdminAction::RefundRequested;
                shop.audit(tx, &admin, action, &order.id, detail).await?;
                let email = OrderEmail::RefundRequested {
                    amount: refund.amount.to_string(),
                    reason,
                    rest_kept: plan.rest_kept,
                };
                emails::enqueue(&shop, tx, &order, email).await?;
                failpoint("requesting a refund");
                Ok::<_, AppError>((refund, left))
            })
            .await?;
        self.catalogue.apply_stock(&left);
        failpoint("refund requested");
        Ok(refund)
    }

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

    /// Which packs were replaced that a refund of everything that is left would pay for, in words: the customer would have
    /// other packs and the price. The caller has locked the order.
    pub(crate) async fn replaced_before_return(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
    ) -> Result<Option<String>, AppError> {
        let everything = RefundSelection::Everything;
        let plan = match self.plan_refund(tx, order, everything).await {
            Err(error) if error.code == ErrorCode::NothingToRefund => return Ok(None),
            plan => plan?.1,
        };
        match plan {
            Ok(plan) => replaced_before(tx, order, &plan.packs(order)).await,
            // Nothing is refunded.
            Err(_) => Ok(None),
        }
    }

    /// For a cancelled order: refunds everything that is left. The caller has locked the order.
    pub(crate) async fn return_payment(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        reason: &str,
        actor: Actor,
    ) -> Result<ReturnedPayment, AppError> {
        let everything = RefundSelection::Everything;
        let requested = self.request_refund(tx, order, everything, reason, actor);
        match requested.await {
            Err(error) if error.code == ErrorCode::NothingToRefund => {
                Ok(ReturnedPayment::default())
            }
            requested => Ok(requested?.into()),
        }
    }

    /// Refunds what is selected, unless less than the gateway refunds is left of the payment. The caller has locked the
    /// order.
    pub(crate) async fn request_refund(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        selection: RefundSelection,
        reason: &str,
        actor: Actor,
    ) -> Result<RequestedRefund, AppError> {
        let (payment, plan) = match self.plan_refund(tx, order, selection).await? {
            (_, Err(RefundError::RestKept(rest_kept))) => {
                self.record_rest_kept(tx, &order.id, rest_kept, actor)
                    .await?;
                return Ok(RequestedRefund {
                    refund: None,
                    rest_kept,
                });
            }
            (payment, plan) => (payment, plan?),
        };
        let rest_kept = plan.rest_kept;
        let new = NewRefund {
            merchant_order_id: payment,
            amount: plan.amount,
            lines: plan.lines,
            reason: reason.to_owned(),
            requested_by: actor,
            retry_of: None,
            rest_kept,
            id: None,
        };
        let refund = Some(self.insert_refund(tx, order, new).await?);
        Ok(RequestedRefund { refund, rest_kept })
    }

    /// Puts all items of the order that it still holds back into stock.
    pub(crate) async fn restock_all(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        actor: Actor,
    ) -> Result<NewStock, AppError> {
        self.restock(tx, order, &Restock::everything(order), actor)
            .await
    }

    async fn restock(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        restock: &Restock,
        actor: Actor,
    ) -> Result<NewStock, AppError> {
        if restock.is_empty() {
            return Ok(Vec::new());
        }
        ensure_not_lost(tx, &order.id).await?;
        let left = tx
            .restock(&order.id, &self.ids.new_id(), restock, self.now_ms())
            .await?;
        self.return_batches(tx, &order.id, restock.packs()).await?;
        let detail = order.describe_packs(restock.packs());
        self.record_event(tx, &order.id, OrderEventKind::Restocked, actor, detail)
            .await?;
        Ok(left)
    }

    /// The payment to refund, and the plan.
    async fn plan_refund(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        selection: RefundSelection,
    ) -> Result<(AttemptId, Result<RefundPlan, RefundError>), AppError> {
        let payments = tx.payments_received(&order.id).await?;
        let refunds = tx.refunds_of(std::slice::from_ref(&order.id)).await?;
        let Some(payment) = refundable_payment(order, &payments, &refunds) else {
            return Err(AppError::new(
                ErrorCode::NothingToRefund,
                "Nothing was paid for this order.",
            ));
        };
        let plan = plan_for(order, &payments, payment, &refunds, selection);
        Ok((payment.to_owned(), plan))
    }
}

/// A refund that was requested, unless too little is left to refund.
pub(crate) struct RequestedRefund {
    pub refund: Option<Refund>,
    pub rest_kept: Paise,
}

/// For the customer.
impl fmt::Display for RequestedRefund {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let refund = self.refund.as_ref();
        let refund = refund.map(|refund| format!("We refund {}", refund.amount));
        let kept = (self.rest_kept > Paise::ZERO).then(|| rest_kept_text(self.rest_kept));
        let texts: Vec<_> = refund.into_iter().chain(kept).collect();
        f.write_str(&texts.join(". "))
    }
}

impl From<RequestedRefund> for ReturnedPayment {
    fn from(requested: RequestedRefund) -> ReturnedPayment {
        ReturnedPayment {
            refund: requested.refund.map(|refund| refund.amount),
            rest_kept: requested.rest_kept,
        }
    }
}

/// The payment of an order that is refunded. Usually the order has one. One that does not complete the order, because its
/// amount is wrong, can be refunded too.
fn refundable_payment<'p>(
    order: &Order,
    payments: &'p [(AttemptId, Paise)],
    refunds: &[Refund],
) -> Option<&'p AttemptId> {
    payments
        .iter()
        .map(|(id, _)| id)
        .filter(|id| is_of_sale(order, id))
        .max_by_key(|id| left_of(received_by(payments, id), &refunds_of(id, refunds)))
}

/// A paid order has one payment that is its own; others are returned.
fn is_of_sale(order: &Order, payment: &AttemptId) -> bool {
    let paid_by = order.paid_by_attempt.as_ref();
    paid_by.is_none_or(|paid| paid == payment)
}

/// What has not been refunded of the payment that a refund of the order would be of.
pub(crate) fn payment_left(
    order: &Order,
    payments: &[(AttemptId, Paise)],
    refunds: &[Refund],
) -> Paise {
    let payment = refundable_payment(order, payments, refunds);
    payment.map_or(Paise::ZERO, |id| {
        left_of(received_by(payments, id), &refunds_of(id, refunds))
    })
}

fn plan_for(
    order: &Order,
    payments: &[(AttemptId, Paise)],
    payment: &AttemptId,
    refunds: &[Refund],
    selection: RefundSelection,
) -> Result<RefundPlan, RefundError> {
    let received = received_by(payments, payment);
    let refunds = refunds_of(payment, refunds);
    // A payment that is no part of the sale paid for no packs.
    let lines = match is_of_sale(order, payment) {
        true => order.lines.as_slice(),
        false => &[],
    };
    refund_plan::plan(lines, received, &refunds, selection)
}

fn refunds_of(payment: &AttemptId, refunds: &[Refund]) -> Vec<Refund> {
    let of_payment = |refund: &&Refund| refund.merchant_order_id == *payment;
    refunds.iter().filter(of_payment).cloned().collect()
}

/// The same key for the same order gives the same refund.
fn refund_id_for(order_id: &OrderId, key: &str) -> RefundId {
    let hash = Sha256::digest(format!("{order_id}\n{key}"));
    RefundId(format!("R{}", base16ct::lower::encode_string(&hash[..16])))
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

impl From<RefundError> for AppError {
    fn from(error: RefundError) -> AppError {
        let text = error.to_string();
        match error {
            RefundError::NothingLeft | RefundError::RestKept(_) => {
                AppError::new(ErrorCode::NothingToRefund, text)
            }
            RefundError::TooMuch { .. } | RefundError::TooManyPacks(_) => {
                AppError::new(ErrorCode::RefundExceedsPayment, text)
            }
            RefundError::TooSmall => AppError::invalid(text).with_field("amount"),
            RefundError::NoPacks | RefundError::UnknownProduct(_) => {
                AppError::invalid(text).with_field("lines")
            }
        }
    }
}
