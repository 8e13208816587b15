//! A collector of OpenTelemetry traces that keeps all spans.

use std::sync::{Arc, Mutex};

use axum::extract::DefaultBodyLimit;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::eventually;

pub struct Collector {
    /// For the setting `telemetry.otlp_endpoint`.
    pub url: String,
    spans: Arc<Mutex<Vec<Value>>>,
}

impl Collector {
    pub async fn start() -> Collector {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let spans: Arc<Mutex<Vec<Value>>> = Arc::default();
        let received = spans.clone();
        let handler = post(async move |Json(body): Json<Value>| {
            let resource = &body["resourceSpans"][0];
            let service = &resource["resource"]["attributes"][0];
            assert_eq!(service["value"]["stringValue"], "mirasa");
            let spans = resource["scopeSpans"][0]["spans"].as_array().unwrap();
            received.lock().unwrap().extend(spans.iter().cloned());
            Json(json!({}))
        });
        let routes = Router::new()
            .route("/v1/traces", handler)
            .layer(DefaultBodyLimit::disable());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Collector { url, spans }
    }

    /// Everything that was received.
    pub fn spans(&self) -> Vec<Value> {
        self.spans.lock().unwrap().clone()
    }

    /// The spans that match, once there is one.
    pub async fn wait_for(&self, what: &str, matches: impl Fn(&Value) -> bool) -> Vec<Value> {
        let found = || -> Vec<Value> { self.spans().into_iter().filter(&matches).collect() };
        eventually(what, async || !found().is_empty()).await;
        found()
    }
}
