//! Users and their addresses.

use mirasa_app::ports::images::ImageFolder;
use mirasa_domain::address::{AddressInput, SavedAddress};
use mirasa_domain::user::User;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub struct AuthResponse {
    pub authenticated: bool,
}

#[derive(Serialize, ToSchema)]
pub struct UserResponse {
    pub user: UserDto,
}

#[derive(Serialize, ToSchema)]
#[schema(as = User)]
pub struct UserDto {
    #[serde(rename = "_id")]
    pub id: String,
    pub name: String,
    pub email: String,
    #[schema(required)]
    pub phone: Option<String>,
    #[serde(rename = "dateOfBirth")]
    #[schema(required)]
    pub date_of_birth: Option<String>,
    #[schema(required)]
    pub gender: Option<String>,
    /// The profile picture's URL on this host.
    #[serde(rename = "profilePicture")]
    #[schema(required)]
    pub profile_picture: Option<String>,
    /// The picture to show, or none.
    #[schema(required)]
    pub photo: Option<String>,
    pub role: String,
}

impl From<User> for UserDto {
    fn from(user: User) -> UserDto {
        let picture = user
            .profile_picture
            .map(|file| format!("/images/{}/{file}", ImageFolder::People.as_str()));
        UserDto {
            id: user.id.0,
            name: user.name,
            email: user.email,
            phone: user.phone,
            date_of_birth: user.date_of_birth,
            gender: user.gender.map(|gender| gender.as_str().to_owned()),
            // The provider's picture is on another host, from which our pages may not load.
            photo: picture.clone(),
            profile_picture: picture,
            role: user.role.as_str().to_owned(),
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "name": "Asha Kulkarni", "phone": "9876543210", "dateOfBirth": "1990-02-28" }))]
pub struct ProfileRequest {
    #[schema(required, min_length = 1, max_length = 100, pattern = "\\S")]
    pub name: String,
    #[schema(pattern = "^[-+() 0-9]*$")]
    pub phone: Option<String>,
    #[serde(rename = "dateOfBirth")]
    #[schema(pattern = "^([0-9]{4}-[0-9]{2}-[0-9]{2})?$")]
    pub date_of_birth: Option<String>,
    /// male, female, other or prefer-not-to-say.
    #[schema(pattern = "^(male|female|other|prefer-not-to-say)?$")]
    pub gender: Option<String>,
}

#[derive(Deserialize, ToSchema)]
pub struct ProfilePictureRequest {
    /// A data: URL of a JPEG, PNG or WebP image.
    #[serde(rename = "profilePicture")]
    #[schema(pattern = "^data:image/.*;base64,")]
    pub profile_picture: String,
}

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
            id: saved.id,
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

#[derive(Deserialize, ToSchema)]
#[serde(default)]
#[derive(Default)]
pub struct ContactRequest {
    #[schema(max_length = 200)]
    pub name: String,
    #[schema(max_length = 254)]
    pub email: String,
    #[schema(max_length = 5000)]
    pub message: String,
}

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
