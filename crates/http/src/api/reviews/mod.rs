//! Reviews of customers, and their moderation.

pub mod admin;
pub mod admin_types;
pub mod handlers;
pub mod rating;
pub mod types;
