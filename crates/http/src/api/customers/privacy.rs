//! Data export and account deletion.

use axum::extract::State;
use http::{HeaderName, HeaderValue, header};

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
) -> ApiResult<([(HeaderName, String); 2], Json<UserDataResponse>)> {
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
    Ok((headers, Json(data)))
}

pub async fn forget(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
) -> ApiResult<([(HeaderName, HeaderValue); 1], Json<SuccessResponse>)> {
    state.shop.delete_account(&user.id).await?;
    let cookie = cookies::clear(&state.settings, Cookie::Session);
    let headers = [(header::SET_COOKIE, cookie)];
    Ok((headers, Json(SuccessResponse { success: true })))
}
