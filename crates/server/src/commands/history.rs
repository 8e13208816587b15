//! Adds the history of the demo: serves the shop and its sandboxes on a free port meanwhile.

use std::net::Ipv4Addr;
use std::sync::Arc;

use anyhow::ensure;
use mirasa_demo::history::{DemoClock, DemoIds, Report, Sandboxes, starts_at, write_history};
use mirasa_http::HttpService;
use mirasa_sandbox::{
    courier as sandbox_courier, identity as sandbox_google, payment as sandbox_phonepe,
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::listener;
use crate::wiring::{TimeAndIds, build};

/// How many days `mirasa seed --history` makes.
pub const DAYS: i64 = 90;

/// The history of the last `days` days before `now_ms`. A shop that has orders is not changed.
pub async fn seed_history(config: &Config, now_ms: i64, days: i64) -> anyhow::Result<Report> {
    ensure!(
        !config.production
            && config.uses_sandbox_google()
            && config.uses_sandbox_phonepe()
            && config.uses_sandbox_courier(),
        "a demo history is only for a shop with sandbox providers"
    );
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    let mut config = config.clone();
    if config.public_url.is_empty() {
        // Accounts and links belong to the address at which the shop will be served.
        config.public_url = format!("http://{}", config.listen);
    }
    // The sandboxes fail no call, but a busy machine may be slow.
    config.phonepe.timeout_s = 12;
    config.shiprocket.timeout_s = 12;
    let clock = Arc::new(DemoClock::new(starts_at(now_ms, days)));
    let time_and_ids = TimeAndIds {
        clock: clock.clone(),
        ids: Arc::new(DemoIds::new(clock.clone())),
    };
    let app = build(&config, address, None, time_and_ids).await?;
    let stop = CancellationToken::new();
    let service = HttpService::new(app.site, app.sandbox);
    let serving = tokio::spawn(listener::serve(listener, service, |_| true, stop.clone()));
    let sandboxes = Sandboxes {
        gateway_url: format!("http://{address}{}", sandbox_phonepe::PATH),
        courier_url: format!("http://{address}{}", sandbox_courier::PATH),
        issuer: format!("{}{}", config.public_url, sandbox_google::PATH),
    };
    let report = write_history(&app.shop, clock, sandboxes, now_ms, days).await;
    stop.cancel();
    serving.await?;
    report
}
