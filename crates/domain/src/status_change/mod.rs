//! What follows when an admin sets the status of an order: for its money, stock, invoice, parcels and customer.
//!
//! Any status can be set from any other. A request says which questions must be answered about the order. With the answers
//! it is refused, or it becomes the steps that the use case applies in their sequence.

use crate::discount::NotApplicable;
use crate::end_reason::EndReason;
use crate::leaving::{Leaving, LeavingConfirmation, LeavingRefused, check_leaving};
use crate::order::{Order, OrderStatus, PaymentStatus};
use crate::order_changes::SeenOrder;
use crate::payment::PaymentAttemptState;
use crate::refund::Refund;
use crate::restock::{NotInShop, Whereabouts, check_in_shop};

/// What a request says besides the status.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StatusOptions {
    /// A request that has seen the order is refused if the order must not leave the shop; another one opens an issue.
    pub seen: SeenOrder,
    pub confirmed: LeavingConfirmation,
    /// For `cancelled`: everything that is left of its payment is refunded.
    pub refund: bool,
    /// For `cancelled`: its items go back into stock.
    pub restock: bool,
    /// The items were sent and are in the shop again.
    pub came_back: bool,
    /// The admin knows that packs were replaced or refunded before.
    pub even_if_repeated: bool,
}

/// A request that can be made about any order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatusRequest {
    status: OrderStatus,
    options: StatusOptions,
    now_ms: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Only a cancelled order can be refunded and restocked with its status")]
pub struct OnlyForCancelled;

/// What must be read to decide about a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    Whereabouts,
    /// Whether its code has a use left: a cancelled order has released its use.
    Code,
    /// Whether packs were replaced that would be refunded now.
    Replaced,
    /// Whether the packs of this cancelled replacement were made good otherwise.
    MadeGood,
    Refunds,
    CancellationRequest,
    PaymentAttempt,
}

/// The answers. What was not asked does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatusFacts {
    pub whereabouts: Whereabouts,
    pub code_refused: Option<NotApplicable>,
    /// In words, for the admin.
    pub replaced: Option<String>,
    /// In words, for the admin.
    pub made_good: Option<String>,
    pub refunds: Vec<Refund>,
    pub customer_asks_to_cancel: bool,
    /// That of the newest attempt.
    pub attempt: Option<PaymentAttemptState>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatusRefused {
    NotInShop(NotInShop),
    Code(NotApplicable),
    /// Packs would be made good twice, in words.
    Repeated(String),
    CustomerAsksToCancel,
    Leaving(LeavingRefused),
}

/// What to do, one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatusStep {
    /// Keep that packs are sent although their money went back.
    SendRefunded,
    /// Open an issue: an unpaid order that had left releases its packs, which may be gone.
    ReportRelease,
    /// End the order if it is not paid, or keep that it was ended on purpose.
    Cancel,
    /// End the order unpaid: its time to pay is over.
    Expire,
    /// Take its packs out of batches.
    Pack,
    SaveStatus,
    /// Open an issue: nothing of the order was to be sent.
    ReportLeftRefunded,
    IssueInvoice,
    /// In its history and in the audit log.
    Record,
    /// Open an issue: the customer gets packs that were made good otherwise. If an admin has confirmed it, it is resolved.
    ReportMadeGoodTwice {
        made_good: String,
        is_confirmed: bool,
    },
    ReturnPayment,
    Restock,
    CancelParcels,
    CloseCancellationRequest,
    /// Open and resolve the issues that follow from the order's new state.
    UpdateIssues,
    SendEmail(StatusEmail),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusEmail {
    Confirmed,
    Shipped,
    Delivered,
    Cancelled,
    /// As `Cancelled`, only if money goes back: the order was cancelled before.
    CancelledIfRefunded,
}

impl StatusRequest {
    pub fn new(
        status: OrderStatus,
        options: StatusOptions,
        now_ms: i64,
    ) -> Result<StatusRequest, OnlyForCancelled> {
        if status != OrderStatus::Cancelled && (options.refund || options.restock) {
            return Err(OnlyForCancelled);
        }
        Ok(StatusRequest {
            status,
            options,
            now_ms,
        })
    }

    /// None if nothing changes.
    pub fn questions(&self, order: &Order) -> Vec<Question> {
        if !self.changes(order) {
            return Vec::new();
        }
        let reopens = self.reopens(order);
        let asked = [
            (Question::Whereabouts, self.needs_packs_in_shop()),
            (Question::Code, reopens && order.is_paid()),
            (Question::Replaced, self.must_not_repeat_return(order)),
            (Question::MadeGood, reopens),
            (Question::Refunds, true),
            (
                Question::CancellationRequest,
                self.is_checked_leaving(order),
            ),
            (Question::PaymentAttempt, self.reopens_payment(order)),
        ];
        let asked = asked.into_iter().filter(|(_, is_asked)| *is_asked);
        asked.map(|(question, _)| question).collect()
    }

    /// The steps for this order as it is now. None if nothing changes.
    pub fn steps(
        &self,
        order: &Order,
        facts: &StatusFacts,
    ) -> Result<Vec<StatusStep>, StatusRefused> {
        if !self.changes(order) {
            return Ok(Vec::new());
        }
        let (status, options) = (self.status, self.options);
        let is_changed = self.is_changed(order);
        let cancels = status == OrderStatus::Cancelled;
        let leaves = self.leaves(order);
        let made_good = self.check(order, facts)?;
        let sends_refunded = self.check_leaving(order, facts)? == Leaving::WithRefundedPacks;
        let mut order = order.clone();
        order.sends_refunded |= sends_refunded;
        let (order, refunds) = (&order, &facts.refunds[..]);
        let releases = cancels && order.releases_what_left();
        let ends = order
            .state
            .ended_deliberately(EndReason::Cancelled)
            .is_some();
        let is_packed_now = leaves && order.is_paid() && order.packed_at_ms.is_none();
        let left_refunded = leaves && order.has_nothing_to_send(refunds);
        let made_good = made_good.map(|made_good| StatusStep::ReportMadeGoodTwice {
            made_good,
            is_confirmed: options.even_if_repeated,
        });
        let email = self.email(order, refunds);
        let steps = [
            sends_refunded.then_some(StatusStep::SendRefunded),
            releases.then_some(StatusStep::ReportRelease),
            (cancels && ends).then_some(StatusStep::Cancel),
            self.expires(order, facts).then_some(StatusStep::Expire),
            is_packed_now.then_some(StatusStep::Pack),
            is_changed.then_some(StatusStep::SaveStatus),
            left_refunded.then_some(StatusStep::ReportLeftRefunded),
            (leaves && order.is_paid()).then_some(StatusStep::IssueInvoice),
            is_changed.then_some(StatusStep::Record),
            made_good,
            self.returns_payment(order)
                .then_some(StatusStep::ReturnPayment),
            (options.restock && order.is_paid()).then_some(StatusStep::Restock),
            cancels.then_some(StatusStep::CancelParcels),
            cancels.then_some(StatusStep::CloseCancellationRequest),
            Some(StatusStep::UpdateIssues),
            email.map(StatusStep::SendEmail),
        ];
        Ok(steps.into_iter().flatten().collect())
    }

    /// Returns how the packs of a replacement were made good otherwise, if that does not refuse the request.
    fn check(&self, order: &Order, facts: &StatusFacts) -> Result<Option<String>, StatusRefused> {
        if self.needs_packs_in_shop() {
            check_in_shop(order, &facts.whereabouts, self.options.seen)
                .map_err(StatusRefused::NotInShop)?;
        }
        let reopens = self.reopens(order);
        if let Some(reason) = &facts.code_refused
            && reopens
            && order.is_paid()
        {
            return Err(StatusRefused::Code(reason.clone()));
        }
        if let Some(replaced) = &facts.replaced
            && self.must_not_repeat_return(order)
        {
            return Err(StatusRefused::Repeated(replaced.clone()));
        }
        let made_good = facts.made_good.clone().filter(|_| reopens);
        match made_good {
            Some(made_good) if self.options.seen.is_given() && !self.options.even_if_repeated => {
                Err(StatusRefused::Repeated(made_good))
            }
            made_good => Ok(made_good),
        }
    }

    fn check_leaving(&self, order: &Order, facts: &StatusFacts) -> Result<Leaving, StatusRefused> {
        if !self.is_checked_leaving(order) {
            return Ok(Leaving::AsItIs);
        }
        if facts.customer_asks_to_cancel {
            return Err(StatusRefused::CustomerAsksToCancel);
        }
        check_leaving(order, &facts.refunds, self.options.confirmed).map_err(StatusRefused::Leaving)
    }

    /// An unpaid order that had left the shop and is set back ends if its time to pay is over: nobody polls it any more.
    fn expires(&self, order: &Order, facts: &StatusFacts) -> bool {
        let is_open = facts
            .attempt
            .is_some_and(|state| state != PaymentAttemptState::Failed);
        let is_over = !is_open || self.now_ms > order.expires_at_ms;
        self.reopens_payment(order) && is_over
    }

    /// None if there is none about the status, or if it would say what is not so: an order that was not paid, or of which
    /// nothing is sent, is not on its way.
    fn email(&self, order: &Order, refunds: &[Refund]) -> Option<StatusEmail> {
        if !self.is_changed(order) {
            let is_refunded = self.returns_payment(order);
            return is_refunded.then_some(StatusEmail::CancelledIfRefunded);
        }
        let has_packs = order.has_packs_to_send(refunds);
        let is_on_its_way =
            order.is_paid() && !order.is_in_stock_again() && (!self.leaves(order) || has_packs);
        match self.status {
            OrderStatus::Shipped => is_on_its_way.then_some(StatusEmail::Shipped),
            OrderStatus::Delivered => is_on_its_way.then_some(StatusEmail::Delivered),
            // It says that the shop has the payment.
            OrderStatus::Confirmed => {
                (order.is_paid() && has_packs).then_some(StatusEmail::Confirmed)
            }
            OrderStatus::Cancelled => Some(StatusEmail::Cancelled),
            OrderStatus::Pending | OrderStatus::NotApplicable => None,
        }
    }

    /// The same status again may still end an unpaid order, refund it or restock it.
    fn changes(&self, order: &Order) -> bool {
        let is_pending = order.state.payment_status == PaymentStatus::Pending;
        self.is_changed(order) || is_pending || self.options.refund || self.options.restock
    }

    fn is_changed(&self, order: &Order) -> bool {
        order.state.order_status != self.status
    }

    fn leaves(&self, order: &Order) -> bool {
        self.status.has_left_shop() && !order.state.order_status.has_left_shop()
    }

    fn is_checked_leaving(&self, order: &Order) -> bool {
        self.leaves(order) && self.options.seen.is_given()
    }

    /// Takes back the cancellation.
    fn reopens(&self, order: &Order) -> bool {
        order.state.order_status == OrderStatus::Cancelled && self.is_changed(order)
    }

    /// Sets back an unpaid order that had left.
    fn reopens_payment(&self, order: &Order) -> bool {
        let (was, status) = (order.state.order_status, self.status);
        order.state.payment_status == PaymentStatus::Pending
            && was.has_left_shop()
            && !status.has_left_shop()
            && status != OrderStatus::Cancelled
    }

    fn returns_payment(&self, order: &Order) -> bool {
        self.options.refund && order.is_paid()
    }

    fn must_not_repeat_return(&self, order: &Order) -> bool {
        self.returns_payment(order) && !self.options.even_if_repeated
    }

    fn needs_packs_in_shop(&self) -> bool {
        self.options.restock && !self.options.came_back
    }
}

#[cfg(test)]
mod tests;
