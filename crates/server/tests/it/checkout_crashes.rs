//! The program is killed in the middle of a purchase, at every step of it, and started again on what it
//! left behind: no paid order is missing, none is there twice, stock is explained, and the gateway's own
//! record agrees with the shop's.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::cli::{Served, fine, run, small_catalogue};
use crate::harness::{GATEWAY, PendingPayment, TestClient, client, in_runtime, temporary_folder};

/// Where the program dies, and whether the shopper had paid by then.
const POINTS: [(&str, bool); 5] = [
    ("order committed", false),
    ("page asked for", false),
    ("status heard", true),
    ("settling", true),
    ("settled", true),
];

fn browser(served: &Served) -> TestClient {
    TestClient::new(client(None), &format!("http://{}", served.base))
}

fn sql(folder: &Path, text: &str) {
    let connection = rusqlite::Connection::open(folder.join("data/mirasa.db")).unwrap();
    connection.execute(text, []).unwrap();
}

/// Sends what the program will not live to answer.
async fn into_the_void(request: reqwest::RequestBuilder) {
    let _ = request.send().await;
}

async fn dies(served: &mut Served, point: &str) {
    let began = Instant::now();
    while served.child.try_wait().unwrap().is_none() {
        assert!(
            began.elapsed() < Duration::from_secs(15),
            "{point} was never passed"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn orders(browser: &TestClient) -> Vec<Value> {
    let response = browser.get("/api/user/orders").await.expect_ok()["orders"].take();
    serde_json::from_value(response).unwrap()
}

#[test]
fn killed_at_any_step_nothing_is_lost_and_nothing_doubled() {
    in_runtime(async {
        let folder = temporary_folder();
        let folder = folder.path();
        small_catalogue(folder);
        fine(&run(folder, &["seed", "catalogue", "--data", "data"]));
        for (point, paid) in POINTS {
            killed_at(folder, point, paid).await;
        }
        let output = run(folder, &["check", "--data", "data"]);
        assert!(fine(&output).contains("5 orders against"), "{output:?}");

        // The check itself has teeth.
        sql(
            folder,
            "update products set stock_grams = stock_grams + 1 where id = 'goda-masala'",
        );
        let output = run(folder, &["check", "--data", "data"]);
        assert!(!output.status.success());
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("WRONG: the stock of goda-masala"), "{said}");
    });
}

async fn killed_at(folder: &Path, point: &str, paid: bool) {
    // An attempt that died earlier is still asked about now and then; it must not be what passes the point.
    let later = "update payment_attempts set next_look_at = next_look_at + 3600000";
    sql(folder, later);
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
        into_the_void(
            customer
                .request(http::Method::POST, &payment.page)
                .form(&[("outcome", "pay")]),
        )
        .await;
    } else {
        into_the_void(checkout(&customer)).await;
    }
    dies(&mut served, point).await;
    drop(served);

    let served = Served::start_with(folder, &[], &[]);
    let back = browser(&served);
    back.set_cookie("mirasa_session", &customer.session().unwrap());
    if paid {
        // The shopper never comes back: the reconciler alone must find the money.
        sql(
            folder,
            "update payment_attempts set next_look_at = 0, leased_until = 0",
        );
        let began = Instant::now();
        while orders(&back).await[0]["paymentStatus"] != "completed" {
            assert!(
                began.elapsed() < Duration::from_secs(15),
                "{point}: never settled"
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    } else {
        // What the dead program began is old enough that nobody waits for it.
        sql(
            folder,
            "update payment_attempts set created_at = created_at - 20000 where state = 'opening'",
        );
        let payment =
            PendingPayment::from_response(&back.check_out_with_key("once", body.clone()).await);
        back.submit_payment(&payment, "pay").await;
        assert_eq!(
            back.settled_result(&payment).await["order"]["paymentStatus"],
            "completed",
            "{point}"
        );
    }
    let all = orders(&back).await;
    assert_eq!(all.len(), 1, "{point}: one order");
    assert_eq!(all[0]["orderStatus"], "confirmed");
    let record = back.get(&format!("{GATEWAY}/orders")).await.expect_ok();
    let number = &all[0]["merchantOrderId"];
    let theirs = record["orders"].as_array().unwrap().iter();
    let mine: Vec<_> = theirs
        .filter(|order| order["merchantOrderId"] == *number)
        .collect();
    assert_eq!(mine.len(), 1);
    assert_eq!(mine[0]["state"], "COMPLETED");
    let rupees = all[0]["totalAmount"].as_f64().unwrap();
    assert_eq!(
        mine[0]["amount"].as_f64().unwrap(),
        (rupees * 100.0).round()
    );
    let emails = back.get("/sandbox/mail").await;
    let emails = emails.text().matches(&email).count();
    assert_eq!(emails, 1, "{point}: one letter");
    let output = run(folder, &["check", "--data", "data"]);
    assert!(fine(&output).ends_with("all agree\n"), "{point}");
}

/// Where the program dies while an admin deletes an unpaid order, and whether the order has ended by then.
const ENDING_POINTS: [(&str, bool); 2] = [("ending an order", false), ("orders ended", true)];

#[test]
fn killed_while_an_order_is_ended_its_money_is_kept_for_goods_or_returned() {
    in_runtime(async {
        let folder = temporary_folder();
        let folder = folder.path();
        small_catalogue(folder);
        fine(&run(folder, &["seed", "catalogue", "--data", "data"]));
        for (point, ended) in ENDING_POINTS {
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
            into_the_void(delete.header("cookie", cookie)).await;
            dies(&mut served, point).await;
            drop(served);

            let served = Served::start_with(folder, &[], &[]);
            let back = browser(&served);
            back.set_cookie("mirasa_session", &customer.session().unwrap());
            back.submit_payment(&payment, "pay").await;
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
                    began.elapsed() < Duration::from_secs(15),
                    "{point}: never settled"
                );
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            let returned = count("select count(*) from refunds where order_id = ?1") == 1;
            assert_eq!(returned, ended, "{point}");
            assert_eq!(orders(&back).await.is_empty(), ended, "{point}");
            let output = run(folder, &["check", "--data", "data"]);
            assert!(fine(&output).ends_with("all agree\n"), "{point}");
        }
    });
}
