//! Data export and account deletion.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header;

use crate::api::customers::privacy_types::UserDataResponse;
use crate::api::types::{SuccessResponse, to_iso8601};
use crate::error::ApiResult;
use crate::extract::cookies::{self, Cookie};
use crate::extract::json::Json;
use crate::guard::access::CurrentUser;
use crate::state::AppState;

/// One file, as a download.
pub async fn export(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
) -> ApiResult<Response> {
    let now_ms = state.shop.now_ms();
    let export = state.shop.export_user_data(&user).await?;
    let day = to_iso8601(now_ms).chars().take(10).collect::<String>();
    let headers = [
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"my-data_{day}.json\""),
        ),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    let data = UserDataResponse::new(export, &state.shop.catalogue.snapshot(), now_ms);
    Ok((headers, Json(data)).into_response())
}

pub async fn forget(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
) -> ApiResult<Response> {
    state.shop.delete_account(&user.id).await?;
    let cookie = cookies::clear(&state.settings, Cookie::Session);
    Ok((
        [(header::SET_COOKIE, cookie)],
        Json(SuccessResponse { success: true }),
    )
        .into_response())
}
