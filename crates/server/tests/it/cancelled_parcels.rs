//! Parcels that are cancelled before the courier has come.

use serde_json::{Value, json};

use crate::harness::{TestClient, TestShop, eventually, for_each_engine_fresh, ship, show_order};

async fn is_cancelled(shop: &TestShop, order: &str) {
    eventually("the parcel is cancelled", async || {
        shop.hurry_parcels().await;
        let parcels = shop.partner_parcels(order).await;
        parcels.len() == 1 && parcels[0]["cancelled"] == true
    })
    .await;
}

async fn refund(admin: &TestClient, order: &str, body: Value) {
    let path = format!("/api/admin/orders/{order}/refunds");
    admin.post(&path, body).await.expect_ok();
}

#[test]
fn parcel_whose_packs_are_all_refunded_is_cancelled() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("refunded-parcel", 2).await;
            ship(&admin, &orders).await.expect_ok();
            shop.booked(&customer, &orders).await;

            let everything = json!({ "reason": "Out of salt", "restock": true });
            refund(&admin, &orders[0], everything).await;
            is_cancelled(shop, &orders[0]).await;
            eventually("the order has no parcel", async || {
                show_order(&customer, &orders[0]).await["shipment"] == Value::Null
            })
            .await;

            // One of two packs: the other one is sent.
            let lines = json!([{ "productId": "goda-masala", "qty_100g": 1 }]);
            let part = json!({ "lines": lines, "reason": "Torn", "restock": false });
            refund(&admin, &orders[1], part).await;
            let tracked = format!(
                "update shipments set step = step where order_id = '{}' and step = 'track'",
                orders[1]
            );
            assert_eq!(shop.sql(&tracked).await, 1);
            let rest = json!({ "reason": "Torn, too", "restock": false });
            refund(&admin, &orders[1], rest).await;
            is_cancelled(shop, &orders[1]).await;
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn booking_ends_if_nothing_is_left_to_send_between_its_steps() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("emptied-booking", 1).await;
            let id = &orders[0];
            ship(&admin, &orders).await.expect_ok();
            shop.booked(&customer, &orders).await;
            // As a server of the previous version leaves it.
            let emptied =
                "update order_lines set restocked_50g = qty_50g, restocked_100g = qty_100g";
            shop.sql(&format!("{emptied} where order_id = '{id}'"))
                .await;
            let step = "update shipments set step = 'pickup', leased_until = 0, due_at = 0";
            shop.sql(&format!("{step} where order_id = '{id}'")).await;
            is_cancelled(shop, id).await;
        },
    );
}

#[test]
fn order_is_not_shipped_again_before_its_parcel_is_cancelled() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("ship-in-cancel", 1).await;
            let shipped = ship(&admin, &orders).await.expect_ok();
            shop.booked(&customer, &orders).await;
            shop.inject_courier_faults(json!({ "down": true })).await;
            let parcel = shipped["shipments"][0]["_id"].as_str().unwrap();
            let path = format!("/api/admin/shipments/{parcel}/cancel");
            admin.post(&path, json!({})).await.expect_ok();
            let early = ship(&admin, &orders).await;
            early.expect_code(409, "conflict", "");
            assert!(
                early.error_text().contains("is being cancelled"),
                "{early:?}"
            );

            shop.inject_courier_faults(json!({})).await;
            is_cancelled(shop, &orders[0]).await;
            eventually("another parcel", async || {
                ship(&admin, &orders).await.status == 200
            })
            .await;
            shop.booked(&customer, &orders).await;
            assert_eq!(shop.partner_parcels(&orders[0]).await.len(), 2);
        },
    );
}
