//! Problems that customers reported: the list, and what is done about one.

use axum::extract::{Path, State};
use mirasa_domain::problem::ProblemId;

use crate::api::orders::history_types::Viewer;
use crate::api::orders::problem_types::{
    ProblemDto, ProblemPageResponse, ProblemResponse, ProblemsQuery, ResolveProblemRequest,
};
use crate::error::ApiResult;
use crate::extract::json::Json;
use crate::extract::pagination::PageQuery;
use crate::extract::query::Query;
use crate::guard::access::CurrentUser;
use crate::state::AppState;

pub async fn list(
    State(state): State<AppState>,
    Query(query): Query<ProblemsQuery>,
    Query(part): Query<PageQuery>,
) -> ApiResult<Json<ProblemPageResponse>> {
    let (filter, page) = (query.filter()?, part.page()?);
    let found = state.shop.problems(filter, page.skip(), page.limit).await?;
    let now_ms = state.shop.now_ms();
    Ok(Json(ProblemPageResponse::new(
        found,
        now_ms,
        page.number,
        page.limit,
    )))
}

pub async fn resolve(
    State(state): State<AppState>,
    CurrentUser(admin): CurrentUser,
    Path(id): Path<ProblemId>,
    Json(body): Json<ResolveProblemRequest>,
) -> ApiResult<Json<ProblemResponse>> {
    let problem = state
        .shop
        .resolve_problem(&admin, id, body.decision())
        .await?;
    let problem = ProblemDto::new(problem, Viewer::Admin);
    Ok(Json(ProblemResponse { problem }))
}
