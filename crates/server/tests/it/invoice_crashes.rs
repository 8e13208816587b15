//! Crash tests of invoices: the server is killed while an invoice or a credit note is issued, and restarted on the same
//! data. The numbers have no gap, and each order has one invoice and each refund one credit note.

use serde_json::json;

use crate::harness::crash::{
    ShopFolder, admin, customer_with_paid_order, orders, returning, send_into_crash, wait_for_crash,
};
use crate::harness::{TestClient, in_runtime};

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
        let folder = ShopFolder::seeded();
        for (at, (point, operation)) in FAILPOINTS.into_iter().enumerate() {
            crash_at(&folder, at, point, operation).await;
        }
    });
}

async fn crash_at(folder: &ShopFolder, at: usize, point: &str, operation: Operation) {
    let served = folder.start();
    let email = format!("invoice-{at}@it.example");
    let (customer, order) = customer_with_paid_order(&served, &email).await;
    let id = order["_id"].as_str().unwrap().to_owned();
    let admin = admin(&served).await;
    if operation == Operation::Refund {
        let shipped = admin.send(request(&admin, &id, Operation::Ship)).await;
        assert_eq!(shipped.status, 200, "{shipped:?}");
    }
    drop(served);

    let served = folder.start_with_failpoint(point);
    let client = returning(&admin, &served);
    send_into_crash(&client, request(&client, &id, operation)).await;
    wait_for_crash(served, point).await;

    let served = folder.start();
    let (customer, admin) = (returning(&customer, &served), returning(&admin, &served));
    let repeated = admin.send(request(&admin, &id, operation)).await;
    assert_eq!(repeated.status, 200, "{point}: {repeated:?}");
    let hurry = "update refunds set next_look_at = 0, leased_until = 0";
    folder
        .hurry_until(hurry, "the invoices are issued", async || {
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
    folder.assert_consistent(point);
}
