//! Contact messages.

use axum::extract::{Path, State};
use mirasa_app::AppError;
use mirasa_domain::message::{MessageId, MessageState};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::messages::types::{
    ContactMessageDto, ContactMessagePageResponse, ContactMessageResponse, MessageReplyRequest,
    UpdateMessageRequest,
};
use crate::error::ApiResult;
use crate::extract::json::Json;
use crate::extract::pagination::PageQuery;
use crate::extract::query::Query;
use crate::guard::access::CurrentUser;
use crate::state::AppState;

#[derive(Deserialize, IntoParams)]
pub struct MessagesQuery {
    /// open (not done), unread, done or all; open if it is empty.
    #[serde(default)]
    #[param(pattern = "^(open|unread|done|all)?$")]
    state: String,
}

impl MessagesQuery {
    fn state(&self) -> Result<MessageState, AppError> {
        if self.state.is_empty() {
            return Ok(MessageState::default());
        }
        MessageState::parse(&self.state).ok_or_else(|| {
            AppError::invalid("state must be open, unread, done or all").with_field("state")
        })
    }
}

pub async fn list(
    State(state): State<AppState>,
    Query(query): Query<MessagesQuery>,
    Query(part): Query<PageQuery>,
) -> ApiResult<Json<ContactMessagePageResponse>> {
    let page = part.page()?;
    let found = state
        .shop
        .messages(query.state()?, page.skip(), page.limit)
        .await?;
    Ok(Json(ContactMessagePageResponse {
        messages: found
            .messages
            .into_iter()
            .map(ContactMessageDto::from)
            .collect(),
        total: found.total,
        unread: found.unread,
        page: page.number,
        pages: ((found.total + page.limit - 1) / page.limit).max(1),
    }))
}

pub async fn get(
    State(state): State<AppState>,
    Path(id): Path<MessageId>,
) -> ApiResult<Json<ContactMessageResponse>> {
    let message = state.shop.message(id).await?.into();
    Ok(Json(ContactMessageResponse { message }))
}

pub async fn update(
    State(state): State<AppState>,
    CurrentUser(who): CurrentUser,
    Path(id): Path<MessageId>,
    Json(body): Json<UpdateMessageRequest>,
) -> ApiResult<Json<ContactMessageResponse>> {
    let message = state
        .shop
        .set_message_state(&who, id, body.read, body.done)
        .await?
        .into();
    Ok(Json(ContactMessageResponse { message }))
}

pub async fn reply(
    State(state): State<AppState>,
    CurrentUser(who): CurrentUser,
    Path(id): Path<MessageId>,
    Json(body): Json<MessageReplyRequest>,
) -> ApiResult<Json<ContactMessageResponse>> {
    let message = state
        .shop
        .reply_to_message(&who, id, &body.text, body.done)
        .await?
        .into();
    Ok(Json(ContactMessageResponse { message }))
}
