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
use std::sync::Arc;

pub use clock::{DemoClock, DemoIds};
use mirasa_app::Shop;
use mirasa_domain::ist::DAY_MS;
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

/// Before the first day of the history.
pub fn starts_at(now_ms: i64, days: i64) -> i64 {
    now_ms - (days + 1) * DAY_MS
}

/// Where the sandboxes of the shop are served.
pub struct Sandboxes {
    pub gateway_url: String,
    pub courier_url: String,
    /// The issuer of the accounts.
    pub issuer: String,
}

/// The history of the last `days` days before `now_ms`. `clock` is the shop's. A shop that has orders is not changed.
pub async fn write_history(
    shop: &Shop,
    clock: Arc<DemoClock>,
    sandboxes: Sandboxes,
    now_ms: i64,
    days: i64,
) -> anyhow::Result<Report> {
    if has_orders(shop).await? {
        return Ok(Report::default());
    }
    let http = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .build()?;
    let gateway = SandboxGateway {
        base: sandboxes.gateway_url,
        http: http.clone(),
    };
    let courier = SandboxCourierPages {
        base: sandboxes.courier_url,
        http: http.clone(),
    };
    stop_webhooks(&http, &gateway.base, "never").await?;
    stop_webhooks(&http, &courier.base, "lost").await?;
    let pages = (gateway, courier);
    let mut history = History::begin(shop.clone(), clock, pages, sandboxes.issuer).await?;
    let report = history.run(now_ms, days).await?;
    visits::add_visits(shop, now_ms, days).await?;
    Ok(report)
}

async fn has_orders(shop: &Shop) -> anyhow::Result<bool> {
    let (_, count) = shop.search_orders(Default::default(), 0, 1).await?;
    Ok(count > 0)
}
