//! Refunds that a person asks for: a customer who cancels, or an admin.

use std::fmt;

use mirasa_domain::audit::AdminAction;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderId};
use mirasa_domain::order_event::Actor;
use mirasa_domain::refund::{Refund, RefundId};
use mirasa_domain::refund_plan::{RefundError, RefundSelection, ReturnedPayment, rest_kept_text};
use mirasa_domain::user::User;
use mirasa_domain::validation;
use sha2::{Digest, Sha256};

use crate::emails::{self, OrderEmail};
use crate::orders::{SeenOrder, check_not_replaced, replaced_before};
use crate::refunds::plan::refunds_of;
use crate::refunds::restocking::check_restock;
use crate::refunds::send::NewRefund;
use crate::repository::Transaction;
use crate::request_key::{RequestKey, claim_key};
use crate::runtime::failpoints::failpoint;
use crate::{AppError, ErrorCode, Shop};

const MAX_REASON_CHARS: usize = 300;

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
                    amount: refund.amount,
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
        let refund = refund.map(|refund| format!("We refund {}", refund.amount.two_decimals()));
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

/// The same key for the same order gives the same refund.
fn refund_id_for(order_id: &OrderId, key: &str) -> RefundId {
    let hash = Sha256::digest(format!("{order_id}\n{key}"));
    RefundId(format!("R{}", base16ct::lower::encode_string(&hash[..16])))
}
