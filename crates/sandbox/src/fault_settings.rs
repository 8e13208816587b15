//! Settings of fault injection, which requests change while the sandbox runs. They are in memory only; a restart resets
//! them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

#[derive(Default)]
pub(crate) struct Faults<S>(Mutex<S>);

impl<S: Clone + Default + Serialize + DeserializeOwned> Faults<S> {
    pub(crate) fn current(&self) -> S {
        self.lock().clone()
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, S> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn reset(&self) -> Json<S> {
        *self.lock() = S::default();
        Json(self.current())
    }

    /// Changes the given settings and keeps the others.
    pub(crate) fn merge(&self, changes: Map<String, Value>) -> Response {
        let mut settings = self.lock();
        let merged = match serde_json::to_value(&*settings) {
            Ok(Value::Object(mut all)) => {
                all.extend(changes);
                serde_json::from_value::<S>(Value::Object(all))
            }
            Ok(_) => Ok(S::default()),
            Err(error) => Err(error),
        };
        match merged {
            Ok(merged) => {
                *settings = merged.clone();
                Json(merged).into_response()
            }
            Err(error) => {
                let text = error.to_string();
                let body = json!({ "error": text, "message": text });
                (StatusCode::BAD_REQUEST, Json(body)).into_response()
            }
        }
    }
}

/// Whether a fault is left for this request. Counts it.
pub(crate) fn use_one(left: &mut u32) -> bool {
    let any = *left > 0;
    *left = left.saturating_sub(1);
    any
}
