//! An order, its money and its packs, to which the steps of a request are applied.

use super::cases::{ALL_PACKS, refund};
use crate::end_reason::EndReason;
use crate::money::Paise;
use crate::order::{Order, OrderStatus};
use crate::refund::Refund;
use crate::refund_plan::{RefundSelection, plan};
use crate::restock::Restock;
use crate::status_change::{Question, StatusEmail, StatusFacts, StatusRequest, StatusStep};

/// Only what was asked.
pub(super) fn answers(request: &StatusRequest, order: &Order, facts: &StatusFacts) -> StatusFacts {
    let (all, mut answers) = (facts.clone(), StatusFacts::default());
    for question in request.questions(order) {
        match question {
            Question::Whereabouts => answers.whereabouts = all.whereabouts.clone(),
            Question::Code => answers.code_refused = all.code_refused.clone(),
            Question::Replaced => answers.replaced = all.replaced.clone(),
            Question::MadeGood => answers.made_good = all.made_good.clone(),
            Question::Refunds => answers.refunds = all.refunds.clone(),
            Question::CancellationRequest => {
                answers.customer_asks_to_cancel = all.customer_asks_to_cancel;
            }
            Question::PaymentAttempt => answers.attempt = all.attempt,
        }
    }
    answers
}

/// An order, its money and its packs, to which steps are applied as the use case applies them.
#[derive(Debug, Clone)]
pub(super) struct Model {
    pub order: Order,
    pub refunds: Vec<Refund>,
    pub in_stock: u32,
    /// The packs that were taken for the order, and came back.
    pub taken: u32,
    pub returned: u32,
    pub open_request: bool,
    pub emails: Vec<StatusEmail>,
}

impl Model {
    pub fn new(order: Order) -> Model {
        let taken = match order.state.stock_reserved {
            true => Restock::everything(&order)
                .packs()
                .iter()
                .map(|(_, packs)| packs.count())
                .sum(),
            false => 0,
        };
        Model {
            order,
            refunds: Vec::new(),
            in_stock: ALL_PACKS - taken,
            taken,
            returned: 0,
            open_request: true,
            emails: Vec::new(),
        }
    }

    pub fn facts(&self, facts: &StatusFacts) -> StatusFacts {
        StatusFacts {
            refunds: self.refunds.clone(),
            customer_asks_to_cancel: facts.customer_asks_to_cancel && self.open_request,
            ..facts.clone()
        }
    }

    fn give_back(&mut self, packs: u32) {
        self.in_stock += packs;
        self.returned += packs;
    }

    pub fn held(&self) -> u32 {
        let held = Restock::everything(&self.order);
        held.packs().iter().map(|(_, packs)| packs.count()).sum()
    }

    pub fn refunded(&self) -> Paise {
        self.refunds.iter().map(|refund| refund.amount).sum()
    }

    pub fn apply(&mut self, status: OrderStatus, step: StatusStep) {
        match step {
            StatusStep::SendRefunded => self.order.sends_refunded = true,
            StatusStep::Cancel => {
                let (held, state) = (self.held(), self.order.state);
                self.order.state = state.ended_deliberately(EndReason::Cancelled).unwrap();
                self.give_back(held);
            }
            StatusStep::Expire => {
                let held = self.held();
                self.order.state = self.order.state.failed(EndReason::Expired);
                self.give_back(held);
            }
            StatusStep::Pack => {
                assert!(self.order.packed_at_ms.is_none(), "packed once");
                self.order.packed_at_ms = Some(1);
            }
            StatusStep::SaveStatus => self.order.state.order_status = status,
            StatusStep::ReturnPayment => {
                let (lines, total) = (&self.order.lines, self.order.state.total);
                let everything = RefundSelection::Everything;
                if let Ok(plan) = plan(lines, total, &self.refunds, everything) {
                    self.refunds.push(refund(plan.amount));
                }
            }
            StatusStep::Restock => {
                let held = self.held();
                for line in &mut self.order.lines {
                    line.restocked = line.packs;
                }
                self.give_back(held);
            }
            StatusStep::CloseCancellationRequest => self.open_request = false,
            StatusStep::SendEmail(email) => self.emails.push(email),
            StatusStep::ReportRelease
            | StatusStep::ReportLeftRefunded
            | StatusStep::IssueInvoice
            | StatusStep::Record
            | StatusStep::ReportMadeGoodTwice { .. }
            | StatusStep::CancelParcels
            | StatusStep::UpdateIssues => {}
        }
    }
}
