//! Problems that customers report.

use mirasa_app::AppError;
use mirasa_app::orders::{ProblemDecision, ProblemPage, ProblemResolution, ProblemToDecide};
use mirasa_app::repository::orders::problems::ProblemFilter;
use mirasa_domain::order::short_id;
use mirasa_domain::problem::{Problem, ProblemState};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::orders::history_types::Viewer;
use crate::api::text::{ApiEnum, Text};
use crate::api::types::{Rupees, to_iso8601};
use crate::paths::PROBLEM_IMAGE;

pub type ProblemStateDto = Text<ProblemState>;

impl ApiEnum for ProblemState {
    const NAME: &'static str = "ProblemState";
}

#[derive(Serialize, ToSchema)]
#[schema(as = ProblemLine)]
pub struct ProblemLineDto {
    #[serde(rename = "productId")]
    pub product_id: String,
    pub qty_50g: u32,
    pub qty_100g: u32,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
#[serde(rename_all = "camelCase")]
pub struct ProblemDto {
    #[serde(rename = "_id")]
    pub id: String,
    pub order_id: String,
    pub message: String,
    pub lines: Vec<ProblemLineDto>,
    /// URLs. Only the customer and admins can read them.
    pub images: Vec<String>,
    pub state: ProblemStateDto,
    /// What the shop wrote.
    pub response: String,
    pub created_at: String,
    #[schema(required)]
    pub resolved_at: Option<String>,
    /// The email address of the admin, for admins.
    #[schema(required)]
    pub resolved_by: Option<String>,
    /// When the next step is due: a decision, the refund, or the replacement.
    #[schema(required)]
    pub due_at: Option<String>,
    #[schema(required)]
    pub refund_id: Option<String>,
    #[schema(required)]
    pub replacement_order_id: Option<String>,
}

impl ProblemDto {
    pub fn new(problem: Problem, viewer: Viewer) -> ProblemDto {
        let image = |file: &String| {
            let path = PROBLEM_IMAGE.replace("{id}", problem.order_id.as_str());
            path.replace("{file}", file)
        };
        ProblemDto {
            images: problem.images.iter().map(image).collect(),
            due_at: problem.due_at_ms().map(to_iso8601),
            state: problem.state.into(),
            created_at: to_iso8601(problem.created_at_ms),
            resolved_at: problem.resolved_at_ms.map(to_iso8601),
            resolved_by: problem.resolved_by.filter(|_| viewer == Viewer::Admin),
            lines: problem
                .lines
                .into_iter()
                .map(|line| ProblemLineDto {
                    product_id: line.product.0,
                    qty_50g: line.packs.of_50g,
                    qty_100g: line.packs.of_100g,
                })
                .collect(),
            id: problem.id.0,
            order_id: problem.order_id.0,
            message: problem.message,
            response: problem.response,
            refund_id: problem.refund_id.map(|id| id.0),
            replacement_order_id: problem.replacement_order_id.map(|id| id.0),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct ProblemResponse {
    pub problem: ProblemDto,
}

/// A problem with what an admin needs to decide about it.
#[derive(Serialize, ToSchema)]
#[schema(as = ListedProblem)]
#[serde(rename_all = "camelCase")]
pub struct ListedProblemDto {
    #[serde(flatten)]
    pub problem: ProblemDto,
    pub order_number: String,
    pub customer_name: String,
    pub customer_email: String,
    pub delivered_at: Option<String>,
    #[schema(value_type = f64)]
    pub order_total: Rupees,
    /// The names of the order's products, by their ids.
    pub product_names: std::collections::BTreeMap<String, String>,
    /// The replacement was delivered, the refund completed, or the report declined.
    pub settled: bool,
    pub overdue: bool,
    /// Packs of it were replaced or refunded before: when, and with which order.
    #[schema(required)]
    pub warning: Option<String>,
    /// The order whose payment a refund comes from. For a replacement, this is the first order.
    pub paid_order_id: String,
}

impl ListedProblemDto {
    fn new(found: ProblemToDecide, now_ms: i64) -> ListedProblemDto {
        let ProblemToDecide {
            listed,
            order,
            warning,
            paid_order_id,
        } = found;
        let due_at_ms = listed.problem.due_at_ms();
        ListedProblemDto {
            order_number: short_id(&order.id),
            warning,
            paid_order_id: paid_order_id.0,
            customer_name: listed.customer_name,
            customer_email: listed.customer_email,
            delivered_at: order.delivered_at_ms.map(to_iso8601),
            order_total: Rupees(order.state.total),
            product_names: order
                .lines
                .into_iter()
                .map(|line| (line.product.0, line.product_name))
                .collect(),
            settled: listed.is_settled,
            overdue: !listed.is_settled && due_at_ms.is_some_and(|due_at_ms| now_ms > due_at_ms),
            problem: ProblemDto::new(listed.problem, Viewer::Admin),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct ProblemPageResponse {
    pub problems: Vec<ListedProblemDto>,
    pub total: i64,
    /// Problems without a decision.
    pub open: i64,
    pub page: i64,
    pub pages: i64,
}

impl ProblemPageResponse {
    pub fn new(found: ProblemPage, now_ms: i64, page: i64, limit: i64) -> ProblemPageResponse {
        ProblemPageResponse {
            problems: found
                .problems
                .into_iter()
                .map(|found| ListedProblemDto::new(found, now_ms))
                .collect(),
            total: found.total,
            open: found.open,
            page,
            pages: ((found.total + limit - 1) / limit).max(1),
        }
    }
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
pub struct ProblemsQuery {
    /// `unsettled` (the default), `all`, or a problem's state.
    #[param(pattern = "^(unsettled|all|open|replaced|refunded|declined)?$")]
    pub state: String,
}

impl ProblemsQuery {
    pub fn filter(&self) -> Result<ProblemFilter, AppError> {
        match self.state.as_str() {
            "" | "unsettled" => Ok(ProblemFilter::Unsettled),
            "all" => Ok(ProblemFilter::All),
            other => ProblemState::parse(other)
                .map(ProblemFilter::State)
                .ok_or_else(|| {
                    AppError::invalid("state is not a problem's state").with_field("state")
                }),
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ProblemAction {
    Replace,
    Refund,
    Decline,
}

#[derive(Deserialize, ToSchema)]
pub struct ResolveProblemRequest {
    pub action: ProblemAction,
    /// For the customer. Required to decline.
    #[serde(default)]
    pub message: String,
    /// For a refund of another amount than that of the packs.
    #[schema(value_type = Option<f64>)]
    pub amount: Option<Rupees>,
    /// Required to replace or refund where the problem has a `warning`.
    #[serde(default, rename = "evenIfRepeated")]
    pub even_if_repeated: bool,
}

impl ResolveProblemRequest {
    pub fn decision(self) -> ProblemDecision {
        ProblemDecision {
            resolution: match self.action {
                ProblemAction::Replace => ProblemResolution::Replace,
                ProblemAction::Refund => {
                    ProblemResolution::Refund(self.amount.map(|amount| amount.0))
                }
                ProblemAction::Decline => ProblemResolution::Decline,
            },
            message: self.message,
            even_if_repeated: self.even_if_repeated,
        }
    }
}
