//! Panics in background workers: the worker restarts, and `/readyz` and the metrics show the panic.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::cli::{Served, expect_success, run, small_catalogue};
use crate::harness::temporary_folder;

const TOKEN: &str = "it-metrics-token";

fn serve(folder: &Path, failpoint: &str) -> Served {
    small_catalogue(folder);
    expect_success(&run(folder, &["seed", "catalogue", "--data", "data"]));
    let environment = [
        ("MIRASA_FAILPOINT", failpoint),
        ("MIRASA_METRICS_TOKEN", TOKEN),
    ];
    Served::start_with(folder, &[], &environment)
}

/// Waits until `/readyz` has this status and its body contains this text.
fn wait_until(served: &Served, status: u16, expected: &str) -> String {
    let began = Instant::now();
    loop {
        // A new URL each time, so that the renderer has work.
        let path = format!("/products?q={}", began.elapsed().as_micros());
        served.get(&path);
        let response = served.get("/readyz");
        if let Some((code, body)) = &response
            && *code == status
            && body.contains(expected)
        {
            return body.clone();
        }
        let took = began.elapsed();
        assert!(
            took < Duration::from_secs(30),
            "not {status} {expected}: {response:?}"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn panicking_worker_restarts_and_is_counted_and_shown() {
    for worker in [
        "payments",
        "emails",
        "catalogue",
        "listener",
        "sqlite-writer",
        "renderer",
    ] {
        let folder = temporary_folder();
        let served = serve(folder.path(), &format!("panic:worker {worker}"));
        let expected = format!("{worker}: running again, 1 panics since the start");
        let body = wait_until(&served, 200, &expected);
        assert!(body.starts_with("ok\n"), "{body}");
        let metrics = served.get_with("/metrics", &format!("Authorization: Bearer {TOKEN}\r\n"));
        let (_, metrics) = metrics.unwrap();
        let count = format!("worker_panics_total{{worker=\"{worker}\"}} 1");
        assert!(metrics.contains(&count), "{worker}: {metrics}");
    }
}

#[test]
fn worker_that_keeps_panicking_makes_the_server_not_ready() {
    let folder = temporary_folder();
    let served = serve(folder.path(), "panic-always:worker payments");
    let body = wait_until(&served, 503, "payments: keeps panicking");
    assert_eq!(
        body.lines().count(),
        2,
        "other workers are not affected: {body}"
    );
    assert_eq!(served.get("/healthz").unwrap().0, 200);
    assert_eq!(served.get("/product/goda-masala").unwrap().0, 200);
}

#[test]
fn renderer_that_keeps_panicking_leaves_the_server_ready() {
    let folder = temporary_folder();
    let served = serve(folder.path(), "panic-always:worker renderer");
    wait_until(&served, 200, "renderer: keeps panicking");
    let (status, page) = served.get("/product/goda-masala").unwrap();
    assert_eq!(status, 200);
    assert!(page.contains("<script"), "the client shell: {page}");
}

/// Search engines index every page with status 200.
#[test]
fn without_a_renderer_unknown_pages_are_still_404() {
    let folder = temporary_folder();
    let served = serve(folder.path(), "panic-always:worker renderer");
    for (path, status, expected_indexable) in [
        ("/", 200, true),
        ("/product/goda-masala", 200, true),
        ("/search?q=goda", 200, false),
        ("/no/such/page", 404, false),
        ("/product", 404, false),
        ("/product/no-such-masala", 404, false),
    ] {
        let (actual, page) = served.get(path).unwrap();
        assert_eq!(actual, status, "{path}");
        let is_shell = page.contains("<div id=\"root\"></div>") && page.contains("<script");
        assert!(is_shell, "{path}: {page}");
        let is_indexable = !page.contains("<meta name=\"robots\" content=\"noindex\">");
        assert_eq!(is_indexable, expected_indexable, "{path}");
    }
}
