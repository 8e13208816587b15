//! Crash tests of invoices: the server is killed while an invoice or a credit note is issued, and restarted on the same
//! data. The numbers have no gap, and each order has one invoice and each refund one credit note.

use std::path::Path;

use serde_json::json;

use crate::checkout_crashes::{browser, orders, send_ignoring_response, sql, wait_for_crash};
use crate::cli::{Served, expect_success, run, small_catalogue};
use crate::harness::{PendingPayment, TestClient, eventually, in_runtime, temporary_folder};

const FAILPOINTS: [(&str, Operation); 5] = [
    ("issuing an invoice", Operation::Ship),
    ("setting a status", Operation::Ship),
    ("issuing an invoice", Operation::Pack),
    ("packing orders", Operation::Pack),
    ("issuing a credit note", Operation::Refund),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Ship,
    Pack,
    /// Of a shipped order.
    Refund,
}

fn request(admin: &TestClient, id: &str, operation: Operation) -> reqwest::RequestBuilder {
    let (method, path, body) = match operation {
        Operation::Ship => (
            http::Method::PUT,
            format!("/api/admin/orders/{id}/status"),
            json!({ "orderStatus": "shipped" }),
        ),
        Operation::Pack => (
            http::Method::PUT,
            "/api/admin/orders/packed".to_owned(),
            json!({ "orders": [id] }),
        ),
        Operation::Refund => (
            http::Method::POST,
            format!("/api/admin/orders/{id}/refunds"),
            json!({ "reason": "Returned" }),
        ),
    };
    // The key makes the repeated refund the same one.
    admin
        .request(method, &path)
        .json(&body)
        .header("idempotency-key", "crash")
}

#[test]
fn crash_while_an_invoice_is_issued_leaves_no_gap() {
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
    let customer = browser(&served);
    customer.sign_in(&format!("invoice-{at}@it.example")).await;
    customer.add("goda-masala", 1, 1).await;
    let home = customer.home().await;
    let payment = PendingPayment::from_response(&customer.check_out(&home).await);
    customer.submit_payment(&payment, "pay").await;
    customer.settled_result(&payment).await;
    let id = orders(&customer).await[0]["_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let admin = browser(&served);
    admin.sign_in("admin@mirasa.example").await;
    if operation == Operation::Refund {
        let shipped = admin.send(request(&admin, &id, Operation::Ship)).await;
        assert_eq!(shipped.status, 200, "{shipped:?}");
    }
    drop(served);

    let again = |from: &TestClient, served: &Served| {
        let client = browser(served);
        client.set_cookie("mirasa_session", &from.session().unwrap());
        client
    };
    let mut served = Served::start_with(folder, &[], &[("MIRASA_FAILPOINT", point)]);
    let client = again(&admin, &served);
    let cookie = format!("mirasa_session={}", admin.session().unwrap());
    send_ignoring_response(request(&client, &id, operation).header("cookie", cookie)).await;
    wait_for_crash(&mut served, point).await;
    drop(served);

    let served = Served::start_with(folder, &[], &[]);
    let (customer, admin) = (again(&customer, &served), again(&admin, &served));
    let repeated = admin.send(request(&admin, &id, operation)).await;
    assert_eq!(repeated.status, 200, "{point}: {repeated:?}");
    eventually("the invoices are issued", async || {
        sql(
            folder,
            "update refunds set next_look_at = 0, leased_until = 0",
        );
        let order = orders(&customer).await.remove(0);
        let notes = order["creditNotes"].as_array().unwrap().len();
        order["invoice"].is_object() && notes == usize::from(operation == Operation::Refund)
    })
    .await;
    let invoice = orders(&customer).await.remove(0)["invoice"].take();
    let number = invoice["number"].as_str().unwrap().to_owned();
    assert!(
        number.ends_with(&format!("/{:06}", at + 1)),
        "{point}: {number}"
    );
    let output = run(folder, &["check", "--data", "data"]);
    assert!(expect_success(&output).ends_with("all agree\n"), "{point}");
}
