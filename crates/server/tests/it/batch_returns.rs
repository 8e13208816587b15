//! Batches after packs came back, and after a count that found less.

use serde_json::json;

use crate::batches::{left, new_product, of, receive, recipients, set_status};
use crate::harness::for_each_engine;
use crate::stock::{amounts, buy, move_stock, pack, stock_of};

#[test]
fn what_comes_back_into_stock_goes_back_into_its_batch() {
    for_each_engine(async |shop| {
        let product = new_product(shop, "batch-back", 0).await;
        let admin = shop.admin().await;
        let first = receive(&admin, product, "A", 60, 150).await;
        let second = receive(&admin, product, "B", 90, 1_000).await;
        let customer = shop.customer("batch-back").await;
        let order = buy(&customer, product, 4, 1).await;
        pack(&admin, std::slice::from_ref(&order)).await.expect_ok();
        assert_eq!(left(&admin, product).await, of(&[("A", 0), ("B", 850)]));

        // One pack of 50 g comes back: of the batch that ends last.
        let lines = json!([{ "productId": product, "qty_50g": 1 }]);
        let body = json!({ "lines": lines, "reason": "Returned", "restock": true });
        let path = format!("/api/admin/orders/{order}/refunds");
        admin.post(&path, body).await.expect_ok();
        assert_eq!(left(&admin, product).await, of(&[("A", 0), ("B", 900)]));
        let cancel = json!({ "orderStatus": "cancelled", "refund": true, "restock": true });
        set_status(&admin, &order, cancel).await.expect_ok();
        assert_eq!(left(&admin, product).await, of(&[("A", 150), ("B", 1_000)]));
        for batch in [first, second] {
            assert!(recipients(&admin, &batch).await.is_empty());
        }
        let row = stock_of(&admin, product).await;
        assert_eq!(amounts(&row["available"]).0, 1_150);

        // An order that was not packed has nothing of a batch.
        let order = buy(&customer, product, 2, 0).await;
        customer
            .post(&format!("/api/user/orders/{order}/cancel"), json!({}))
            .await
            .expect_ok();
        assert_eq!(left(&admin, product).await, of(&[("A", 150), ("B", 1_000)]));
        shop.assert_consistent_for(product, &[]).await;
    });
}

#[test]
fn packs_that_are_back_in_stock_are_not_packed() {
    for_each_engine(async |shop| {
        let product = new_product(shop, "batch-restocked", 0).await;
        let admin = shop.admin().await;
        receive(&admin, product, "A", 60, 1_000).await;
        let customer = shop.customer("batch-restocked").await;
        let order = buy(&customer, product, 2, 1).await;
        let path = format!("/api/admin/orders/{order}/refunds");
        let part = json!({ "amount": 1, "reason": "Late" });
        admin.post(&path, part).await.expect_ok();
        // The rest of the money is not the price of any packs, so this refund names none.
        let rest = json!({ "reason": "Not wanted", "restock": true });
        admin.post(&path, rest).await.expect_ok();
        let response = pack(&admin, &[order]).await;
        response.expect_code(409, "order_refunded", "");
        assert_eq!(left(&admin, product).await, of(&[("A", 1_000)]));
        shop.assert_consistent_for(product, &[]).await;
    });
}

#[test]
fn missing_grams_of_a_count_are_taken_from_the_batch_that_ends_first() {
    for_each_engine(async |shop| {
        let product = new_product(shop, "batch-count", 300).await;
        let admin = shop.admin().await;
        receive(&admin, product, "A", 60, 500).await;
        receive(&admin, product, "B", 90, 500).await;
        let seen = stock_of(&admin, product).await["inShop"].take();
        let body = json!({
            "kind": "count", "grams": 900, "pouches50g": seen["pouches50g"], "pouches100g": seen["pouches100g"],
            "seen": seen, "note": "Spilled",
        });
        move_stock(&admin, product, body).await.expect_ok();
        assert_eq!(left(&admin, product).await, of(&[("A", 400), ("B", 500)]));
        let too_much = json!({ "kind": "writeOff", "grams": 1, "note": "Without" });
        let response = move_stock(&admin, product, too_much).await;
        response.expect_code(409, "insufficient_stock", "batchId");
        let unknown =
            json!({ "kind": "writeOff", "grams": 1, "batchId": "none", "note": "Unknown" });
        let response = move_stock(&admin, product, unknown).await;
        response.expect_code(404, "batch_not_found", "batchId");
        shop.assert_consistent_for(product, &[]).await;
    });
}
