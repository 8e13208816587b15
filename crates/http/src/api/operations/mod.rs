//! Health, metrics and the description of the API.

pub mod api_docs;
pub mod health;
