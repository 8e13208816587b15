//! The profile.

use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mirasa_app::{AppError, ErrorCode};
use mirasa_domain::user::Profile;

use crate::api::customers::types::{ProfilePictureRequest, ProfileRequest, UserResponse};
use crate::error::ApiResult;
use crate::extract::gated_json::GatedJson;
use crate::extract::json::Json;
use crate::guard::access::CurrentUser;
use crate::state::AppState;

pub async fn show(CurrentUser(user): CurrentUser) -> Json<UserResponse> {
    Json(UserResponse { user: user.into() })
}

pub async fn update(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    Json(body): Json<ProfileRequest>,
) -> ApiResult<Json<UserResponse>> {
    let text = |field: &Option<String>| field.clone().unwrap_or_default();
    let profile = Profile::parse(
        &body.name,
        &text(&body.phone),
        &text(&body.date_of_birth),
        &text(&body.gender),
    )
    .map_err(AppError::from)?;
    let user = state.shop.update_profile(&user.id, profile).await?;
    Ok(Json(UserResponse { user: user.into() }))
}

pub async fn set_picture(
    State(state): State<AppState>,
    CurrentUser(user): CurrentUser,
    GatedJson { body, body_memory }: GatedJson<ProfilePictureRequest>,
) -> ApiResult<Json<UserResponse>> {
    let not_a_picture = || {
        AppError::new(
            ErrorCode::NotAnImage,
            "profilePicture must be a data: address of a picture",
        )
        .with_field("profilePicture")
    };
    let (kind, data) = body
        .profile_picture
        .split_once(";base64,")
        .ok_or_else(not_a_picture)?;
    if !kind.starts_with("data:image/") {
        return Err(not_a_picture().into());
    }
    let bytes = STANDARD.decode(data).map_err(|_| not_a_picture())?;
    drop(body);
    let saving = tokio::spawn(async move {
        let _body_memory = body_memory;
        state.shop.set_profile_picture(&user.id, bytes).await
    });
    let user = saving.await.map_err(AppError::internal)??;
    Ok(Json(UserResponse { user: user.into() }))
}
