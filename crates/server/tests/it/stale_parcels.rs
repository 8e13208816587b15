//! Pages that are out of date about parcels: what is sent again or has a tracking number is neither refunded nor restocked.

use serde_json::{Value, json};

use crate::cancellation::stock;
use crate::harness::{eventually, for_each_engine_fresh, ship, shipment, show_order};
use crate::shipments_again::book_and_end;
use crate::stale_pages::{admin_order, seen, set_status};

/// Ends an order as the list of parcels does.
fn end(order: &Value, restock: bool) -> Value {
    let mut body = seen(order, "cancelled");
    body["refund"] = json!(true);
    body["restock"] = json!(restock);
    body
}

#[test]
fn stale_page_does_not_refund_what_is_sent_again() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("stale-again", 2).await;
            for (order, how) in orders.iter().zip(["returned", "lost"]) {
                book_and_end(shop, &admin, &customer, order, how).await;
                let page = admin_order(&admin, order).await;
                let listed = admin.get("/api/admin/shipments").await.expect_ok();
                let parcels = listed["shipments"].as_array().unwrap();
                let parcel = parcels.iter().find(|one| one["orderId"] == **order);
                assert_eq!(parcel.unwrap()["orderVersion"], page["version"]);

                let of_order = std::slice::from_ref(order);
                let again = ship(&admin, of_order).await.expect_ok();
                let now = admin_order(&admin, order).await;
                assert_eq!(again["shipments"][0]["orderVersion"], now["version"]);
                let before = stock(shop, "goda-masala").await;
                let response = set_status(&admin, order, end(&page, how == "returned")).await;
                response.expect_code(409, "order_changed", "");
                let text = response.error_text();
                assert!(text.contains("arcel booked by "), "{text}");
                let parcel = shop.booked(&customer, of_order).await.remove(0);
                let number = parcel["trackingNumber"].as_str().unwrap();
                shop.move_parcel(number, "picked_up").await;
                eventually("it is picked up", async || {
                    shop.hurry_parcels().await;
                    shipment(&customer, order).await["status"] == "picked_up"
                })
                .await;
                // A page that is up to date does not restock it either, unless it says that the packs came back.
                let page = admin_order(&admin, order).await;
                let response = set_status(&admin, order, end(&page, true)).await;
                response.expect_code(409, "conflict", "restock");
                let only_status = json!({ "orderStatus": "cancelled", "refund": true, "restock": true, "seenStatus": "shipped" });
                set_status(&admin, order, only_status)
                    .await
                    .expect_code(409, "conflict", "restock");
                let shown = show_order(&customer, order).await;
                assert_eq!(
                    (&shown["orderStatus"], &shown["refunds"]),
                    (&json!("shipped"), &json!([]))
                );
                assert_eq!(stock(shop, "goda-masala").await, before);
                let mut came_back = end(&page, true);
                came_back["cameBack"] = json!(true);
                set_status(&admin, order, came_back).await.expect_ok();
                assert_ne!(stock(shop, "goda-masala").await, before);
            }
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn stale_page_does_not_cancel_what_has_a_tracking_number() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("stale-tracking", 1).await;
            let order = &orders[0];
            let page = admin_order(&admin, order).await;
            let before = stock(shop, "goda-masala").await;
            let tracking = format!("/api/admin/orders/{order}/tracking");
            let post = json!({ "courier": "Post", "trackingNumber": "RR1" });
            let typed = admin.put(&tracking, post.clone()).await.expect_ok();
            let now = admin_order(&admin, order).await;
            assert_eq!(typed["order"]["version"], now["version"]);
            let response = set_status(&admin, order, end(&page, true)).await;
            response.expect_code(409, "order_changed", "");
            let text = response.error_text();
            assert!(text.contains("racking number set: Post RR1 by "), "{text}");
            // Typed in again: nothing has changed. Another number is a change.
            admin.put(&tracking, post).await.expect_ok();
            assert_eq!(admin_order(&admin, order).await["version"], now["version"]);
            let other = json!({ "courier": "Post", "trackingNumber": "RR2" });
            admin.put(&tracking, other.clone()).await.expect_ok();
            set_status(&admin, order, end(&now, true))
                .await
                .expect_code(409, "order_changed", "");
            assert_eq!(show_order(&customer, order).await["refunds"], json!([]));
            assert_eq!(stock(shop, "goda-masala").await, before);

            for status in ["delivered", "cancelled"] {
                let body = json!({ "orderStatus": status });
                set_status(&admin, order, body).await.expect_ok();
                let response = admin.put(&tracking, other.clone()).await;
                response.expect_code(409, "order_not_shippable", "");
                assert!(response.error_text().contains(status), "{response:?}");
            }
            shop.assert_consistent().await;
        },
    );
}
