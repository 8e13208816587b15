//! Who may use a route, and the signed-in user of a request.

use axum::extract::FromRequestParts;
use http::request::Parts;
use mirasa_app::AppError;
use mirasa_domain::user::User;

use crate::error::ApiError;

/// Each line of the route table states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Public,
    User,
    Admin,
}

impl Access {
    pub const fn as_str(self) -> &'static str {
        match self {
            Access::Public => "anyone",
            Access::User => "user",
            Access::Admin => "admin",
        }
    }
}

/// The signed-in user, set by the guard.
#[derive(Clone)]
pub struct CurrentUser(pub User);

impl<S: Send + Sync> FromRequestParts<S> for CurrentUser {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<CurrentUser, ApiError> {
        // Absent only if the route is public, or if a handler extracts it twice.
        parts
            .extensions
            .remove::<CurrentUser>()
            .ok_or_else(|| AppError::not_authenticated().into())
    }
}
