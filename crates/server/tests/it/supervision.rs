//! Background work that panics: it goes on, and it can be seen.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::cli::{Served, fine, run, small_catalogue};
use crate::harness::temporary_folder;

const TOKEN: &str = "let-me-look";

fn serve(folder: &Path, fault_point: &str) -> Served {
    small_catalogue(folder);
    fine(&run(folder, &["seed", "catalogue", "--data", "data"]));
    let environment = [
        ("MIRASA_FAILPOINT", fault_point),
        ("MIRASA_METRICS_TOKEN", TOKEN),
    ];
    Served::start_with(folder, &[], &environment)
}

/// Waits until `/readyz` answers with this status and says this.
fn wait_until(served: &Served, status: u16, says: &str) -> String {
    let began = Instant::now();
    loop {
        // So that there is always something to render.
        let path = format!("/products?q={}", began.elapsed().as_micros());
        served.get(&path);
        let response = served.get("/readyz");
        if let Some((code, body)) = &response
            && *code == status
            && body.contains(says)
        {
            return body.clone();
        }
        let took = began.elapsed();
        assert!(
            took < Duration::from_secs(30),
            "not {status} {says}: {response:?}"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_worker_that_panics_goes_on_and_is_counted_and_shown() {
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
        let says = format!("{worker}: running again, 1 panics since the start");
        let body = wait_until(&served, 200, &says);
        assert!(body.starts_with("ok\n"), "{body}");
        let metrics = served.get_with("/metrics", &format!("Authorization: Bearer {TOKEN}\r\n"));
        let (_, metrics) = metrics.unwrap();
        let count = format!("worker_panics{{worker=\"{worker}\"}} 1");
        assert!(metrics.contains(&count), "{worker}: {metrics}");
    }
}

#[test]
fn a_worker_that_keeps_panicking_makes_the_shop_unready_and_harms_no_other() {
    let folder = temporary_folder();
    let served = serve(folder.path(), "panic-always:worker payments");
    let body = wait_until(&served, 503, "payments: keeps panicking");
    assert_eq!(body.lines().count(), 2, "no other worker: {body}");
    assert_eq!(served.get("/healthz").unwrap().0, 200);
    assert_eq!(served.get("/product/goda-masala").unwrap().0, 200);
}

#[test]
fn a_renderer_that_keeps_panicking_leaves_the_shop_ready() {
    let folder = temporary_folder();
    let served = serve(folder.path(), "panic-always:worker renderer");
    wait_until(&served, 200, "renderer: keeps panicking");
    let (status, page) = served.get("/product/goda-masala").unwrap();
    assert_eq!(status, 200);
    assert!(page.contains("<script"), "the plain shell: {page}");
}

/// Search engines would keep whatever answers 200.
#[test]
fn without_a_renderer_what_is_not_there_is_still_404() {
    let folder = temporary_folder();
    let served = serve(folder.path(), "panic-always:worker renderer");
    for (path, status, is_found) in [
        ("/", 200, true),
        ("/product/goda-masala", 200, true),
        ("/search?q=goda", 200, false),
        ("/no/such/page", 404, false),
        ("/product", 404, false),
        ("/product/no-such-masala", 404, false),
    ] {
        let (answered, page) = served.get(path).unwrap();
        assert_eq!(answered, status, "{path}");
        let is_shell = page.contains("<div id=\"root\"></div>") && page.contains("<script");
        assert!(is_shell, "{path}: {page}");
        let may_be_found = !page.contains("<meta name=\"robots\" content=\"noindex\">");
        assert_eq!(may_be_found, is_found, "{path}");
    }
}
