//! Faults of the delivery partner: whatever times out, fails or arrives twice, there is one parcel for each order, and no
//! status goes back.

use http::Method;
use serde_json::{Value, json};

use crate::harness::{TestShop, eventually, for_each_engine_fresh, ship, shipment, show_order};
use crate::shipments::webhook_key;

/// One fault in each of these calls.
const CALLS: [&str; 5] = ["create", "assign", "label", "pickup", "manifest"];
const FAULTS: [&str; 6] = [
    "timeout",
    "lost_responses",
    "errors",
    "too_many",
    "hidden_errors",
    "duplicate_ids",
];

async fn assert_one_parcel_each(shop: &TestShop, orders: &[String]) {
    for order in orders {
        let parcels = shop.partner_parcels(order).await;
        assert_eq!(parcels.len(), 1, "one parcel for each order");
        let charged = parcels.iter().filter(|parcel| parcel["awb"].is_string());
        assert_eq!(charged.count(), 1);
    }
}

#[test]
fn every_fault_in_every_step_leaves_one_parcel_for_each_order() {
    for_each_engine_fresh(
        |config| config.shiprocket.timeout_s = 1,
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop
                .packed_orders("faulty-partner", FAULTS.len() * CALLS.len())
                .await;
            for (round, call) in orders.chunks(FAULTS.len()).zip(CALLS) {
                // The orders of a round run at once; each gets another fault in this call.
                let mut faults = json!({ "calls": [call] });
                for fault in FAULTS {
                    faults[fault] = json!(1);
                }
                shop.inject_courier_faults(faults).await;
                ship(&admin, round).await.expect_ok();
                shop.booked(&customer, round).await;
            }
            assert_one_parcel_each(shop, &orders).await;
            let listed = admin
                .get("/api/admin/shipments?limit=100")
                .await
                .expect_ok();
            for parcel in listed["shipments"].as_array().unwrap() {
                assert_eq!(
                    (&parcel["error"], &parcel["hasLabel"]),
                    (&Value::Null, &json!(true))
                );
                assert!(
                    parcel["cost"].is_number() && parcel["pickupAt"].is_string(),
                    "{parcel}"
                );
            }
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn partner_that_is_down_for_a_day_delays_labels_and_loses_nothing() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            shop.inject_courier_faults(json!({ "down": true, "calls": ["login", "create", "search", "serviceability", "track"] }))
                .await;
            let (customer, orders) = shop.packed_orders("partner-down", 3).await;
            ship(&admin, &orders).await.expect_ok();
            // With its widening delays the worker tries about 100 times in a day.
            for _ in 0..100 {
                shop.hurry_parcels().await;
                shop.running.shop.process_shipments().await.unwrap();
            }
            let listed = admin.get("/api/admin/shipments").await.expect_ok();
            let parcel = &listed["shipments"][0];
            assert_eq!(
                (&parcel["status"], &parcel["step"]),
                (&json!("preparing"), &json!("create"))
            );
            assert!(parcel["error"].is_string(), "the owner sees why");
            let path = format!(
                "/api/admin/labels.pdf?shipments={}",
                parcel["_id"].as_str().unwrap()
            );
            admin
                .get(&path)
                .await
                .expect_code(409, "label_not_ready", "");
            // Buying goes on.
            shop.paid_order(&customer).await;

            shop.inject_courier_faults(json!({})).await;
            let parcel_path = format!(
                "/api/admin/shipments/{}/retry",
                parcel["_id"].as_str().unwrap()
            );
            admin.post(&parcel_path, json!({})).await.expect_ok();
            shop.booked(&customer, &orders).await;
            assert_one_parcel_each(shop, &orders).await;
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn locked_login_is_not_tried_again_at_once() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            shop.inject_courier_faults(json!({ "login_locked": true }))
                .await;
            let (_, orders) = shop.packed_orders("locked-login", 1).await;
            ship(&admin, &orders).await.expect_ok();
            eventually("the owner sees the failure", async || {
                let listed = admin.get("/api/admin/shipments").await.expect_ok();
                listed["shipments"][0]["error"].is_string()
            })
            .await;
            // The account would stay locked if the shop went on trying.
            shop.inject_courier_faults(json!({})).await;
            for _ in 0..3 {
                shop.hurry_parcels().await;
                shop.running.shop.process_shipments().await.unwrap();
            }
            assert_eq!(shop.partner_parcels(&orders[0]).await.len(), 0);
        },
    );
}

#[test]
fn webhooks_that_are_lost_doubled_late_or_forged_change_nothing_but_the_time() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let faults = ["lost", "doubled", "out_of_order", "wrong_key"];
            let (customer, orders) = shop.packed_orders("odd-webhooks", faults.len()).await;
            ship(&admin, &orders).await.expect_ok();
            let booked = shop.booked(&customer, &orders).await;
            for ((fault, order), parcel) in faults.iter().zip(&orders).zip(&booked) {
                let awb = parcel["trackingNumber"].as_str().unwrap();
                shop.inject_courier_faults(json!({ "webhook": fault }))
                    .await;
                for to in ["picked_up", "in_transit", "out_for_delivery", "delivered"] {
                    shop.move_parcel(awb, to).await;
                    eventually("the shop follows", async || {
                        if matches!(*fault, "lost" | "wrong_key") {
                            shop.hurry_parcels().await;
                        }
                        shipment(&customer, order).await["status"] == to
                    })
                    .await;
                }
            }
            // Late webhooks with the right key, about every earlier status.
            let visitor = shop.visitor();
            for (order, parcel) in orders.iter().zip(&booked) {
                for (id, name) in [
                    (42, "PICKED UP"),
                    (18, "IN TRANSIT"),
                    (9, "RTO INITIATED"),
                    (8, "CANCELED"),
                ] {
                    let body = json!({
                        "awb": parcel["trackingNumber"], "shipment_status_id": id, "shipment_status": name,
                        "current_status_id": 20, "current_timestamp": "01 01 2030 10:00:00", "scans": [],
                    });
                    let request = visitor.request(Method::POST, "/api/courier/webhook");
                    let request = request.header("x-api-key", webhook_key(shop)).json(&body);
                    assert_eq!(visitor.send(request).await.status, 200);
                }
                shop.running.shop.process_shipments().await.unwrap();
                let shown = show_order(&customer, order).await;
                assert_eq!(
                    (&shown["orderStatus"], &shown["shipment"]["status"]),
                    (&json!("delivered"), &json!("delivered"))
                );
                let delivered = shown["events"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .filter(|event| event["status"] == "delivered");
                assert_eq!(delivered.count(), 1, "delivered once");
            }
            let emails = shop.emails_to("odd-webhooks").await;
            for kind in ["shipped", "delivered"] {
                let sent = emails.iter().filter(|email| email.kind == kind).count();
                assert_eq!(sent, faults.len(), "{kind}");
            }
            shop.assert_consistent().await;
        },
    );
}
