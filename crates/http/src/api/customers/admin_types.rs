//! Users as admins see them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::customers::types::UserDto;

#[derive(Serialize, ToSchema)]
pub struct UsersResponse {
    pub users: Vec<UserDto>,
    /// Whether there is another page.
    pub more: bool,
}

#[derive(Deserialize, ToSchema)]
pub struct UpdateUserRequest {
    #[schema(max_length = 100, pattern = "\\S")]
    pub name: Option<String>,
    #[schema(pattern = "^[-+() 0-9]*$")]
    pub phone: Option<String>,
    /// customer or admin.
    #[schema(pattern = "^(customer|admin)$")]
    pub role: Option<String>,
}
