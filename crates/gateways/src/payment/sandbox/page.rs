//! The payment page: HTML and one style sheet, no scripts. Says what it is before anything else.

use std::sync::LazyLock;

use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mirasa_domain::money::Paise;
use sha2::{Digest, Sha256};
use url::Url;

use super::books::{Order, State};
use super::visit::{MODES, REASONS};

const STYLE: &str = include_str!("page.css");

static STYLE_HASH: LazyLock<String> = LazyLock::new(|| STANDARD.encode(Sha256::digest(STYLE)));

pub(super) fn checkout(shop_name: &str, order: &Order, now_ms: i64) -> Response {
    let modes = MODES
        .iter()
        .enumerate()
        .map(|(at, (mode, text))| {
            let checked = if at == 0 { " checked" } else { "" };
            format!(
                "<label class=\"mode\"><input type=\"radio\" name=\"mode\" value=\"{mode}\"{checked}>\
                 <span>{text}</span></label>"
            )
        })
        .collect::<String>();
    let reasons = REASONS
        .iter()
        .map(|(code, _, text)| format!("<option value=\"{code}\">{}</option>", escape(text)))
        .collect::<String>();
    let body = format!(
        "{receipt}\
         <form method=\"post\">\
         <fieldset class=\"modes\"><legend>Pay with</legend>{modes}</fieldset>\
         <button class=\"go\" name=\"outcome\" value=\"pay\">Pay {amount}</button>\
         <fieldset class=\"otherwise\"><legend>Or see what else can happen</legend>\
         <label for=\"reason\">If the payment fails, because</label>\
         <div class=\"pair\"><select id=\"reason\" name=\"reason\">{reasons}</select>\
         <button name=\"outcome\" value=\"fail\">Fail</button></div>\
         <button class=\"wide\" name=\"outcome\" value=\"pending\">Leave it pending</button>\
         </fieldset></form>\
         <p class=\"small\">{time}</p>",
        receipt = receipt(shop_name, order),
        amount = Paise::new(order.amount),
        time = time_left(order.expire_at - now_ms),
    );
    document(StatusCode::OK, "Sandbox payment", &body, Some(order))
}

/// For an order that nothing can be done about any more.
pub(super) fn over(shop_name: &str, order: &Order) -> Response {
    let (mark, text) = match order.state {
        State::Completed => ("paid", "This payment is made."),
        State::Failed => ("failed", "This payment has failed."),
        State::Pending => ("", "This payment is pending."),
    };
    let reason = order
        .error_code
        .as_deref()
        .map(|code| format!(" <code>{}</code>", escape(code)))
        .unwrap_or_default();
    let body = format!(
        "{receipt}<p class=\"verdict {mark}\">{text}{reason}</p>\
         <a class=\"go\" href=\"{back}\">Back to {shop}</a>",
        receipt = receipt(shop_name, order),
        back = escape(&order.redirect_url),
        shop = escape(shop_name),
    );
    document(StatusCode::OK, "Sandbox payment", &body, Some(order))
}

pub(super) fn refusal(status: StatusCode, text: &str) -> Response {
    let body = format!(
        "<h1>That did not work</h1><p class=\"note\">{}</p>\
         <a class=\"go\" href=\"/\">To the shop</a>",
        escape(text)
    );
    document(status, "Sandbox payment", &body, None)
}

fn receipt(shop_name: &str, order: &Order) -> String {
    let message = if order.message.is_empty() {
        String::new()
    } else {
        format!("<p class=\"note\">{}</p>", escape(&order.message))
    };
    format!(
        "<h1>Pay {shop}</h1>{message}\
         <dl><div class=\"amount\"><dt>Amount</dt><dd>{amount}</dd></div>\
         <div><dt>Order</dt><dd><code>{number}</code></dd></div></dl>",
        shop = escape(shop_name),
        amount = Paise::new(order.amount),
        number = escape(&order.merchant_order_id),
    )
}

fn time_left(ms: i64) -> String {
    match (ms + 59_999) / 60_000 {
        i64::MIN..=0 => {
            "The time for this payment is over; the sandbox takes it all the same.".into()
        }
        1 => "This page is good for less than a minute.".into(),
        minutes => format!("This page is good for {minutes} minutes."),
    }
}

/// Browsers hold `form-action` against redirects too, so the way back to the shop must be in it.
fn policy(order: Option<&Order>) -> String {
    let back = order
        .and_then(|order| Url::parse(&order.redirect_url).ok())
        .map(|url| format!(" {}", url.origin().ascii_serialization()))
        .unwrap_or_default();
    format!(
        "default-src 'none'; style-src 'sha256-{}'; img-src 'self'; form-action 'self'{back}; \
         base-uri 'none'; frame-ancestors 'none'",
        *STYLE_HASH
    )
}

fn document(status: StatusCode, title: &str, body: &str, order: Option<&Order>) -> Response {
    let html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\"><meta name=\"color-scheme\" content=\"light dark\">\
         <title>{title}</title><link rel=\"icon\" href=\"/favicon.svg\">\
         <style>{STYLE}</style></head><body><main>\
         <p class=\"tape\"><strong>Sandbox</strong> No money moves here</p>\
         <div class=\"inside\">{body}</div></main></body></html>"
    );
    let policy = policy(order);
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
