//! The contact form.

use axum::extract::State;
use http::StatusCode;

use crate::error::Answer;
use crate::json::Json;
use crate::site::Site;
use crate::wire::DoneWithMessage;
use crate::wire::people::QueryBody;

pub async fn keep(
    State(site): State<Site>,
    Json(body): Json<QueryBody>,
) -> Answer<(StatusCode, Json<DoneWithMessage>)> {
    site.shop
        .submit_contact_message(&body.name, &body.email, &body.message)
        .await?;
    let message = "Your message has been sent successfully!".to_owned();
    Ok((
        StatusCode::CREATED,
        Json(DoneWithMessage {
            success: true,
            message,
        }),
    ))
}
