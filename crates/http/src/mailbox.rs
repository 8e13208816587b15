//! The sandbox's mailbox: the letters that would have gone out, where no mail server is configured.

use std::fmt::Write as _;

use axum::Router;
use axum::extract::{Path, State};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use http::{HeaderValue, header};
use mirasa_app::AppError;
use mirasa_app::repository::outbox::OutboxEmail;

use crate::dto::to_iso8601;
use crate::error::ApiResult;
use crate::pages::escape;
use crate::state::AppState;

pub const PATH: &str = "/sandbox/mail";
const SHOWN: i64 = 100;

pub fn router(state: AppState) -> Router {
    Router::new()
        .route(PATH, get(list))
        .route("/sandbox/mail/{id}", get(one))
        .with_state(state)
}

async fn list(State(state): State<AppState>) -> ApiResult<Response> {
    let mails: Vec<OutboxEmail> = state
        .shop
        .db
        .read(|db| Box::pin(async move { Ok::<_, AppError>(db.recent_emails(SHOWN).await?) }))
        .await?;
    let mut rows = String::new();
    for mail in &mails {
        let _ = write!(
            rows,
            "<li><a href=\"{PATH}/{}\"><b>{}</b><br><small>to {} · {}</small></a></li>",
            escape(&mail.id),
            escape(&mail.subject),
            escape(&mail.recipient),
            to_iso8601(mail.created_at_ms),
        );
    }
    if rows.is_empty() {
        rows.push_str("<li>No letters yet. Place an order and come back.</li>");
    }
    Ok(page(
        "Mailbox",
        &format!("<p>A sandbox: these letters were kept, not sent.</p><ul>{rows}</ul>"),
    ))
}

async fn one(State(state): State<AppState>, Path(id): Path<String>) -> ApiResult<Response> {
    let mail: Option<OutboxEmail> = state
        .shop
        .db
        .read(move |db| Box::pin(async move { Ok::<_, AppError>(db.email(&id).await?) }))
        .await?;
    let mail = mail.ok_or_else(|| AppError::not_found("There is no such letter"))?;
    let body = format!(
        "<p><a href=\"{PATH}\">All letters</a></p><p>To {} · {}</p><iframe sandbox srcdoc=\"{}\"></iframe><h2>As plain text</h2><pre>{}</pre>",
        escape(&mail.recipient),
        to_iso8601(mail.created_at_ms),
        escape(&mail.html_body),
        escape(&mail.text_body),
    );
    Ok(page(&mail.subject, &body))
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
        "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'",
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
