//! What the guard, the limits and the description read of a route.

use crate::cache::response_cache::CachedResponse;
use crate::guard::access::Access;
use crate::guard::rate_limit::limits::RateClass;

/// What is known of a route before its handler runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RouteInfo {
    pub method: &'static str,
    pub path: &'static str,
    pub access: Access,
    pub rate_class: RateClass,
    /// In bytes.
    pub body_limit: usize,
    /// The response is kept in memory. Such a route needs no database, no guard and no timeout.
    pub cached: Option<CachedResponse>,
    /// Requests from other sites are accepted, because the route does not use the session cookie.
    pub allows_cross_site: bool,
    /// Part of the OpenAPI description.
    pub documented: bool,
}
