//! A customer asks to cancel an order that is packed or has a parcel, and an admin accepts or declines.

use mirasa_domain::ist::DAY_MS;
use mirasa_server::commands::check_data::check_consistency;
use serde_json::{Value, json};

use crate::cancellation::{cancel, email_kinds, finish_refunds, show, stock, texts};
use crate::harness::{
    TestClient, TestResponse, eventually, for_each_engine, for_each_engine_fresh, now_ms, ship,
    shipment,
};
use crate::shipments_again::end_parcel;
use crate::stale_pages::{admin_order, seen};
use crate::stock::pack;

pub async fn decide(admin: &TestClient, id: &str, body: Value) -> TestResponse {
    let path = format!("/api/admin/orders/{id}/cancellation");
    admin.put(&path, body).await
}

async fn set_status(admin: &TestClient, id: &str, status: &str) {
    let path = format!("/api/admin/orders/{id}/status");
    let body = json!({ "orderStatus": status });
    admin.put(&path, body).await.expect_ok();
}

#[test]
fn packed_order_is_not_cancelled_until_an_admin_accepts() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("cancel-packed", 1).await;
            let id = &orders[0];
            let before = stock(shop, "goda-masala").await;
            let shown = show(&customer, id).await;
            assert_eq!(shown["needsCancellationRequest"], true);
            assert!(shown["cancellableUntil"].is_string());
            assert_eq!(shown["cancellation"], Value::Null);

            for _ in 0..2 {
                let asked = cancel(&customer, id).await.expect_ok()["order"].take();
                assert_eq!(asked["orderStatus"], "confirmed");
                assert_eq!(asked["refunds"], json!([]), "nothing is refunded yet");
                assert_eq!(asked["cancellation"]["decision"], Value::Null);
                assert_eq!(asked["cancellation"]["overdue"], false);
                assert_eq!(asked["cancellableUntil"], Value::Null);
                let kinds = texts(&asked["events"], "kind");
                let requests = kinds
                    .iter()
                    .filter(|kind| **kind == "cancellation_requested");
                assert_eq!(requests.count(), 1, "{kinds:?}");
            }
            assert_eq!(stock(shop, "goda-masala").await, before);
            let to_do = admin.get("/api/admin/to-do").await.expect_ok();
            assert_eq!(
                (&to_do["cancellations"], &to_do["overdueCancellations"]),
                (&json!(1), &json!(0))
            );
            assert_eq!(to_do["toShip"], 0, "it is not sent meanwhile");
            let listed = admin
                .get("/api/admin/orders?todo=cancellation")
                .await
                .expect_ok();
            assert_eq!(
                (&listed["total"], &listed["orders"][0]["_id"]),
                (&json!(1), &json!(id))
            );
            let response = ship(&admin, &orders).await;
            response.expect_code(409, "cancellation_requested", "");
            shop.sql(&format!(
                "update cancellation_requests set requested_at = {}",
                now_ms() - DAY_MS - 1
            ))
            .await;
            let to_do = admin.get("/api/admin/to-do").await.expect_ok();
            assert_eq!(to_do["overdueCancellations"], 1);
            assert_eq!(show(&customer, id).await["cancellation"]["overdue"], true);

            let accept = json!({ "accept": true, "restock": true, "message": "No problem." });
            let ended = decide(&admin, id, accept.clone()).await.expect_ok()["order"].take();
            assert_eq!(ended["orderStatus"], "cancelled");
            assert_eq!(ended["refunds"][0]["amount"], ended["totalAmount"]);
            assert_eq!(ended["cancellation"]["decision"], "accepted");
            assert!(
                ended["cancellation"]["decidedBy"]
                    .as_str()
                    .unwrap()
                    .contains('@')
            );
            let (grams, of_50g, of_100g) = before;
            assert_eq!(
                stock(shop, "goda-masala").await,
                (grams + 150, of_50g + 1, of_100g + 1)
            );
            let again = decide(&admin, id, accept).await;
            again.expect_code(409, "cancellation_decided", "");
            assert!(
                again.text().contains("The request was accepted on"),
                "{again:?}"
            );
            let shown = show(&customer, id).await;
            assert_eq!(
                shown["cancellation"]["decidedBy"],
                Value::Null,
                "names of admins are not shown"
            );
            finish_refunds(shop, id).await;
            assert_eq!(
                email_kinds(shop, "cancel-packed").await,
                [
                    "confirmed",
                    "cancellation requested",
                    "cancellation accepted",
                    "refunded"
                ]
            );
            assert_eq!(
                admin.get("/api/admin/to-do").await.expect_ok()["cancellations"],
                0
            );
            shop.assert_consistent().await;
            shop.sql("update cancellation_requests set decided_at = null, decision = null")
                .await;
            let report = check_consistency(&shop.second_instance).await.unwrap();
            let wrong = format!("WRONG: the cancellation request of order {id} does not fit");
            assert!(report.to_string().contains(&wrong), "{report}");
        },
    );
}

#[test]
fn declined_customer_reads_why_and_cannot_ask_again() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = shop.packed_orders("cancel-declined", 1).await;
        let id = &orders[0];
        decide(&admin, id, json!({ "accept": true }))
            .await
            .expect_code(404, "not_found", "");
        cancel(&customer, id).await.expect_ok();
        let decline = json!({ "accept": false, "message": " " });
        decide(&admin, id, decline)
            .await
            .expect_code(400, "invalid_input", "message");
        let decline = json!({ "accept": false, "message": "The courier has it already." });
        let shown = decide(&admin, id, decline.clone()).await.expect_ok()["order"].take();
        assert_eq!(
            (&shown["orderStatus"], &shown["refunds"]),
            (&json!("confirmed"), &json!([]))
        );
        decide(&admin, id, decline)
            .await
            .expect_code(409, "cancellation_decided", "");
        let shown = show(&customer, id).await;
        assert_eq!(shown["cancellation"]["decision"], "declined");
        assert_eq!(
            shown["cancellation"]["message"],
            "The courier has it already."
        );
        assert_eq!(shown["cancellableUntil"], Value::Null);
        cancel(&customer, id)
            .await
            .expect_code(409, "cancellation_declined", "");
        let emails = shop.emails_to("cancel-declined").await;
        let email = emails
            .iter()
            .find(|email| email.kind == "cancellation declined")
            .unwrap();
        assert!(
            email.text_body.contains("The courier has it already."),
            "{}",
            email.text_body
        );
        ship(&admin, &orders).await.expect_ok();
    });
}

#[test]
fn order_with_a_typed_tracking_number_is_cancelled_by_request_until_it_is_delivered() {
    // A shop of its own: other tests would change the stock.
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let customer = shop.customer("cancel-typed").await;
            let mut orders = Vec::new();
            for number in ["EM1", "EM2"] {
                let id = shop.paid_order(&customer).await;
                let path = format!("/api/admin/orders/{id}/tracking");
                let body = json!({ "courier": "India Post", "trackingNumber": number });
                admin.put(&path, body).await.expect_ok();
                let asked = cancel(&customer, &id).await.expect_ok()["order"].take();
                assert_eq!(
                    (&asked["orderStatus"], &asked["refunds"]),
                    (&json!("confirmed"), &json!([]))
                );
                assert!(asked["cancellation"]["requestedAt"].is_string());
                set_status(&admin, &id, "shipped").await;
                orders.push(id);
            }
            let before = stock(shop, "goda-masala").await;
            let restock = json!({ "accept": true, "restock": true });
            decide(&admin, &orders[0], restock)
                .await
                .expect_code(409, "conflict", "restock");
            let ended = decide(&admin, &orders[0], json!({ "accept": true }))
                .await
                .expect_ok();
            assert_eq!(ended["order"]["orderStatus"], "cancelled");
            assert_eq!(
                stock(shop, "goda-masala").await,
                before,
                "the packs are with the courier"
            );

            set_status(&admin, &orders[1], "delivered").await;
            let late = decide(&admin, &orders[1], json!({ "accept": true })).await;
            late.expect_code(409, "order_not_cancellable", "");
            let decline = json!({ "accept": false, "message": "It was delivered." });
            decide(&admin, &orders[1], decline).await.expect_ok();
        },
    );
}

#[test]
fn request_is_closed_if_the_order_is_cancelled_in_another_way_and_decided_once() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("cancel-closed", 4).await;
            for id in &orders {
                cancel(&customer, id).await.expect_ok();
            }
            set_status(&admin, &orders[0], "cancelled").await;
            let shown = show(&customer, &orders[0]).await;
            assert_eq!(shown["cancellation"]["decision"], "closed");
            let accept = json!({ "accept": true });
            decide(&admin, &orders[0], accept.clone())
                .await
                .expect_code(409, "cancellation_decided", "");
            admin
                .delete(&format!("/api/admin/orders/{}", orders[1]))
                .await
                .expect_ok();

            // Two admins at once: one decision.
            for id in &orders[2..] {
                let decline = json!({ "accept": false, "message": "Too late." });
                let (one, other) = tokio::join!(
                    decide(&admin, id, accept.clone()),
                    decide(&admin, id, decline)
                );
                let mut statuses = [one.status, other.status];
                statuses.sort_unstable();
                assert_eq!(statuses, [200, 409], "{one:?} {other:?}");
                let shown = show(&customer, id).await;
                let refunds = shown["refunds"].as_array().unwrap().len();
                assert_eq!(refunds, usize::from(one.status == 200), "{shown}");
            }
            assert_eq!(
                admin.get("/api/admin/to-do").await.expect_ok()["cancellations"],
                0
            );
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn order_with_an_open_request_is_neither_packed_nor_set_to_shipped() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, mut orders) = shop.packed_orders("cancel-leaves", 1).await;
        orders.push(shop.paid_order(&customer).await);
        let path = format!("/api/admin/orders/{}/tracking", orders[1]);
        let body = json!({ "courier": "India Post", "trackingNumber": "EM7" });
        admin.put(&path, body).await.expect_ok();
        for id in &orders {
            cancel(&customer, id).await.expect_ok();
        }
        let set_seen = async |id: &str, status: &str| {
            let page = admin_order(&admin, id).await;
            let path = format!("/api/admin/orders/{id}/status");
            admin.put(&path, seen(&page, status)).await
        };
        for status in ["shipped", "delivered"] {
            let response = set_seen(&orders[0], status).await;
            response.expect_code(409, "cancellation_requested", "");
        }
        pack(&admin, &orders[1..])
            .await
            .expect_code(409, "cancellation_requested", "");
        assert_eq!(
            show(&customer, &orders[0]).await["orderStatus"],
            "confirmed"
        );
        let kinds = email_kinds(shop, "cancel-leaves").await;
        assert!(!kinds.iter().any(|kind| kind == "shipped"), "{kinds:?}");

        let decline = json!({ "accept": false, "message": "It is on its way." });
        for id in &orders {
            decide(&admin, id, decline.clone()).await.expect_ok();
        }
        pack(&admin, &orders[1..]).await.expect_ok();
        set_seen(&orders[0], "shipped").await.expect_ok();
    });
}

#[test]
fn parcel_is_not_booked_before_the_answer() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("cancel-booking", 2).await;
            shop.inject_courier_faults(json!({ "down": true })).await;
            ship(&admin, &orders).await.expect_ok();
            for id in &orders {
                cancel(&customer, id).await.expect_ok();
            }
            shop.inject_courier_faults(json!({})).await;
            for _ in 0..3 {
                shop.hurry_parcels().await;
                shop.running.shop.process_shipments().await.unwrap();
            }
            for id in &orders {
                assert!(shop.partner_parcels(id).await.is_empty(), "{id}");
            }

            let accept = json!({ "accept": true, "restock": true });
            decide(&admin, &orders[0], accept).await.expect_ok();
            let decline = json!({ "accept": false, "message": "It is packed." });
            decide(&admin, &orders[1], decline).await.expect_ok();
            let waiting = format!(
                "update shipments set due_at = due_at where order_id = '{}' and due_at > {}",
                orders[1],
                now_ms() + 60_000
            );
            assert_eq!(shop.sql(&waiting).await, 0, "it goes on at once");
            shop.booked(&customer, &orders[1..]).await;
            assert!(shop.partner_parcels(&orders[0]).await.is_empty());
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn courier_that_takes_a_parcel_before_the_answer_is_followed() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("cancel-taken", 2).await;
            ship(&admin, &orders).await.expect_ok();
            let parcels = shop.booked(&customer, &orders).await;
            for id in &orders {
                cancel(&customer, id).await.expect_ok();
            }
            // The pickup was requested, and the server ended before it stored that.
            shop.sql("update shipments set step = 'pickup', attempts = 0, leased_until = 0")
                .await;
            for (id, parcel) in orders.iter().zip(&parcels) {
                let number = parcel["trackingNumber"].as_str().unwrap();
                shop.move_parcel(number, "picked_up").await;
                eventually("the scan is stored", async || {
                    shop.hurry_parcels().await;
                    shipment(&customer, id).await["status"] == "picked_up"
                })
                .await;
                assert_eq!(show(&customer, id).await["orderStatus"], "shipped");
            }
            let restock = json!({ "accept": true, "restock": true });
            let taken = decide(&admin, &orders[0], restock).await;
            taken.expect_code(409, "conflict", "restock");
            let decline = json!({ "accept": false, "message": "It is on its way." });
            decide(&admin, &orders[1], decline).await.expect_ok();
            let number = parcels[1]["trackingNumber"].as_str().unwrap();
            shop.move_parcel(number, "delivered").await;
            eventually("the parcel is delivered", async || {
                shop.hurry_parcels().await;
                show(&customer, &orders[1]).await["orderStatus"] == "delivered"
            })
            .await;
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn packs_that_came_back_go_into_stock_when_the_request_is_accepted() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("cancel-returned", 1).await;
            let id = &orders[0];
            let before = stock(shop, "goda-masala").await;
            ship(&admin, &orders).await.expect_ok();
            shop.booked(&customer, &orders).await;
            cancel(&customer, id).await.expect_ok();
            end_parcel(shop, &customer, id, "returned").await;
            assert_eq!(show(&customer, id).await["orderStatus"], "shipped");
            let accept = json!({ "accept": true, "restock": true });
            let ended = decide(&admin, id, accept).await.expect_ok();
            assert_eq!(ended["order"]["orderStatus"], "cancelled");
            let (grams, of_50g, of_100g) = before;
            assert_eq!(
                stock(shop, "goda-masala").await,
                (grams + 150, of_50g + 1, of_100g + 1)
            );
            shop.assert_consistent().await;
        },
    );
}
