//! Sign-in, profile, addresses, privacy; users for admins.

pub mod address_types;
pub mod addresses;
pub mod admin;
pub mod admin_types;
pub mod auth;
pub mod list;
pub mod list_types;
pub mod privacy;
pub mod privacy_types;
pub mod profile;
pub mod session;
pub mod types;
