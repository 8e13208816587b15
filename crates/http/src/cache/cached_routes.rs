//! The routes whose responses are kept in memory. A list of its own without handlers, because three readers share it:
//! the route table, the fast path, and the page renderer, which asks for these paths without the router.

use crate::cache::response_cache::CachedResponse;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CachedRoute {
    pub path: &'static str,
    pub response: CachedResponse,
}

const fn cached(path: &'static str, response: CachedResponse) -> CachedRoute {
    CachedRoute { path, response }
}

pub const SHOP: CachedRoute = cached("/api/shop", CachedResponse::Shop);

pub const PRODUCTS: [CachedRoute; 9] = [
    cached("/api/products/api/trending", CachedResponse::Trending),
    cached("/api/products/api/productInfo", CachedResponse::ProductList),
    cached(
        "/api/products/api/productInfo/{id}",
        CachedResponse::Product,
    ),
    cached("/api/products/api/related/{id}", CachedResponse::Related),
    cached("/api/products/api/filters", CachedResponse::Filters),
    cached("/api/products/api/suggestions", CachedResponse::Suggestions),
    cached("/api/products", CachedResponse::ProductList),
    cached("/api/products/{id}", CachedResponse::Product),
    cached("/api/api/products/search", CachedResponse::Search),
];

/// The route of a path, and the text in place of its parameter, still percent-encoded. The text is empty for a route
/// without a parameter.
pub fn find(path: &str) -> Option<(CachedRoute, &str)> {
    [SHOP]
        .into_iter()
        .chain(PRODUCTS)
        .find_map(|route| Some((route, match_path(route.path, path)?)))
}

fn match_path<'a>(pattern: &str, path: &'a str) -> Option<&'a str> {
    match pattern.strip_suffix("{id}") {
        None => (path == pattern).then_some(""),
        Some(prefix) => path
            .strip_prefix(prefix)
            .filter(|id| !id.is_empty() && !id.contains('/')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_is_found_with_its_parameter() {
        let found = |path| find(path).map(|(route, id)| (route.response, id.to_owned()));
        let response = |response, id: &str| Some((response, id.to_owned()));
        assert_eq!(found("/api/shop"), response(CachedResponse::Shop, ""));
        assert_eq!(
            found("/api/products/goda-masala"),
            response(CachedResponse::Product, "goda-masala")
        );
        assert_eq!(
            found("/api/products/api/related/goda"),
            response(CachedResponse::Related, "goda")
        );
        for unknown in [
            "/api/products/",
            "/api/products/a/b",
            "/api/shop/",
            "/api/cart/cart",
        ] {
            assert_eq!(found(unknown), None, "{unknown}");
        }
    }
}
