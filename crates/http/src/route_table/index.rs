//! Which line of the route table a request belongs to.

use std::collections::HashMap;

use axum::extract::{MatchedPath, Request};
use http::Method;

use crate::route_table::route_info::RouteInfo;

/// Finds the line of a request that the router has matched.
#[derive(Debug, Default)]
pub struct RouteIndex {
    by_path: HashMap<&'static str, Vec<RouteInfo>>,
}

/// Where a request ends up.
pub enum Matched<'a> {
    Route(&'a RouteInfo),
    /// A route of the table with a method that it does not have, or an address outside the table.
    Other,
    /// The router of a sandbox.
    Sandbox,
}

impl RouteIndex {
    pub fn new(routes: impl IntoIterator<Item = RouteInfo>) -> RouteIndex {
        let mut by_path: HashMap<_, Vec<_>> = HashMap::new();
        for info in routes {
            by_path.entry(info.path).or_default().push(info);
        }
        RouteIndex { by_path }
    }

    pub fn find(&self, request: &Request) -> Matched<'_> {
        let Some(path) = request.extensions().get::<MatchedPath>() else {
            return Matched::Other;
        };
        let Some(routes) = self.by_path.get(path.as_str()) else {
            return Matched::Sandbox;
        };
        let method = match *request.method() {
            Method::HEAD => Method::GET.as_str(),
            ref other => other.as_str(),
        };
        let route = routes.iter().find(|route| route.method == method);
        route.map_or(Matched::Other, Matched::Route)
    }
}
