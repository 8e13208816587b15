//! The sandbox's page: who is signing in?

use std::sync::LazyLock;

use axum::http::StatusCode;
use axum::response::Response;

use super::Inner;
use super::authorize::Ask;
use super::people::{DEMO_PEOPLE, DemoPerson};
use crate::sandbox_page::{Page, Sheet, escape, page};

static SHEET: LazyLock<Sheet> = LazyLock::new(|| Sheet::new(include_str!("page.css")));

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
        "<h1>Sign in to {shop}</h1>\
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
         {cancel}"
    );
    document(StatusCode::OK, "Sandbox sign-in", &body)
}

/// For a request that must not lead back anywhere.
pub(super) fn refusal(text: &str) -> Response {
    let body = format!(
        "<h1>That did not work</h1><p class=\"note\">{}</p>\
         <p class=\"note\">Please go back to the shop and sign in from there.</p>\
         <a class=\"cancel\" href=\"/\">To the shop</a>",
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

fn document(status: StatusCode, title: &str, inside: &str) -> Response {
    page(
        &SHEET,
        Page {
            status,
            title,
            warning: "This is not Google",
            inside,
            // The page, the shop's callback and the page after it are one origin.
            leads_to: None,
        },
    )
}
