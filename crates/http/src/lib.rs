//! The shop over HTTP: one route table, thin handlers, DTOs, rendered pages, static files.

mod api;
mod assets;
mod cache;
mod error;
mod extract;
mod guard;
mod middleware;
mod pages;
mod paths;
mod route_table;
mod routes;
mod settings;
mod state;

#[cfg(test)]
mod untrusted_input_tests;

pub use crate::cache::response_cache::CachedResponse;
pub use crate::error::ApiError;
pub use crate::extract::client_ip::ip_prefix;
pub use crate::guard::access::Access;
pub use crate::guard::local_only::local_only;
pub use crate::guard::rate_limit::limits::RateClass;
pub use crate::route_table::route_info::RouteInfo;
pub use crate::routes::fast_path::HttpService;
pub use crate::routes::{openapi, routes};
pub use crate::settings::HttpSettings;
pub use crate::settings::shop::{GrievanceOfficer, MapPosition, ShopIdentity, SocialLinks};
pub use crate::state::AppState;
