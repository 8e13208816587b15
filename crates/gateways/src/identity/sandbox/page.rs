//! The sandbox's page: HTML and one style sheet, no scripts. Says what it is before anything else.

use std::sync::LazyLock;

use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::Inner;
use super::authorize::Ask;
use super::people::{DEMO_PEOPLE, DemoPerson};

const STYLE: &str = include_str!("page.css");

/// Browsers hold `form-action` against redirects too; 'self' is enough, because the page, the shop's
/// callback and the page after it are one origin.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let style = STANDARD.encode(Sha256::digest(STYLE));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; img-src 'self'; form-action 'self'; \
         base-uri 'none'; frame-ancestors 'none'"
    )
});

/// Asks who is signing in. `typed` is what they wrote before, if it was no address.
pub(super) fn pick(sandbox: &Inner, ask: &Ask, typed: &str, cancel: Option<&str>) -> Response {
    let shop = escape(&sandbox.shop_name);
    let request = hidden_fields(ask);
    let people = DEMO_PEOPLE.iter().map(person_button).collect::<String>();
    let typed = escape(typed);
    let (invalid, problem) = if typed.is_empty() {
        ("", "")
    } else {
        (
            " aria-invalid=\"true\" aria-describedby=\"problem\"",
            "<p class=\"problem\" id=\"problem\" role=\"alert\">That is not an e-mail address.</p>",
        )
    };
    let cancel = cancel
        .map(|url| format!("<a class=\"cancel\" href=\"{}\">Cancel</a>", escape(url)))
        .unwrap_or_default();
    let body = format!(
        "<p class=\"tape\"><strong>Sandbox</strong> <span>This is not Google</span></p>\
         <div class=\"inside\">\
         <h1>Sign in to {shop}</h1>\
         <p class=\"note\">The shop has no Google keys yet, so this page stands in for Google. \
         No password: whoever you pick is who you are.</p>\
         <form action=\"authorize\" method=\"get\">{request}<ul class=\"people\">{people}</ul></form>\
         <p class=\"or\"><span>or anybody else</span></p>\
         <form class=\"other\" action=\"authorize\" method=\"get\">{request}\
         <label for=\"email\">E-mail address</label>\
         <input id=\"email\" name=\"login_hint\" type=\"email\" autocomplete=\"email\" \
         placeholder=\"you@example.com\" maxlength=\"254\" required value=\"{typed}\"{invalid}>\
         {problem}\
         <button class=\"go\">Continue</button></form>\
         {cancel}</div>"
    );
    document(StatusCode::OK, "Sandbox sign-in", &body)
}

/// For a request that must not lead back anywhere.
pub(super) fn refusal(text: &str) -> Response {
    let body = format!(
        "<p class=\"tape\"><strong>Sandbox</strong> <span>This is not Google</span></p>\
         <div class=\"inside\"><h1>That did not work</h1><p class=\"note\">{}</p>\
         <p class=\"note\">Please go back to the shop and sign in from there.</p>\
         <a class=\"cancel\" href=\"/\">To the shop</a></div>",
        escape(text)
    );
    document(StatusCode::BAD_REQUEST, "Sandbox sign-in failed", &body)
}

fn person_button(person: &DemoPerson) -> String {
    let (email, name, role) = (
        escape(person.email),
        escape(person.name),
        escape(person.role),
    );
    let initials = person
        .name
        .split(' ')
        .filter_map(|word| word.chars().next())
        .collect::<String>();
    format!(
        "<li><button class=\"person\" name=\"login_hint\" value=\"{email}\">\
         <span class=\"face\" aria-hidden=\"true\">{}</span>\
         <span class=\"who\"><b>{name}</b> <span class=\"role\">{role}</span>\
         <span class=\"address\">{email}</span></span></button></li>",
        escape(&initials)
    )
}

/// The request again, so that picking somebody continues it.
fn hidden_fields(ask: &Ask) -> String {
    [
        ("client_id", &ask.client_id),
        ("redirect_uri", &ask.redirect_uri),
        ("response_type", &ask.response_type),
        ("scope", &ask.scope),
        ("state", &ask.state),
        ("nonce", &ask.nonce),
        ("code_challenge", &ask.code_challenge),
        ("code_challenge_method", &ask.code_challenge_method),
    ]
    .into_iter()
    .filter_map(|(name, value)| {
        let value = escape(value.as_deref()?);
        Some(format!(
            "<input type=\"hidden\" name=\"{name}\" value=\"{value}\">"
        ))
    })
    .collect()
}

fn document(status: StatusCode, title: &str, body: &str) -> Response {
    let html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\"><meta name=\"color-scheme\" content=\"light dark\">\
         <title>{title}</title><link rel=\"icon\" href=\"/favicon.svg\">\
         <style>{STYLE}</style></head><body><main>{body}</main></body></html>"
    );
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, POLICY.as_str()),
        (REFERRER_POLICY, "same-origin"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (CACHE_CONTROL, "no-store"),
    ];
    (status, headers, html).into_response()
}

fn escape(text: &str) -> String {
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
