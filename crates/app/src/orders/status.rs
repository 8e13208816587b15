//! Admins set any status from any other. What follows for money, stock, invoice and parcels is the same whatever the order of calls.

use mirasa_domain::audit::AdminAction;
use mirasa_domain::end_reason::EndReason;
use mirasa_domain::invoice::Invoice;
use mirasa_domain::order::{Order, OrderId, OrderStatus};
use mirasa_domain::order_end::OrderEnd;
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::product::ProductId;
use mirasa_domain::refund_plan::ReturnedPayment;
use mirasa_domain::status_change::{
    OnlyForCancelled, Question, StatusEmail, StatusFacts, StatusOptions, StatusRefused,
    StatusRequest, StatusStep,
};
use mirasa_domain::stock::Stock;
use mirasa_domain::user::User;

use crate::cart::discounts::{can_use_again, no_use_left};
use crate::emails::{self, OrderEmail, TrackingLink};
use crate::orders::cancellation_requests::{customer_asks_to_cancel, is_any_open};
use crate::orders::leaving::leaving_refused;
use crate::orders::lock::read_order;
use crate::orders::problems::repeated::made_good_otherwise;
use crate::payments::end_order::fail_order;
use crate::refunds::{not_in_shop, read_whereabouts};
use crate::repository::Transaction;
use crate::runtime::failpoints::failpoint;
use crate::{AppError, ErrorCode, Shop};

impl Shop {
    /// Sets any status from any other. Cancelling an unpaid order ends it; a paid order only changes its status, unless
    /// the options say more. A request that has seen the order is refused if the order must not leave the shop; another one
    /// opens an issue.
    pub async fn set_order_status(
        &self,
        admin: &User,
        id: OrderId,
        status: OrderStatus,
        options: StatusOptions,
    ) -> Result<Order, AppError> {
        let request = StatusRequest::new(status, options, self.now_ms())?;
        let (shop, admin) = (self.clone(), admin.clone());
        let (order, left) = self
            .db
            .write(async move |tx| {
                let mut order = shop.lock_and_read_seen_order(tx, &id, options.seen).await?;
                let mut facts = StatusFacts::default();
                for question in request.questions(&order) {
                    shop.answer(tx, &order, question, &mut facts).await?;
                }
                let steps = request
                    .steps(&order, &facts)
                    .map_err(|refused| refusal(&order, &facts, refused))?;
                if steps.is_empty() {
                    return Ok((order, Vec::new()));
                }
                let mut change = StatusChange {
                    shop: &shop,
                    admin: &admin,
                    status,
                    facts,
                    left: Vec::new(),
                    invoice: None,
                    returned: ReturnedPayment::default(),
                };
                for step in steps {
                    change.apply(tx, &mut order, step).await?;
                }
                failpoint("setting a status");
                Ok::<_, AppError>((read_order(tx, &id).await?, change.left))
            })
            .await?;
        self.show_released(&left);
        Ok(order)
    }

    /// The caller has locked the customer and the order.
    async fn answer(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        question: Question,
        facts: &mut StatusFacts,
    ) -> Result<(), AppError> {
        let ids = std::slice::from_ref(&order.id);
        match question {
            Question::Whereabouts => facts.whereabouts = read_whereabouts(tx, order).await?,
            Question::Code => facts.code_refused = can_use_again(tx, order).await?.err(),
            Question::Replaced => facts.replaced = self.replaced_before_return(tx, order).await?,
            Question::MadeGood => facts.made_good = made_good_otherwise(tx, order).await?,
            Question::Refunds => facts.refunds = tx.refunds_of(ids).await?,
            Question::CancellationRequest => {
                let requests = tx.cancellation_requests_of(ids).await?;
                facts.customer_asks_to_cancel = is_any_open(&order.id, &requests);
            }
            Question::PaymentAttempt => {
                let attempt = tx.attempt(&order.merchant_order_id).await?;
                facts.attempt = attempt.map(|attempt| attempt.state);
            }
        }
        Ok(())
    }

    /// Shows the stock of released products in the catalogue.
    pub(crate) fn show_released(&self, left: &[(ProductId, Stock)]) {
        self.catalogue.apply_stock(left);
        failpoint("orders ended");
    }
}

impl From<OnlyForCancelled> for AppError {
    fn from(error: OnlyForCancelled) -> AppError {
        AppError::invalid(error.to_string()).with_field("orderStatus")
    }
}

fn refusal(order: &Order, facts: &StatusFacts, refused: StatusRefused) -> AppError {
    match refused {
        StatusRefused::NotInShop(why) => not_in_shop(order, why),
        StatusRefused::Code(reason) => no_use_left(order, &reason),
        StatusRefused::Repeated(text) => AppError::new(ErrorCode::ProblemRepeated, text),
        StatusRefused::CustomerAsksToCancel => customer_asks_to_cancel(&order.id),
        StatusRefused::Leaving(why) => leaving_refused(order, &facts.refunds, why),
    }
}

/// A request while its steps are applied.
struct StatusChange<'s> {
    shop: &'s Shop,
    admin: &'s User,
    status: OrderStatus,
    facts: StatusFacts,
    /// The new stock of the products whose stock has changed.
    left: Vec<(ProductId, Stock)>,
    invoice: Option<Invoice>,
    returned: ReturnedPayment,
}

impl StatusChange<'_> {
    /// `order` is as it was before the request.
    async fn apply(
        &mut self,
        tx: &mut dyn Transaction,
        order: &mut Order,
        step: StatusStep,
    ) -> Result<(), AppError> {
        let (shop, status, refunds) = (self.shop, self.status, &self.facts.refunds);
        let actor = Actor::Admin(self.admin.email.clone());
        match step {
            StatusStep::SendRefunded => {
                tx.set_sends_refunded(&order.id).await?;
                order.sends_refunded = true;
            }
            StatusStep::ReportRelease => shop.report_release(tx, order, "cancelled").await?,
            StatusStep::Cancel => {
                let ended = shop.end_order(tx, order.clone(), EndReason::Cancelled);
                self.left.extend(ended.await?);
            }
            StatusStep::Expire => {
                let end = OrderEnd::new(EndReason::Expired);
                let ended = fail_order(shop, tx, order.clone(), end);
                self.left.extend(ended.await?);
            }
            StatusStep::Pack => shop.pack_unpacked(tx, &actor, order, refunds).await?,
            StatusStep::SaveStatus => {
                tx.set_order_status(&order.id, status, shop.now_ms())
                    .await?;
            }
            StatusStep::ReportLeftRefunded => {
                shop.report_left_refunded(tx, order, refunds, status)
                    .await?;
            }
            StatusStep::IssueInvoice => self.invoice = shop.issue_invoice(tx, order).await?,
            StatusStep::Record => self.record(tx, order, actor).await?,
            StatusStep::ReportMadeGoodTwice {
                made_good,
                is_confirmed,
            } => {
                shop.report_made_good_twice(tx, order, status, &made_good, is_confirmed)
                    .await?;
            }
            StatusStep::ReturnPayment => {
                let reason = "Cancelled by the shop";
                self.returned = shop.return_payment(tx, order, reason, actor).await?;
            }
            StatusStep::Restock => {
                let restocked = shop.restock_all(tx, order, actor);
                self.left.extend(restocked.await?);
            }
            StatusStep::CancelParcels => shop.cancel_parcels_of(tx, &order.id).await?,
            StatusStep::CloseCancellationRequest => {
                shop.close_cancellation_request(tx, &order.id, actor)
                    .await?;
            }
            StatusStep::UpdateIssues => shop.update_order_issues(tx, &order.id).await?,
            StatusStep::SendEmail(email) => self.send(tx, order, email).await?,
        }
        Ok(())
    }

    async fn record(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        actor: Actor,
    ) -> Result<(), AppError> {
        let (was, status) = (order.state.order_status.as_str(), self.status.as_str());
        let kind = OrderEventKind::StatusSet;
        self.shop
            .record_event(tx, &order.id, kind, actor, status.to_owned())
            .await?;
        let (action, detail) = (AdminAction::OrderStatusSet, format!("{was} to {status}"));
        self.shop
            .audit(tx, self.admin, action, &order.id, detail)
            .await
    }

    /// With what the steps have found.
    async fn send(
        &mut self,
        tx: &mut dyn Transaction,
        order: &Order,
        email: StatusEmail,
    ) -> Result<(), AppError> {
        let email = match email {
            StatusEmail::Confirmed => OrderEmail::Confirmed,
            StatusEmail::Shipped => {
                let shipments = tx.shipments_of(std::slice::from_ref(&order.id)).await?;
                OrderEmail::Shipped(shipments.last().and_then(TrackingLink::of))
            }
            StatusEmail::Delivered => OrderEmail::Delivered,
            StatusEmail::CancelledIfRefunded if self.returned.refund.is_none() => return Ok(()),
            StatusEmail::Cancelled | StatusEmail::CancelledIfRefunded => {
                OrderEmail::Cancelled(self.returned)
            }
        };
        let invoice = self.invoice.take();
        emails::enqueue_with_invoice(self.shop, tx, order, email, invoice).await
    }
}
