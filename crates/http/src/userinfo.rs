//! Whether somebody is signed in, and who.

use axum::extract::State;
use http::HeaderMap;

use crate::cookies::{self, Cookie};
use crate::error::Answer;
use crate::json::Json;
use crate::site::Site;
use crate::wire::people::AuthAnswer;

pub async fn check(State(site): State<Site>, headers: HeaderMap) -> Answer<Json<AuthAnswer>> {
    let authenticated = match cookies::read(&site, &headers, Cookie::Session) {
        Some(session) => site.shop.user_for_session(&session).await?.is_some(),
        None => false,
    };
    Ok(Json(AuthAnswer { authenticated }))
}
