//! Load generator: new customers check out and leave the payment page, a number of them each second. Others decline the
//! payment, which sends an email. Prints how late the server polls the payments and sends the emails, as one line of JSON.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clap::Parser;
use mirasa_bench::http_client::path_and_query;
use mirasa_bench::process::cpu_time;
use mirasa_bench::shop::{
    create_customer, histogram_quantile, println_json, read_metrics, restock, sum_metric,
};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

#[derive(Parser)]
struct Args {
    /// The server's host:port; it must run with MIRASA_RATE_LIMIT=off and the sandbox.
    #[arg(long)]
    shop: String,
    /// Checkouts that are abandoned each second.
    #[arg(long, default_value_t = 100)]
    abandoned: u32,
    /// Checkouts that are declined each second.
    #[arg(long, default_value_t = 0)]
    declined: u32,
    #[arg(long, default_value_t = 240)]
    seconds: u64,
    /// Processes whose CPU time is measured.
    #[arg(long)]
    pid: Vec<u32>,
    /// Token of the server's /metrics.
    #[arg(long)]
    metrics_token: String,
}

/// How often the figures are printed.
const SAMPLE_INTERVAL: Duration = Duration::from_secs(10);
/// More that have not ended than these are failures: the server does not keep up.
const MAX_IN_PROGRESS: usize = 400;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Arc::new(Args::parse());
    let products = Arc::new(restock(&args.shop).await.context("restocking")?);
    let cpu = cpu_time(&args.pid);
    let sampling = tokio::spawn(sample(args.clone()));
    let rate = args.abandoned + args.declined;
    let mut ticks = interval(Duration::from_secs(1) / rate.max(1));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let (mut running, mut done) = (JoinSet::new(), 0_u64);
    let (mut skipped, mut failures) = (0_u64, Vec::new());
    for number in 0..args.seconds * u64::from(rate) {
        ticks.tick().await;
        while let Some(ended) = running.try_join_next() {
            record(ended?, &mut done, &mut failures);
        }
        if running.len() >= MAX_IN_PROGRESS {
            skipped += 1;
            continue;
        }
        let is_declined = number % u64::from(rate) < u64::from(args.declined);
        let (args, products) = (args.clone(), products.clone());
        running.spawn(async move { check_out(&args.shop, &products, number, is_declined).await });
    }
    while let Some(ended) = running.join_next().await {
        record(ended?, &mut done, &mut failures);
    }
    sampling.abort();
    let figures = read_figures(&args).await?;
    println_json(&json!({
        "seconds": args.seconds,
        "checkouts": done,
        "skipped": skipped,
        "failures": failures.len(),
        "first_failure": failures.first(),
        "cpu_cores": (cpu_time(&args.pid) - cpu).as_secs_f64() / args.seconds as f64,
        "figures": figures,
    }))
}

fn record(ended: anyhow::Result<()>, done: &mut u64, failures: &mut Vec<String>) {
    match ended {
        Ok(()) => *done += 1,
        Err(error) => failures.push(format!("{error:#}")),
    }
}

async fn check_out(
    shop: &str,
    products: &[String],
    number: u64,
    is_declined: bool,
) -> anyhow::Result<()> {
    let (mut client, address) = create_customer(shop, number).await?;
    let index = usize::try_from(number).unwrap_or_default() % products.len();
    let packs = json!({ "productId": products[index], "qty_50g": 1, "qty_100g": 0 });
    client.post("/api/cart/add-to-cart", &packs).await?.json()?;
    let body = json!({ "addressId": address });
    let payment = client.post("/api/cart/checkout", &body).await?.json()?;
    if is_declined {
        let page = payment["redirectUrl"].as_str().context("no redirectUrl")?;
        let form = "outcome=fail&reason=INSUFFICIENT_BALANCE";
        client.post_form(&path_and_query(page)?, form).await?;
    }
    Ok(())
}

/// Prints the figures as they change, for the reader who waits.
async fn sample(args: Arc<Args>) -> anyhow::Result<()> {
    let mut ticks = interval(SAMPLE_INTERVAL);
    ticks.tick().await;
    let mut polls = 0.0;
    loop {
        ticks.tick().await;
        let figures = read_figures(&args).await?;
        let total = figures["polls"].as_f64().unwrap_or_default();
        let per_second = (total - polls) / SAMPLE_INTERVAL.as_secs_f64();
        polls = total;
        eprintln!("{per_second:.0} polls/s {figures}");
    }
}

/// Since the server started. A quantile is the upper bound of its bucket.
async fn read_figures(args: &Args) -> anyhow::Result<Value> {
    let text = read_metrics(&args.shop, &args.metrics_token).await?;
    let quantiles = |name: &str| {
        let at = |quantile| histogram_quantile(&text, name, quantile);
        json!({ "p50": at(0.5), "p99": at(0.99), "max": at(1.0) })
    };
    Ok(json!({
        "polls": sum_metric(&text, "payment_poll_lag_seconds_count"),
        "poll_lag_s": quantiles("payment_poll_lag_seconds"),
        "emails": sum_metric(&text, "email_age_seconds_count"),
        "email_age_s": quantiles("email_age_seconds"),
        "conflicts": sum_metric(&text, "db_conflicts_total"),
    }))
}
