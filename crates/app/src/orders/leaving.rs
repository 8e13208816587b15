//! Orders that leave the shop: which of them may, and the issues about those that left or ended in a way that costs money.

use mirasa_domain::audit::AdminAction;
use mirasa_domain::issue::{IssueKind, OrderIssue};
use mirasa_domain::leaving::{Leaving, LeavingConfirmation, LeavingRefused, check_packs_to_send};
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderId, OrderStatus, short_id};
use mirasa_domain::order_event::{self, Actor, OrderEventKind};
use mirasa_domain::refund::Refund;
use mirasa_domain::user::User;
use mirasa_domain::validation;

use crate::repository::Transaction;
use crate::{AppError, ErrorCode, Shop};

/// Why the shop keeps a payment.
const MAX_KEEP_REASON_CHARS: usize = 300;

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

    /// An order has just left although nothing of it was to be sent. `order` is as it was before.
    pub(crate) async fn report_left_refunded(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        refunds: &[Refund],
        status: OrderStatus,
    ) -> Result<(), AppError> {
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
    pub(crate) async fn report_made_good_twice(
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

    /// An order whose release must be reported is about to be cancelled or deleted. The issue stays until an admin resolves
    /// it. The caller has locked the order.
    pub(crate) async fn report_release(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        how: &str,
    ) -> Result<(), AppError> {
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
        let mut detail = format!(
            "{} were paid and not refunded, and the order is {how}.",
            kept.two_decimals()
        );
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
            id: self.ids.new_id().into(),
            order_id: order.id.clone(),
            kind,
            subject_id: order.id.0.clone(),
            detail,
            created_at_ms: self.now_ms(),
            order_is_deleted: order.deleted_at_ms.is_some(),
        }
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
    match check_packs_to_send(order, refunds, confirmed) {
        Ok(Leaving::AsItIs) => {}
        Ok(Leaving::WithRefundedPacks) => order.sends_refunded = true,
        Err(refused) => return Err(leaving_refused(order, refunds, refused)),
    }
    Ok(())
}

/// `₹185.00 of ₹185.00 went back, and its packs are in stock again`
fn what_went_back(order: &Order, refunds: &[Refund]) -> String {
    let refunded = order.refunded(refunds);
    let [back, total] = [refunded, order.state.total].map(Paise::two_decimals);
    let money = format!("{back} of {total} went back");
    match (refunded > Paise::ZERO, order.is_in_stock_again()) {
        (true, true) => format!("{money}, and its packs are in stock again"),
        (true, false) => money,
        (false, _) => "its packs are in stock again".to_owned(),
    }
}

pub(super) fn leaving_refused(
    order: &Order,
    refunds: &[Refund],
    refused: LeavingRefused,
) -> AppError {
    let id = short_id(&order.id);
    let (code, text) = match refused {
        LeavingRefused::NotPaid if order.state.stock_reserved => {
            (ErrorCode::OrderNotPaid, format!("Order {id} is not paid."))
        }
        LeavingRefused::NotPaid => (
            ErrorCode::OrderNotPaid,
            format!("Order {id} is not paid, and its packs are back in stock."),
        ),
        LeavingRefused::NothingToSend => {
            let what = what_went_back(order, refunds);
            let text = format!("Order {id} has nothing left to send: {what}.");
            (ErrorCode::OrderRefunded, text)
        }
    };
    AppError::new(code, text)
}
