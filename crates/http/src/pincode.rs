//! The pincode lookup, with the response format of the public postal API.

use axum::extract::{Path, State};
use mirasa_app::AppError;
use mirasa_app::ports::pincodes::PincodeArea;
use mirasa_domain::address::Pincode;

use crate::dto::user::{PincodeResponse, PostOffice};
use crate::error::ApiResult;
use crate::json::Json;
use crate::state::AppState;

pub async fn find(
    State(state): State<AppState>,
    Path(text): Path<String>,
) -> ApiResult<Json<PincodeResponse>> {
    let place = match Pincode::parse(&text) {
        Ok(pincode) => state
            .shop
            .pincodes
            .find(pincode)
            .await
            .map_err(AppError::internal)?,
        Err(_) => None,
    };
    Ok(Json(response(&text, place)))
}

fn response(pincode: &str, place: Option<PincodeArea>) -> PincodeResponse {
    match place {
        Some(place) => PincodeResponse {
            message: "Number of pincode(s) found:1".into(),
            status: "Success".into(),
            post_office: Some(vec![PostOffice {
                name: place.district.clone(),
                district: place.district,
                state: place.state,
                country: "India".into(),
                pincode: pincode.to_owned(),
            }]),
        },
        None => PincodeResponse {
            message: "No records found".into(),
            status: "Error".into(),
            post_office: None,
        },
    }
}
