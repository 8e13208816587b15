//! An admin reads the reported problems, and replaces the items, refunds them or declines.

use mirasa_domain::audit::AdminAction;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderId, short_id};
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::problem::{Problem, ProblemId, ProblemState};
use mirasa_domain::refund_plan::RefundSelection;
use mirasa_domain::user::User;
use mirasa_domain::validation;

use crate::emails::{self, OrderEmail};
use crate::orders::problems::repeated::EarlierDecisions;
use crate::orders::problems::report::MAX_MESSAGE_CHARS;
use crate::repository::orders::problems::{ListedProblem, ProblemFilter};
use crate::runtime::failpoints::failpoint;
use crate::{AppError, ErrorCode, Shop};

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
}

fn problem_not_found() -> AppError {
    AppError::not_found("There is no such problem")
}
