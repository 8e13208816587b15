//! Users.

use mirasa_app::ports::images::ImageFolder;
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
