//! What waits for an admin.

use axum::extract::State;

use crate::api::reports::to_do_types::{FailedEmailDto, FailedEmailsResponse, ToDoResponse};
use crate::error::ApiResult;
use crate::extract::json::Json;
use crate::state::AppState;

pub async fn get(State(state): State<AppState>) -> ApiResult<Json<ToDoResponse>> {
    let shop = &state.shop;
    let to_do = shop.to_do().await?;
    let unscanned_days = shop.settings.shipping.unscanned_days;
    let has_partner = shop.courier.is_some();
    Ok(Json(ToDoResponse::new(to_do, unscanned_days, has_partner)))
}

pub async fn failed_emails(State(state): State<AppState>) -> ApiResult<Json<FailedEmailsResponse>> {
    let emails = state.shop.failed_emails().await?.into_iter();
    Ok(Json(FailedEmailsResponse {
        emails: emails.map(FailedEmailDto::from).collect(),
    }))
}
