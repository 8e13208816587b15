//! The customer reports a problem with a delivered order.

use mirasa_domain::order::{Order, OrderId};
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::problem::{MAX_PROBLEM_IMAGES, Problem, ProblemLine, ProblemState};
use mirasa_domain::user::User;
use mirasa_domain::validation;

use crate::emails::{self, OrderEmail};
use crate::orders::order_not_found;
use crate::ports::images::ImageFolder;
use crate::runtime::failpoints::failpoint;
use crate::{AppError, ErrorCode, Shop};

pub(super) const MAX_MESSAGE_CHARS: usize = 2000;

/// What a customer reports.
#[derive(Debug, Clone)]
pub struct ProblemReport {
    pub message: String,
    pub lines: Vec<ProblemLine>,
    /// Names of images that have been stored.
    pub images: Vec<String>,
}

impl Shop {
    /// The order, if its customer may report a problem now. Checked before images are read and again with the report.
    pub async fn reportable_order(&self, user: &User, id: OrderId) -> Result<Order, AppError> {
        let order = self.order_visible_to(user, id).await?;
        check_reportable(&order, user, self.now_ms())?;
        Ok(order)
    }

    /// Stores one photo of a problem and returns its name.
    pub async fn store_problem_image(&self, bytes: Vec<u8>) -> Result<String, AppError> {
        let name = format!("{}.webp", self.ids.new_id());
        let stored = self
            .images
            .import(ImageFolder::Problems, &name, true, bytes)
            .await;
        Ok(stored.map_err(|error| error.for_field("images"))?.file)
    }

    /// If the report cannot be saved, its images are deleted.
    pub async fn report_problem(
        &self,
        user: &User,
        order_id: OrderId,
        report: ProblemReport,
    ) -> Result<Problem, AppError> {
        let images = report.images.clone();
        let saved = self.save_problem(user, order_id, report).await;
        if saved.is_err() {
            self.delete_problem_images(&images).await;
        }
        saved
    }

    async fn save_problem(
        &self,
        user: &User,
        order_id: OrderId,
        report: ProblemReport,
    ) -> Result<Problem, AppError> {
        let message = validation::multi_line("message", &report.message, MAX_MESSAGE_CHARS)?;
        if message.is_empty() {
            return Err(AppError::invalid("message is required").with_field("message"));
        }
        if report.images.len() > MAX_PROBLEM_IMAGES {
            let message = format!("At most {MAX_PROBLEM_IMAGES} photos");
            return Err(AppError::invalid(message).with_field("images"));
        }
        let (shop, user, now_ms) = (self.clone(), user.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                let order = shop.lock_and_read_order(tx, &order_id).await?;
                check_reportable(&order, &user, now_ms)?;
                check_lines(&order, &report.lines)?;
                let problems = tx.problems_of(std::slice::from_ref(&order_id)).await?;
                if problems.iter().any(|one| one.state == ProblemState::Open) {
                    return Err(AppError::new(
                        ErrorCode::ProblemAlreadyReported,
                        "You have reported a problem with this order. We are looking into it.",
                    ));
                }
                let problem = Problem {
                    id: shop.ids.new_id().into(),
                    order_id: order_id.clone(),
                    message,
                    lines: report.lines,
                    images: report.images,
                    state: ProblemState::Open,
                    response: String::new(),
                    created_at_ms: now_ms,
                    resolved_at_ms: None,
                    resolved_by: None,
                    refund_id: None,
                    replacement_order_id: None,
                    is_repeated: None,
                };
                tx.insert_problem(&problem).await?;
                let (kind, actor) = (OrderEventKind::ProblemReported, Actor::Customer);
                shop.record_event(tx, &order_id, kind, actor, String::new())
                    .await?;
                let email = OrderEmail::ProblemReported(problem.clone());
                emails::enqueue(&shop, tx, &order, email).await?;
                failpoint("reporting a problem");
                Ok::<_, AppError>(problem)
            })
            .await
    }

    /// Failures are only logged: nothing refers to the images.
    pub async fn delete_problem_images(&self, files: &[String]) {
        for file in files {
            if let Err(error) = self.images.delete(ImageFolder::Problems, file).await {
                let error = format!("{error:#}");
                tracing::error!(file, error, "a photo of a problem could not be deleted");
            }
        }
    }
}

fn check_reportable(order: &Order, user: &User, now_ms: i64) -> Result<(), AppError> {
    if order.user != user.id {
        return Err(order_not_found());
    }
    match order.reportable_until_ms() {
        Some(until_ms) if now_ms <= until_ms => Ok(()),
        Some(_) => Err(AppError::new(
            ErrorCode::ReportPeriodOver,
            "A problem can be reported on the day of the delivery. Please contact us.",
        )),
        None => Err(AppError::new(
            ErrorCode::OrderNotDelivered,
            "A problem can be reported when the order has been delivered.",
        )),
    }
}

fn check_lines(order: &Order, lines: &[ProblemLine]) -> Result<(), AppError> {
    let invalid = |text: String| AppError::invalid(text).with_field("lines");
    if lines.iter().all(|line| line.packs.is_empty()) {
        return Err(invalid("Choose the packs that have a problem".into()));
    }
    for (at, line) in lines.iter().enumerate() {
        let ordered = order.lines.iter().find(|one| one.product == line.product);
        let is_repeated = lines[..at].iter().any(|one| one.product == line.product);
        let fits = ordered.is_some_and(|one| one.packs.checked_sub(line.packs).is_some());
        if is_repeated || !fits {
            let product = &line.product.0;
            return Err(invalid(format!(
                "The order does not have these packs of {product}"
            )));
        }
    }
    Ok(())
}
