//! What is known of a pincode.

use serde::Serialize;
use utoipa::ToSchema;

/// The response format of the public postal API.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PincodeResponse {
    pub message: String,
    /// Success or Error.
    pub status: String,
    #[schema(required)]
    pub post_office: Option<Vec<PostOffice>>,
    /// Only with a delivery partner, and only if it responds in time.
    #[serde(rename = "delivery", skip_serializing_if = "Option::is_none")]
    pub delivery: Option<DeliveryDto>,
}

/// What the delivery partner says about a pincode.
#[derive(Serialize, ToSchema)]
#[schema(as = PincodeDelivery)]
pub struct DeliveryDto {
    pub serviceable: bool,
    /// The day in India by which a parcel arrives, such as `2026-11-20`, if it is known.
    #[schema(required)]
    pub by: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PostOffice {
    pub name: String,
    pub district: String,
    pub state: String,
    pub country: String,
    pub pincode: String,
}
