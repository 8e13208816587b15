//! Addresses.

use mirasa_domain::address::{AddressInput, SavedAddress};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
#[schema(as = Address)]
#[serde(rename_all = "camelCase")]
pub struct AddressDto {
    #[serde(rename = "_id")]
    pub id: String,
    pub address_name: String,
    pub name: String,
    pub phone: String,
    pub address_line1: String,
    pub address_line2: String,
    pub city: String,
    pub state: String,
    pub pincode: String,
    pub is_default: bool,
}

impl From<SavedAddress> for AddressDto {
    fn from(saved: SavedAddress) -> AddressDto {
        let address = saved.address;
        AddressDto {
            id: saved.id.0,
            address_name: address.address_name,
            name: address.name,
            phone: address.phone,
            address_line1: address.line1,
            address_line2: address.line2,
            city: address.city,
            state: address.state,
            pincode: address.pincode,
            is_default: saved.is_default,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct AddressesResponse {
    pub addresses: Vec<AddressDto>,
}

#[derive(Serialize, ToSchema)]
pub struct AddressResponse {
    pub address: AddressDto,
}

/// Everything but `addressLine2` and `isDefault` is required.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(example = json!({
    "addressName": "Home", "name": "Asha Kulkarni", "phone": "9876543210", "addressLine1": "12 Laxmi Road",
    "city": "Pune", "state": "Maharashtra", "pincode": "411030",
}))]
#[derive(Default)]
pub struct AddressRequest {
    #[schema(required, min_length = 1, max_length = 60, pattern = "\\S")]
    pub address_name: String,
    #[schema(required, min_length = 1, max_length = 100, pattern = "\\S")]
    pub name: String,
    /// Ten digits, optionally with +91 or 0 in front.
    #[schema(required, min_length = 10, pattern = "^[-+() 0-9]*$")]
    pub phone: String,
    #[schema(required, min_length = 1, max_length = 200, pattern = "\\S")]
    pub address_line1: String,
    #[schema(max_length = 200)]
    pub address_line2: Option<String>,
    #[schema(required, min_length = 1, max_length = 100, pattern = "\\S")]
    pub city: String,
    /// A state or union territory of India.
    #[schema(required, min_length = 3, max_length = 60)]
    pub state: String,
    #[schema(required, pattern = "^[1-9][0-9]{5}$")]
    pub pincode: String,
    pub is_default: bool,
}

impl From<AddressRequest> for AddressInput {
    fn from(body: AddressRequest) -> AddressInput {
        AddressInput {
            address_name: body.address_name,
            name: body.name,
            phone: body.phone,
            line1: body.address_line1,
            line2: body.address_line2.unwrap_or_default(),
            city: body.city,
            state: body.state,
            pincode: body.pincode,
        }
    }
}
