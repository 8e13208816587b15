//! The contact form.

use axum::extract::State;

use crate::api::messages::types::ContactRequest;
use crate::api::types::MessageResponse;
use crate::error::ApiResult;
use crate::extract::json::{Created, Json};
use crate::state::AppState;

pub async fn submit(
    State(state): State<AppState>,
    Json(body): Json<ContactRequest>,
) -> ApiResult<Created<MessageResponse>> {
    state
        .shop
        .submit_contact_message(&body.name, &body.email, &body.message)
        .await?;
    let message = "Your message has been sent successfully!".to_owned();
    Ok(Created(MessageResponse {
        success: true,
        message,
    }))
}
