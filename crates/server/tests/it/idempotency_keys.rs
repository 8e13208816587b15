//! The header `Idempotency-Key` of admins' requests: a repetition gets the first result, another request is refused.

use futures::future::join_all;
use http::Method;
use serde_json::{Value, json};

use crate::admin_orders::customer_with_orders;
use crate::batches::day;
use crate::harness::{ProductFixture, TestClient, TestResponse, for_each_engine};
use crate::stock::{amounts, stock_of};

async fn send(admin: &TestClient, path: &str, key: &str, body: Value) -> TestResponse {
    let request = admin.request(Method::POST, path).json(&body);
    admin.send(request.header("idempotency-key", key)).await
}

async fn import(admin: &TestClient, key: &str, file: &str) -> TestResponse {
    let files = [("products.csv", file.as_bytes())];
    let request = admin.upload_request("/api/admin/products/import", "file", &files);
    admin.send(request.header("idempotency-key", key)).await
}

fn expect_reused(response: &TestResponse) {
    response.expect_code(422, "idempotency_key_reused", "");
}

#[test]
fn key_of_a_refund_is_for_one_body() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (_, orders) = customer_with_orders(shop, "keyed-refund", 2).await;
        let path = format!("/api/admin/orders/{}/refunds", orders[0].id);
        let body = json!({ "amount": 2, "reason": "Torn" });
        let first = send(&admin, &path, "refund-1", body.clone()).await;
        let first = first.expect_ok();
        for other in [
            json!({ "amount": 3, "reason": "Torn" }),
            json!({ "amount": 2, "reason": "Late" }),
            json!({ "reason": "Torn" }),
            json!({ "reason": "Torn", "restock": true }),
            json!({ "lines": [{ "productId": orders[0].lines[0].product.0, "qty_50g": 1 }], "reason": "Torn" }),
        ] {
            expect_reused(&send(&admin, &path, "refund-1", other).await);
        }
        let again = send(&admin, &path, "refund-1", body.clone())
            .await
            .expect_ok();
        assert_eq!(again["refund"]["_id"], first["refund"]["_id"]);
        let order = admin
            .get(&format!("/api/admin/orders?orderId={}", orders[0].id))
            .await
            .expect_ok();
        assert_eq!(order["orders"][0]["refunds"].as_array().unwrap().len(), 1);

        // A refused request does not use the key up, and another order has its own keys.
        let too_much = json!({ "amount": 100_000, "reason": "Torn" });
        let refused = send(&admin, &path, "refund-2", too_much).await;
        assert_eq!(refused.status, 409, "{refused:?}");
        send(&admin, &path, "refund-2", body.clone())
            .await
            .expect_ok();
        let other = format!("/api/admin/orders/{}/refunds", orders[1].id);
        let second = send(&admin, &other, "refund-1", body.clone())
            .await
            .expect_ok();
        assert_ne!(second["refund"]["_id"], first["refund"]["_id"]);
        let long = "k".repeat(201);
        let invalid = send(&admin, &other, &long, body).await;
        invalid.expect_code(400, "invalid_input", "Idempotency-Key");
        shop.assert_consistent_for("keyed-refund", &orders).await;
    });
}

#[test]
fn key_of_a_stock_movement_or_batch_is_for_one_body() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let product = shop
            .add_product(ProductFixture {
                grams: 1_000,
                ..ProductFixture::new("keyed-stock", "Keyed Stock")
            })
            .await;
        let path = format!("/api/admin/stock/{product}/movements");
        let receive = json!({ "kind": "receive", "grams": 100, "note": "Delivery" });
        send(&admin, &path, "move-1", receive.clone())
            .await
            .expect_ok();
        for other in [
            json!({ "kind": "receive", "grams": 200, "note": "Delivery" }),
            json!({ "kind": "receive", "grams": 100, "note": "Another delivery" }),
            json!({ "kind": "writeOff", "grams": 100, "note": "Delivery" }),
        ] {
            expect_reused(&send(&admin, &path, "move-1", other).await);
        }
        let batch = |number: &str, grams: i64| json!({ "productId": product, "number": number, "bestBefore": day(90), "grams": grams });
        let batches = "/api/admin/batches";
        expect_reused(&send(&admin, batches, "move-1", batch("K-1", 100)).await);
        let row = send(&admin, &path, "move-1", receive).await.expect_ok();
        assert_eq!(amounts(&row["product"]["available"]).0, 1_100);

        let first = send(&admin, batches, "batch-1", batch("K-1", 100)).await;
        let first = first.expect_ok();
        expect_reused(&send(&admin, batches, "batch-1", batch("K-1", 200)).await);
        expect_reused(&send(&admin, batches, "batch-1", batch("K-2", 100)).await);
        let again = send(&admin, batches, "batch-1", batch("K-1", 100)).await;
        assert_eq!(again.expect_ok()["batch"]["_id"], first["batch"]["_id"]);
        assert_eq!(
            amounts(&stock_of(&admin, product).await["available"]).0,
            1_200
        );
    });
}

#[test]
fn key_of_an_import_is_for_one_file() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let product = shop
            .add_product(ProductFixture {
                grams: 1_000,
                ..ProductFixture::new("keyed-import", "Keyed Import")
            })
            .await;
        let stock = async || amounts(&stock_of(&admin, product).await["available"]).0;
        let file = |version: &Value, grams: i64| {
            let exported = grams - 100;
            format!("id,version,stock,stock_at_export\n{product},{version},{grams},{exported}\n")
        };
        let version = async || {
            let found = admin.get(&format!("/api/products/{product}")).await;
            found.expect_ok()["product"]["version"].take()
        };
        let first_file = file(&version().await, 1_100);
        let imports = (0..5).map(|_| import(&admin, "import-1", &first_file));
        let reports: Vec<Value> = join_all(imports)
            .await
            .iter()
            .map(TestResponse::expect_ok)
            .collect();
        assert_eq!(reports[0]["applied"], true, "{}", reports[0]);
        assert_eq!(
            reports[0]["rows"][0]["changes"],
            json!([{ "field": "stock", "from": "1000", "to": "1100" }])
        );
        assert!(
            reports.iter().all(|report| *report == reports[0]),
            "{reports:?}"
        );
        assert_eq!(stock().await, 1_100);
        // Also after other changes.
        let second_file = file(&version().await, 1_200);
        expect_reused(&import(&admin, "import-1", &second_file).await);
        let report = import(&admin, "import-2", &second_file).await.expect_ok();
        assert_eq!(report["applied"], true, "{report}");
        let again = import(&admin, "import-1", &first_file).await.expect_ok();
        assert_eq!(again, reports[0]);
        assert_eq!(stock().await, 1_200);

        // New products, which no lock of a product protects.
        let new = "id,product_name,category,ingredients,mrp_50g,net_wt,stock\n\
            keyed-new,Keyed New,Masala,Coriander,65,50 g,500\n";
        let imports = (0..5).map(|_| import(&admin, "import-3", new));
        for response in join_all(imports).await {
            let report = response.expect_ok();
            assert_eq!(
                (&report["applied"], &report["added"]),
                (&json!(true), &json!(1))
            );
        }
        // A file that is not applied does not use the key up.
        let wrong = import(&admin, "import-4", "id,stock\nkeyed-new,-1\n").await;
        assert_eq!(wrong.expect_ok()["applied"], false);
        let right = import(&admin, "import-4", "id,stock\nkeyed-new,600\n").await;
        assert_eq!(right.expect_ok()["applied"], true);
    });
}
