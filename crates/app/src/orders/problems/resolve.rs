//! Problems with a delivered order: the customer reports one, an admin replaces the items, refunds them or declines.

use mirasa_domain::audit::AdminAction;
use mirasa_domain::cart::CartError;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{
    Order, OrderId, OrderLine, OrderState, OrderStatus, PaymentStatus, short_id,
};
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::payment::AttemptId;
use mirasa_domain::problem::{MAX_PROBLEM_IMAGES, Problem, ProblemId, ProblemLine, ProblemState};
use mirasa_domain::product::ProductId;
use mirasa_domain::refund_plan::RefundSelection;
use mirasa_domain::stock::Stock;
use mirasa_domain::user::User;
use mirasa_domain::validation;

use crate::emails::{self, OrderEmail};
use crate::orders::order_not_found;
use crate::orders::repeated_problems::EarlierDecisions;
use crate::ports::images::ImageFolder;
use crate::repository::Transaction;
use crate::repository::orders::problems::{ListedProblem, ProblemFilter};
use crate::runtime::failpoints::failpoint;
use crate::{AppError, ErrorCode, Shop};

const MAX_MESSAGE_CHARS: usize = 2000;

/// What a customer reports.
#[derive(Debug, Clone)]
pub struct ProblemReport {
    pub message: String,
    pub lines: Vec<ProblemLine>,
    /// Names of images that have been stored.
    pub images: Vec<String>,
}

/// What an admin does about a problem.
#[derive(Debug, Clone)]
pub enum ProblemResolution {
    Replace,
    /// The packs of the problem, or another amount.
    Refund(Option<Paise>),
    Decline,
}

#[derive(Debug, Clone)]
pub struct ProblemDecision {
    pub resolution: ProblemResolution,
    /// For the customer.
    pub message: String,
    /// The admin knows that packs were replaced or refunded before.
    pub even_if_repeated: bool,
}

/// A problem with what an admin needs to decide about it.
#[derive(Debug)]
pub struct ProblemToDecide {
    pub listed: ListedProblem,
    pub order: Order,
    /// Packs of an open problem were replaced or refunded before.
    pub warning: Option<String>,
    /// The order whose payment is refunded: for a replacement, the first order.
    pub paid_order_id: OrderId,
}

/// A page of the admin's list.
#[derive(Debug)]
pub struct ProblemPage {
    pub problems: Vec<ProblemToDecide>,
    pub total: i64,
    /// Problems without a decision.
    pub open: i64,
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

    pub async fn problems(
        &self,
        filter: ProblemFilter,
        offset: i64,
        limit: i64,
    ) -> Result<ProblemPage, AppError> {
        self.db
            .read(async move |db| {
                let listed = db.problems_page(filter, offset, limit).await?;
                let ids: Vec<_> = listed
                    .iter()
                    .map(|listed| listed.problem.order_id.clone())
                    .collect();
                let orders = db.orders_by_id(&ids).await?;
                let earlier = EarlierDecisions::read(db, &ids).await?;
                let problems = listed.into_iter().filter_map(|listed| {
                    let id = &listed.problem.order_id;
                    let order = orders.iter().find(|order| order.id == *id)?.clone();
                    let is_open = listed.problem.state == ProblemState::Open;
                    let warning = is_open.then(|| earlier.warning(&listed.problem));
                    Some(ProblemToDecide {
                        warning: warning.flatten(),
                        paid_order_id: earlier.paid_order_for(&order.id).to_owned(),
                        listed,
                        order,
                    })
                });
                Ok(ProblemPage {
                    problems: problems.collect(),
                    total: db.count_problems(filter).await?,
                    open: db
                        .count_problems(ProblemFilter::State(ProblemState::Open))
                        .await?,
                })
            })
            .await
    }

    /// Resolves an open problem, once.
    pub async fn resolve_problem(
        &self,
        admin: &User,
        id: ProblemId,
        decision: ProblemDecision,
    ) -> Result<Problem, AppError> {
        let ProblemDecision {
            resolution,
            message,
            even_if_repeated,
        } = decision;
        let message = match resolution {
            ProblemResolution::Decline => {
                validation::required("message", &message, MAX_MESSAGE_CHARS)?
            }
            _ => validation::multi_line("message", &message, MAX_MESSAGE_CHARS)?,
        };
        let (shop, admin) = (self.clone(), admin.clone());
        let (problem, left) = self
            .db
            .write(async move |tx| {
                let found = tx.problem(&id).await?.ok_or_else(problem_not_found)?;
                let order = shop.lock_and_read_order(tx, &found.order_id).await?;
                // Read again: another admin may have resolved it before the order was locked.
                let mut problem = tx.problem(&id).await?.ok_or_else(problem_not_found)?;
                if problem.state != ProblemState::Open {
                    return Err(AppError::new(
                        ErrorCode::ProblemResolved,
                        "This problem has been resolved already.",
                    ));
                }
                let ids = std::slice::from_ref(&order.id);
                let warning = EarlierDecisions::read(tx, ids).await?.warning(&problem);
                let is_declined = matches!(resolution, ProblemResolution::Decline);
                if let Some(warning) = warning.as_ref().filter(|_| !even_if_repeated)
                    && !is_declined
                {
                    return Err(AppError::new(ErrorCode::ProblemRepeated, warning));
                }
                problem.is_repeated = Some(warning.is_some());
                let packs: Vec<_> = problem
                    .lines
                    .iter()
                    .map(|line| (line.product.clone(), line.packs))
                    .collect();
                let mut left = Vec::new();
                let outcome = match resolution {
                    ProblemResolution::Decline => {
                        problem.state = ProblemState::Declined;
                        "Your report was declined".to_owned()
                    }
                    ProblemResolution::Refund(amount) => {
                        let selection =
                            amount.map_or(RefundSelection::Packs(packs), RefundSelection::Amount);
                        let (reason, actor) = (
                            "Problem with the delivery",
                            Actor::Admin(admin.email.clone()),
                        );
                        let paid = shop.paid_order_for(tx, &order).await?;
                        let requested = shop
                            .request_refund(tx, &paid, selection, reason, actor)
                            .await?;
                        problem.state = ProblemState::Refunded;
                        problem.refund_id = requested.refund.as_ref().map(|one| one.id.clone());
                        match paid.id == order.id {
                            true => requested.to_string(),
                            false => format!("{requested} of order {}", short_id(&paid.id)),
                        }
                    }
                    ProblemResolution::Replace => {
                        let replacement;
                        (replacement, left) =
                            shop.place_replacement(tx, &order, &packs, &admin).await?;
                        let number = short_id(&replacement.id);
                        problem.state = ProblemState::Replaced;
                        problem.replacement_order_id = Some(replacement.id);
                        format!("We send a replacement, order {number}")
                    }
                };
                problem.response = message;
                problem.resolved_at_ms = Some(shop.now_ms());
                problem.resolved_by = Some(admin.email.clone());
                tx.resolve_problem(&problem).await?;
                let (kind, actor) = (
                    OrderEventKind::ProblemResolved,
                    Actor::Admin(admin.email.clone()),
                );
                shop.record_event(tx, &order.id, kind, actor, outcome.clone())
                    .await?;
                let action = AdminAction::ProblemResolved;
                shop.audit(tx, &admin, action, &order.id, outcome.clone())
                    .await?;
                let email = OrderEmail::ProblemResolved {
                    outcome,
                    message: problem.response.clone(),
                };
                emails::enqueue(&shop, tx, &order, email).await?;
                failpoint("resolving a problem");
                Ok::<_, AppError>((problem, left))
            })
            .await?;
        self.show_released(&left);
        Ok(problem)
    }

    /// The order whose payment is refunded: for a replacement, the first order. The caller has locked the customer and the
    /// order.
    async fn paid_order_for(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
    ) -> Result<Order, AppError> {
        let ids = std::slice::from_ref(&order.id);
        match tx.original_orders_of(ids).await?.pop() {
            Some((_, original)) => self.lock_and_read_order(tx, &original).await,
            None => Ok(order.clone()),
        }
    }

    /// A new order without charge for these packs, to the same address. It takes its stock now.
    async fn place_replacement(
        &self,
        tx: &mut dyn Transaction,
        original: &Order,
        packs: &[(ProductId, Packs)],
        admin: &User,
    ) -> Result<(Order, Vec<(ProductId, Stock)>), AppError> {
        let (now_ms, ids): (i64, Vec<_>) = (
            self.now_ms(),
            packs.iter().map(|(id, _)| id.clone()).collect(),
        );
        tx.lock_products(&ids).await?;
        let products = self.products_to_sell(tx, &ids).await?;
        let mut left = Vec::new();
        let mut lines = Vec::new();
        for (id, packs) in packs {
            let ordered = original.lines.iter().find(|line| line.product == *id);
            let ordered = ordered.ok_or_else(order_not_found)?;
            let product = products.iter().find(|product| product.id == *id);
            if let Some(product) = product {
                let sellable = product.sellable();
                sellable.check_available(*packs).map_err(CartError::from)?;
            }
            let stock = product.map(|product| product.stock).unwrap_or_default();
            let stock = stock.checked_sub(*packs).map_err(CartError::from)?;
            left.push((id.clone(), stock));
            let free = |count: u32| (count > 0).then_some(Paise::ZERO);
            lines.push(OrderLine {
                packs: *packs,
                prices: Prices {
                    of_50g: free(packs.of_50g),
                    of_100g: free(packs.of_100g),
                },
                discount: Paise::ZERO,
                total: Paise::ZERO,
                restocked: Packs::ZERO,
                ..ordered.clone()
            });
        }
        let id = self.ids.new_id();
        let order = Order {
            merchant_order_id: AttemptId::from_unique(&id),
            id: OrderId(id),
            user: original.user.clone(),
            state: OrderState {
                total: Paise::ZERO,
                payment_status: PaymentStatus::Completed,
                order_status: OrderStatus::Confirmed,
                stock_reserved: true,
                end_reason: None,
            },
            payment_error: None,
            paid_by_attempt: None,
            address: original.address.clone(),
            expires_at_ms: now_ms,
            created_at_ms: now_ms,
            updated_at_ms: now_ms,
            deleted_at_ms: None,
            delivered_at_ms: None,
            packed_at_ms: None,
            version: 0,
            sends_refunded: false,
            replaces_order_id: Some(original.id.clone()),
            discount: None,
            lines,
        };
        tx.insert_order(&order).await?;
        tx.reserve_stock(&order.id, &order.lines, now_ms).await?;
        let detail = format!("Replacement for order {}", short_id(&original.id));
        let actor = Actor::Admin(admin.email.clone());
        self.record_event(tx, &order.id, OrderEventKind::Replaced, actor, detail)
            .await?;
        Ok((order, left))
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

fn problem_not_found() -> AppError {
    AppError::not_found("There is no such problem")
}
