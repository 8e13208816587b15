//! The history of the demo shop: 90 days of orders, parcels, refunds, problems, reviews and messages of made-up people.
//!
//! It runs the use cases of the shop on a clock of its own, against the sandbox gateway, so that every rule of the shop
//! holds for the result. An owner can refund these orders: the sandbox gateway knows their payments.

mod after_sale;
mod clock;
mod discounts;
mod parcels;
mod people;
mod plan;
mod review_texts;
mod reviews;
mod sandbox_pages;
mod simulation;
mod stock;
mod visits;
mod written_reviews;

use std::fmt;
use std::net::Ipv4Addr;
use std::sync::Arc;

use anyhow::ensure;
use mirasa_app::Shop;
use mirasa_domain::ist::DAY_MS;
use mirasa_http::HttpService;
use mirasa_sandbox::{
    courier as sandbox_courier, identity as sandbox_google, payment as sandbox_phonepe,
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::listener;
use crate::wiring::{TimeAndIds, build};
use clock::{DemoClock, DemoIds};
use sandbox_pages::{SandboxCourierPages, SandboxGateway, stop_webhooks};
use simulation::History;

const SEED: u64 = 0x6d69_7261_7361;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub orders: usize,
    pub customers: usize,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} demo orders of {} demo customers",
            self.orders, self.customers
        )
    }
}

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
    let clock = Arc::new(DemoClock::new(now_ms - (days + 1) * DAY_MS));
    let time_and_ids = TimeAndIds {
        clock: clock.clone(),
        ids: Arc::new(DemoIds::new(clock.clone(), SEED)),
    };
    let app = build(&config, address, None, time_and_ids).await?;
    if has_orders(&app.shop).await? {
        return Ok(Report::default());
    }
    let stop = CancellationToken::new();
    let service = HttpService::new(app.site, app.sandbox);
    let serving = tokio::spawn(listener::serve(listener, service, |_| true, stop.clone()));
    let http = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .build()?;
    let gateway = SandboxGateway {
        base: format!("http://{address}{}", sandbox_phonepe::PATH),
        http: http.clone(),
    };
    let courier = SandboxCourierPages {
        base: format!("http://{address}{}", sandbox_courier::PATH),
        http: http.clone(),
    };
    stop_webhooks(&http, &gateway.base, "never").await?;
    stop_webhooks(&http, &courier.base, "lost").await?;
    let issuer = format!("{}{}", config.public_url, sandbox_google::PATH);
    let mut history = History::begin(app.shop.clone(), clock, (gateway, courier), issuer).await?;
    let report = history.run(now_ms, days).await;
    visits::add_visits(&app.shop, now_ms, days).await?;
    stop.cancel();
    serving.await?;
    report
}

async fn has_orders(shop: &Shop) -> anyhow::Result<bool> {
    let (_, count) = shop.search_orders(Default::default(), 0, 1).await?;
    Ok(count > 0)
}
