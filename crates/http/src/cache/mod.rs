//! Responses that are kept ready: serialised, compressed, sent before routing.

pub mod fast_path;
pub mod precompressed;
pub mod response_cache;
