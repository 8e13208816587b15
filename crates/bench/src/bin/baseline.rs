//! An axum server with one empty handler: the reference for all figures.

use axum::Router;
use axum::routing::get;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let address = std::env::args().nth(1);
    let address = address.unwrap_or_else(|| "127.0.0.1:8090".into());
    let listener = tokio::net::TcpListener::bind(address).await?;
    let app = Router::new().route("/", get(|| async { "hello" }));
    Ok(axum::serve(listener, app).await?)
}
