//! Rendered pages. A public page is rendered once for each content revision of the catalogue and then copied from memory.
//! It is the same for all visitors, so it must not contain anything of the signed-in user.

use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, Method, StatusCode, header};
use mirasa_app::ErrorCode;
use mirasa_app::catalogue::Snapshot;

use crate::error::error_response;
use crate::page_cache::{CACHE_LIMITS, PageCache};
use crate::page_routes::{self, PageMatch, is_api_path};
use crate::precompressed::Precompressed;
use crate::renderer::Renderer;
use crate::security_headers::add_security_headers;
use crate::state::AppState;
use crate::{assets, rate_limit};

pub struct Page {
    status: StatusCode,
    text: Precompressed,
}

impl Page {
    pub fn new(status: StatusCode, text: Precompressed) -> Page {
        Page { status, text }
    }

    pub fn respond(&self, state: &AppState, request: &HeaderMap) -> Response {
        let add_headers = |head: &mut HeaderMap| {
            let policy = state.template.content_security_policy.clone();
            head.insert(header::CONTENT_SECURITY_POLICY, policy);
            add_security_headers(&state.settings, head);
        };
        let html = "text/html; charset=utf-8";
        self.text
            .respond(request, self.status, html, "no-cache", add_headers)
    }

    /// Its size in memory. The two compressed variants together take less than half of the plain text.
    fn size(&self) -> usize {
        self.text.plain.len() * 3 / 2
    }
}

pub struct Pages {
    renderer: Renderer,
    pages: RwLock<PageCache>,
}

impl Pages {
    pub fn new(renderer: Renderer) -> Pages {
        Pages {
            renderer,
            pages: RwLock::new(PageCache::new(CACHE_LIMITS)),
        }
    }

    /// The page, if it has been rendered from the current catalogue.
    pub fn ready(&self, name: &str, content_revision: u64) -> Option<Arc<Page>> {
        let pages = self.pages.read().unwrap_or_else(PoisonError::into_inner);
        pages.get(name, content_revision)
    }

    fn cache(&self) -> RwLockWriteGuard<'_, PageCache> {
        self.pages.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Every path outside the route table: a file of the web app, or a page.
pub async fn fallback(State(state): State<AppState>, request: Request) -> Response {
    let path = request.uri().path();
    if is_api_path(path) {
        return error_response(ErrorCode::NotFound, "There is no such call");
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return error_response(ErrorCode::MethodNotAllowed, "This address can only be read");
    }
    if let Some(file) = assets::serve(path, request.headers()) {
        return file;
    }
    if path.starts_with("/assets/") || path.starts_with("/images/") {
        return error_response(ErrorCode::NotFound, "There is no such file");
    }
    page(&state, request).await
}

pub async fn method_not_allowed() -> Response {
    error_response(
        ErrorCode::MethodNotAllowed,
        "This call does not know that method",
    )
}

pub async fn page(state: &AppState, request: Request) -> Response {
    let snapshot = state.shop.catalogue.snapshot();
    let found = page_routes::match_page(request.uri(), &snapshot);
    let page = match &found {
        PageMatch::Typed(name) => {
            // If the renderer is busy, or the client is over its limit, the browser renders the page.
            let may = state.pages.renderer.is_idle() && rate_limit::may_render(state, &request);
            match may {
                true => {
                    let rendered = render(state, snapshot, name, StatusCode::OK).await;
                    rendered.map(|(page, _)| Some(page))
                }
                false => Ok(None),
            }
        }
        found => match found.cache_key() {
            Some(name) => cached(state, snapshot, name, found.status())
                .await
                .map(Some),
            None => Ok(None),
        },
    };
    match page {
        Ok(Some(page)) => page.respond(state, request.headers()),
        Ok(None) => client_shell(state, request.uri().path(), &found),
        Err(error) => {
            tracing::error!(
                path = request.uri().path(),
                error = format!("{error:#}"),
                "a page could not be rendered"
            );
            client_shell(state, request.uri().path(), &found)
        }
    }
}

/// From memory, or rendered and kept.
async fn cached(
    state: &AppState,
    snapshot: Arc<Snapshot>,
    name: &str,
    status: StatusCode,
) -> anyhow::Result<Arc<Page>> {
    let content_revision = snapshot.content_revision;
    if let Some(page) = state.pages.ready(name, content_revision) {
        return Ok(page);
    }
    let slot = state.pages.cache().slot(name, content_revision);
    let mut may_be_kept = true;
    let page = slot
        .get_or_try_init(|| async {
            let (page, may) = render(state, snapshot, name, status).await?;
            may_be_kept = may;
            anyhow::Ok(page)
        })
        .await?;
    match may_be_kept {
        true => state
            .pages
            .cache()
            .set_size(name, content_revision, page.size()),
        false => state.pages.cache().remove(name, content_revision),
    }
    Ok(page.clone())
}

/// The page, and whether it may be kept. `status` is the status of the path; the web app may replace a 200.
async fn render(
    state: &AppState,
    snapshot: Arc<Snapshot>,
    name: &str,
    status: StatusCode,
) -> anyhow::Result<(Arc<Page>, bool)> {
    metrics::counter!("pages_rendered").increment(1);
    let rendering = state
        .pages
        .renderer
        .render(state.clone(), snapshot, name.to_owned());
    let rendered = rendering.await?;
    let html = state
        .template
        .page(&rendered.head, &rendered.body, &rendered.state);
    let text = tokio::task::spawn_blocking(move || Precompressed::new(html.into_bytes())).await?;
    let status = match status {
        StatusCode::OK => StatusCode::from_u16(rendered.status)?,
        other => other,
    };
    Ok((Arc::new(Page::new(status, text)), rendered.cacheable))
}

/// The page without content, only with its title. The browser renders it.
fn client_shell(state: &AppState, path: &str, found: &PageMatch) -> Response {
    let snapshot = state.shop.catalogue.snapshot();
    let product = path
        .strip_prefix("/product/")
        .and_then(|id| snapshot.find_visible(&mirasa_domain::product::ProductId(id.to_owned())));
    let shop = &state.settings.identity.name;
    let title = product.map_or_else(
        || shop.clone(),
        |product| format!("{} | {shop}", product.details.product_name),
    );
    let mut head = format!("<title>{}</title>", escape(&title));
    if !matches!(found, PageMatch::Page(_)) {
        head.push_str("<meta name=\"robots\" content=\"noindex\">");
    }
    let html = state.template.page(&head, "", "");
    (
        found.status(),
        [
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            (header::CACHE_CONTROL, "no-store"),
        ],
        [(
            header::CONTENT_SECURITY_POLICY,
            state.template.content_security_policy.clone(),
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
