//! Crash tests of stock: the server is killed while stock is moved or imported, a batch is recorded or an order is packed from
//! a batch, and restarted on the same data. The repeated request moves everything once.

use serde_json::{Value, json};

use crate::batches::day;
use crate::harness::crash::{
    ShopFolder, admin, returning, send_into_crash, sign_in, wait_for_crash,
};
use crate::harness::{TestClient, in_runtime};
use crate::stock::{amounts, buy, stock_of};

const PRODUCT: &str = "goda-masala";

#[derive(Clone, Copy)]
enum Operation {
    WriteOff,
    AddBatch,
    Pack,
    Import,
    Ship,
}

const FAILPOINTS: [(&str, Operation); 10] = [
    ("moving stock", Operation::WriteOff),
    ("stock moved", Operation::WriteOff),
    ("recording a batch", Operation::AddBatch),
    ("batch recorded", Operation::AddBatch),
    ("taking batches", Operation::Pack),
    ("packing orders", Operation::Pack),
    ("importing products", Operation::Import),
    ("products imported", Operation::Import),
    ("taking batches", Operation::Ship),
    ("setting a status", Operation::Ship),
];

fn request(
    admin: &TestClient,
    order: &str,
    file: &str,
    at: usize,
    operation: Operation,
) -> reqwest::RequestBuilder {
    let key = format!("crash-{at}");
    let (method, path, body) = match operation {
        Operation::Import => {
            let files = [("products.csv", file.as_bytes())];
            let request = admin.upload_request("/api/admin/products/import", "file", &files);
            return request.header("idempotency-key", key);
        }
        Operation::WriteOff => (
            http::Method::POST,
            format!("/api/admin/stock/{PRODUCT}/movements"),
            json!({ "kind": "writeOff", "grams": 50, "note": "Spilled" }),
        ),
        Operation::AddBatch => (
            http::Method::POST,
            "/api/admin/batches".to_owned(),
            json!({ "productId": PRODUCT, "number": format!("B-{at}"), "bestBefore": day(90), "grams": 200 }),
        ),
        Operation::Pack => (
            http::Method::PUT,
            "/api/admin/orders/packed".to_owned(),
            json!({ "orders": [order] }),
        ),
        Operation::Ship => (
            http::Method::PUT,
            format!("/api/admin/orders/{order}/status"),
            json!({ "orderStatus": "shipped" }),
        ),
    };
    admin
        .request(method, &path)
        .json(&body)
        .header("idempotency-key", key)
}

fn sums(row: &Value) -> (i64, i64, i64) {
    let batches = row["batches"].as_array().unwrap();
    let left: i64 = batches
        .iter()
        .map(|batch| batch["leftGrams"].as_i64().unwrap())
        .sum();
    (
        amounts(&row["available"]).0,
        amounts(&row["inShop"]).0,
        left,
    )
}

#[test]
fn crash_while_stock_moves_moves_it_once() {
    in_runtime(async {
        let folder = ShopFolder::seeded();
        for (at, (point, operation)) in FAILPOINTS.into_iter().enumerate() {
            crash_at(&folder, at, point, operation).await;
        }
    });
}

async fn crash_at(folder: &ShopFolder, at: usize, point: &str, operation: Operation) {
    let served = folder.start();
    let customer = sign_in(&served, &format!("stock-{at}@it.example")).await;
    let order = buy(&customer, PRODUCT, 0, 1).await;
    let admin = admin(&served).await;
    let before = sums(&stock_of(&admin, PRODUCT).await);
    let product = admin.get(&format!("/api/products/{PRODUCT}")).await;
    let version = product.expect_ok()["product"]["version"].take();
    let file = format!(
        "id,version,stock,stock_at_export\n{PRODUCT},{version},{},{}\n",
        before.0 + 100,
        before.0
    );
    drop(served);

    let served = folder.start_with_failpoint(point);
    let client = returning(&admin, &served);
    let first = request(&client, &order, &file, at, operation);
    send_into_crash(&client, first).await;
    wait_for_crash(served, point).await;

    let served = folder.start();
    let client = returning(&admin, &served);
    for _ in 0..2 {
        let repeated = client
            .send(request(&client, &order, &file, at, operation))
            .await;
        assert!(
            matches!(repeated.status, 200 | 201),
            "{point}: {repeated:?}"
        );
    }
    let after = sums(&stock_of(&client, PRODUCT).await);
    let change = (after.0 - before.0, after.1 - before.1, after.2 - before.2);
    let expected = match operation {
        Operation::WriteOff => (-50, -50, 0),
        Operation::AddBatch => (200, 200, 200),
        Operation::Import => (100, 100, 0),
        Operation::Pack | Operation::Ship => (0, -100, -100),
    };
    assert_eq!(change, expected, "{point}");
    folder.assert_consistent(point);
}
