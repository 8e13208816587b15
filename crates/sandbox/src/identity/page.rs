//! The HTML of the account page.

use std::sync::LazyLock;

use axum::http::StatusCode;
use axum::response::Response;

use super::Inner;
use super::accounts::{DEMO_ACCOUNTS, DemoAccount};
use super::protocol::AuthorizeParams;
use crate::html::{Page, Stylesheet, escape, page};

static STYLESHEET: LazyLock<Stylesheet> =
    LazyLock::new(|| Stylesheet::new(include_str!("page.css")));

/// Shows the accounts. `entered` is the previous input if it was not a valid email address.
pub(super) fn account_page(
    sandbox: &Inner,
    params: &AuthorizeParams,
    entered: &str,
    cancel: Option<&str>,
) -> Response {
    let shop = escape(&sandbox.shop_name);
    let request = hidden_fields(params);
    let accounts = DEMO_ACCOUNTS.iter().map(account_button).collect::<String>();
    let entered = escape(entered);
    let (invalid, problem) = if entered.is_empty() {
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
         <form action=\"authorize\" method=\"get\">{request}<ul class=\"accounts\">{accounts}</ul></form>\
         <p class=\"or\"><span>or anybody else</span></p>\
         <form class=\"other-account\" action=\"authorize\" method=\"get\">{request}\
         <label for=\"email\">E-mail address</label>\
         <input id=\"email\" name=\"login_hint\" type=\"email\" autocomplete=\"email\" \
         placeholder=\"you@example.com\" maxlength=\"254\" required value=\"{entered}\"{invalid}>\
         {problem}\
         <button class=\"primary\">Continue</button></form>\
         {cancel}"
    );
    document(StatusCode::OK, "Sandbox sign-in", &body)
}

/// For a request that must not be redirected.
pub(super) fn error_page(text: &str) -> Response {
    let body = format!(
        "<h1>That did not work</h1><p class=\"note\">{}</p>\
         <p class=\"note\">Please go back to the shop and sign in from there.</p>\
         <a class=\"cancel\" href=\"/\">To the shop</a>",
        escape(text)
    );
    document(StatusCode::BAD_REQUEST, "Sandbox sign-in failed", &body)
}

fn account_button(account: &DemoAccount) -> String {
    let (email, name, role) = (
        escape(account.email),
        escape(account.name),
        escape(account.role),
    );
    let initials = account
        .name
        .split(' ')
        .filter_map(|word| word.chars().next())
        .collect::<String>();
    format!(
        "<li><button class=\"account\" name=\"login_hint\" value=\"{email}\">\
         <span class=\"initials\" aria-hidden=\"true\">{}</span>\
         <span class=\"account-text\"><b>{name}</b> <span class=\"role\">{role}</span>\
         <span class=\"address\">{email}</span></span></button></li>",
        escape(&initials)
    )
}

/// The request's parameters, so that choosing an account continues it.
fn hidden_fields(params: &AuthorizeParams) -> String {
    [
        ("client_id", &params.client_id),
        ("redirect_uri", &params.redirect_uri),
        ("response_type", &params.response_type),
        ("scope", &params.scope),
        ("state", &params.state),
        ("nonce", &params.nonce),
        ("code_challenge", &params.code_challenge),
        ("code_challenge_method", &params.code_challenge_method),
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

fn document(status: StatusCode, title: &str, content: &str) -> Response {
    page(
        &STYLESHEET,
        Page {
            status,
            title,
            warning: "This is not Google",
            content,
            // The page, the shop's callback and the page after it have the same origin.
            form_action_origin: None,
        },
    )
}
