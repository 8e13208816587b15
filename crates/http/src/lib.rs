//! The shop over HTTP: one route list, thin handlers, wire types, rendered pages, static files.

mod access;
mod addresses;
mod admin;
mod api_docs;
mod assets;
mod auth;
mod body_limits;
mod cart;
mod checkout_queue;
mod client_ip;
mod contact;
mod cookies;
mod dto;
mod error;
mod fast_path;
mod health;
mod images;
mod json;
mod local_only;
mod middleware;
mod orders;
mod page_cache;
mod page_routes;
mod pages;
mod pincode;
mod precompressed;
mod privacy;
mod product_list_query;
mod products;
mod profile;
mod query;
mod rate_limit;
mod renderer;
mod response_cache;
mod route_table;
mod routes;
mod seo;
mod shared_rate_limit;
mod state;
mod upload_gate;
mod userinfo;
mod webhooks;
mod wishlist;

#[cfg(test)]
mod untrusted_input_tests;

pub use access::Access;
pub use client_ip::ip_prefix;
pub use dto::shop::{GrievanceOfficer, MapPosition, ShopIdentity, SocialLinks};
pub use error::ApiError;
pub use fast_path::HttpService;
pub use local_only::local_only;
pub use renderer::Renderer;
pub use route_table::RouteInfo;
pub use routes::{openapi, routes};
pub use state::{AppState, HttpSettings};
