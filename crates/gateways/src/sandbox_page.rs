//! What the sandboxes' pages have in common: HTML and one style sheet, no scripts, and the word that it is a sandbox
//! before anything else.

use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The one style sheet of a page: what all have, and what is its own.
pub(crate) struct Sheet {
    css: String,
    hash: String,
}

impl Sheet {
    pub(crate) fn new(own: &str) -> Sheet {
        let css = [include_str!("sandbox_page.css"), own].concat();
        let hash = STANDARD.encode(Sha256::digest(&css));
        Sheet { css, hash }
    }
}

pub(crate) struct Page<'a> {
    pub(crate) status: StatusCode,
    pub(crate) title: &'a str,
    /// What this is not.
    pub(crate) warning: &'a str,
    pub(crate) inside: &'a str,
    /// Browsers hold `form-action` against redirects too: another origin to which a form may lead in the end.
    pub(crate) leads_to: Option<String>,
}

pub(crate) fn page(sheet: &Sheet, page: Page) -> Response {
    let Sheet { css, hash } = sheet;
    let Page {
        status,
        title,
        warning,
        inside,
        leads_to,
    } = page;
    let html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\"><meta name=\"color-scheme\" content=\"light dark\">\
         <title>{title}</title><link rel=\"icon\" href=\"/favicon.svg\">\
         <style>{css}</style></head><body><main>\
         <p class=\"tape\"><strong>Sandbox</strong> <span>{warning}</span></p>\
         <div class=\"inside\">{inside}</div></main></body></html>"
    );
    let also = leads_to
        .map(|origin| format!(" {origin}"))
        .unwrap_or_default();
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{hash}'; img-src 'self'; form-action 'self'{also}; \
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
