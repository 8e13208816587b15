//! The steps after a payment: cancelling, delivery, problems, refunds and messages.

use mirasa_app::orders::StatusOptions;
use mirasa_app::orders::{ProblemDecision, ProblemReport, ProblemResolution, SeenOrder};
use mirasa_app::refunds::RefundInput;
use mirasa_domain::message::MessageState;
use mirasa_domain::money::Paise;
use mirasa_domain::order::OrderStatus;
use mirasa_domain::problem::ProblemLine;
use mirasa_domain::refund_plan::RefundSelection;

use super::people;
use super::plan::{HOUR_MS, MINUTE_MS, Outcome, Resolution, Step};
use super::simulation::History;

impl History {
    pub(super) async fn cancel(&mut self, now_ms: i64, number: usize) -> anyhow::Result<()> {
        let placed = &self.orders[number];
        let user = &self.customer(placed)?.user;
        self.shop.cancel_order(&user.id, placed.id.clone()).await?;
        self.expect_refund(now_ms);
        Ok(())
    }

    /// The gateway takes some seconds for a refund.
    fn expect_refund(&mut self, now_ms: i64) {
        for after_ms in [1_000, MINUTE_MS, 10 * MINUTE_MS] {
            self.timeline.add(now_ms + after_ms, Step::RunWorkers);
        }
    }

    pub(super) async fn set_status(
        &self,
        number: usize,
        status: OrderStatus,
    ) -> anyhow::Result<()> {
        let id = self.orders[number].id.clone();
        self.shop
            .set_order_status(&self.admin, id, status, StatusOptions::default())
            .await?;
        Ok(())
    }

    pub(super) async fn deliver(&mut self, now_ms: i64, number: usize) -> anyhow::Result<()> {
        self.set_status(number, OrderStatus::Delivered).await?;
        self.after_delivery(now_ms, number);
        Ok(())
    }

    pub(super) fn after_delivery(&mut self, now_ms: i64, number: usize) {
        self.expect_review(now_ms, number);
        match self.orders[number].outcome {
            Outcome::Problem(how) => {
                let reported_ms = now_ms + 2 * HOUR_MS;
                self.timeline.add(reported_ms, Step::ReportProblem(number));
                let resolved_ms = now_ms + 26 * HOUR_MS;
                self.timeline
                    .add(resolved_ms, Step::ResolveProblem(number, how));
            }
            Outcome::PartialRefund => {
                self.timeline
                    .add(now_ms + 20 * HOUR_MS, Step::RefundSome(number));
            }
            _ => {}
        }
    }

    pub(super) async fn report_problem(&mut self, number: usize) -> anyhow::Result<()> {
        let placed = &self.orders[number];
        let user = &self.customer(placed)?.user;
        let order = self.shop.order_visible_to(user, placed.id.clone()).await?;
        let Some(line) = order.lines.first() else {
            return Ok(());
        };
        let report = ProblemReport {
            message: "One pouch was torn, and the masala had spilled into the box.".into(),
            lines: vec![ProblemLine {
                product: line.product.clone(),
                packs: line.packs,
            }],
            images: Vec::new(),
        };
        let problem = self.shop.report_problem(user, order.id, report).await?;
        self.orders[number].problem = Some(problem.id);
        Ok(())
    }

    pub(super) async fn resolve_problem(
        &mut self,
        now_ms: i64,
        number: usize,
        how: Resolution,
    ) -> anyhow::Result<()> {
        let Some(problem) = self.orders[number].problem.clone() else {
            return Ok(());
        };
        let (resolution, message) = match how {
            Resolution::Replace => (
                ProblemResolution::Replace,
                "We are sorry. A new pack is on its way.",
            ),
            Resolution::Refund => (
                ProblemResolution::Refund(None),
                "We are sorry. The money is on its way.",
            ),
            Resolution::Decline => (
                ProblemResolution::Decline,
                "The photo of our packing table shows the pouch closed. Please call us.",
            ),
        };
        let resolving = self.shop.resolve_problem(
            &self.admin,
            problem,
            ProblemDecision {
                resolution,
                message: message.into(),
                even_if_repeated: true,
            },
        );
        let problem = resolving.await?;
        self.expect_refund(now_ms);
        if let Some(id) = problem.replacement_order_id {
            self.add_replacement(now_ms, number, id);
        }
        Ok(())
    }

    pub(super) async fn refund_some(&mut self, now_ms: i64, number: usize) -> anyhow::Result<()> {
        let input = RefundInput {
            selection: RefundSelection::Amount(Paise::new(4_000)),
            reason: "The parcel was late.".into(),
            restock: false,
            came_back: false,
            idempotency_key: None,
            seen: SeenOrder::default(),
            even_if_repeated: false,
        };
        let id = self.orders[number].id.clone();
        self.shop.refund_order(&self.admin, id, input).await?;
        self.expect_refund(now_ms);
        Ok(())
    }

    pub(super) async fn write_message(&self, number: usize) -> anyhow::Result<()> {
        let people::Message { person, text, .. } = people::MESSAGES[number];
        let person = people::person(person);
        let sent = self
            .shop
            .submit_contact_message(&person.name, &person.email, text);
        Ok(sent.await?)
    }

    pub(super) async fn reply_to_message(&self, number: usize) -> anyhow::Result<()> {
        let people::Message { text, reply, .. } = people::MESSAGES[number];
        let page = self.shop.messages(MessageState::Open, 0, 20).await?;
        let message = page
            .messages
            .into_iter()
            .find(|message| message.message == text);
        if let (Some(message), Some(reply)) = (message, reply) {
            self.shop
                .reply_to_message(&self.admin, message.id, reply, true)
                .await?;
        }
        Ok(())
    }
}
