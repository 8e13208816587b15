//! A delivery of several products: all of it is received, or nothing, and once.

use serde_json::{Value, json};

use crate::admin_products::audit_entries;
use crate::harness::{ProductFixture, TestClient, TestResponse, for_each_engine};
use crate::stock::{amounts, stock_of};

const PATH: &str = "/api/admin/stock/deliveries";

async fn deliver(admin: &TestClient, key: &str, lines: Value) -> TestResponse {
    let request = admin.request(http::Method::POST, PATH);
    let request = request.header("idempotency-key", key);
    let body = json!({ "lines": lines, "note": "Mill of Kolhapur" });
    admin.send(request.json(&body)).await
}

#[test]
fn delivery_is_received_as_a_whole_and_once() {
    for_each_engine(async |shop| {
        let mut ids = Vec::new();
        for id in ["delivered-a", "delivered-b"] {
            ids.push(
                shop.add_product(ProductFixture {
                    grams: 1_000,
                    pouches_50g: 10,
                    pouches_100g: 5,
                    ..ProductFixture::new(id, id)
                })
                .await,
            );
        }
        let admin = shop.admin().await;
        let available = async || {
            let mut found = Vec::new();
            for id in &ids {
                found.push(amounts(&stock_of(&admin, id).await["available"]));
            }
            found
        };
        let before = vec![(1_000, 10, 5), (1_000, 10, 5)];

        // Nothing of a delivery with a mistake is received.
        let a = json!({ "productId": "delivered-a", "grams": 12_500, "pouches50g": 100 });
        for (lines, status, code, field) in [
            (json!([]), 400, "invalid_input", "lines"),
            (json!([a, a]), 400, "invalid_input", "lines"),
            (
                json!([a, { "productId": "delivered-b" }]),
                400,
                "invalid_input",
                "lines.1",
            ),
            (
                json!([a, { "productId": "delivered-b", "grams": -1 }]),
                400,
                "invalid_input",
                "lines.1",
            ),
            (
                json!([a, { "productId": "no-such-product", "grams": 5 }]),
                404,
                "product_not_found",
                "lines",
            ),
        ] {
            deliver(&admin, "mistake", lines)
                .await
                .expect_code(status, code, field);
            assert_eq!(available().await, before);
        }

        let lines = json!([a, { "productId": "delivered-b", "pouches100g": 40 }]);
        let after = vec![(13_500, 110, 5), (1_000, 10, 45)];
        for _ in 0..2 {
            deliver(&admin, "lorry-1", lines.clone()).await.expect_ok();
            assert_eq!(available().await, after, "a repetition has no effect");
        }
        deliver(&admin, "lorry-1", json!([a]))
            .await
            .expect_code(422, "idempotency_key_reused", "");
        assert_eq!(available().await, after);
        let (action, detail) = audit_entries(&admin, "delivered-a").await[0].clone();
        assert_eq!(action, "stock received");
        assert_eq!(
            detail,
            "stock +12500 g, +100 and +0 pouches: Mill of Kolhapur"
        );
    });
}
