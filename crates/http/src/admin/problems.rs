//! Problems that customers reported: the list, and what is done about one.

use axum::extract::{Path, State};

use crate::access::CurrentUser;
use crate::admin::pagination::PageQuery;
use crate::dto::order_history::Viewer;
use crate::dto::problem::{
    ProblemDto, ProblemPageResponse, ProblemResponse, ProblemsQuery, ResolveProblemRequest,
};
use crate::error::ApiResult;
use crate::json::Json;
use crate::query::Query;
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
    Path(id): Path<String>,
    Json(body): Json<ResolveProblemRequest>,
) -> ApiResult<Json<ProblemResponse>> {
    let problem = state
        .shop
        .resolve_problem(&admin, id, body.decision())
        .await?;
    let problem = ProblemDto::new(problem, Viewer::Admin);
    Ok(Json(ProblemResponse { problem }))
}
