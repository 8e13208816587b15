//! Crash tests: the server is killed at each step of a checkout and restarted on the same data. No paid order may
//! be lost or duplicated, stock must match the ledger, and the gateway's record must match the orders.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::cli::{Served, expect_success, run, small_catalogue};
use crate::harness::{GATEWAY, PendingPayment, TestClient, client, in_runtime, temporary_folder};

/// Failpoints, and whether the customer has paid before the crash.
const FAILPOINTS: [(&str, bool); 5] = [
    ("order committed", false),
    ("page asked for", false),
    ("status heard", true),
    ("settling", true),
    ("settled", true),
];

pub fn browser(served: &Served) -> TestClient {
    TestClient::new(client(None), &format!("http://{}", served.base))
}

pub fn sql(folder: &Path, text: &str) {
    let connection = rusqlite::Connection::open(folder.join("data/mirasa.db")).unwrap();
    connection.execute(text, []).unwrap();
}

/// Sends a request that gets no response because the server is killed.
pub async fn send_ignoring_response(request: reqwest::RequestBuilder) {
    let _ = request.send().await;
}

pub async fn wait_for_crash(served: &mut Served, point: &str) {
    let began = Instant::now();
    while served.child.try_wait().unwrap().is_none() {
        assert!(
            began.elapsed() < Duration::from_mins(1),
            "the server did not reach the failpoint {point}"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

pub async fn orders(browser: &TestClient) -> Vec<Value> {
    let response = browser.get("/api/user/orders").await.expect_ok()["orders"].take();
    serde_json::from_value(response).unwrap()
}

#[test]
fn crash_at_any_checkout_step_loses_and_duplicates_nothing() {
    in_runtime(async {
        let folder = temporary_folder();
        let folder = folder.path();
        small_catalogue(folder);
        expect_success(&run(folder, &["seed", "catalogue", "--data", "data"]));
        for (point, paid) in FAILPOINTS {
            crash_at(folder, point, paid).await;
        }
        let output = run(folder, &["check", "--data", "data"]);
        assert!(
            expect_success(&output).contains("5 orders against"),
            "{output:?}"
        );

        // The consistency check detects an error.
        sql(
            folder,
            "update products set stock_grams = stock_grams + 1 where id = 'goda-masala'",
        );
        let output = run(folder, &["check", "--data", "data"]);
        assert!(!output.status.success());
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(
            stdout.contains("WRONG: the stock of goda-masala"),
            "{stdout}"
        );
    });
}

async fn crash_at(folder: &Path, point: &str, paid: bool) {
    // Attempts of earlier crashes are still polled. Postpone them, so that they do not reach the failpoint first.
    let postpone = "update payment_attempts set next_look_at = next_look_at + 3600000";
    sql(folder, postpone);
    let mut served = Served::start_with(folder, &[], &[("MIRASA_FAILPOINT", point)]);
    let email = format!("{}@it.example", point.replace(' ', "-"));
    let customer = browser(&served);
    customer.sign_in(&email).await;
    customer.add("goda-masala", 1, 1).await;
    let home = customer.home().await;
    let body = json!({ "addressId": home });
    let checkout = |browser: &TestClient| {
        let request = browser.request(http::Method::POST, "/api/cart/checkout");
        let cookie = format!("mirasa_session={}", customer.session().unwrap());
        request
            .header("idempotency-key", "once")
            .header("cookie", cookie)
            .json(&body)
    };
    if paid {
        let payment =
            PendingPayment::from_response(&customer.check_out_with_key("once", body.clone()).await);
        send_ignoring_response(
            customer
                .request(http::Method::POST, &payment.page)
                .form(&[("outcome", "pay")]),
        )
        .await;
    } else {
        send_ignoring_response(checkout(&customer)).await;
    }
    wait_for_crash(&mut served, point).await;
    drop(served);

    let served = Served::start_with(folder, &[], &[]);
    let returning = browser(&served);
    returning.set_cookie("mirasa_session", &customer.session().unwrap());
    if paid {
        // The customer does not return: the reconciler must find the payment.
        sql(
            folder,
            "update payment_attempts set next_look_at = 0, leased_until = 0",
        );
        let began = Instant::now();
        while orders(&returning).await[0]["paymentStatus"] != "completed" {
            assert!(
                began.elapsed() < Duration::from_mins(1),
                "{point}: not settled in time"
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    } else {
        // Age the attempt of the crashed server, so that this checkout does not wait for its payment page.
        sql(
            folder,
            "update payment_attempts set created_at = created_at - 20000 where state = 'opening'",
        );
        let payment = PendingPayment::from_response(
            &returning.check_out_with_key("once", body.clone()).await,
        );
        returning.submit_payment(&payment, "pay").await;
        assert_eq!(
            returning.settled_result(&payment).await["order"]["paymentStatus"],
            "completed",
            "{point}"
        );
    }
    let all = orders(&returning).await;
    assert_eq!(all.len(), 1, "{point}: one order");
    assert_eq!(all[0]["orderStatus"], "confirmed");
    let record = returning
        .get(&format!("{GATEWAY}/orders"))
        .await
        .expect_ok();
    let number = &all[0]["merchantOrderId"];
    let gateway_orders = record["orders"].as_array().unwrap().iter();
    let matching: Vec<_> = gateway_orders
        .filter(|order| order["merchantOrderId"] == *number)
        .collect();
    assert_eq!(matching.len(), 1);
    assert_eq!(matching[0]["state"], "COMPLETED");
    let rupees = all[0]["totalAmount"].as_f64().unwrap();
    assert_eq!(
        matching[0]["amount"].as_f64().unwrap(),
        (rupees * 100.0).round()
    );
    let emails = returning.get("/sandbox/mail").await;
    let emails = emails.text().matches(&email).count();
    assert_eq!(emails, 1, "{point}: one email");
    let output = run(folder, &["check", "--data", "data"]);
    assert!(expect_success(&output).ends_with("all agree\n"), "{point}");
}

/// Failpoints while an admin deletes an unpaid order, and whether the order has ended before the crash.
const END_ORDER_FAILPOINTS: [(&str, bool); 2] =
    [("ending an order", false), ("orders ended", true)];

#[test]
fn crash_while_ending_an_order_completes_or_refunds_its_payment() {
    in_runtime(async {
        let folder = temporary_folder();
        let folder = folder.path();
        small_catalogue(folder);
        expect_success(&run(folder, &["seed", "catalogue", "--data", "data"]));
        for (point, ended) in END_ORDER_FAILPOINTS {
            let mut served = Served::start_with(folder, &[], &[("MIRASA_FAILPOINT", point)]);
            let customer = browser(&served);
            customer
                .sign_in(&format!("{}@it.example", point.replace(' ', "-")))
                .await;
            customer.add("goda-masala", 1, 1).await;
            let home = customer.home().await;
            let payment = PendingPayment::from_response(&customer.check_out(&home).await);
            let id = orders(&customer).await[0]["_id"]
                .as_str()
                .unwrap()
                .to_owned();
            let admin = browser(&served);
            admin.sign_in("admin@mirasa.example").await;
            let path = format!("/api/admin/orders/{id}");
            let cookie = format!("mirasa_session={}", admin.session().unwrap());
            let delete = admin.request(http::Method::DELETE, &path);
            send_ignoring_response(delete.header("cookie", cookie)).await;
            wait_for_crash(&mut served, point).await;
            drop(served);

            let served = Served::start_with(folder, &[], &[]);
            let returning = browser(&served);
            returning.set_cookie("mirasa_session", &customer.session().unwrap());
            returning.submit_payment(&payment, "pay").await;
            sql(
                folder,
                "update payment_attempts set next_look_at = 0, leased_until = 0",
            );
            let count = |query: &str| -> i64 {
                let file = folder.join("data/mirasa.db");
                let connection = rusqlite::Connection::open(file).unwrap();
                connection
                    .query_row(query, [&id], |row| row.get(0))
                    .unwrap()
            };
            let settled =
                "select count(*) from payment_attempts where order_id = ?1 and state = 'completed'";
            let began = Instant::now();
            while count(settled) == 0 {
                assert!(
                    began.elapsed() < Duration::from_mins(1),
                    "{point}: not settled in time"
                );
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            let returned = count("select count(*) from refunds where order_id = ?1") == 1;
            assert_eq!(returned, ended, "{point}");
            assert_eq!(orders(&returning).await.is_empty(), ended, "{point}");
            let output = run(folder, &["check", "--data", "data"]);
            assert!(expect_success(&output).ends_with("all agree\n"), "{point}");
        }
    });
}
