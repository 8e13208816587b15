//! The pincode lookup, in the shape of the public postal one.

use axum::extract::{Path, State};
use mirasa_app::AppError;
use mirasa_app::ports::pincodes::PincodeArea;
use mirasa_domain::address::Pincode;

use crate::error::Answer;
use crate::json::Json;
use crate::site::Site;
use crate::wire::people::{PincodeAnswer, PostOffice};

pub async fn find(
    State(site): State<Site>,
    Path(text): Path<String>,
) -> Answer<Json<PincodeAnswer>> {
    let place = match Pincode::parse(&text) {
        Ok(pincode) => site
            .shop
            .pincodes
            .find(pincode)
            .await
            .map_err(AppError::internal)?,
        Err(_) => None,
    };
    Ok(Json(answer(&text, place)))
}

fn answer(pincode: &str, place: Option<PincodeArea>) -> PincodeAnswer {
    match place {
        Some(place) => PincodeAnswer {
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
        None => PincodeAnswer {
            message: "No records found".into(),
            status: "Error".into(),
            post_office: None,
        },
    }
}
