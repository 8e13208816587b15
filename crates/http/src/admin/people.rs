//! Managing people, and the trail of every deed.

use axum::extract::{Path, Query, State};
use mirasa_app::AppError;
use mirasa_domain::user::{Role, UserId};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::access::Me;
use crate::admin::page::PageQuery;
use crate::error::Answer;
use crate::json::Json;
use crate::site::Site;
use crate::wire::Done;
use crate::wire::admin::{AuditAnswer, AuditEntryWire, UserBody, UsersAnswer};
use crate::wire::people::{UserAnswer, UserWire};

#[derive(Deserialize, IntoParams)]
pub struct UsersQuery {
    /// Part of a name or e-mail address.
    #[serde(default)]
    search: String,
}

pub async fn list(
    State(site): State<Site>,
    Query(query): Query<UsersQuery>,
    Query(part): Query<PageQuery>,
) -> Answer<Json<UsersAnswer>> {
    let page = part.page()?;
    let (users, more) = site
        .shop
        .find_users(query.search, page.skip(), page.limit)
        .await?;
    let users = users.into_iter().map(UserWire::from).collect();
    Ok(Json(UsersAnswer { users, more }))
}

pub async fn update(
    State(site): State<Site>,
    Me(who): Me,
    Path(id): Path<String>,
    Json(body): Json<UserBody>,
) -> Answer<Json<UserAnswer>> {
    let role = body
        .role
        .map(|role| {
            Role::parse(&role).ok_or_else(|| AppError::invalid("role must be customer or admin"))
        })
        .transpose()?;
    let user = site
        .shop
        .update_user(&who, UserId(id), body.name, body.phone, role)
        .await?;
    Ok(Json(UserAnswer { user: user.into() }))
}

pub async fn delete(
    State(site): State<Site>,
    Me(who): Me,
    Path(id): Path<String>,
) -> Answer<Json<Done>> {
    site.shop.delete_user(&who, UserId(id)).await?;
    Ok(Json(Done { success: true }))
}

#[derive(Deserialize, IntoParams)]
pub struct AuditQuery {
    /// The id of a product, an order or a person.
    about: String,
}

pub async fn audit(
    State(site): State<Site>,
    Query(query): Query<AuditQuery>,
) -> Answer<Json<AuditAnswer>> {
    let entries = site
        .shop
        .audit_log_for(query.about)
        .await?
        .into_iter()
        .map(AuditEntryWire::from)
        .collect();
    Ok(Json(AuditAnswer { entries }))
}
