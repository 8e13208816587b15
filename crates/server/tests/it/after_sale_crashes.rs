//! Crash tests after the sale: the server is killed while an order is cancelled or refunded, and restarted on the same
//! data. The money goes back once, the stock matches the ledger, and each event has one email.

use std::path::Path;

use serde_json::{Value, json};

use crate::checkout_crashes::{browser, orders, send_ignoring_response, sql, wait_for_crash};
use crate::cli::{Served, expect_success, run, small_catalogue};
use crate::harness::{
    GATEWAY, PendingPayment, TestClient, eventually, in_runtime, temporary_folder,
};

/// The request that the server is killed in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    CustomerCancels,
    AdminRefunds,
    AdminCancels,
    /// The order is packed.
    CustomerAsks,
    AdminAccepts,
}

const FAILPOINTS: [(&str, Operation); 9] = [
    ("cancelling an order", Operation::CustomerCancels),
    ("orders ended", Operation::CustomerCancels),
    ("requesting a refund", Operation::AdminRefunds),
    ("refund requested", Operation::AdminRefunds),
    ("setting a status", Operation::AdminCancels),
    // The worker has sent the refund to the gateway and has not stored the response.
    ("refund asked for", Operation::CustomerCancels),
    ("refund asked for", Operation::AdminRefunds),
    ("requesting a cancellation", Operation::CustomerAsks),
    ("deciding about a cancellation", Operation::AdminAccepts),
];

fn request(
    customer: &TestClient,
    admin: &TestClient,
    id: &str,
    operation: Operation,
) -> reqwest::RequestBuilder {
    let (client, method, path, body) = match operation {
        Operation::CustomerCancels | Operation::CustomerAsks => (
            customer,
            http::Method::POST,
            format!("/api/user/orders/{id}/cancel"),
            json!({}),
        ),
        Operation::AdminRefunds => (
            admin,
            http::Method::POST,
            format!("/api/admin/orders/{id}/refunds"),
            json!({ "reason": "Damaged", "restock": true }),
        ),
        Operation::AdminCancels => (
            admin,
            http::Method::PUT,
            format!("/api/admin/orders/{id}/status"),
            json!({ "orderStatus": "cancelled", "refund": true, "restock": true }),
        ),
        Operation::AdminAccepts => (
            admin,
            http::Method::PUT,
            format!("/api/admin/orders/{id}/cancellation"),
            json!({ "accept": true, "restock": true }),
        ),
    };
    let cookie = format!("mirasa_session={}", client.session().unwrap());
    let request = client.request(method, &path).json(&body);
    // The key makes the repeated refund of the admin the same one.
    request
        .header("cookie", cookie)
        .header("idempotency-key", "crash")
}

#[test]
fn crash_after_the_sale_refunds_and_restocks_once() {
    in_runtime(async {
        let folder = temporary_folder();
        let folder = folder.path();
        small_catalogue(folder);
        expect_success(&run(folder, &["seed", "catalogue", "--data", "data"]));
        for (at, (point, operation)) in FAILPOINTS.into_iter().enumerate() {
            crash_at(folder, at, point, operation).await;
        }
    });
}

async fn crash_at(folder: &Path, at: usize, point: &str, operation: Operation) {
    let served = Served::start_with(folder, &[], &[]);
    let email = format!("after-sale-{at}@it.example");
    let customer = browser(&served);
    customer.sign_in(&email).await;
    customer.add("goda-masala", 1, 1).await;
    let home = customer.home().await;
    let payment = PendingPayment::from_response(&customer.check_out(&home).await);
    customer.submit_payment(&payment, "pay").await;
    customer.settled_result(&payment).await;
    let order = orders(&customer).await.remove(0);
    let id = order["_id"].as_str().unwrap().to_owned();
    let admin = browser(&served);
    admin.sign_in("admin@mirasa.example").await;
    let is_packed = matches!(operation, Operation::CustomerAsks | Operation::AdminAccepts);
    if is_packed {
        let body = json!({ "orders": [id] });
        admin
            .put("/api/admin/orders/packed", body)
            .await
            .expect_ok();
    }
    if operation == Operation::AdminAccepts {
        let path = format!("/api/user/orders/{id}/cancel");
        customer.post(&path, json!({})).await.expect_ok();
    }
    drop(served);

    let mut served = Served::start_with(folder, &[], &[("MIRASA_FAILPOINT", point)]);
    let again = |from: &TestClient, served: &Served| {
        let client = browser(served);
        client.set_cookie("mirasa_session", &from.session().unwrap());
        client
    };
    let (one, two) = (again(&customer, &served), again(&admin, &served));
    send_ignoring_response(request(&one, &two, &id, operation)).await;
    wait_for_crash(&mut served, point).await;
    drop(served);

    let served = Served::start_with(folder, &[], &[]);
    let (customer, admin) = (again(&customer, &served), again(&admin, &served));
    let repeated = customer
        .send(request(&customer, &admin, &id, operation))
        .await;
    assert_eq!(repeated.status, 200, "{point}: {repeated:?}");
    if operation == Operation::CustomerAsks {
        let asked = orders(&customer).await.remove(0);
        assert_eq!(asked["refunds"], json!([]), "{point}");
        let accept = request(&customer, &admin, &id, Operation::AdminAccepts);
        admin.send(accept).await.expect_ok();
    }
    eventually("the refund has ended", async || {
        sql(
            folder,
            "update refunds set next_look_at = 0, leased_until = 0",
        );
        let order = orders(&customer).await.remove(0);
        order["refunds"][0]["state"] == "completed"
    })
    .await;
    let shown = orders(&customer).await.remove(0);
    assert_eq!(shown["refunds"].as_array().unwrap().len(), 1, "{point}");
    assert_eq!(shown["refunds"][0]["amount"], order["totalAmount"]);
    let record = customer.get(&format!("{GATEWAY}/orders")).await.expect_ok();
    let returned: Vec<&Value> = record["refunds"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|refund| refund["originalMerchantOrderId"] == order["merchantOrderId"])
        .collect();
    assert_eq!(returned.len(), 1, "{point}: refunded once");
    let paise = (order["totalAmount"].as_f64().unwrap() * 100.0).round();
    assert_eq!(returned[0]["amount"].as_f64().unwrap(), paise);
    // Confirmed, cancelled or refund requested, refunded. With a request: requested and accepted instead of cancelled.
    let emails = customer.get("/sandbox/mail").await;
    let expected = if is_packed { 4 } else { 3 };
    assert_eq!(emails.text().matches(&email).count(), expected, "{point}");
    let output = run(folder, &["check", "--data", "data"]);
    assert!(expect_success(&output).ends_with("all agree\n"), "{point}");
}
