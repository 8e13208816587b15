//! Customers: sign-in, profile, addresses, privacy, and what admins do with users.

pub mod addresses;
mod list;
pub mod privacy;
pub mod profile;
mod roles;
pub mod sign_in;
mod users;

pub use crate::customers::list::{CustomerDetails, CustomerPage, MessageSender};
pub(crate) use crate::customers::users::ensure_not_last_admin;
