//! The OpenAPI description as JSON, and as a page to read and search: static HTML without a script.

use std::fmt::Write as _;

use axum::response::{Html, IntoResponse, Response};
use http::{HeaderValue, header};
use utoipa::openapi::OpenApi;

use crate::pages::escape;

pub fn json(doc: &OpenApi) -> Response {
    let text = doc.to_pretty_json().unwrap_or_default();
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

pub fn html(doc: &OpenApi) -> Response {
    let policy = HeaderValue::from_static(
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    );
    (
        [(header::CONTENT_SECURITY_POLICY, policy)],
        Html(render(doc)),
    )
        .into_response()
}

fn render(doc: &OpenApi) -> String {
    let json = serde_json::to_value(doc).unwrap_or_default();
    let mut html = String::from(PAGE_HEAD);
    let mut section = String::new();
    for (path, item) in json["paths"].as_object().into_iter().flatten() {
        for (method, operation) in item.as_object().into_iter().flatten() {
            let tag = operation["tags"][0].as_str().unwrap_or_default();
            if tag != section {
                section = tag.to_owned();
                let _ = write!(html, "<h2>{}</h2>", escape(tag));
            }
            let text = |value: &serde_json::Value| escape(value.as_str().unwrap_or_default());
            let _ = write!(
                html,
                "<details><summary><b class=\"{method}\">{}</b> <code>{}</code> {} <i>{}</i></summary>",
                method.to_uppercase(),
                escape(path),
                text(&operation["summary"]),
                text(&operation["description"]),
            );
            for (title, part) in [
                ("Parameters", &operation["parameters"]),
                ("Body", &operation["requestBody"]),
                ("Responses", &operation["responses"]),
            ] {
                if !part.is_null() {
                    let _ = write!(
                        html,
                        "<h4>{title}</h4><pre>{}</pre>",
                        escape(&serde_json::to_string_pretty(part).unwrap_or_default())
                    );
                }
            }
            html.push_str("</details>");
        }
    }
    for (title, components) in [("Errors", "responses"), ("Schemas", "schemas")] {
        let _ = write!(html, "<h2>{title}</h2>");
        let components = json["components"][components].as_object();
        for (name, component) in components.into_iter().flatten() {
            let pretty = escape(&serde_json::to_string_pretty(component).unwrap_or_default());
            let _ = write!(
                html,
                "<details id=\"{0}\"><summary><code>{0}</code></summary><pre>{pretty}</pre></details>",
                escape(name)
            );
        }
    }
    html
}

const PAGE_HEAD: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
<title>Mirasa API</title><style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}\
details{border:1px solid #8884;border-radius:8px;margin:.5rem 0;padding:.5rem .75rem}summary{cursor:pointer}b{display:inline-block;min-width:4.5rem}\
i{opacity:.65;font-size:.85em}pre{overflow:auto;font-size:.8rem;background:#8881;padding:.75rem;border-radius:6px}</style>\
<h1>Mirasa API</h1><p>The machine-readable description is <a href=\"openapi.json\">openapi.json</a> (OpenAPI 3.1).</p>";
