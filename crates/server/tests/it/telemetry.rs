//! Traces over OTLP: which spans a collector gets, and that a collector that is down costs nothing.

use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};

use http::Method;
use serde_json::{Value, json};

use crate::cli::{Served, expect_success, run, small_catalogue};
use crate::harness::{
    Collector, METRICS_TOKEN, PendingPayment, TestClient, client, eventually, in_runtime,
    temporary_folder,
};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";
const UNSAMPLED_TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

fn serve(folder: &Path, endpoint: &str) -> Served {
    small_catalogue(folder);
    expect_success(&run(folder, &["seed", "catalogue", "--data", "data"]));
    let environment = [
        ("MIRASA_TELEMETRY_OTLP_ENDPOINT", endpoint),
        ("MIRASA_METRICS_TOKEN", METRICS_TOKEN),
        ("MIRASA_RATE_LIMIT", "off"),
    ];
    Served::start_with(folder, &[], &environment)
}

fn attribute<'s>(span: &'s Value, name: &str) -> &'s Value {
    let attributes = span["attributes"].as_array().unwrap();
    let found = attributes.iter().find(|attribute| attribute["key"] == name);
    found.map_or(&Value::Null, |attribute| &attribute["value"])
}

fn is_child(span: &Value, parent: &Value) -> bool {
    span["traceId"] == parent["traceId"] && span["parentSpanId"] == parent["spanId"]
}

#[test]
fn spans_of_a_checkout_have_their_parents_and_continue_the_trace_of_the_client() {
    in_runtime(async {
        let collector = Collector::start().await;
        let folder = temporary_folder();
        let served = serve(folder.path(), &collector.url);
        let browser = TestClient::new(client(None), &format!("http://{}", served.base));
        browser.sign_in("asha@it.example").await;
        browser.add("goda-masala", 1, 0).await;
        let address = browser.home().await;
        for (trace, flags) in [(UNSAMPLED_TRACE, "00"), (TRACE, "01")] {
            let request = browser
                .request(Method::POST, "/api/cart/checkout?from=query-secret")
                .header("traceparent", format!("00-{trace}-{PARENT}-{flags}"))
                .header("idempotency-key", trace)
                .json(&json!({ "addressId": address }));
            let response = browser.send(request).await;
            let payment = PendingPayment::from_response(&response);
            browser.submit_payment(&payment, "pay").await;
            browser.settled_result(&payment).await;
            browser.add("goda-masala", 1, 0).await;
        }

        let of_client = |span: &Value| span["parentSpanId"] == PARENT;
        let request = collector
            .wait_for("the span of the checkout", of_client)
            .await;
        let [request] = &request[..] else {
            panic!("{request:?}");
        };
        assert_eq!(request["traceId"], TRACE);
        assert_eq!(request["name"], "POST /api/cart/checkout");
        assert_eq!(request["kind"], 2);
        let status = attribute(request, "http.response.status_code");
        assert_eq!(status["intValue"], "200");
        let route = attribute(request, "http.route");
        assert_eq!(route["stringValue"], "/api/cart/checkout");

        let all = collector.spans();
        let child = |name: &str, parent: &Value| {
            let found = all
                .iter()
                .find(|span| span["name"] == name && is_child(span, parent));
            found
                .unwrap_or_else(|| panic!("no {name} in {all:?}"))
                .clone()
        };
        let write = child("database write", request);
        assert_eq!(attribute(&write, "db.attempts")["intValue"], "1");
        let payment = child("phonepe create_payment", request);
        assert_eq!(payment["kind"], 3);
        // The sandbox gateway is a part of the server: it continues the trace from the header of the request to it.
        let at_the_gateway = all
            .iter()
            .find(|span| is_child(span, &payment) && span["kind"] == 2);
        assert!(at_the_gateway.is_some(), "{all:?}");
        for span in &all {
            let time = |name: &str| span[name].as_str().unwrap().parse::<u64>().unwrap();
            assert!(time("startTimeUnixNano") <= time("endTimeUnixNano"));
        }

        let worker = |span: &Value| span["name"] == "worker emails";
        let worker = collector
            .wait_for("the run that sends the email", worker)
            .await;
        let all = collector.spans();
        assert!(all.iter().any(|span| is_child(span, &worker[0])));
        let is_idle = |span: &&Value| {
            let name = span["name"].as_str().unwrap();
            name == "worker catalogue" || name == "worker metrics"
        };
        assert_eq!(
            all.iter().find(is_idle),
            None,
            "a run without work is not exported"
        );

        let text = Value::Array(all).to_string();
        assert!(!text.contains(UNSAMPLED_TRACE), "{text}");
        assert!(!text.contains("query-secret"), "{text}");
    });
}

#[test]
fn cached_and_rendered_pages_have_spans() {
    in_runtime(async {
        let collector = Collector::start().await;
        let folder = temporary_folder();
        let mut served = serve(folder.path(), &collector.url);
        let browser = TestClient::new(client(None), &format!("http://{}", served.base));
        // A busy server may render the page more than once before it is cached.
        let parents: Vec<String> = (10..20).map(|n| format!("b7ad6b71692033{n}")).collect();
        for parent in &parents {
            let request = browser
                .request(Method::GET, "/")
                .header("traceparent", format!("00-{TRACE}-{parent}-01"));
            assert_eq!(browser.send(request).await.status, 200);
        }
        // The rest is sent when the server stops.
        served.stop();
        let spans = collector.spans();
        let children_of = |parent: &String| {
            let page = spans.iter().find(|span| span["parentSpanId"] == *parent);
            let page = page.unwrap();
            assert_eq!(page["name"], "GET page");
            let children = spans.iter().filter(|span| is_child(span, page));
            children.map(|child| child["name"].clone()).collect()
        };
        let children: Vec<Vec<Value>> = parents.iter().map(children_of).collect();
        assert!(children.concat().contains(&json!("render page")));
        assert!(children.iter().any(Vec::is_empty), "{children:?}");
    });
}

/// The median of the times of 200 requests for a cart, which reads the database.
async fn median_time(base: &str) -> Duration {
    let browser = TestClient::new(client(None), &format!("http://{base}"));
    browser.sign_in("asha@it.example").await;
    let mut times = Vec::new();
    for _ in 0..200 {
        let began = Instant::now();
        assert_eq!(browser.get("/api/cart/cart").await.status, 200);
        times.push(began.elapsed());
    }
    times.sort();
    times[times.len() / 2]
}

fn dropped_spans(served: &Served) -> u64 {
    let authorization = format!("Authorization: Bearer {METRICS_TOKEN}\r\n");
    let (_, metrics) = served.get_with("/metrics", &authorization).unwrap();
    let dropped = "telemetry_spans_total{result=\"dropped\"} ";
    let line = metrics.lines().find_map(|line| line.strip_prefix(dropped));
    line.unwrap().parse().unwrap()
}

#[test]
fn collector_that_is_down_or_hangs_does_not_slow_requests_or_the_shutdown() {
    in_runtime(async {
        let without = temporary_folder();
        let without = serve(without.path(), "");
        let usual = median_time(&without.base).await;
        assert_eq!(dropped_spans(&without), 0);

        // Connections are accepted by the kernel, but nothing is ever answered.
        let hanging = TcpListener::bind("127.0.0.1:0").unwrap();
        let hanging_url = format!("http://{}", hanging.local_addr().unwrap());
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let refusing_url = format!("http://{}", free.local_addr().unwrap());
        drop(free);
        for url in [hanging_url, refusing_url] {
            let folder = temporary_folder();
            let mut served = serve(folder.path(), &url);
            let median = median_time(&served.base).await;
            // A request that waited for the collector would take seconds. The machine may be busier than before.
            let limit = usual * 3 + Duration::from_millis(500);
            assert!(
                median < limit,
                "{url}: {median:?}, without traces {usual:?}"
            );
            eventually("spans are dropped and counted", async || {
                dropped_spans(&served) > 0
            })
            .await;
            let began = Instant::now();
            served.stop();
            let took = began.elapsed();
            assert!(took < Duration::from_secs(15), "{took:?}");
            let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
            let warnings = log
                .matches("traces cannot be sent to the collector")
                .count();
            assert_eq!(warnings, 1, "{log}");
        }
    });
}
