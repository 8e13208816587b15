//! The HTML of the payment page.

use std::sync::LazyLock;

use axum::http::StatusCode;
use axum::response::Response;
use mirasa_domain::money::Paise;
use url::Url;

use super::payment_options::{MODES, REASONS};
use super::state::{Order, State};
use crate::html::{Page, Stylesheet, escape, page};

static STYLESHEET: LazyLock<Stylesheet> =
    LazyLock::new(|| Stylesheet::new(include_str!("payment_page.css")));

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
         <button class=\"primary\" name=\"outcome\" value=\"pay\">Pay {amount}</button>\
         <fieldset class=\"other-outcomes\"><legend>Or see what else can happen</legend>\
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

/// For an order that can no longer change.
pub(super) fn finished(shop_name: &str, order: &Order) -> Response {
    let (css_class, text) = match order.state {
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
        "{receipt}<p class=\"status {css_class}\">{text}{reason}</p>\
         <a class=\"primary\" href=\"{return_url}\">Back to {shop}</a>",
        receipt = receipt(shop_name, order),
        return_url = escape(&order.redirect_url),
        shop = escape(shop_name),
    );
    document(StatusCode::OK, "Sandbox payment", &body, Some(order))
}

pub(super) fn error_page(status: StatusCode, text: &str) -> Response {
    let body = format!(
        "<h1>That did not work</h1><p class=\"note\">{}</p>\
         <a class=\"primary\" href=\"/\">To the shop</a>",
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

fn document(status: StatusCode, title: &str, content: &str, order: Option<&Order>) -> Response {
    page(
        &STYLESHEET,
        Page {
            status,
            title,
            warning: "No money moves here",
            content,
            // The form redirects back to the shop.
            form_action_origin: order
                .and_then(|order| Url::parse(&order.redirect_url).ok())
                .map(|url| url.origin().ascii_serialization()),
        },
    )
}
