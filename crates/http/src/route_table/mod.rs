//! What a line of the route table states, and what is built from all lines: the router with its guards, the index of
//! limits by route, the OpenAPI description. The lines are in `routes`.

mod openapi;

use std::collections::HashMap;
use std::convert::Infallible;

use axum::Router;
use axum::extract::{MatchedPath, Request};
use axum::handler::Handler;
use axum::middleware::{Next, from_fn};
use axum::routing::{MethodFilter, MethodRouter, on};
use http::Method;
use utoipa::openapi::OpenApi;
use utoipa::openapi::path::HttpMethod;

use crate::access::{Access, guard};
use crate::rate_limit::RateClass;
use crate::response_cache::CachedResponse;
use crate::route_table::openapi::{OpenApiBuilder, OperationDoc};
use crate::state::AppState;

/// A route with a larger body states it.
const DEFAULT_BODY_LIMIT: usize = 256 * 1024;

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

/// One line of the table.
pub struct Route {
    info: RouteInfo,
    method: HttpMethod,
    handler: MethodRouter<AppState>,
    doc: OperationDoc,
}

pub fn get<T: 'static>(
    access: Access,
    path: &'static str,
    handler: impl Handler<T, AppState>,
) -> Route {
    let handler = on(MethodFilter::GET, handler);
    Route::new("GET", HttpMethod::Get, access, path, handler)
}

pub fn post<T: 'static>(
    access: Access,
    path: &'static str,
    handler: impl Handler<T, AppState>,
) -> Route {
    let handler = on(MethodFilter::POST, handler);
    Route::new("POST", HttpMethod::Post, access, path, handler)
}

pub fn put<T: 'static>(
    access: Access,
    path: &'static str,
    handler: impl Handler<T, AppState>,
) -> Route {
    let handler = on(MethodFilter::PUT, handler);
    Route::new("PUT", HttpMethod::Put, access, path, handler)
}

pub fn patch<T: 'static>(
    access: Access,
    path: &'static str,
    handler: impl Handler<T, AppState>,
) -> Route {
    let handler = on(MethodFilter::PATCH, handler);
    Route::new("PATCH", HttpMethod::Patch, access, path, handler)
}

pub fn delete<T: 'static>(
    access: Access,
    path: &'static str,
    handler: impl Handler<T, AppState>,
) -> Route {
    let handler = on(MethodFilter::DELETE, handler);
    Route::new("DELETE", HttpMethod::Delete, access, path, handler)
}

impl Route {
    fn new(
        name: &'static str,
        method: HttpMethod,
        access: Access,
        path: &'static str,
        handler: MethodRouter<AppState>,
    ) -> Route {
        let rate_class = match name {
            "GET" => RateClass::Read,
            _ => RateClass::Write,
        };
        Route {
            info: RouteInfo {
                method: name,
                path,
                access,
                rate_class,
                body_limit: DEFAULT_BODY_LIMIT,
                cached: None,
                allows_cross_site: false,
                documented: true,
            },
            method,
            handler,
            doc: OperationDoc::default(),
        }
    }

    /// Where it differs from the default: `Read` for GET, `Write` for all others.
    pub fn rate(mut self, class: RateClass) -> Route {
        self.info.rate_class = class;
        self
    }

    pub fn body_limit(mut self, bytes: usize) -> Route {
        self.info.body_limit = bytes;
        self
    }

    pub fn cached(mut self, response: CachedResponse) -> Route {
        self.info.cached = Some(response);
        self
    }

    pub fn allow_cross_site(mut self) -> Route {
        self.info.allows_cross_site = true;
        self
    }

    /// For machines that watch the shop, not for clients.
    pub fn undocumented(mut self) -> Route {
        self.info.documented = false;
        self
    }

    /// Describes the operation.
    fn map_doc(mut self, change: impl FnOnce(OperationDoc) -> OperationDoc) -> Route {
        self.doc = change(self.doc);
        self
    }
}

/// All lines, by the headings of the description.
#[derive(Default)]
pub struct RouteTable {
    sections: Vec<(&'static str, Vec<Route>)>,
}

impl RouteTable {
    pub fn section(mut self, title: &'static str, routes: Vec<Route>) -> RouteTable {
        self.sections.push((title, routes));
        self
    }

    fn routes(&self) -> impl Iterator<Item = &Route> {
        self.sections.iter().flat_map(|(_, routes)| routes)
    }

    pub fn infos(&self) -> Vec<RouteInfo> {
        self.routes().map(|route| route.info).collect()
    }

    pub fn index(&self) -> RouteIndex {
        let mut by_path: HashMap<_, Vec<_>> = HashMap::new();
        for info in self.infos() {
            by_path.entry(info.path).or_default().push(info);
        }
        RouteIndex { by_path }
    }

    pub fn openapi(self, title: &str) -> OpenApi {
        let mut doc = OpenApiBuilder::new();
        for (section, routes) in self.sections {
            for route in routes.into_iter().filter(|route| route.info.documented) {
                doc.add(section, route.method, &route.info, route.doc);
            }
        }
        doc.finish(title)
    }

    pub fn router(self) -> Router<AppState> {
        let routes = self.sections.into_iter().flat_map(|(_, routes)| routes);
        routes.fold(Router::new(), |router, Route { info, handler, .. }| {
            if info.cached.is_some() && info.access == Access::Public {
                return router.route(info.path, handler);
            }
            let guarded = from_fn(move |request: Request, next: Next| guard(info, request, next));
            router.route(info.path, handler.layer::<_, Infallible>(guarded))
        })
    }
}

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
