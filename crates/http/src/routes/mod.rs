//! The route table: every route of the shop with its access, rate limit, body limit and cached response, in the order
//! of the spec. The paths stand here and nowhere else in the crate.

mod admin;
mod catalogue;
mod customer;
mod customers;
pub mod fast_path;
mod operations;
mod reviews;
mod stock;

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::middleware::from_fn_with_state;
use utoipa::openapi::OpenApi;

use crate::route_table::RouteTable;
use crate::route_table::route_info::RouteInfo;
use crate::state::AppState;
use crate::{middleware, pages};

fn table() -> RouteTable {
    RouteTable::default()
        .section("Cart", customer::cart())
        .section("Sign-in", customer::sign_in())
        .section("Products", catalogue::products())
        .section("Shop", catalogue::shop())
        .section("Payment", customer::payment())
        .section("Addresses", customer::addresses())
        .section("Profile", customer::profile())
        .section("Orders", customer::orders())
        .section("Wishlist", customer::wishlist())
        .section("Reviews", reviews::reviews())
        .section("Admin", admin::admin())
        .section("Stock", stock::stock())
        .section("Customers", customers::customers())
        .section("Images", catalogue::images())
        .section("Operations", operations::operations(openapi))
}

/// For the tests that try every route.
pub fn routes() -> Vec<RouteInfo> {
    table().infos()
}

pub fn openapi() -> &'static OpenApi {
    static OPENAPI: LazyLock<OpenApi> = LazyLock::new(|| table().openapi("Mirasa"));
    &OPENAPI
}

/// `sandbox` has the pages of the built-in providers, where they are enabled.
pub fn router(state: AppState, sandbox: Router) -> Router {
    let table = table();
    let index = Arc::new(table.index());
    table
        .router(&state)
        .fallback(pages::fallback)
        .method_not_allowed_fallback(pages::method_not_allowed)
        .with_state(state.clone())
        .merge(sandbox)
        .layer(from_fn_with_state((state, index), middleware::common))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::cache::cached_routes;
    use crate::guard::access::Access;
    use crate::guard::rate_limit::limits::RateClass;

    #[test]
    fn expensive_routes_have_a_rate_limit_of_their_own() {
        let class = |method: &str, path: &str| {
            let routes = routes();
            let found = routes
                .iter()
                .find(|route| route.method == method && route.path == path);
            found
                .unwrap_or_else(|| panic!("{method} {path}"))
                .rate_class
        };
        for (method, path, expected) in [
            ("GET", "/images/{folder}/{file}", RateClass::Unlimited),
            ("GET", "/healthz", RateClass::Unlimited),
            (
                "POST",
                "/api/payment/webhook/{provider}",
                RateClass::Unlimited,
            ),
            ("POST", "/api/courier/webhook", RateClass::Unlimited),
            ("GET", "/api/cart/cart", RateClass::Read),
            ("PUT", "/api/cart/update", RateClass::Write),
            ("GET", "/api/auth/google/login", RateClass::SignIn),
            ("POST", "/api/api/queries", RateClass::Contact),
            ("POST", "/api/products/{id}/notify", RateClass::StockNotice),
            (
                "PUT",
                "/api/user/profile-picture",
                RateClass::ProfilePicture,
            ),
            ("POST", "/api/admin/upload-images", RateClass::Upload),
            ("POST", "/api/cart/checkout", RateClass::Checkout),
            ("PUT", "/api/cart/discount", RateClass::DiscountCode),
            (
                "POST",
                "/api/user/orders/{id}/pay-again",
                RateClass::Checkout,
            ),
        ] {
            assert_eq!(class(method, path), expected, "{path}");
        }
        let unlimited = routes()
            .into_iter()
            .filter(|route| route.rate_class == RateClass::Unlimited);
        assert_eq!(unlimited.count(), 6);
    }

    #[test]
    fn only_public_reads_are_cached() {
        for route in routes() {
            if route.cached.is_some() {
                assert_eq!((route.method, route.access), ("GET", Access::Public));
                let (found, _) = cached_routes::find(&route.path.replace("{id}", "x")).unwrap();
                assert_eq!(Some(found.response), route.cached, "{}", route.path);
            }
        }
    }

    fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                rust_files(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }

    /// A path that is written twice changes in one place only.
    #[test]
    fn api_paths_are_written_only_in_the_route_table() {
        let source = Path::new("src");
        let mut files = Vec::new();
        rust_files(source, &mut files);
        let mut written = HashSet::new();
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let of_table = ["routes", "cache/cached_routes.rs", "paths.rs"];
            let is_table = of_table
                .iter()
                .any(|path| file.starts_with(source.join(path)));
            for literal in code.split('"').skip(1).step_by(2) {
                let is_api = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphabetic());
                if !literal.strip_prefix("/api/").is_some_and(is_api) {
                    continue;
                }
                let is_page = pages::page_routes::is_page(literal);
                assert!(is_table || is_page, "{literal} in {}", file.display());
                written.insert(literal.to_owned());
            }
        }
        for route in routes() {
            let is_api = route.path.starts_with("/api/");
            assert!(!is_api || written.contains(route.path), "{}", route.path);
        }
    }
}
