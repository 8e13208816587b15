//! The pincode lookup, with the response format of the public postal API.

use axum::extract::{Path, State};
use mirasa_app::AppError;
use mirasa_app::ports::pincodes::PincodeArea;
use mirasa_app::shipping::estimates::DeliveryEstimate;
use mirasa_domain::address::Pincode;

use crate::api::catalogue::pincode_types::{DeliveryDto, PincodeResponse, PostOffice};
use crate::api::shipping::types::day_of;
use crate::error::ApiResult;
use crate::extract::json::Json;
use crate::state::AppState;

pub async fn find(
    State(state): State<AppState>,
    Path(text): Path<String>,
) -> ApiResult<Json<PincodeResponse>> {
    let Ok(pincode) = Pincode::parse(&text) else {
        return Ok(Json(response(&text, None, None)));
    };
    let place = state.shop.pincodes.find(pincode).await;
    let place = place.map_err(AppError::internal)?;
    let delivery = match place {
        Some(_) => state.shop.delivery_estimate(pincode).await,
        None => None,
    };
    Ok(Json(response(&text, place, delivery)))
}

fn response(
    pincode: &str,
    place: Option<PincodeArea>,
    delivery: Option<DeliveryEstimate>,
) -> PincodeResponse {
    let delivery = delivery.map(|delivery| DeliveryDto {
        serviceable: delivery.serviceable,
        by: delivery.by_ms.map(day_of),
    });
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
            delivery,
        },
        None => PincodeResponse {
            message: "No records found".into(),
            status: "Error".into(),
            post_office: None,
            delivery: None,
        },
    }
}
