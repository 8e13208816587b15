//! The mailbox: shows the emails of a shop without a mail server.

use std::fmt::Write as _;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use mirasa_app::repository::emails::outbox::OutboxEmail;
use mirasa_app::{AppError, Shop};
use time::OffsetDateTime;
use time::macros::format_description;

use crate::html::escape;

pub const PATH: &str = "/sandbox/mail";
const MAX_LISTED: i64 = 100;

#[derive(Clone)]
struct Mailbox {
    shop: Shop,
    error_response: fn(AppError) -> Response,
}

/// `error_response` converts errors as the other routes of the shop do.
pub fn router(shop: Shop, error_response: fn(AppError) -> Response) -> Router {
    Router::new()
        .route(PATH, get(list))
        .route("/sandbox/mail/{id}", get(show))
        .route("/sandbox/mail/{id}/attachment.pdf", get(attachment))
        .with_state(Mailbox {
            shop,
            error_response,
        })
}

async fn list(State(mailbox): State<Mailbox>) -> Response {
    let page = list_page(&mailbox.shop).await;
    page.unwrap_or_else(mailbox.error_response)
}

async fn show(State(mailbox): State<Mailbox>, Path(id): Path<String>) -> Response {
    let page = email_page(&mailbox.shop, id).await;
    page.unwrap_or_else(mailbox.error_response)
}

async fn attachment(State(mailbox): State<Mailbox>, Path(id): Path<String>) -> Response {
    let file = attached_file(&mailbox.shop, id).await;
    file.unwrap_or_else(mailbox.error_response)
}

/// Rendered now, as it was when the email would have been sent.
async fn attached_file(shop: &Shop, id: String) -> Result<Response, AppError> {
    let none = || AppError::not_found("There is no such attachment");
    let invoice = find_email(shop, id).await?.invoice_id.ok_or_else(none)?;
    let file = shop.attached_pdf(invoice).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/pdf".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("inline; filename=\"{}\"", file.name),
        ),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, file.bytes).into_response())
}

async fn find_email(shop: &Shop, id: String) -> Result<OutboxEmail, AppError> {
    let email: Option<OutboxEmail> = shop
        .db
        .read(async move |db| Ok::<_, AppError>(db.email(&id.as_str().into()).await?))
        .await?;
    email.ok_or_else(|| AppError::not_found("There is no such email"))
}

async fn list_page(shop: &Shop) -> Result<Response, AppError> {
    let emails: Vec<OutboxEmail> = shop
        .db
        .read(async move |db| Ok::<_, AppError>(db.recent_emails(MAX_LISTED).await?))
        .await?;
    let mut rows = String::new();
    for email in &emails {
        let _ = write!(
            rows,
            "<li><a href=\"{PATH}/{}\"><b>{}</b><br><small>to {} · {}</small></a></li>",
            escape(email.id.as_str()),
            escape(&email.subject),
            escape(&email.recipient),
            to_iso8601(email.created_at_ms),
        );
    }
    if rows.is_empty() {
        rows.push_str("<li>No emails yet. Place an order and come back.</li>");
    }
    Ok(page(
        "Mailbox",
        &format!("<p>A sandbox: these emails are stored, not sent.</p><ul>{rows}</ul>"),
    ))
}

async fn email_page(shop: &Shop, id: String) -> Result<Response, AppError> {
    let email = find_email(shop, id).await?;
    let mut headers = String::new();
    if let Some(address) = &email.reply_to {
        let _ = write!(headers, "<br>Replies go to {}", escape(address));
    }
    if let Some(first) = &email.in_reply_to {
        let _ = write!(
            headers,
            "<br>In the thread of <a href=\"{PATH}/{0}\">{0}</a>",
            escape(first.as_str())
        );
    }
    if email.invoice_id.is_some() {
        let _ = write!(
            headers,
            "<br>Attached: <a href=\"{PATH}/{}/attachment.pdf\">document (PDF)</a>",
            escape(email.id.as_str())
        );
    }
    let body = format!(
        "<p><a href=\"{PATH}\">All emails</a></p><p>To {} · {}{headers}</p><iframe sandbox srcdoc=\"{}\"></iframe><h2>As plain text</h2><pre>{}</pre>",
        escape(&email.recipient),
        to_iso8601(email.created_at_ms),
        escape(&email.html_body),
        escape(&email.text_body),
    );
    Ok(page(&email.subject, &body))
}

/// `2026-11-15T09:30:00.000Z`
fn to_iso8601(at_ms: i64) -> String {
    let format =
        format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(at_ms) * 1_000_000)
        .ok()
        .and_then(|at| at.format(format).ok())
        .unwrap_or_default()
}

fn page(title: &str, body: &str) -> Response {
    let title = escape(title);
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
         <style>:root{{color-scheme:light dark}}body{{font:16px/1.5 system-ui;max-width:44rem;margin:2rem auto;padding:0 1rem}}\
         ul{{list-style:none;padding:0}}li{{border:1px solid #8885;border-radius:10px;margin:.5rem 0}}li a{{display:block;padding:.75rem 1rem;\
         color:inherit;text-decoration:none}}iframe{{width:100%;height:34rem;border:1px solid #8885;border-radius:10px}}\
         pre{{white-space:pre-wrap}}</style><h1>{title}</h1>{body}</html>"
    );
    let policy = HeaderValue::from_static(
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-src 'self'; frame-ancestors 'none'",
    );
    (
        [
            (header::CONTENT_SECURITY_POLICY, policy),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ],
        Html(html),
    )
        .into_response()
}
