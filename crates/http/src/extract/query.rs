//! Query strings. An error has the shape of all errors and names the wrong parameter.

use std::error::Error as _;

use axum::extract::FromRequestParts;
use axum::extract::rejection::QueryRejection;
use http::request::Parts;
use mirasa_app::AppError;
use serde::de::DeserializeOwned;

use crate::error::ApiError;
use crate::extract::json::invalid_field;

/// What serde_urlencoded reports, with the path at which it stopped.
type QueryError = serde_path_to_error::Error<serde::de::value::Error>;

pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Query<T>, ApiError> {
        let parsed = axum::extract::Query::try_from_uri(&parts.uri);
        let axum::extract::Query(value) = parsed.map_err(to_app_error)?;
        Ok(Query(value))
    }
}

fn to_app_error(rejection: QueryRejection) -> AppError {
    let cause = rejection.source().and_then(|wrapper| wrapper.source());
    let cause = cause.and_then(|cause| cause.downcast_ref::<QueryError>());
    AppError {
        field: cause.and_then(|cause| invalid_field(cause.path(), cause.inner())),
        ..AppError::invalid(rejection.body_text())
    }
}
