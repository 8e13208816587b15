//! Orders that leave the shop: which of them may, and the issues about those that left or ended in a way that costs money.

use mirasa_domain::audit::AdminAction;
use mirasa_domain::issue::{IssueKind, OrderIssue};
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderId, OrderStatus, PaymentStatus, short_id};
use mirasa_domain::order_end::OrderEnd;
use mirasa_domain::order_event::{self, Actor, OrderEventKind};
use mirasa_domain::payment::PaymentAttemptState;
use mirasa_domain::product::ProductId;
use mirasa_domain::refund::Refund;
use mirasa_domain::stock::Stock;
use mirasa_domain::user::User;
use mirasa_domain::validation;

use crate::payments::end_order::fail_order;
use crate::repository::Transaction;
use crate::{AppError, ErrorCode, Shop};

/// Why the shop keeps a payment.
const MAX_KEEP_REASON_CHARS: usize = 300;

/// What an admin has confirmed about an order that leaves the shop.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeavingConfirmation {
    pub even_if_refunded: bool,
    pub even_if_unpaid: bool,
}

impl Shop {
    /// Orders with nothing left to send stay, unless the admin confirms it. Packs that are back in stock always stay. The
    /// caller has locked the order.
    pub(crate) async fn check_packs_to_send(
        &self,
        tx: &mut dyn Transaction,
        order: &mut Order,
        refunds: &[Refund],
        confirmed: LeavingConfirmation,
    ) -> Result<(), AppError> {
        let sent_before = order.sends_refunded;
        ensure_packs_to_send(order, refunds, confirmed)?;
        if order.sends_refunded && !sent_before {
            tx.set_sends_refunded(&order.id).await?;
        }
        Ok(())
    }

    /// For an admin who has seen the order and sets it to shipped or delivered.
    pub(crate) async fn check_leaving(
        &self,
        tx: &mut dyn Transaction,
        order: &mut Order,
        refunds: &[Refund],
        confirmed: LeavingConfirmation,
    ) -> Result<(), AppError> {
        if order.is_paid() {
            return self
                .check_packs_to_send(tx, order, refunds, confirmed)
                .await;
        }
        if order.state.stock_reserved && confirmed.even_if_unpaid {
            return Ok(());
        }
        let id = short_id(&order.id);
        let text = if order.state.stock_reserved {
            format!("Order {id} is not paid.")
        } else {
            format!("Order {id} is not paid, and its packs are back in stock.")
        };
        Err(AppError::new(ErrorCode::OrderNotPaid, text))
    }

    /// An order has just left although nothing of it was to be sent. `order` is as it was before.
    pub(crate) async fn note_leaving(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        refunds: &[Refund],
        status: OrderStatus,
    ) -> Result<(), AppError> {
        if !order.is_paid() || order.has_packs_to_send(refunds) {
            return Ok(());
        }
        let detail = format!(
            "Set to {}, but {}.",
            status.as_str(),
            what_went_back(order, refunds)
        );
        let kind = IssueKind::LeftRefunded;
        tx.forget_issue_about(kind, &order.id, self.now_ms())
            .await?;
        let issue = self.issue_about_order(order, kind, detail);
        Ok(tx.keep_issue_open(&issue).await?)
    }

    /// A cancelled replacement was set back although its packs were made good otherwise, so that the customer would get them
    /// twice. What an admin has confirmed is recorded, too.
    pub(crate) async fn note_made_good_twice(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        status: OrderStatus,
        made_good: &str,
        is_confirmed: bool,
    ) -> Result<(), AppError> {
        let status = status.as_str();
        let detail = format!("Set to {status} after it was cancelled, but {made_good}");
        let (kind, now_ms) = (IssueKind::MadeGoodTwice, self.now_ms());
        tx.forget_issue_about(kind, &order.id, now_ms).await?;
        let issue = self.issue_about_order(order, kind, detail);
        tx.keep_issue_open(&issue).await?;
        if is_confirmed && let Some(issue) = tx.open_issue_about(kind, &order.id).await? {
            tx.resolve_issue(&issue.id, "Confirmed", now_ms).await?;
        }
        Ok(())
    }

    /// An unpaid order that has left is about to be cancelled or deleted, which puts its packs back into stock. The issue
    /// says so and stays until an admin resolves it: the packs may be gone. The caller has locked the order.
    pub(crate) async fn note_release(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        how: &str,
    ) -> Result<(), AppError> {
        if !order.has_left_unpaid() || !order.state.stock_reserved {
            return Ok(());
        }
        let detail = format!(
            "Set to {}, but it was not paid, and then {how}: its packs are back in stock. If they were sent, correct the stock.",
            order.state.order_status.as_str()
        );
        let kind = IssueKind::LeftUnpaid;
        tx.forget_issue_about(kind, &order.id, self.now_ms())
            .await?;
        let issue = self.issue_about_order(order, kind, detail);
        Ok(tx.keep_issue_open(&issue).await?)
    }

    /// Opens and resolves the issues that follow from the state of an order. The caller has locked it, and has changed its
    /// status, payment or refunds, or has deleted or restored it.
    pub(crate) async fn update_order_issues(
        &self,
        tx: &mut dyn Transaction,
        order_id: &OrderId,
    ) -> Result<(), AppError> {
        let ids = [order_id.clone()];
        let Some(order) = tx.orders_by_id(&ids).await?.pop() else {
            return Ok(());
        };
        let refunds = tx.refunds_of(&ids).await?;
        let now_ms = self.now_ms();
        if order.has_left_unpaid() {
            let status = order.state.order_status.as_str();
            let packs = match order.state.stock_reserved {
                true => "Its packs stay reserved.",
                false => "Its packs are back in stock.",
            };
            let detail = format!("Set to {status}, but it is not paid. {packs}");
            let issue = self.issue_about_order(&order, IssueKind::LeftUnpaid, detail);
            tx.keep_issue_open(&issue).await?;
        } else if order.is_paid() || !order.has_ended() {
            tx.forget_issue_about(IssueKind::LeftUnpaid, order_id, now_ms)
                .await?;
        }
        if !order.state.order_status.has_left_shop() {
            tx.forget_issue_about(IssueKind::LeftRefunded, order_id, now_ms)
                .await?;
        }
        if order.has_ended() {
            tx.forget_issue_about(IssueKind::MadeGoodTwice, order_id, now_ms)
                .await?;
        }
        match order.kept_after_end(&refunds) {
            Some(kept) => {
                let detail = self.describe_kept(tx, &order, kept).await?;
                let issue = self.issue_about_order(&order, IssueKind::PaymentKept, detail);
                tx.keep_issue_open(&issue).await?;
            }
            None => {
                tx.forget_issue_about(IssueKind::PaymentKept, order_id, now_ms)
                    .await?;
            }
        }
        Ok(())
    }

    async fn describe_kept(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        kept: Paise,
    ) -> Result<String, AppError> {
        let events = tx.events_of(std::slice::from_ref(&order.id)).await?;
        let has_left = order_event::has_left_shop(&events);
        let how = match order.deleted_at_ms {
            Some(_) => "deleted",
            None => "cancelled",
        };
        let mut detail = format!("{kept} were paid and not refunded, and the order is {how}.");
        if order.deleted_at_ms.is_some() {
            detail.push_str(" To refund it, restore the order first.");
        }
        let packs: Vec<_> = order
            .lines
            .iter()
            .filter_map(|line| {
                let packs = line.packs.checked_sub(line.restocked)?;
                (!packs.is_empty() && !has_left).then(|| (line.product.clone(), packs))
            })
            .collect();
        if !packs.is_empty() {
            let packs = order.describe_packs(&packs);
            detail.push_str(&format!(" Neither in stock nor to be sent: {packs}."));
        }
        Ok(detail)
    }

    fn issue_about_order(&self, order: &Order, kind: IssueKind, detail: String) -> OrderIssue {
        OrderIssue {
            id: self.ids.new_id(),
            order_id: order.id.clone(),
            kind,
            subject_id: order.id.0.clone(),
            detail,
            created_at_ms: self.now_ms(),
            order_is_deleted: order.deleted_at_ms.is_some(),
        }
    }

    /// An unpaid order that had left the shop is set back. If its time to pay is over, it ends now: nobody polls it any
    /// more. Returns the new stock of the released products.
    pub(crate) async fn end_if_time_is_over(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
    ) -> Result<Vec<(ProductId, Stock)>, AppError> {
        if order.state.payment_status != PaymentStatus::Pending {
            return Ok(Vec::new());
        }
        let attempt = tx.attempt(&order.merchant_order_id).await?;
        let is_open = attempt.is_some_and(|attempt| attempt.state != PaymentAttemptState::Failed);
        if is_open && self.now_ms() <= order.expires_at_ms {
            return Ok(Vec::new());
        }
        let end = OrderEnd::new(mirasa_domain::end_reason::EndReason::Expired);
        fail_order(self, tx, order.clone(), end).await
    }

    /// An admin confirms that the money of an ended order is kept. The caller has locked the order.
    pub(crate) async fn confirm_kept_payment(
        &self,
        tx: &mut dyn Transaction,
        admin: &User,
        issue: &OrderIssue,
        reason: &str,
    ) -> Result<(), AppError> {
        let reason = validation::required("reason", reason, MAX_KEEP_REASON_CHARS)?;
        tx.resolve_issue(&issue.id, &reason, self.now_ms()).await?;
        let (id, actor) = (&issue.order_id, Actor::Admin(admin.email.clone()));
        let kind = OrderEventKind::PaymentKept;
        self.record_event(tx, id, kind, actor, reason.clone())
            .await?;
        self.audit(tx, admin, AdminAction::PaymentKept, id, reason)
            .await
    }
}

/// As `check_packs_to_send`. The caller stores `sends_refunded`.
pub(super) fn ensure_packs_to_send(
    order: &mut Order,
    refunds: &[Refund],
    confirmed: LeavingConfirmation,
) -> Result<(), AppError> {
    if order.has_packs_to_send(refunds) {
        return Ok(());
    }
    if order.is_in_stock_again() || !confirmed.even_if_refunded {
        return Err(order_refunded(order, refunds));
    }
    order.sends_refunded = true;
    Ok(())
}

/// `₹185 of ₹185 went back, and its packs are in stock again`
fn what_went_back(order: &Order, refunds: &[Refund]) -> String {
    let refunded = order.refunded(refunds);
    let money = format!("{refunded} of {} went back", order.state.total);
    match (refunded > Paise::ZERO, order.is_in_stock_again()) {
        (true, true) => format!("{money}, and its packs are in stock again"),
        (true, false) => money,
        (false, _) => "its packs are in stock again".to_owned(),
    }
}

fn order_refunded(order: &Order, refunds: &[Refund]) -> AppError {
    let what = what_went_back(order, refunds);
    let text = format!(
        "Order {} has nothing left to send: {what}.",
        short_id(&order.id)
    );
    AppError::new(ErrorCode::OrderRefunded, text)
}
