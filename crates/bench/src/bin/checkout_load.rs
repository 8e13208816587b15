//! Load generator: concurrent customers place one order after the other (add to the cart, check out, pay at the sandbox
//! gateway, poll until the order is paid). Prints the figures as one line of JSON.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::Parser;
use mirasa_bench::http_client::{HttpClient, path_and_query};
use mirasa_bench::process::cpu_time;
use mirasa_bench::shop::{create_customer, println_json, read_metrics, restock, sum_metric};
use serde_json::{Value, json};

#[derive(Parser)]
struct Args {
    /// The server's host:port; it must run with MIRASA_RATE_LIMIT=off and the sandbox. With several instances of one shop
    /// the customers are spread over them.
    #[arg(long, required = true)]
    shop: Vec<String>,
    /// Number of concurrent customers.
    #[arg(long, default_value_t = 16)]
    customers: u32,
    #[arg(long, default_value_t = 8)]
    seconds: u64,
    /// Processes whose CPU time is measured: the servers first, then their database server if there is one.
    #[arg(long)]
    pid: Vec<u32>,
    /// Token of the server's /metrics.
    #[arg(long)]
    metrics_token: Option<String>,
}

/// Time before the measurement starts. Connections, statements and pages are cached by then, and the customers are no longer
/// in step.
const WARM_UP: Duration = Duration::from_secs(1);

#[derive(Default)]
struct Samples {
    checkouts: Vec<Sample>,
    orders: Vec<Sample>,
    failures: Vec<String>,
}

struct Sample {
    finished_at: Instant,
    duration: Duration,
}

impl Sample {
    fn since(began: Instant) -> Sample {
        let finished_at = Instant::now();
        Sample {
            finished_at,
            duration: finished_at - began,
        }
    }
}

/// Durations of the samples that finished within the measurement.
fn durations(all: Vec<Sample>, began: Instant, ended: Instant) -> Vec<Duration> {
    let is_measured = |sample: &Sample| began < sample.finished_at && sample.finished_at <= ended;
    all.into_iter()
        .filter(is_measured)
        .map(|sample| sample.duration)
        .collect()
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Arc::new(Args::parse());
    let products = restock(&args.shop[0]).await.context("restocking")?;
    let products = Arc::new(products);
    let mut customers = Vec::new();
    for (number, shop) in (0..args.customers).zip(args.shop.iter().cycle()) {
        let customer = create_customer(shop, number.into()).await;
        customers.push(customer.context("creating a customer")?);
    }

    let stop = Arc::new(AtomicBool::new(false));
    let tasks: Vec<_> = (0..)
        .zip(customers)
        .map(|(number, (client, address))| {
            let (stop, products) = (stop.clone(), products.clone());
            tokio::spawn(run_customer(stop, client, address, products, number))
        })
        .collect();
    tokio::time::sleep(WARM_UP).await;
    let server_pids = &args.pid[..args.pid.len().min(args.shop.len())];
    let counters = read_counters(&args).await?;
    let (began, cpu, server_cpu) = (Instant::now(), cpu_time(&args.pid), cpu_time(server_pids));
    tokio::time::sleep(Duration::from_secs(args.seconds)).await;
    let counters = difference(&counters, &read_counters(&args).await?);
    let (ended, cpu) = (Instant::now(), cpu_time(&args.pid) - cpu);
    let server_cpu = cpu_time(server_pids) - server_cpu;
    stop.store(true, Relaxed);
    let mut all = Samples::default();
    for task in tasks {
        let samples = task.await?;
        all.checkouts.extend(samples.checkouts);
        all.orders.extend(samples.orders);
        all.failures.extend(samples.failures);
    }
    let (checkouts, orders) = (
        durations(all.checkouts, began, ended),
        durations(all.orders, began, ended),
    );
    let (elapsed, count) = (ended - began, orders.len());
    let per_order = |total: f64| total / count.max(1) as f64;
    println_json(&json!({
        "buyers": args.customers,
        "seconds": elapsed.as_secs_f64(),
        "orders": count,
        "orders_per_second": count as f64 / elapsed.as_secs_f64(),
        "cpu_ms_per_order": per_order(cpu.as_secs_f64() * 1000.0),
        "cpu_ms_without_database": per_order(server_cpu.as_secs_f64() * 1000.0),
        "statements_per_order": per_order(counters.0),
        "orders_per_commit": count as f64 / counters.1.max(1.0),
        "checkout_ms": percentiles(checkouts),
        "order_ms": percentiles(orders),
        "failures": all.failures.len(),
        "first_failure": all.failures.first(),
    }))
}

async fn run_customer(
    stop: Arc<AtomicBool>,
    mut client: HttpClient,
    address: String,
    products: Arc<Vec<String>>,
    number: usize,
) -> Samples {
    let mut samples = Samples::default();
    for index in number.. {
        if stop.load(Relaxed) {
            break;
        }
        let product = &products[index % products.len()];
        if let Err(error) = place_order(&mut client, &address, product, &mut samples).await {
            samples.failures.push(format!("{error:#}"));
        }
    }
    samples
}

async fn place_order(
    client: &mut HttpClient,
    address: &str,
    product: &str,
    samples: &mut Samples,
) -> anyhow::Result<()> {
    let began = Instant::now();
    let packs = json!({ "productId": product, "qty_50g": 1, "qty_100g": 1 });
    client.post("/api/cart/add-to-cart", &packs).await?.json()?;

    let checkout_began = Instant::now();
    let body = json!({ "addressId": address });
    let key = format!("{:p}-{:?}", client, checkout_began);
    let payment = client
        .post_with("/api/cart/checkout", &body, &[("idempotency-key", &key)])
        .await?
        .json()?;
    samples.checkouts.push(Sample::since(checkout_began));

    let text = |name: &str| payment[name].as_str().map(str::to_owned);
    let page = path_and_query(&text("redirectUrl").context("no redirectUrl")?)?;
    let number = text("merchantOrderId").context("no merchantOrderId")?;
    client.post_form(&page, "outcome=pay").await?.location()?;
    for _ in 0..50 {
        let order = client
            .get(&format!("/api/payment/order/db/{number}"))
            .await?
            .json()?;
        match order["order"]["paymentStatus"].as_str() {
            Some("completed") => {
                samples.orders.push(Sample::since(began));
                return Ok(());
            }
            Some("pending") => tokio::time::sleep(Duration::from_millis(100)).await,
            other => bail!("the payment is {other:?}"),
        }
    }
    bail!("the order was never paid")
}

/// Statements and commits since the servers started.
async fn read_counters(args: &Args) -> anyhow::Result<(f64, f64)> {
    let (mut statements, mut commits) = (0.0, 0.0);
    if let Some(token) = &args.metrics_token {
        for shop in &args.shop {
            let text = read_metrics(shop, token).await?;
            statements += sum_metric(&text, "db_statements_total");
            commits += sum_metric(&text, "db_commits_total");
        }
    }
    Ok((statements, commits))
}

fn difference(before: &(f64, f64), after: &(f64, f64)) -> (f64, f64) {
    (after.0 - before.0, after.1 - before.1)
}

fn percentiles(mut times: Vec<Duration>) -> Value {
    times.sort();
    let at = |percent: usize| {
        let index = times.len().saturating_sub(1) * percent / 100;
        times.get(index).map(|time| time.as_secs_f64() * 1000.0)
    };
    json!({ "p50": at(50), "p95": at(95), "p99": at(99), "max": at(100) })
}
