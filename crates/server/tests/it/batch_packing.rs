//! Batches are taken once for an order, whatever its status is set to; one order that cannot be packed does not stop others.

use futures::future::join_all;
use serde_json::{Value, json};

use crate::batches::{day, left, new_product, of, receive, recipients, set_status};
use crate::harness::{PendingPayment, TestClient, TestShop, for_each_engine, saved};
use crate::stale_pages::issues;
use crate::stock::{amounts, buy, pack, stock_of};

async fn set(admin: &TestClient, order: &str, status: &str) {
    let response = set_status(admin, order, json!({ "orderStatus": status })).await;
    response.expect_ok();
}

/// Sets the best-before dates of a product's batches so that today is their first day of being too old.
pub async fn make_too_old(shop: &TestShop, product: &str) {
    let changed = shop
        .sql(&format!(
            "update batches set best_before = best_before - 1 where product_id = '{product}'"
        ))
        .await;
    assert!(changed > 0);
}

#[test]
fn batches_are_taken_once_whatever_the_status_is_set_to() {
    for_each_engine(async |shop| {
        let product = new_product(shop, "once-status", 0).await;
        let admin = shop.admin().await;
        let batch = receive(&admin, product, "A", 90, 1_000).await;
        let customer = shop.customer("once-status").await;
        let mut expected = 1_000;
        for statuses in [
            &["shipped", "confirmed", "shipped"][..],
            &[
                "shipped",
                "N/A",
                "pending",
                "delivered",
                "confirmed",
                "shipped",
            ],
            &[
                "cancelled",
                "confirmed",
                "shipped",
                "confirmed",
                "delivered",
            ],
            &["pack", "shipped", "confirmed", "pack", "shipped"],
            &["shipped", "confirmed", "pack", "cancelled", "shipped"],
        ] {
            let order = buy(&customer, product, 1, 1).await;
            for status in statuses {
                match *status {
                    "pack" => {
                        pack(&admin, std::slice::from_ref(&order)).await.expect_ok();
                    }
                    status => set(&admin, &order, status).await,
                }
            }
            expected -= 150;
            assert_eq!(
                left(&admin, product).await,
                of(&[("A", expected)]),
                "{statuses:?}"
            );
            let row = stock_of(&admin, product).await;
            assert_eq!(amounts(&row["inShop"]).0, expected, "{statuses:?}");
            let found = recipients(&admin, &batch).await;
            let found = found.iter().find(|one| one["orderId"] == order).unwrap();
            assert_eq!(
                (&found["qty_50g"], &found["qty_100g"]),
                (&json!(1), &json!(1))
            );
        }
        shop.assert_consistent_for(product, &[]).await;
    });
}

#[test]
fn packs_that_were_sent_without_a_batch_get_none_later() {
    for_each_engine(async |shop| {
        let product = new_product(shop, "once-without", 100).await;
        let admin = shop.admin().await;
        receive(&admin, product, "A", 90, 50).await;
        let customer = shop.customer("once-without").await;
        let order = buy(&customer, product, 3, 0).await;
        set(&admin, &order, "shipped").await;
        assert_eq!(left(&admin, product).await, of(&[("A", 0)]));
        receive(&admin, product, "B", 120, 1_000).await;
        for status in ["confirmed", "shipped", "confirmed"] {
            set(&admin, &order, status).await;
        }
        pack(&admin, &[order]).await.expect_ok();
        assert_eq!(left(&admin, product).await, of(&[("A", 0), ("B", 1_000)]));
        shop.assert_consistent_for(product, &[]).await;
    });
}

#[test]
fn packs_come_back_into_their_batch_once() {
    for_each_engine(async |shop| {
        let product = new_product(shop, "once-back", 0).await;
        let admin = shop.admin().await;
        receive(&admin, product, "A", 90, 1_000).await;
        let customer = shop.customer("once-back").await;
        let order = buy(&customer, product, 1, 1).await;
        pack(&admin, std::slice::from_ref(&order)).await.expect_ok();
        let cancel = json!({ "orderStatus": "cancelled", "refund": true, "restock": true });
        set_status(&admin, &order, cancel.clone()).await.expect_ok();
        for _ in 0..2 {
            // Whether these are refused or not: nothing is taken or comes back a second time.
            for status in ["confirmed", "shipped"] {
                set_status(&admin, &order, json!({ "orderStatus": status })).await;
            }
            set_status(&admin, &order, cancel.clone()).await;
            assert_eq!(left(&admin, product).await, of(&[("A", 1_000)]));
        }
        let row = stock_of(&admin, product).await;
        assert_eq!(amounts(&row["available"]).0, 1_000);
        shop.assert_consistent_for(product, &[]).await;
    });
}

#[test]
fn packers_and_changes_of_status_at_once_take_batches_once() {
    for_each_engine(async |shop| {
        let product = new_product(shop, "once-race", 0).await;
        let admin = shop.admin().await;
        receive(&admin, product, "A", 60, 400).await;
        receive(&admin, product, "B", 90, 400).await;
        let orders = join_all((0..8).map(async |number| {
            let customer = shop.customer(&format!("once-race-{number}")).await;
            buy(&customer, product, 0, 1).await
        }))
        .await;
        let work = orders.iter().flat_map(|order| {
            ["pack", "shipped", "confirmed", "shipped"].map(|step| (order, step))
        });
        join_all(work.map(async |(order, step)| {
            let request = async || match step {
                "pack" => {
                    let response = pack(&admin, std::slice::from_ref(order)).await;
                    // It may be shipped already.
                    if response.status == 409 {
                        response.expect_code(409, "order_not_packable", "");
                        return admin.get("/api/admin/to-do").await;
                    }
                    response
                }
                status => set_status(&admin, order, json!({ "orderStatus": status })).await,
            };
            saved(request).await;
        }))
        .await;
        for order in &orders {
            set(&admin, order, "shipped").await;
        }
        assert_eq!(left(&admin, product).await, of(&[("A", 0), ("B", 0)]));
        shop.assert_consistent_for(product, &[]).await;
    });
}

fn not_packed(response: &Value) -> Vec<(&str, &str)> {
    let rows = response["notPacked"].as_array().unwrap();
    rows.iter()
        .map(|row| {
            (
                row["orderId"].as_str().unwrap(),
                row["code"].as_str().unwrap(),
            )
        })
        .collect()
}

#[test]
fn order_that_cannot_be_packed_does_not_stop_the_others() {
    for_each_engine(async |shop| {
        let fresh = new_product(shop, "others-fresh", 0).await;
        let old = new_product(shop, "others-old", 0).await;
        let admin = shop.admin().await;
        receive(&admin, fresh, "F", 90, 1_000).await;
        receive(&admin, old, "O", 45, 1_000).await;
        let customer = shop.customer("others").await;
        let mut orders = Vec::new();
        for _ in 0..2 {
            orders.push(buy(&customer, fresh, 2, 0).await);
        }
        // Both products: nothing of it is taken.
        customer.add(fresh, 1, 0).await;
        let both = buy(&customer, old, 1, 0).await;
        let cancelled = buy(&customer, fresh, 1, 0).await;
        set(&admin, &cancelled, "cancelled").await;
        for _ in 0..2 {
            orders.push(buy(&customer, fresh, 2, 0).await);
        }
        make_too_old(shop, old).await;

        let unknown = "00000000-0000-7000-8000-000000000000".to_owned();
        let all: Vec<_> = orders
            .iter()
            .chain([&both, &cancelled, &unknown])
            .cloned()
            .collect();
        let response = pack(&admin, &all).await.expect_ok();
        let packed = response["orders"].as_array().unwrap();
        assert_eq!(packed.len(), 4);
        assert!(packed.iter().all(|order| order["packedAt"].is_string()));
        let mut expected = vec![
            (unknown.as_str(), "order_not_found"),
            (both.as_str(), "batch_too_old"),
            (cancelled.as_str(), "order_not_packable"),
        ];
        expected.sort_unstable();
        assert_eq!(not_packed(&response), expected);
        let message = response["notPacked"].as_array().unwrap().iter();
        let message = message.map(|row| row["message"].as_str().unwrap());
        assert!(
            message
                .into_iter()
                .any(|text| text.starts_with("others-old for order "))
        );
        assert_eq!(left(&admin, fresh).await, of(&[("F", 600)]));

        // Again: the packed ones are packed, the others are told again. Alone it is an error.
        let response = pack(&admin, &all).await.expect_ok();
        assert_eq!(not_packed(&response), expected);
        let response = pack(&admin, std::slice::from_ref(&both)).await;
        response.expect_code(409, "batch_too_old", "");
        receive(&admin, old, "N", 90, 100).await;
        let response = pack(&admin, &all).await.expect_ok();
        assert_eq!(response["orders"].as_array().unwrap().len(), 5);
        assert_eq!(left(&admin, fresh).await, of(&[("F", 550)]));
        assert_eq!(left(&admin, old).await, of(&[("N", 50), ("O", 1_000)]));
        shop.assert_consistent_for(fresh, &[]).await;
        shop.assert_consistent_for(old, &[]).await;
    });
}

#[test]
fn grams_that_orders_hold_can_get_a_batch() {
    for_each_engine(async |shop| {
        let product = new_product(shop, "once-held", 100).await;
        let admin = shop.admin().await;
        let customer = shop.customer("once-held").await;
        let order = buy(&customer, product, 0, 1).await;
        let label = json!({
            "productId": product, "number": "L", "bestBefore": day(90), "grams": 100, "inStock": true,
        });
        admin.post("/api/admin/batches", label).await.expect_ok();
        pack(&admin, &[order]).await.expect_ok();
        assert_eq!(left(&admin, product).await, of(&[("L", 0)]));
        shop.assert_consistent_for(product, &[]).await;
    });
}

#[test]
fn refunded_packs_that_are_not_put_back_leave_their_batch_with_a_row() {
    for_each_engine(async |shop| {
        let product = new_product(shop, "once-given-up", 0).await;
        let admin = shop.admin().await;
        receive(&admin, product, "A", 90, 1_000).await;
        let customer = shop.customer("once-given-up").await;
        let order = buy(&customer, product, 3, 0).await;
        let lines = json!([{ "productId": product, "qty_50g": 1 }]);
        let body = json!({ "lines": lines, "reason": "Spilled", "restock": false });
        let path = format!("/api/admin/orders/{order}/refunds");
        admin.post(&path, body).await.expect_ok();
        pack(&admin, &[order]).await.expect_ok();
        let row = stock_of(&admin, product).await;
        assert_eq!(amounts(&row["inShop"]).0, 850);
        assert_eq!(left(&admin, product).await, of(&[("A", 850)]));
        let ledger = admin
            .get(&format!("/api/admin/stock/{product}/movements"))
            .await
            .expect_ok();
        let rows = ledger["movements"].as_array().unwrap();
        let row = rows
            .iter()
            .find(|row| row["batch"] == "A" && row["change"]["grams"] == -50)
            .unwrap();
        assert_eq!(row["reason"], "batch");
        assert!(
            row["note"].as_str().unwrap().contains("not put back"),
            "{row}"
        );
        shop.assert_consistent_for(product, &[]).await;
    });
}

#[test]
fn order_that_left_before_it_was_paid_takes_its_batches_then() {
    for_each_engine(async |shop| {
        let product = new_product(shop, "paid-late", 0).await;
        let old = new_product(shop, "paid-late-old", 0).await;
        let admin = shop.admin().await;
        receive(&admin, product, "A", 90, 1_000).await;
        receive(&admin, old, "O", 45, 1_000).await;
        for (product, is_old) in [(product, false), (old, true)] {
            let customer = shop.customer(product).await;
            let home = customer.home().await;
            customer.add(product, 1, 1).await;
            let payment = PendingPayment::from_response(&customer.check_out(&home).await);
            let order = shop.order_of(&payment).await.id;
            set(&admin, order.as_str(), "shipped").await;
            assert_eq!(left(&admin, product).await[0].1, 1_000);
            if is_old {
                make_too_old(shop, old).await;
            }
            customer.submit_payment(&payment, "pay").await;
            let settled = customer.settled_result(&payment).await;
            assert_eq!(settled["order"]["paymentStatus"], "completed");
            let issues = issues(&admin, order.as_str()).await;
            assert_eq!(left(&admin, product).await[0].1, 850);
            assert_eq!(issues.len(), usize::from(is_old), "{issues:?}");
            if is_old {
                assert_eq!(issues[0].0, "shipped, not paid");
                assert!(issues[0].1.contains("no batch with"), "{issues:?}");
            }
            for status in ["confirmed", "shipped"] {
                set_status(&admin, order.as_str(), json!({ "orderStatus": status })).await;
            }
            assert_eq!(left(&admin, product).await[0].1, 850, "once");
        }
        shop.assert_consistent_for(product, &[]).await;
        shop.assert_consistent_for(old, &[]).await;
    });
}
