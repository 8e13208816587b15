//! What handlers take out of a request: JSON, query, files, pages of a list, the client's address, cookies.

pub mod client_ip;
pub mod cookies;
pub mod gated_json;
pub mod json;
pub mod pagination;
pub mod query;
