//! Finished pages. A public page is rendered once for each edition of the catalogue and then copied
//! from memory; it is the same for everybody, so nothing of the signed-in person may be in it.

use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, Method, StatusCode, header};
use mirasa_app::catalogue::Snapshot;

use crate::encoded::Encoded;
use crate::error::error_response;
use crate::page_routes::{self, Found};
use crate::page_shelf::{PageShelf, ROOM};
use crate::renderer::Renderer;
use crate::site::Site;
use crate::{assets, limits, security};

pub struct Page {
    status: StatusCode,
    text: Encoded,
}

impl Page {
    pub fn new(status: StatusCode, text: Encoded) -> Page {
        Page { status, text }
    }

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

    /// What it takes in memory. Packed, both ways together, it is less than half as large again.
    fn size(&self) -> usize {
        self.text.plain.len() * 3 / 2
    }
}

pub struct PageBook {
    renderer: Renderer,
    pages: RwLock<PageShelf>,
}

impl PageBook {
    pub fn new(renderer: Renderer) -> PageBook {
        PageBook {
            renderer,
            pages: RwLock::new(PageShelf::new(ROOM)),
        }
    }

    /// The page, where it has been rendered from the catalogue as it is.
    pub fn ready(&self, name: &str, edition: u64) -> Option<Arc<Page>> {
        let shelf = self.pages.read().unwrap_or_else(PoisonError::into_inner);
        shelf.ready(name, edition)
    }

    fn shelf(&self) -> RwLockWriteGuard<'_, PageShelf> {
        self.pages.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// BoxedAny that is no call: a file of the web app, or a page.
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
    let snapshot = site.shop.catalogue.snapshot();
    let found = page_routes::find(request.uri(), &snapshot);
    let page = match &found {
        Found::Typed(name) => {
            // Whoever finds the renderer at work, or has had their share of it, renders for themselves.
            let may = site.pages.renderer.is_idle() && limits::may_render(site, &request);
            match may {
                true => {
                    let rendered = render(site, snapshot, name, StatusCode::OK).await;
                    rendered.map(|(page, _)| Some(page))
                }
                false => Ok(None),
            }
        }
        found => match found.kept_as() {
            Some(name) => kept(site, snapshot, name, found.status()).await.map(Some),
            None => Ok(None),
        },
    };
    match page {
        Ok(Some(page)) => page.respond(site, request.headers()),
        Ok(None) => shell(site, request.uri().path(), &found),
        Err(error) => {
            tracing::error!(
                path = request.uri().path(),
                error = format!("{error:#}"),
                "a page could not be rendered"
            );
            shell(site, request.uri().path(), &found)
        }
    }
}

/// From memory, or rendered and then kept.
async fn kept(
    site: &Site,
    snapshot: Arc<Snapshot>,
    name: &str,
    status: StatusCode,
) -> anyhow::Result<Arc<Page>> {
    let edition = snapshot.content_revision;
    if let Some(page) = site.pages.ready(name, edition) {
        return Ok(page);
    }
    let place = site.pages.shelf().place(name, edition);
    let mut may_be_kept = true;
    let page = place
        .get_or_try_init(|| async {
            let (page, may) = render(site, snapshot, name, status).await?;
            may_be_kept = may;
            anyhow::Ok(page)
        })
        .await?;
    match may_be_kept {
        true => site.pages.shelf().keep(name, edition, page.size()),
        false => site.pages.shelf().forget(name, edition),
    }
    Ok(page.clone())
}

/// The page, and whether it may be kept. `status` is what the address has; the web app may know better.
async fn render(
    site: &Site,
    snapshot: Arc<Snapshot>,
    name: &str,
    status: StatusCode,
) -> anyhow::Result<(Arc<Page>, bool)> {
    metrics::counter!("pages_rendered").increment(1);
    let rendering = site
        .pages
        .renderer
        .render(site.clone(), snapshot, name.to_owned());
    let rendered = rendering.await?;
    let html = site
        .template
        .page(&rendered.head, &rendered.body, &rendered.state);
    let text = tokio::task::spawn_blocking(move || Encoded::new(html.into_bytes())).await?;
    let status = match status {
        StatusCode::OK => StatusCode::from_u16(rendered.status)?,
        other => other,
    };
    Ok((Arc::new(Page::new(status, text)), rendered.cacheable))
}

/// The empty page with its title, which the browser fills by itself.
fn shell(site: &Site, path: &str, found: &Found) -> Response {
    let snapshot = site.shop.catalogue.snapshot();
    let product = path
        .strip_prefix("/product/")
        .and_then(|id| snapshot.find_visible(&mirasa_domain::product::ProductId(id.to_owned())));
    let shop = &site.settings.identity.name;
    let title = product.map_or_else(
        || shop.clone(),
        |product| format!("{} | {shop}", product.details.product_name),
    );
    let mut head = format!("<title>{}</title>", escape(&title));
    if !matches!(found, Found::Page(_)) {
        head.push_str("<meta name=\"robots\" content=\"noindex\">");
    }
    let html = site.template.page(&head, "", "");
    (
        found.status(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_and_pages_are_told_apart() {
        assert!(is_call("/api/nothing") && is_call("/api"));
        assert!(!is_call("/api/payment/redirect") && !is_call("/apiary") && !is_call("/"));
    }
}
