//! Finished pages. A public page is rendered once for each edition of the catalogue and then copied
//! from memory; it is the same for everybody, so nothing of the signed-in person may be in it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, Method, StatusCode, Uri, header};
use mirasa_app::catalogue::Snapshot;
use tokio::sync::OnceCell;

use crate::assets;
use crate::encoded::Encoded;
use crate::error::error_response;
use crate::renderer::Renderer;
use crate::security;
use crate::site::Site;

/// Searches make any number of addresses; past this many pages the book is begun anew.
const MOST_PAGES: usize = 2000;
const MOST_QUERY: usize = 300;

/// The parameters that change what a page shows. All others are left to the browser.
const PARAMETERS: [&str; 3] = ["search", "category", "q"];

pub struct Page {
    status: StatusCode,
    text: Encoded,
}

impl Page {
    pub fn respond(&self, site: &Site, request: &HeaderMap) -> Response {
        let dress = |head: &mut HeaderMap| {
            let policy = site.template.content_security_policy.clone();
            head.insert(header::CONTENT_SECURITY_POLICY, policy);
            security::dress(site, head);
        };
        let html = "text/html; charset=utf-8";
        self.text
            .respond(request, self.status, html, "no-cache", dress)
    }
}

pub struct PageBook {
    renderer: Renderer,
    pages: RwLock<Shelf>,
}

#[derive(Default)]
struct Shelf {
    edition: u64,
    pages: HashMap<String, Arc<OnceCell<Arc<Page>>>>,
}

impl PageBook {
    pub fn new(renderer: Renderer) -> PageBook {
        PageBook {
            renderer,
            pages: RwLock::default(),
        }
    }

    /// The page, where it has been rendered from the catalogue as it is.
    pub fn ready(&self, address: &Uri, edition: u64) -> Option<Arc<Page>> {
        let shelf = self.pages.read().unwrap_or_else(PoisonError::into_inner);
        if shelf.edition != edition {
            return None;
        }
        shelf.pages.get(&*normalised(address))?.get().cloned()
    }

    /// The place for this page in this edition; whoever comes first fills it, the others wait.
    fn place(&self, path: &str, edition: u64) -> Arc<OnceCell<Arc<Page>>> {
        let mut shelf = self.pages.write().unwrap_or_else(PoisonError::into_inner);
        if shelf.edition != edition || shelf.pages.len() >= MOST_PAGES {
            *shelf = Shelf {
                edition,
                pages: HashMap::new(),
            };
        }
        if let Some(place) = shelf.pages.get(path) {
            return place.clone();
        }
        shelf.pages.entry(path.to_owned()).or_default().clone()
    }
}

/// Anything that is no call: a file of the web app, or a page.
pub async fn fallback(State(site): State<Site>, request: Request) -> Response {
    let path = request.uri().path();
    if is_call(path) {
        return error_response(StatusCode::NOT_FOUND, "There is no such call");
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return error_response(
            StatusCode::METHOD_NOT_ALLOWED,
            "This address can only be read",
        );
    }
    if let Some(file) = assets::serve(path, request.headers()) {
        return file;
    }
    if path.starts_with("/assets/") || path.starts_with("/images/") {
        return error_response(StatusCode::NOT_FOUND, "There is no such file");
    }
    page(&site, request).await
}

pub async fn method_not_allowed() -> Response {
    error_response(
        StatusCode::METHOD_NOT_ALLOWED,
        "This call does not know that method",
    )
}

/// `/api/payment/redirect` is a page: the gateway sends the browser there.
pub fn is_call(path: &str) -> bool {
    (path == "/api" || path.starts_with("/api/")) && path != "/api/payment/redirect"
}

pub async fn page(site: &Site, request: Request) -> Response {
    let snapshot = site.shop.catalogue.now();
    let place_name = normalised(request.uri()).into_owned();
    let place = site.pages.place(&place_name, snapshot.edition);
    let page = match place.get() {
        Some(page) => Ok(page),
        None => {
            place
                .get_or_try_init(|| render(site, snapshot, place_name))
                .await
        }
    };
    match page {
        Ok(page) => page.respond(site, request.headers()),
        Err(error) => {
            tracing::error!(
                path = request.uri().path(),
                error = format!("{error:#}"),
                "a page could not be rendered"
            );
            shell(site, request.uri().path())
        }
    }
}

async fn render(site: &Site, snapshot: Arc<Snapshot>, path: String) -> anyhow::Result<Arc<Page>> {
    let rendered = site
        .pages
        .renderer
        .render(site.clone(), snapshot, path)
        .await?;
    let html = site
        .template
        .page(&rendered.head, &rendered.body, &rendered.state);
    let text = tokio::task::spawn_blocking(move || Encoded::new(html.into_bytes())).await?;
    Ok(Arc::new(Page {
        status: StatusCode::from_u16(rendered.status)?,
        text,
    }))
}

/// The empty page with its title, which the browser fills by itself.
fn shell(site: &Site, path: &str) -> Response {
    let snapshot = site.shop.catalogue.now();
    let product = path
        .strip_prefix("/product/")
        .and_then(|id| snapshot.find_visible(&mirasa_domain::product::ProductId(id.to_owned())));
    let shop = &site.settings.identity.name;
    let title = product.map_or_else(
        || shop.clone(),
        |product| format!("{} | {shop}", product.about.product_name),
    );
    let head = format!("<title>{}</title>", escape(&title));
    let html = site.template.page(&head, "", "");
    (
        [
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            (header::CACHE_CONTROL, "no-store"),
        ],
        [(
            header::CONTENT_SECURITY_POLICY,
            site.template.content_security_policy.clone(),
        )],
        html,
    )
        .into_response()
}

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The address with only those parameters that matter, always written the same way.
pub(crate) fn normalised(uri: &Uri) -> Cow<'_, str> {
    let path = uri.path();
    let path = match path.trim_end_matches('/') {
        "" => "/",
        path => path,
    };
    let query = uri.query().unwrap_or_default();
    if query.is_empty() || query.len() > MOST_QUERY {
        return path.into();
    }
    let pairs = url::form_urlencoded::parse(query.as_bytes())
        .filter(|(key, _)| PARAMETERS.contains(&&**key));
    let query = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(pairs)
        .finish();
    if query.is_empty() {
        path.into()
    } else {
        format!("{path}?{query}").into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_the_page_is_part_of_its_name() {
        let name = |uri: &str| normalised(&uri.parse().unwrap()).into_owned();
        assert_eq!(name("/?utm_source=x"), "/");
        assert_eq!(name("/about-us/"), "/about-us");
        assert_eq!(name("//"), "/");
        assert_eq!(
            name("/sub-products?utm=1&category=South%20Indian"),
            "/sub-products?category=South+Indian"
        );
        assert_eq!(name(&format!("/search?q={}", "x".repeat(400))), "/search");
    }

    #[test]
    fn calls_and_pages_are_told_apart() {
        assert!(is_call("/api/nothing") && is_call("/api"));
        assert!(!is_call("/api/payment/redirect") && !is_call("/apiary") && !is_call("/"));
    }
}
