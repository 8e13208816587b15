//! "Tell me": an email when a sold-out product can be bought again.

use axum::extract::{Path, State};
use http::HeaderMap;
use mirasa_domain::product::ProductId;

use crate::api::stock::notice_types::{StockNoticeRequest, StopStockNoticesRequest};
use crate::api::types::MessageResponse;
use crate::error::ApiResult;
use crate::extract::cookies::{self, Cookie};
use crate::extract::json::Json;
use crate::state::AppState;

/// Open to everyone; a session only decides which address is used.
pub async fn request(
    State(state): State<AppState>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(body): Json<StockNoticeRequest>,
) -> ApiResult<Json<MessageResponse>> {
    let user = match cookies::read(&state.settings, &headers, Cookie::Session) {
        Some(session) => state.shop.user_for_session(&session).await?,
        None => None,
    };
    state
        .shop
        .request_stock_notice(&ProductId(id), user.as_ref(), &body.email)
        .await?;
    Ok(success("We will write to you when it can be bought again."))
}

pub async fn stop(
    State(state): State<AppState>,
    Json(body): Json<StopStockNoticesRequest>,
) -> ApiResult<Json<MessageResponse>> {
    state.shop.stop_stock_notices(&body.token).await?;
    Ok(success("You get no more of these e-mails."))
}

fn success(message: &str) -> Json<MessageResponse> {
    Json(MessageResponse {
        success: true,
        message: message.to_owned(),
    })
}
