//! Crash tests after the sale: the server is killed while an order is cancelled or refunded, and restarted on the same
//! data. The money goes back once, the stock matches the ledger, and each event has one email.

use serde_json::{Value, json};

use crate::harness::crash::{
    ShopFolder, admin, customer_with_paid_order, orders, pack, returning, send_into_crash,
    wait_for_crash,
};
use crate::harness::{GATEWAY, TestClient, in_runtime};

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

/// Who sends the request, and the request.
fn request<'c>(
    customer: &'c TestClient,
    admin: &'c TestClient,
    id: &str,
    operation: Operation,
) -> (&'c TestClient, reqwest::RequestBuilder) {
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
    let request = client.request(method, &path).json(&body);
    // The key makes the repeated refund of the admin the same one.
    (client, request.header("idempotency-key", "crash"))
}

#[test]
fn crash_after_the_sale_refunds_and_restocks_once() {
    in_runtime(async {
        let folder = ShopFolder::seeded();
        for (at, (point, operation)) in FAILPOINTS.into_iter().enumerate() {
            crash_at(&folder, at, point, operation).await;
        }
    });
}

async fn crash_at(folder: &ShopFolder, at: usize, point: &str, operation: Operation) {
    let served = folder.start();
    let email = format!("after-sale-{at}@it.example");
    let (customer, order) = customer_with_paid_order(&served, &email).await;
    let id = order["_id"].as_str().unwrap().to_owned();
    let admin = admin(&served).await;
    let is_packed = matches!(operation, Operation::CustomerAsks | Operation::AdminAccepts);
    if is_packed {
        pack(&admin, &id).await;
    }
    if operation == Operation::AdminAccepts {
        let path = format!("/api/user/orders/{id}/cancel");
        customer.post(&path, json!({})).await.expect_ok();
    }
    drop(served);

    let served = folder.start_with_failpoint(point);
    let (one, two) = (returning(&customer, &served), returning(&admin, &served));
    let (user, first) = request(&one, &two, &id, operation);
    send_into_crash(user, first).await;
    wait_for_crash(served, point).await;

    let served = folder.start();
    let (customer, admin) = (returning(&customer, &served), returning(&admin, &served));
    let (user, again) = request(&customer, &admin, &id, operation);
    let repeated = user.send(again).await;
    assert_eq!(repeated.status, 200, "{point}: {repeated:?}");
    if operation == Operation::CustomerAsks {
        let asked = orders(&customer).await.remove(0);
        assert_eq!(asked["refunds"], json!([]), "{point}");
        let (_, accept) = request(&customer, &admin, &id, Operation::AdminAccepts);
        admin.send(accept).await.expect_ok();
    }
    let hurry = "update refunds set next_look_at = 0, leased_until = 0";
    folder
        .hurry_until(hurry, "the refund has ended", async || {
            orders(&customer).await[0]["refunds"][0]["state"] == "completed"
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
    folder.assert_consistent(point);
}
