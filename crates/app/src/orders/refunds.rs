//! Refunds that a person asks for: a customer who cancels, or an admin.

use mirasa_domain::audit::AdminAction;
use mirasa_domain::issue::IssueKind;
use mirasa_domain::money::Paise;
use mirasa_domain::order::Order;
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::pack::{PackSize, Packs};
use mirasa_domain::product::ProductId;
use mirasa_domain::refund::{Refund, RefundStatus};
use mirasa_domain::refund_plan::{self, RefundError, RefundPlan, RefundSelection};
use mirasa_domain::stock::Stock;
use mirasa_domain::user::User;
use mirasa_domain::validation;
use sha2::{Digest, Sha256};

use super::seen::SeenOrder;
use crate::emails::{self, OrderEmail};
use crate::failpoints::failpoint;
use crate::payments::refund::NewRefund;
use crate::repository::Transaction;
use crate::request_key::{RequestKey, claim_key};
use crate::{AppError, ErrorCode, Shop};

pub(super) const MAX_REASON_CHARS: usize = 300;

/// What an admin wants to refund.
#[derive(Debug, Clone)]
pub struct RefundInput {
    pub selection: RefundSelection,
    /// The customer reads it.
    pub reason: String,
    /// Whether the items go back into stock.
    pub restock: bool,
    /// Makes a repeated request safe.
    pub idempotency_key: Option<String>,
    pub seen: SeenOrder,
}

type NewStock = Vec<(ProductId, Stock)>;

impl Shop {
    /// Refunds a part or all of an order's payment.
    pub async fn refund_order(
        &self,
        admin: &User,
        order_id: String,
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
            .write(move |tx| {
                Box::pin(async move {
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
                    let is_part_without_packs = plan.restock.is_empty() && plan.lines.is_empty();
                    if input.restock && is_part_without_packs {
                        let message = "Choose the packs that go back into stock";
                        return Err(AppError::invalid(message).with_field("restock"));
                    }
                    let new = NewRefund {
                        merchant_order_id: payment,
                        amount: plan.amount,
                        lines: plan.lines,
                        reason: reason.clone(),
                        requested_by: Actor::Admin(admin.email.clone()),
                        retry_of: None,
                        deducted_from: None,
                        id,
                    };
                    let refund = shop.insert_refund(tx, &order, new).await?;
                    let left = if input.restock {
                        let actor = Actor::Admin(admin.email.clone());
                        shop.restock(tx, &order, &plan.restock, actor).await?
                    } else {
                        Vec::new()
                    };
                    let detail = format!("{}, {reason}", refund.amount);
                    let action = AdminAction::RefundRequested;
                    shop.audit(tx, &admin, action, &order.id, detail).await?;
                    let email = OrderEmail::RefundRequested {
                        amount: refund.amount.to_string(),
                        reason,
                    };
                    emails::enqueue(&shop, tx, &order, email).await?;
                    failpoint("requesting a refund");
                    Ok::<_, AppError>((refund, left))
                })
            })
            .await?;
        self.catalogue.apply_stock(&left);
        failpoint("refund requested");
        Ok(refund)
    }

    /// Repeats a failed refund under a new id: the gateway does not accept a failed one again.
    pub async fn retry_refund(&self, admin: &User, id: String) -> Result<Refund, AppError> {
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        self.db
            .write(move |tx| {
                Box::pin(async move {
                    let failed = tx.refund(&id).await?.ok_or_else(refund_not_found)?;
                    let order = shop.lock_and_read_order(tx, &failed.order_id).await?;
                    // Read again: it may have been repeated before the order was locked.
                    let refunds = tx.refunds_of(std::slice::from_ref(&order.id)).await?;
                    let is_repeated = refunds
                        .iter()
                        .any(|refund| refund.retry_of.as_deref() == Some(&id));
                    if failed.status != RefundStatus::Failed || is_repeated {
                        let message = "Only a failed refund can be repeated, and only once.";
                        return Err(AppError::conflict(message));
                    }
                    let payments = tx.payments_received(&order.id).await?;
                    let left = left_of(&payments, &failed.merchant_order_id, &refunds);
                    if failed.amount > left {
                        return Err(RefundError::TooMuch { left }.into());
                    }
                    let new = NewRefund {
                        merchant_order_id: failed.merchant_order_id,
                        amount: failed.amount,
                        lines: failed.lines,
                        reason: failed.reason,
                        requested_by: Actor::Admin(admin.email.clone()),
                        retry_of: Some(id.clone()),
                        deducted_from: failed.deducted_from,
                        id: None,
                    };
                    let refund = shop.insert_refund(tx, &order, new).await?;
                    tx.resolve_issue_about(IssueKind::RefundFailed, &id, now_ms)
                        .await?;
                    let (action, detail) = (AdminAction::RefundRetried, refund.amount.to_string());
                    shop.audit(tx, &admin, action, &order.id, detail).await?;
                    Ok::<_, AppError>(refund)
                })
            })
            .await
    }

    /// For a cancelled order: refunds everything that is left.
    /// None if nothing is left or nothing was paid. The caller has locked the order.
    pub(crate) async fn return_payment(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        reason: &str,
        actor: Actor,
    ) -> Result<Option<Refund>, AppError> {
        let planned = self
            .plan_refund(tx, order, RefundSelection::Everything)
            .await;
        let (payment, plan) = match planned {
            Err(error) if error.code == ErrorCode::NothingToRefund => return Ok(None),
            planned => planned?,
        };
        let new = NewRefund {
            merchant_order_id: payment,
            amount: plan.amount,
            lines: plan.lines,
            reason: reason.to_owned(),
            requested_by: actor,
            retry_of: None,
            deducted_from: None,
            id: None,
        };
        self.insert_refund(tx, order, new).await.map(Some)
    }

    /// Puts all items of the order that are not in stock yet back into it.
    pub(crate) async fn restock_all(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        actor: Actor,
    ) -> Result<NewStock, AppError> {
        let packs: Vec<_> = order
            .lines
            .iter()
            .filter_map(|line| {
                let packs = line.packs.checked_sub(line.restocked)?;
                (!packs.is_empty()).then(|| (line.product.clone(), packs))
            })
            .collect();
        self.restock(tx, order, &packs, actor).await
    }

    async fn restock(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        packs: &[(ProductId, Packs)],
        actor: Actor,
    ) -> Result<NewStock, AppError> {
        if packs.is_empty() {
            return Ok(Vec::new());
        }
        let left = tx
            .restock(&order.id, &self.ids.new_id(), packs, self.now_ms())
            .await?;
        self.return_batches(tx, &order.id, packs).await?;
        let detail = describe(order, packs);
        self.record_event(tx, &order.id, OrderEventKind::Restocked, actor, detail)
            .await?;
        Ok(left)
    }

    /// The payment to refund, and the plan. Usually the order has one payment. One that does not complete the order,
    /// because its amount is wrong, can be refunded too.
    pub(super) async fn plan_refund(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        selection: RefundSelection,
    ) -> Result<(String, RefundPlan), AppError> {
        let payments = tx.payments_received(&order.id).await?;
        let refunds = tx.refunds_of(std::slice::from_ref(&order.id)).await?;
        let left = |payment: &(String, Paise)| left_of(&payments, &payment.0, &refunds);
        let payment = payments
            .iter()
            .filter(|payment| order.paid_by_attempt.as_deref().unwrap_or(&payment.0) == payment.0)
            .max_by_key(|payment| left(payment));
        let Some((id, received)) = payment else {
            return Err(AppError::new(
                ErrorCode::NothingToRefund,
                "Nothing was paid for this order.",
            ));
        };
        let of_payment: Vec<_> = refunds
            .iter()
            .filter(|refund| refund.merchant_order_id == *id)
            .cloned()
            .collect();
        let plan = refund_plan::plan(&order.lines, *received, &of_payment, selection)?;
        Ok((id.clone(), plan))
    }
}

/// The same key for the same order gives the same refund.
fn refund_id_for(order_id: &str, key: &str) -> String {
    let hash = Sha256::digest(format!("{order_id}\n{key}"));
    format!("R{}", base16ct::lower::encode_string(&hash[..16]))
}

fn left_of(payments: &[(String, Paise)], payment: &str, refunds: &[Refund]) -> Paise {
    let received = payments.iter().find(|(id, _)| id == payment);
    let received = received.map_or(Paise::ZERO, |(_, received)| *received);
    let of_payment: Vec<_> = refunds
        .iter()
        .filter(|refund| refund.merchant_order_id == payment)
        .cloned()
        .collect();
    refund_plan::refundable(received, &of_payment)
}

fn refund_not_found() -> AppError {
    AppError::not_found("There is no such refund")
}

/// `2 × Goda Masala (50 g), 1 × Chai Masala (100 g)`
pub(crate) fn describe(order: &Order, packs: &[(ProductId, Packs)]) -> String {
    let mut parts = Vec::new();
    for (product, packs) in packs {
        let Some(line) = order.lines.iter().find(|line| line.product == *product) else {
            continue;
        };
        for (size, count) in [
            (PackSize::G50, packs.of_50g),
            (PackSize::G100, packs.of_100g),
        ] {
            if count > 0 {
                parts.push(format!("{count} × {}", line.item_name(size)));
            }
        }
    }
    parts.join(", ")
}

impl From<RefundError> for AppError {
    fn from(error: RefundError) -> AppError {
        let text = error.to_string();
        match error {
            RefundError::NothingLeft => AppError::new(ErrorCode::NothingToRefund, text),
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
