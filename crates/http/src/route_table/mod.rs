//! What a line of the route table states, and what is built from all lines: the router with its guards, the index of
//! limits by route, the OpenAPI description. The lines are in `routes`.

mod errors;
pub mod index;
mod openapi;
mod operation_doc;
pub mod route;
pub mod route_info;
mod signature;

use std::convert::Infallible;

use axum::Router;
use axum::middleware::from_fn_with_state;
use utoipa::openapi::OpenApi;

use crate::guard::access::Access;
use crate::guard::guard;
use crate::route_table::index::RouteIndex;
use crate::route_table::openapi::OpenApiBuilder;
use crate::route_table::route::Route;
use crate::route_table::route_info::RouteInfo;
use crate::state::AppState;

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
        RouteIndex::new(self.infos())
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

    pub fn router(self, state: &AppState) -> Router<AppState> {
        let routes = self.sections.into_iter().flat_map(|(_, routes)| routes);
        routes.fold(Router::new(), |router, Route { info, handler, .. }| {
            if info.cached.is_some() && info.access == Access::Public {
                return router.route(info.path, handler);
            }
            let guarded = from_fn_with_state((state.clone(), info), guard);
            router.route(info.path, handler.layer::<_, Infallible>(guarded))
        })
    }
}
