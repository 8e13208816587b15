//! Many people who buy, one order after the other: add to the cart, check out, pay at the sandbox, see
//! the order paid. Prints what it took as one line of JSON.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::Parser;
use mirasa_bench::browser::{Browser, path_of};
use mirasa_bench::process::cpu_time;
use serde_json::{Value, json};

#[derive(Parser)]
struct Ask {
    /// The shop's host:port; it must run with MIRASA_RATE_LIMIT=off and the sandbox.
    #[arg(long)]
    shop: String,
    #[arg(long, default_value_t = 16)]
    buyers: u32,
    #[arg(long, default_value_t = 8)]
    seconds: u64,
    /// Processes whose processor time counts: the shop first, then its database if it has one of its own.
    #[arg(long)]
    pid: Vec<u32>,
    /// To read the shop's own counters.
    #[arg(long)]
    metrics_token: Option<String>,
}

/// Before the clock starts: connections, statements and pages are warm by then, and the buyers no longer all do
/// the same at once.
const WARMING_UP: Duration = Duration::from_secs(1);

#[derive(Default)]
struct Took {
    checkouts: Vec<Timed>,
    orders: Vec<Timed>,
    failures: Vec<String>,
}

struct Timed {
    done: Instant,
    took: Duration,
}

impl Timed {
    fn since(began: Instant) -> Timed {
        let done = Instant::now();
        Timed {
            done,
            took: done - began,
        }
    }
}

/// Of what was done while the clock ran.
fn times(all: Vec<Timed>, began: Instant, ended: Instant) -> Vec<Duration> {
    let counts = |timed: &Timed| began < timed.done && timed.done <= ended;
    all.into_iter()
        .filter(counts)
        .map(|timed| timed.took)
        .collect()
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let ask = Arc::new(Ask::parse());
    let products = stock_up(&ask.shop).await.context("stocking up")?;
    let products = Arc::new(products);
    let mut ready = Vec::new();
    for number in 0..ask.buyers {
        ready.push(buyer(&ask.shop, number).await.context("a new buyer")?);
    }

    let stop = Arc::new(AtomicBool::new(false));
    let tasks: Vec<_> = (0..)
        .zip(ready)
        .map(|(number, (browser, address))| {
            let (stop, products) = (stop.clone(), products.clone());
            tokio::spawn(shop_until(stop, browser, address, products, number))
        })
        .collect();
    tokio::time::sleep(WARMING_UP).await;
    let shop_alone = &ask.pid[..ask.pid.len().min(1)];
    let counters = read_counters(&ask).await?;
    let (began, cpu, cpu_alone) = (Instant::now(), cpu_time(&ask.pid), cpu_time(shop_alone));
    tokio::time::sleep(Duration::from_secs(ask.seconds)).await;
    let counters = difference(&counters, &read_counters(&ask).await?);
    let (ended, cpu) = (Instant::now(), cpu_time(&ask.pid) - cpu);
    let cpu_alone = cpu_time(shop_alone) - cpu_alone;
    stop.store(true, Relaxed);
    let mut all = Took::default();
    for task in tasks {
        let took = task.await?;
        all.checkouts.extend(took.checkouts);
        all.orders.extend(took.orders);
        all.failures.extend(took.failures);
    }
    let (checkouts, orders) = (
        times(all.checkouts, began, ended),
        times(all.orders, began, ended),
    );
    let (elapsed, count) = (ended - began, orders.len());
    let per_order = |total: f64| total / count.max(1) as f64;
    println_json(&json!({
        "buyers": ask.buyers,
        "seconds": elapsed.as_secs_f64(),
        "orders": count,
        "orders_per_second": count as f64 / elapsed.as_secs_f64(),
        "cpu_ms_per_order": per_order(cpu.as_secs_f64() * 1000.0),
        "cpu_ms_without_database": per_order(cpu_alone.as_secs_f64() * 1000.0),
        "statements_per_order": per_order(counters.0),
        "orders_per_commit": count as f64 / counters.1.max(1.0),
        "checkout_ms": percentiles(checkouts),
        "order_ms": percentiles(orders),
        "failures": all.failures.len(),
        "first_failure": all.failures.first(),
    }))
}

#[expect(clippy::print_stdout, reason = "the figures are this program's answer")]
fn println_json(value: &Value) -> anyhow::Result<()> {
    println!("{value}");
    Ok(())
}

/// The owner makes sure that nothing sells out while it is measured. Returns what can be bought.
async fn stock_up(shop: &str) -> anyhow::Result<Vec<String>> {
    let mut owner = Browser::new(shop);
    owner.sign_in("admin@mirasa.example").await?;
    let list = owner.get("/api/products/api/productInfo").await?.json()?;
    let products = list["products"].as_array().context("no products")?;
    let mut ids = Vec::new();
    for product in products.iter().take(24) {
        let id = product["_id"].as_str().context("a product without _id")?;
        let mut body = product.clone();
        body["stock_change"] = json!(50_000_000);
        body["packaging_50gms_change"] = json!(500_000);
        body["packaging_100gms_change"] = json!(500_000);
        let changed = owner
            .put(&format!("/api/admin/updateProduct/{id}"), &body)
            .await?;
        changed.json().with_context(|| format!("stocking {id}"))?;
        ids.push(id.to_owned());
    }
    Ok(ids)
}

async fn buyer(shop: &str, number: u32) -> anyhow::Result<(Browser, String)> {
    let mut browser = Browser::new(shop);
    browser
        .sign_in(&format!("buyer{number}@mirasa.example"))
        .await?;
    let address = json!({
        "addressName": "Home", "name": "Asha Rao", "phone": "9876543210", "addressLine1": "12 MG Road",
        "city": "Pune", "state": "Maharashtra", "pincode": "411001", "isDefault": true,
    });
    let saved = browser.post("/api/addresses", &address).await?.json()?;
    let id = saved["address"]["_id"].as_str().context("no address id")?;
    Ok((browser, id.to_owned()))
}

async fn shop_until(
    stop: Arc<AtomicBool>,
    mut browser: Browser,
    address: String,
    products: Arc<Vec<String>>,
    number: usize,
) -> Took {
    let mut took = Took::default();
    for turn in number.. {
        if stop.load(Relaxed) {
            break;
        }
        let product = &products[turn % products.len()];
        if let Err(error) = buy(&mut browser, &address, product, &mut took).await {
            took.failures.push(format!("{error:#}"));
        }
    }
    took
}

async fn buy(
    browser: &mut Browser,
    address: &str,
    product: &str,
    took: &mut Took,
) -> anyhow::Result<()> {
    let began = Instant::now();
    let packs = json!({ "productId": product, "qty_50g": 1, "qty_100g": 1 });
    browser
        .post("/api/cart/add-to-cart", &packs)
        .await?
        .json()?;

    let checking_out = Instant::now();
    let body = json!({ "addressId": address });
    let key = format!("{:p}-{:?}", browser, checking_out);
    let bill = browser
        .post_with("/api/cart/checkout", &body, &[("idempotency-key", &key)])
        .await?
        .json()?;
    took.checkouts.push(Timed::since(checking_out));

    let text = |name: &str| bill[name].as_str().map(str::to_owned);
    let page = path_of(&text("redirectUrl").context("no redirectUrl")?)?;
    let number = text("merchantOrderId").context("no merchantOrderId")?;
    browser.post_form(&page, "outcome=pay").await?.location()?;
    for _ in 0..50 {
        let order = browser
            .get(&format!("/api/payment/order/db/{number}"))
            .await?
            .json()?;
        match order["order"]["paymentStatus"].as_str() {
            Some("completed") => {
                took.orders.push(Timed::since(began));
                return Ok(());
            }
            Some("pending") => tokio::time::sleep(Duration::from_millis(100)).await,
            other => bail!("the payment is {other:?}"),
        }
    }
    bail!("the order was never paid")
}

/// Statements and commits since the shop started.
async fn read_counters(ask: &Ask) -> anyhow::Result<(f64, f64)> {
    let Some(token) = &ask.metrics_token else {
        return Ok((0.0, 0.0));
    };
    let mut browser = Browser::new(&ask.shop);
    let bearer = format!("Bearer {token}");
    let answer = browser
        .send(
            http::Method::GET,
            "/metrics",
            "",
            bytes::Bytes::new(),
            &[("authorization", &bearer)],
        )
        .await?;
    let text = String::from_utf8_lossy(&answer.body).into_owned();
    let sum = |name: &str| -> f64 {
        text.lines()
            .filter(|line| line.starts_with(name))
            .filter_map(|line| line.rsplit_once(' ')?.1.parse::<f64>().ok())
            .sum()
    };
    Ok((sum("store_statements"), sum("store_commits")))
}

fn difference(before: &(f64, f64), after: &(f64, f64)) -> (f64, f64) {
    (after.0 - before.0, after.1 - before.1)
}

fn percentiles(mut times: Vec<Duration>) -> Value {
    times.sort();
    let at = |part: usize| {
        let place = times.len().saturating_sub(1) * part / 100;
        times.get(place).map(|time| time.as_secs_f64() * 1000.0)
    };
    json!({ "p50": at(50), "p95": at(95), "p99": at(99), "max": at(100) })
}
