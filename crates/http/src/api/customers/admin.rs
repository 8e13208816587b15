//! Users and the audit log.

use axum::extract::{Path, State};
use mirasa_app::AppError;
use mirasa_domain::user::{Role, UserId};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::customers::admin_types::{UpdateUserRequest, UsersResponse};
use crate::api::customers::types::{UserDto, UserResponse};
use crate::api::reports::audit_types::{AuditEntryDto, AuditResponse};
use crate::api::types::SuccessResponse;
use crate::error::ApiResult;
use crate::extract::json::Json;
use crate::extract::pagination::PageQuery;
use crate::extract::query::Query;
use crate::guard::access::CurrentUser;
use crate::state::AppState;

#[derive(Deserialize, IntoParams)]
pub struct UsersQuery {
    /// Part of a name or e-mail address.
    #[serde(default)]
    search: String,
}

pub async fn list(
    State(state): State<AppState>,
    Query(query): Query<UsersQuery>,
    Query(part): Query<PageQuery>,
) -> ApiResult<Json<UsersResponse>> {
    let page = part.page()?;
    let (users, more) = state
        .shop
        .find_users(query.search, page.skip(), page.limit)
        .await?;
    let users = users.into_iter().map(UserDto::from).collect();
    Ok(Json(UsersResponse { users, more }))
}

pub async fn update(
    State(state): State<AppState>,
    CurrentUser(who): CurrentUser,
    Path(id): Path<String>,
    Json(body): Json<UpdateUserRequest>,
) -> ApiResult<Json<UserResponse>> {
    let role = body
        .role
        .map(|role| {
            Role::parse(&role).ok_or_else(|| {
                AppError::invalid("role must be customer or admin").with_field("role")
            })
        })
        .transpose()?;
    let user = state
        .shop
        .update_user(&who, UserId(id), body.name, body.phone, role)
        .await?;
    Ok(Json(UserResponse { user: user.into() }))
}

pub async fn delete(
    State(state): State<AppState>,
    CurrentUser(who): CurrentUser,
    Path(id): Path<String>,
) -> ApiResult<Json<SuccessResponse>> {
    state.shop.delete_user(&who, UserId(id)).await?;
    Ok(Json(SuccessResponse { success: true }))
}

#[derive(Deserialize, IntoParams)]
pub struct AuditQuery {
    /// The id of a product, an order or a user.
    about: String,
}

pub async fn audit(
    State(state): State<AppState>,
    Query(query): Query<AuditQuery>,
) -> ApiResult<Json<AuditResponse>> {
    let entries = state
        .shop
        .audit_log_for(query.about)
        .await?
        .into_iter()
        .map(AuditEntryDto::from)
        .collect();
    Ok(Json(AuditResponse { entries }))
}
