//! Whether the session is signed in, and as which user.

use axum::extract::State;
use http::HeaderMap;

use crate::api::customers::types::{AuthResponse, UserResponse};
use crate::error::ApiResult;
use crate::extract::cookies::{self, Cookie};
use crate::extract::json::Json;
use crate::guard::access::CurrentUser;
use crate::state::AppState;

pub async fn check(
    State(state): State<AppState>,
    headers: HeaderMap,
) -> ApiResult<Json<AuthResponse>> {
    let authenticated = match cookies::read(&state.settings, &headers, Cookie::Session) {
        Some(session) => state.shop.user_for_session(&session).await?.is_some(),
        None => false,
    };
    Ok(Json(AuthResponse { authenticated }))
}

pub async fn show_user(CurrentUser(user): CurrentUser) -> Json<UserResponse> {
    Json(UserResponse { user: user.into() })
}
