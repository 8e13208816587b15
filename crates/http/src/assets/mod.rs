//! The files of the web build inside the binary: static assets, the page template, the server bundle.

pub mod images;
pub mod precompressed;
pub mod product_images;
pub mod web_files;

use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use sha2::{Digest, Sha256};

use crate::assets::precompressed::{Encoding, preferred_encoding};
use crate::settings::HttpSettings;

const CACHE_IMMUTABLE: &str = "public, max-age=31536000, immutable";
const CACHE_ONE_DAY: &str = "public, max-age=86400";
/// The service worker decides what later visits see, so the browser must check for a new one each time.
const SERVICE_WORKER: &str = "sw.js";
const CACHE_NEVER: &str = "no-cache";
/// It requests pages and files of the shop, and nothing else.
const SERVICE_WORKER_POLICY: &str = "default-src 'none'; connect-src 'self'";

pub fn server_bundle() -> Option<Bytes> {
    web_files::get("server/render.js").map(|file| file.bytes.clone())
}

/// The paths of the pages, as JSON.
pub fn page_list() -> Option<Bytes> {
    web_files::get("server/pages.json").map(|file| file.bytes.clone())
}

/// A file of the client build, if there is one at this path. Files under /assets/ carry their hash in
/// their name and never change.
pub fn serve(path: &str, request: &HeaderMap) -> Option<Response> {
    let name = path.trim_start_matches('/');
    let mut response = serve_file(name, request)?;
    if name == SERVICE_WORKER {
        response.headers_mut().insert(
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(SERVICE_WORKER_POLICY),
        );
    }
    Some(response)
}

fn serve_file(name: &str, request: &HeaderMap) -> Option<Response> {
    if name.is_empty() || name == "index.html" || name.ends_with(".br") || name.ends_with(".gz") {
        return None;
    }
    let plain = web_files::get(&format!("client/{name}"))?;
    let cache = if name.starts_with("assets/") {
        CACHE_IMMUTABLE
    } else if name == SERVICE_WORKER {
        CACHE_NEVER
    } else {
        CACHE_ONE_DAY
    };
    let etag = plain.etag()?;
    let common = [
        (header::CACHE_CONTROL, HeaderValue::from_static(cache)),
        (header::VARY, HeaderValue::from_static("accept-encoding")),
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static(content_type(name)),
        ),
        (header::ETAG, etag.clone()),
    ];
    if request
        .get(header::IF_NONE_MATCH)
        .is_some_and(|known| known == etag)
    {
        return Some((StatusCode::NOT_MODIFIED, common).into_response());
    }
    let encoded = |extension: &str, encoding: &'static str| {
        let file = web_files::get(&format!("client/{name}.{extension}"))?;
        Some(
            (
                common.clone(),
                [(header::CONTENT_ENCODING, HeaderValue::from_static(encoding))],
                file.bytes.clone(),
            )
                .into_response(),
        )
    };
    let compressed = match preferred_encoding(request) {
        Encoding::Brotli => encoded("br", "br"),
        Encoding::Gzip => encoded("gz", "gzip"),
        Encoding::Plain => None,
    };
    Some(compressed.unwrap_or_else(|| (common, plain.bytes.clone()).into_response()))
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        "ico" => "image/x-icon",
        _ => "application/octet-stream",
    }
}

/// The HTML template, split at its three markers, and its content security policy.
pub struct Template {
    before_head: String,
    before_app: String,
    before_state: String,
    rest: String,
    pub content_security_policy: HeaderValue,
}

impl Template {
    pub fn load(settings: &HttpSettings) -> Template {
        let text = web_files::get("client/index.html")
            .map(|file| String::from_utf8_lossy(&file.bytes).into_owned());
        let text = text.unwrap_or_else(|| {
            tracing::warn!("the web app is not built: pages are empty");
            "<!doctype html><html><head><!--head--></head><body><div id=\"root\"><!--app--></div><!--state--></body></html>".into()
        });
        let (before_head, rest) = text.split_once("<!--head-->").unwrap_or((&text, ""));
        let (before_app, rest) = rest.split_once("<!--app-->").unwrap_or((rest, ""));
        let (before_state, rest) = rest.split_once("<!--state-->").unwrap_or((rest, ""));
        Template {
            content_security_policy: content_security_policy(
                &inline_script_hashes(&text),
                settings,
            ),
            before_head: before_head.into(),
            before_app: before_app.into(),
            before_state: before_state.into(),
            rest: rest.into(),
        }
    }

    pub fn page(&self, head: &str, app: &str, state: &str) -> String {
        // Inside a script element only "</script" and "<!--" are special, so it is enough to escape "<".
        let state = state.replace('<', "\\u003c");
        let data = if state.is_empty() {
            String::new()
        } else {
            format!("<script type=\"application/json\" id=\"state\">{state}</script>")
        };
        [
            &self.before_head,
            head,
            &self.before_app,
            app,
            &self.before_state,
            &data,
            &self.rest,
        ]
        .concat()
    }
}

/// The template's own scripts are allowed by their hash. A nonce would have to differ in each response, so pages could
/// not be cached compressed.
fn inline_script_hashes(html: &str) -> Vec<String> {
    html.split("<script>")
        .skip(1)
        .filter_map(|rest| rest.split_once("</script>"))
        .map(|(script, _)| {
            format!(
                "'sha256-{}'",
                STANDARD.encode(Sha256::digest(script.as_bytes()))
            )
        })
        .collect()
}

fn content_security_policy(script_hashes: &[String], settings: &HttpSettings) -> HeaderValue {
    let upgrade = if settings.production {
        "; upgrade-insecure-requests"
    } else {
        ""
    };
    let text = format!(
        "default-src 'none'; script-src 'self' {}; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:{}; \
         font-src 'self'; connect-src 'self'; manifest-src 'self'; frame-src https://www.openstreetmap.org; \
         form-action 'self' {}; base-uri 'none'; object-src 'none'; frame-ancestors 'none'{upgrade}",
        script_hashes.join(" "),
        settings
            .identity
            .image_hosts
            .iter()
            .map(|host| format!(" https://{host}"))
            .collect::<String>(),
        settings.payment_origins.join(" "),
    );
    HeaderValue::from_str(&text)
        .unwrap_or_else(|_| HeaderValue::from_static("default-src 'self'; frame-ancestors 'none'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csp_has_the_hashes_of_inline_scripts() {
        let hashes = inline_script_hashes("<script>alert(1)</script><script src=\"x\"></script>");
        assert_eq!(
            hashes,
            ["'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"]
        );
    }
}
