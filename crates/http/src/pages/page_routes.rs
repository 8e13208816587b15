//! The paths that are pages, from the list of the web build (`web/src/app/routing/routes.ts`). Other paths are not rendered. Only
//! the query parameters that change a page are part of its cache key: otherwise each invented URL would be rendered and kept.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use http::{StatusCode, Uri};
use mirasa_app::catalogue::Snapshot;
use mirasa_domain::product::ProductId;
use serde::Deserialize;

use crate::assets;

/// Longer than any typed search.
const MAX_QUERY_CHARS: usize = 300;

/// The query parameters that change a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum View {
    /// None.
    Fixed,
    /// `search`, any number of `category`, and `sort`.
    ProductList,
    /// One `category`.
    SimpleList,
    /// `q`, or `search`.
    Search,
}

/// The orders of the product list that its URL may name. The default, `popular`, is not in the URL.
const SORTS: [&str; 3] = ["price", "name", "new"];

/// One page for each product.
const PRODUCT_START: &str = "/product/";

/// A page in the list of the web build.
#[derive(Deserialize)]
struct ListedPage {
    path: String,
    /// What the web app shows there. Several paths can have the same one.
    page: String,
}

type Pages = HashMap<String, (String, View)>;

/// Without the pages of products.
static PAGES: LazyLock<Pages> = LazyLock::new(|| {
    let Some(list) = assets::page_list() else {
        tracing::error!("the web app is not built: no path is a page");
        return Pages::new();
    };
    read_pages(&list).unwrap_or_else(|error| {
        tracing::error!(%error, "the list of pages cannot be read: no path is a page");
        Pages::new()
    })
});

/// By path in lower case: the web app's router ignores case.
fn read_pages(list: &[u8]) -> serde_json::Result<Pages> {
    let listed: Vec<ListedPage> = serde_json::from_slice(list)?;
    let pages = listed.into_iter().filter(|one| one.page != "product");
    Ok(pages
        .map(|ListedPage { path, page }| (path.to_ascii_lowercase(), (path, view(&page))))
        .collect())
}

fn view(page: &str) -> View {
    match page {
        "sub-products" => View::ProductList,
        "simple-products" => View::SimpleList,
        "search" => View::Search,
        _ => View::Fixed,
    }
}

/// What a URL shows.
#[derive(Debug, PartialEq, Eq)]
pub enum PageMatch<'a> {
    /// A page with its cache key: rendered once and kept.
    Page(Cow<'a, str>),
    /// The page of a typed search, rendered for one request only.
    Typed(String),
    /// A page whose query is too long: the browser renders it.
    Long,
    NoPage,
    NoProduct,
}

impl PageMatch<'_> {
    /// The URL that is rendered and the key of the cached page; None if it is not kept. All unknown products share one
    /// page, and all unknown paths another: no product has the id `-`.
    pub fn cache_key(&self) -> Option<&str> {
        match self {
            PageMatch::Page(name) => Some(name),
            PageMatch::NoPage => Some("/404"),
            PageMatch::NoProduct => Some("/product/-"),
            PageMatch::Typed(_) | PageMatch::Long => None,
        }
    }

    pub fn status(&self) -> StatusCode {
        match self {
            PageMatch::NoPage | PageMatch::NoProduct => StatusCode::NOT_FOUND,
            PageMatch::Page(_) | PageMatch::Typed(_) | PageMatch::Long => StatusCode::OK,
        }
    }
}

pub fn match_page<'a>(address: &'a Uri, snapshot: &Snapshot) -> PageMatch<'a> {
    let path = without_closing_slash(address.path());
    if let Some(id) = product_id(path) {
        return match snapshot.find_visible(&ProductId(id.to_owned())) {
            None => PageMatch::NoProduct,
            Some(_) if path.starts_with(PRODUCT_START) => PageMatch::Page(path.into()),
            Some(_) => PageMatch::Page(format!("{PRODUCT_START}{id}").into()),
        };
    }
    match PAGES.get(&path.to_ascii_lowercase()) {
        None => PageMatch::NoPage,
        Some((name, view)) => {
            with_known_params(name, *view, address.query().unwrap_or_default(), snapshot)
        }
    }
}

/// Whether the path is a page, even if its product does not exist.
pub fn is_page(path: &str) -> bool {
    let path = without_closing_slash(path);
    product_id(path).is_some() || PAGES.contains_key(&path.to_ascii_lowercase())
}

fn without_closing_slash(path: &str) -> &str {
    match path.trim_end_matches('/') {
        "" => "/",
        path => path,
    }
}

/// As in the URL: the web app does not decode it.
pub fn product_id(path: &str) -> Option<&str> {
    let (start, id) = path.split_at_checked(PRODUCT_START.len())?;
    let is_one = start.eq_ignore_ascii_case(PRODUCT_START) && !id.is_empty() && !id.contains('/');
    is_one.then_some(id)
}

fn with_known_params(
    name: &'static str,
    view: View,
    query: &str,
    snapshot: &Snapshot,
) -> PageMatch<'static> {
    if view == View::Fixed || query.is_empty() {
        return PageMatch::Page(name.into());
    }
    if query.len() > MAX_QUERY_CHARS {
        return PageMatch::Long;
    }
    let all = |key: &'static str| {
        let pairs = url::form_urlencoded::parse(query.as_bytes());
        pairs.filter(move |(name, _)| name == key)
    };
    let first = |key| all(key).next().map(|(_, value)| value);
    let with = |pairs: &[(&str, &str)]| {
        let query = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(pairs)
            .finish();
        format!("{name}?{query}")
    };
    match view {
        View::Fixed => PageMatch::Page(name.into()),
        View::Search => match first("q").filter(|q| !q.is_empty()).or(first("search")) {
            Some(text) if !text.is_empty() => PageMatch::Typed(with(&[("q", &text)])),
            _ => PageMatch::Page(name.into()),
        },
        View::SimpleList => {
            let asked = first("category").unwrap_or_default();
            match snapshot.category(&asked) {
                Some(known) => PageMatch::Page(with(&[("category", known)]).into()),
                None => PageMatch::Page(name.into()),
            }
        }
        View::ProductList => {
            let search = first("search").filter(|search| !search.is_empty());
            let categories: Vec<_> = all("category")
                .map(|(_, category)| category)
                .filter(|category| !category.is_empty())
                .collect();
            let sort = first("sort").filter(|sort| SORTS.contains(&&**sort));
            match (search, &categories[..]) {
                (None, []) if sort.is_none() => PageMatch::Page(name.into()),
                // One category is a page of its own for search engines; a combination or a search is a view of the list.
                (None, [one]) if sort.is_none() && snapshot.category(one) == Some(one) => {
                    PageMatch::Page(with(&[("category", one)]).into())
                }
                (search, categories) => {
                    let search = search.iter().map(|search| ("search", &**search));
                    let categories = categories.iter().map(|one| ("category", &**one));
                    let sort = sort.iter().map(|sort| ("sort", &**sort));
                    let pairs: Vec<_> = search.chain(categories).chain(sort).collect();
                    PageMatch::Typed(with(&pairs))
                }
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;

    use mirasa_app::catalogue::Catalogue;
    use mirasa_domain::product::{Product, ProductDetails};
    use mirasa_domain::stock::Stock;

    use super::*;
    use crate::paths::PAYMENT_REDIRECT;

    fn product(id: &str, category: &str, is_visible: bool) -> Product {
        Product {
            id: ProductId(id.into()),
            details: Arc::new(ProductDetails {
                product_name: id.into(),
                category: vec![category.into()],
                ..ProductDetails::default()
            }),
            stock: Stock::default(),
            is_visible,
            trending_rank: None,
            version: 1,
            updated_at_ms: 0,
            too_old_grams: 0,
            rating: Default::default(),
        }
    }

    /// Goda Masala of South Indian is visible, Hidden Masala of Secret is not.
    pub(crate) fn snapshot() -> Arc<Snapshot> {
        let catalogue = Catalogue::holding(vec![
            product("goda-masala", "South Indian", true),
            product("hidden-masala", "Secret", false),
        ]);
        catalogue.snapshot()
    }

    fn name(address: &str) -> String {
        let uri = address.parse().unwrap();
        let snapshot = snapshot();
        match match_page(&uri, &snapshot) {
            PageMatch::Page(name) => name.into_owned(),
            PageMatch::Typed(name) => format!("typed {name}"),
            other => format!("{other:?}"),
        }
    }

    /// What the code above names itself must be in the list of the web build.
    #[test]
    fn the_web_build_lists_the_pages() {
        let list = assets::page_list().expect("run scripts/web.sh build");
        let listed: Vec<ListedPage> = serde_json::from_slice(&list).unwrap();
        let paths_of = |page: &str| -> Vec<_> {
            let found = listed.iter().filter(|one| one.page == page);
            found.map(|one| one.path.as_str()).collect()
        };
        assert_eq!(paths_of("product"), [format!("{PRODUCT_START}:id")]);
        assert_eq!(
            paths_of("payment-result"),
            ["/payment/status", PAYMENT_REDIRECT]
        );
        assert_eq!(paths_of("sub-products"), ["/sub-products"]);
        assert_eq!(paths_of("simple-products"), ["/products"]);
        assert_eq!(paths_of("search"), ["/search"]);
        assert_eq!(listed.len(), PAGES.len() + 1, "a path is listed twice");
    }

    #[test]
    fn only_listed_paths_are_pages() {
        let list = br#"[
            {"path": "/search", "page": "search"},
            {"path": "/product/:id", "page": "product"},
            {"path": "/About-Us", "page": "made-up"}
        ]"#;
        let pages = read_pages(list).unwrap();
        let expected = [
            ("/search", ("/search", View::Search)),
            ("/about-us", ("/About-Us", View::Fixed)),
        ];
        let expected =
            expected.map(|(key, (path, view))| (key.to_owned(), (path.to_owned(), view)));
        assert_eq!(pages, Pages::from(expected));
        assert!(read_pages(b"[{}]").is_err());
    }

    #[test]
    fn equivalent_urls_have_one_cache_key() {
        for (address, expected) in [
            ("/?utm_source=x", "/"),
            ("//", "/"),
            ("/about-us/", "/about-us"),
            ("/About-US", "/about-us"),
            ("/CATEGORIES/veg", "/categories/Veg"),
            ("/product/goda-masala?x=1", "/product/goda-masala"),
            ("/Product/goda-masala//", "/product/goda-masala"),
            ("/sub-products?b=1&a=2&search=&category=", "/sub-products"),
            (
                "/sub-products?utm=1&category=South%20Indian",
                "/sub-products?category=South+Indian",
            ),
            (
                "/products?category=south+indian&category=x",
                "/products?category=South+Indian",
            ),
            ("/products?category=made+up", "/products"),
            ("/sub-products?sort=popular", "/sub-products"),
            ("/search?q=", "/search"),
            ("/checkout?search=x&category=South+Indian&q=1", "/checkout"),
            ("/payment/status?merchantOrderId=M1", "/payment/status"),
        ] {
            assert_eq!(name(address), expected, "{address}");
        }
    }

    #[test]
    fn typed_searches_are_not_cached() {
        for (address, expected) in [
            ("/search?x=1&q=goda", "typed /search?q=goda"),
            ("/search?search=goda", "typed /search?q=goda"),
            (
                "/sub-products?category=made+up",
                "typed /sub-products?category=made+up",
            ),
            (
                "/sub-products?category=South+Indian&x=y&search=a",
                "typed /sub-products?search=a&category=South+Indian",
            ),
            (
                "/sub-products?sort=price&category=South+Indian",
                "typed /sub-products?category=South+Indian&sort=price",
            ),
            (
                "/sub-products?category=south+indian",
                "typed /sub-products?category=south+indian",
            ),
        ] {
            assert_eq!(name(address), expected, "{address}");
        }
        let long = "x".repeat(400);
        assert_eq!(name(&format!("/search?q={long}")), "Long");
        assert_eq!(name(&format!("/about-us?q={long}")), "/about-us");
    }

    #[test]
    fn unknown_paths_share_one_page() {
        for address in [
            "/no/such/page",
            "/product",
            "/404",
            "/about%2dus",
            "/assets/x",
        ] {
            assert_eq!(name(address), "NoPage", "{address}");
        }
        for address in [
            "/product/nothing",
            "/product/hidden-masala",
            "/product/-",
            "/product/goda%2Dmasala",
        ] {
            assert_eq!(name(address), "NoProduct", "{address}");
        }
        assert_eq!(name("/product/goda-masala/more"), "NoPage");
        assert!(is_page("/product/nothing") && is_page("/API/payment/redirect/"));
        assert!(!is_page("/product/") && !is_page("/api/auth/logout"));
    }
}
