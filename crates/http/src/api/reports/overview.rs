//! The overview of the shop.

use axum::extract::State;

use crate::api::reports::overview_types::{OverviewQuery, OverviewResponse};
use crate::error::ApiResult;
use crate::extract::json::Json;
use crate::extract::query::Query;
use crate::state::AppState;

pub async fn get(
    State(state): State<AppState>,
    Query(query): Query<OverviewQuery>,
) -> ApiResult<Json<OverviewResponse>> {
    let days = state.shop.overview_days(&query.from, &query.to)?;
    Ok(Json(state.shop.overview(days).await?.into()))
}
