//! Rendered pages. A public page is rendered once for each content revision of the catalogue and then copied from memory.
//! It is the same for all visitors, so it must not contain anything of the signed-in user.

pub mod feeds;
pub mod page_cache;
pub mod page_routes;
pub mod renderer;
pub mod seo;

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{Method, StatusCode, header};
use mirasa_app::ErrorCode;
use mirasa_app::catalogue::Snapshot;
use mirasa_app::repository::reviews::ReviewSort;
use mirasa_domain::product::ProductId;

use crate::api::reviews::types::{REVIEWS_PER_PAGE, ReviewPageResponse};
use crate::assets;
use crate::assets::precompressed::Precompressed;
use crate::error::error_response;
use crate::guard::rate_limit::check::may_render;
use crate::pages::page_cache::{Page, RenderedPage};
use crate::pages::page_routes::{PageMatch, match_page};
use crate::pages::renderer::Prefetched;
use crate::paths::PRODUCT_REVIEWS;
use crate::paths::is_api_path;
use crate::state::AppState;

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

async fn page(state: &AppState, request: Request) -> Response {
    let snapshot = state.shop.catalogue.snapshot();
    let found = match_page(request.uri(), &snapshot);
    let page = match &found {
        PageMatch::Typed(name) => {
            // If the renderer is busy, or the client is over its limit, the browser renders the page.
            if !state.renderer.is_idle() {
                count_fallback("busy");
                Ok(None)
            } else if !may_render(state, &request) {
                count_fallback("rate_limited");
                Ok(None)
            } else {
                let rendered = render(state, snapshot, name, StatusCode::OK).await;
                rendered.map(|rendered| Some(rendered.page))
            }
        }
        found => match found.cache_key() {
            Some(name) => {
                let content_revision = snapshot.content_revision;
                let render = render(state, snapshot, name, found.status());
                let page = state
                    .page_cache
                    .get_or_render(name, content_revision, render);
                page.await.map(Some)
            }
            None => Ok(None),
        },
    };
    match page {
        Ok(Some(page)) => page.respond(&state.template, &state.settings, request.headers()),
        Ok(None) => client_shell(state, request.uri().path(), &found),
        Err(error) => {
            count_fallback("failed");
            tracing::error!(
                path = request.uri().path(),
                error = format!("{error:#}"),
                "a page could not be rendered"
            );
            client_shell(state, request.uri().path(), &found)
        }
    }
}

/// Counts a page that the browser renders because the server could or would not.
fn count_fallback(reason: &'static str) {
    metrics::counter!("page_render_fallbacks_total", "reason" => reason).increment(1);
}

/// `status` is the status of the path; the web app may replace a 200.
#[tracing::instrument(target = "telemetry", name = "render page", skip_all, err)]
async fn render(
    state: &AppState,
    snapshot: Arc<Snapshot>,
    name: &str,
    status: StatusCode,
) -> anyhow::Result<RenderedPage> {
    metrics::counter!("pages_rendered_total").increment(1);
    let responses = state.response_cache.clone();
    let reviews = prefetch_reviews(state, name).await;
    let rendering = state
        .renderer
        .render(responses, snapshot, name.to_owned(), reviews);
    let rendered = rendering.await?;
    let html = state
        .template
        .page(&rendered.head, &rendered.body, &rendered.state);
    let text = tokio::task::spawn_blocking(move || Precompressed::new(html.into_bytes())).await?;
    let status = match status {
        StatusCode::OK => StatusCode::from_u16(rendered.status)?,
        other => other,
    };
    Ok(RenderedPage {
        page: Arc::new(Page::new(status, text)),
        cacheable: rendered.cacheable,
    })
}

/// The first reviews of a product, for its page. If they cannot be read, the page is rendered without them and not kept.
async fn prefetch_reviews(state: &AppState, page: &str) -> Option<Prefetched> {
    let id = page_routes::product_id(page)?;
    let product = ProductId(id.to_owned());
    let found = state
        .shop
        .reviews_of(product, ReviewSort::Newest, 0, REVIEWS_PER_PAGE)
        .await;
    if matches!(&found, Err(error) if error.code == ErrorCode::ProductNotFound) {
        return None;
    }
    let body = found.map_err(anyhow::Error::from).and_then(|found| {
        let response = ReviewPageResponse::new(found, 1, REVIEWS_PER_PAGE);
        Ok(serde_json::to_vec(&response)?)
    });
    let (status, body) = match body {
        Ok(body) => (200, body.into()),
        Err(error) => {
            let error = format!("{error:#}");
            tracing::warn!(error, page, "a page is rendered without reviews");
            (503, Bytes::from_static(b"null"))
        }
    };
    let path = PRODUCT_REVIEWS.replace("{id}", id);
    Some(Prefetched { path, status, body })
}

/// The page without content, only with its title. The browser renders it.
fn client_shell(state: &AppState, path: &str, found: &PageMatch) -> Response {
    let snapshot = state.shop.catalogue.snapshot();
    let product = path
        .strip_prefix("/product/")
        .and_then(|id| snapshot.find_visible(&ProductId(id.to_owned())));
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
