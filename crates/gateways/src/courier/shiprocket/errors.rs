//! What a failure at Shiprocket means for the shop. Each one is counted, unless Shiprocket itself says no.

use anyhow::anyhow;
use mirasa_app::ports::courier::CourierError;
use reqwest::StatusCode;

use super::http_client::HttpError;
use super::wire;
use crate::count_error;

/// Rejected only if Shiprocket itself says so in a JSON body.
pub(super) fn into_courier_error(error: HttpError) -> CourierError {
    let error = match error {
        HttpError::NoToken(_) => CourierError::Unavailable(error.into()),
        HttpError::Status {
            status: StatusCode::UNAUTHORIZED | StatusCode::TOO_MANY_REQUESTS,
            ..
        } => CourierError::Unavailable(error.into()),
        // The block page of the content delivery network has no JSON.
        HttpError::Status {
            status: StatusCode::FORBIDDEN,
            body: None,
        } => CourierError::Unavailable(error.into()),
        HttpError::Status {
            status,
            body: Some(body),
        } if status.is_client_error() && status != StatusCode::REQUEST_TIMEOUT => {
            CourierError::Rejected(wire::message(&body))
        }
        error => CourierError::OutcomeUnknown(error.into()),
    };
    if !matches!(error, CourierError::Rejected(_)) {
        count_error("shiprocket");
    }
    error
}

pub(super) fn outcome_unknown(reason: &'static str) -> CourierError {
    count_error("shiprocket");
    CourierError::OutcomeUnknown(anyhow!(reason))
}

pub(super) fn unavailable(reason: &'static str) -> CourierError {
    count_error("shiprocket");
    CourierError::Unavailable(anyhow!(reason))
}
