//! The common parts of the sandbox pages: HTML with one stylesheet, no scripts, and a banner that
//! says that it is a sandbox.

use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The stylesheet of a page: the common part and the page's own.
pub(crate) struct Stylesheet {
    css: String,
    hash: String,
}

impl Stylesheet {
    pub(crate) fn new(own: &str) -> Stylesheet {
        let css = [include_str!("html.css"), own].concat();
        let hash = STANDARD.encode(Sha256::digest(&css));
        Stylesheet { css, hash }
    }
}

pub(crate) struct Page<'a> {
    pub(crate) status: StatusCode,
    pub(crate) title: &'a str,
    /// The warning in the banner.
    pub(crate) warning: &'a str,
    pub(crate) content: &'a str,
    /// Browsers apply `form-action` to redirects too: another origin to which a form may lead.
    pub(crate) form_action_origin: Option<String>,
}

pub(crate) fn page(stylesheet: &Stylesheet, page: Page) -> Response {
    let Stylesheet { css, hash } = stylesheet;
    let Page {
        status,
        title,
        warning,
        content,
        form_action_origin,
    } = page;
    let html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\"><meta name=\"color-scheme\" content=\"light dark\">\
         <title>{title}</title><link rel=\"icon\" href=\"/favicon.svg\">\
         <style>{css}</style></head><body><main>\
         <p class=\"banner\"><strong>Sandbox</strong> <span>{warning}</span></p>\
         <div class=\"content\">{content}</div></main></body></html>"
    );
    let extra_origin = form_action_origin
        .map(|origin| format!(" {origin}"))
        .unwrap_or_default();
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{hash}'; img-src 'self'; form-action 'self'{extra_origin}; \
         base-uri 'none'; frame-ancestors 'none'"
    );
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, policy.as_str()),
        (REFERRER_POLICY, "same-origin"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (CACHE_CONTROL, "no-store"),
    ];
    (status, headers, html).into_response()
}

pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}
