//! A large JSON body, read after the gate for uploads. It is not in `guard`, because the state that it reads has the gate.

use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;
use tokio::sync::OwnedSemaphorePermit;

use crate::error::ApiError;
use crate::extract::json::Json;
use crate::guard::upload_gate::Uploader;
use crate::state::AppState;

/// A customer's JSON body that is as large as an image. It is read after the request has passed the gate.
pub struct GatedJson<T> {
    pub body: T,
    /// See `UploadGate::enter`.
    pub body_memory: OwnedSemaphorePermit,
}

impl<T: DeserializeOwned> FromRequest<AppState> for GatedJson<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<GatedJson<T>, ApiError> {
        let gate = &state.upload_gate;
        let body_memory = gate.enter(Uploader::Customer, request.headers()).await?;
        let Json(body) = Json::from_request(request, state).await?;
        Ok(GatedJson { body, body_memory })
    }
}
