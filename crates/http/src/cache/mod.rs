//! Responses that are kept ready: serialised, compressed, sent before routing.

pub mod cached_routes;
pub mod response_cache;
