//! Parcels with the sandbox courier: from the packed order to the delivery, or back to the shop.

use http::Method;
use mirasa_server::commands::check_data::check_consistency;
use serde_json::{Value, json};

use crate::cancellation_requests::decide;
use crate::harness::{
    TestClient, TestShop, eventually, for_each_engine, for_each_engine_fresh, ship, shipment,
    show_order,
};

async fn parcels(admin: &TestClient, group: &str) -> Value {
    let path = format!("/api/admin/shipments?group={group}&limit=100");
    admin.get(&path).await.expect_ok()
}

async fn parcel_of(admin: &TestClient, order_id: &str) -> Value {
    let all = parcels(admin, "all").await;
    let all = all["shipments"].as_array().unwrap().clone();
    let found = all.into_iter().find(|one| one["orderId"] == order_id);
    found.unwrap()
}

async fn kinds_of_emails(shop: &TestShop, name: &str) -> Vec<String> {
    let emails = shop.emails_to(name).await;
    let mut kinds: Vec<_> = emails.into_iter().map(|email| email.kind).collect();
    kinds.sort();
    kinds
}

async fn wait_for_status(customer: &TestClient, order_id: &str, status: &str) -> Value {
    eventually(status, async || {
        shipment(customer, order_id).await["status"] == status
    })
    .await;
    show_order(customer, order_id).await
}

fn number(parcel: &Value) -> &str {
    parcel["trackingNumber"].as_str().unwrap()
}

/// The number of pages of a PDF file.
fn pages(pdf: &[u8]) -> usize {
    let text = String::from_utf8_lossy(pdf);
    text.matches("/Type/Page/").count()
        + text.matches("/Type /Page ").count()
        + text.matches("/Type/Page\n").count()
        + text.matches("/Type/Page>").count()
}

#[test]
fn parcel_goes_from_the_packed_order_to_the_delivery() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("recipient", 2).await;
            let listed = parcels(&admin, "all").await;
            assert_eq!(listed["toShipTotal"], 2);
            // Two packs and the packaging.
            assert_eq!(listed["toShip"][0]["weightGrams"], 150 + 120);
            let shipped = ship(&admin, &orders).await.expect_ok();
            assert_eq!(shipped["shipments"].as_array().unwrap().len(), 2);
            let booked = shop.booked(&customer, &orders).await;
            assert_eq!(parcels(&admin, "all").await["toShipTotal"], 0);
            // The cheapest of the sandbox's three couriers.
            assert_eq!(booked[0]["courier"], "Xpressbees Surface");
            assert!(booked[0]["expectedBy"].is_string());
            let order = show_order(&customer, &orders[0]).await;
            assert_eq!(
                order["orderStatus"], "confirmed",
                "the courier has not come yet"
            );

            let ids: Vec<_> = {
                let all = parcels(&admin, "preparing").await["shipments"].take();
                let all = all.as_array().unwrap().clone();
                all.iter()
                    .map(|one| one["_id"].as_str().unwrap().to_owned())
                    .collect()
            };
            let path = format!("/api/admin/labels.pdf?shipments={}", ids.join(","));
            let labels = admin.get(&path).await;
            assert_eq!(
                (labels.status, labels.header("content-type")),
                (200, "application/pdf")
            );
            assert_eq!(pages(&labels.body), 2);
            let path = format!("/api/admin/manifest.pdf?shipments={}", ids.join(","));
            assert_eq!(admin.get(&path).await.status, 200);

            let awb = number(&booked[0]);
            shop.move_parcel(awb, "picked_up").await;
            let order = wait_for_status(&customer, &orders[0], "picked_up").await;
            assert_eq!(order["orderStatus"], "shipped");
            for (to, status) in [
                ("in_transit", "in_transit"),
                ("out_for_delivery", "out_for_delivery"),
                ("undelivered", "undelivered"),
                ("out_for_delivery", "out_for_delivery"),
                ("delivered", "delivered"),
            ] {
                shop.move_parcel(awb, to).await;
                wait_for_status(&customer, &orders[0], status).await;
            }
            let order = show_order(&customer, &orders[0]).await;
            assert_eq!(order["orderStatus"], "delivered");
            assert!(order["deliveredAt"].is_string() && order["reportableUntil"].is_string());
            let events = order["shipment"]["events"].as_array().unwrap();
            let places: Vec<_> = events
                .iter()
                .map(|event| event["place"].as_str().unwrap())
                .collect();
            assert!(places.contains(&"Nagpur Hub (Maharashtra)"), "{places:?}");
            assert_eq!(*places.last().unwrap(), "Pune (Maharashtra)");
            let history = order["events"].as_array().unwrap();
            assert!(history.iter().any(|event| event["kind"] == "parcel"
                && event["text"] == "Bag received at hub, Nagpur Hub (Maharashtra)"));
            assert_eq!(
                kinds_of_emails(shop, "recipient").await,
                ["confirmed", "confirmed", "delivered", "shipped"]
            );
            let emails = shop.emails_to("recipient").await;
            let email = emails.iter().find(|email| email.kind == "shipped").unwrap();
            assert!(email.text_body.contains(awb) && email.html_body.contains("Track the parcel"));
            assert!(email.invoice_id.is_some(), "the invoice is attached");

            // Cost and time are kept; the label is not.
            let parcel = parcel_of(&admin, &orders[0]).await;
            assert_eq!(
                (&parcel["status"], &parcel["hasLabel"]),
                (&json!("delivered"), &json!(false))
            );
            assert_eq!(parcel["cost"], 32.9);
            assert!(parcel["pickedUpAt"].is_string() && parcel["endedAt"].is_string());
            let summary = parcels(&admin, "delivered").await["summary"].take();
            assert_eq!(
                (&summary["delivered"], &summary["cost"]),
                (&json!(1), &json!(32.9))
            );
            // Nothing follows the delivery, whatever the partner reports.
            shop.move_parcel(awb, "returning").await;
            shop.hurry_parcels().await;
            shop.running.shop.process_shipments().await.unwrap();
            assert_eq!(shipment(&customer, &orders[0]).await["status"], "delivered");
            shop.assert_consistent().await;
            // The consistency check detects an error.
            shop.sql("update shipments set cost = null where status = 'delivered'")
                .await;
            let report = check_consistency(&shop.second_instance).await.unwrap();
            let wrong = format!("WRONG: the parcels of order {} do not fit", orders[0]);
            assert!(report.to_string().contains(&wrong), "{report}");
        },
    );
}

#[test]
fn only_packed_orders_are_shipped_and_each_once() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = shop.packed_orders("shipped-once", 1).await;
        let unpacked = shop.paid_order(&customer).await;
        ship(&admin, &[unpacked])
            .await
            .expect_code(409, "order_not_shippable", "");
        ship(&admin, &["no-such-id".to_owned()])
            .await
            .expect_code(404, "order_not_found", "");
        ship(&admin, &[])
            .await
            .expect_code(400, "invalid_input", "orders");

        let all = futures::future::join_all((0..6).map(|_| ship(&admin, &orders))).await;
        let ids: std::collections::HashSet<_> = all
            .iter()
            .map(|response| response.expect_ok()["shipments"][0]["_id"].to_string())
            .collect();
        assert_eq!(ids.len(), 1);
        shop.booked(&customer, &orders).await;
        assert_eq!(shop.partner_parcels(&orders[0]).await.len(), 1);
        let path = "/api/admin/labels.pdf?shipments=no-such-id";
        assert_eq!(admin.get(path).await.status, 404);
    });
}

#[test]
fn owner_chooses_the_courier_by_rule_or_by_hand() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("chosen-courier", 2).await;
            let path = format!("/api/admin/orders/{}/couriers", orders[0]);
            let quotes = admin.get(&path).await.expect_ok()["couriers"].take();
            let costs: Vec<_> = quotes
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one["cost"].as_f64().unwrap())
                .collect();
            assert!(costs.is_sorted() && costs.len() == 3, "{costs:?}");
            shop.inject_courier_faults(json!({ "too_many": 1, "calls": ["serviceability"] }))
                .await;
            admin.get(&path).await.expect_code(503, "unavailable", "");
            let body = json!({ "orders": [orders[0]], "rule": "fastest" });
            admin.post("/api/admin/shipments", body).await.expect_ok();
            let body = json!({ "orders": [orders[1]], "courierId": 10 });
            admin.post("/api/admin/shipments", body).await.expect_ok();
            let booked = shop.booked(&customer, &orders).await;
            assert_eq!(booked[0]["courier"], "Blue Dart Air");
            assert_eq!(booked[1]["courier"], "Delhivery Surface");
        },
    );
}

#[test]
fn parcel_that_came_back_is_refunded_or_sent_again() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("came-back", 2).await;
            ship(&admin, &orders).await.expect_ok();
            let booked = shop.booked(&customer, &orders).await;
            for (order, parcel) in orders.iter().zip(&booked) {
                for to in ["picked_up", "undelivered", "returning", "return_in_transit"] {
                    shop.move_parcel(number(parcel), to).await;
                }
                wait_for_status(&customer, order, "returning").await;
                shop.move_parcel(number(parcel), "returned").await;
                let shown = wait_for_status(&customer, order, "returned").await;
                assert_eq!(shown["orderStatus"], "shipped", "the owner decides");
            }
            let kinds = kinds_of_emails(shop, "came-back").await;
            let returning = kinds.iter().filter(|kind| *kind == "parcel returning");
            assert_eq!(returning.count(), 2, "{kinds:?}");
            let issues = admin.get("/api/admin/concerns").await.expect_ok()["concerns"].take();
            assert_eq!(issues.as_array().unwrap().len(), 2, "{issues}");
            assert_eq!(issues[0]["kind"], "parcel returned");
            assert_eq!(issues[0]["group"], "", "counted as a parcel");
            let waiting = parcels(&admin, "attention").await;
            assert_eq!(waiting["attention"], 2);
            let counts = async || {
                let to_do = admin.get("/api/admin/to-do").await.expect_ok();
                [&to_do["parcels"], &to_do["issues"]].map(|count| count.as_i64().unwrap())
            };
            assert_eq!(counts().await, [2, 0]);
            assert_eq!(waiting["shipments"][0]["needsDecision"], true);

            let path = format!("/api/admin/orders/{}/status", orders[0]);
            let body = json!({ "orderStatus": "cancelled", "refund": true, "restock": true });
            let ended = admin.put(&path, body).await.expect_ok();
            assert_eq!(ended["order"]["refunds"].as_array().unwrap().len(), 1);
            ship(&admin, &orders[1..]).await.expect_ok();
            shop.booked(&customer, &orders[1..]).await;
            assert_eq!(parcels(&admin, "attention").await["attention"], 0);
            assert_eq!(counts().await, [0, 0]);
            let listed = parcels(&admin, "returned").await;
            let decided = listed["shipments"].as_array().unwrap();
            assert!(
                decided.iter().all(|one| one["needsDecision"] == false),
                "{listed}"
            );
            let at_partner = shop.partner_parcels(&orders[1]).await;
            assert_eq!(at_partner.len(), 2, "the second is under another reference");
            let again = shipment(&customer, &orders[1]).await;
            assert_ne!(number(&again), number(&booked[1]));
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn cancelled_order_cancels_its_parcel_unless_the_courier_has_it() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("cancelled-parcel", 4).await;
            ship(&admin, &orders).await.expect_ok();
            let booked = shop.booked(&customer, &orders).await;
            let path = format!("/api/user/orders/{}/cancel", orders[0]);
            customer.post(&path, json!({})).await.expect_ok();
            let accept = json!({ "accept": true, "restock": true });
            decide(&admin, &orders[0], accept).await.expect_ok();
            eventually("the parcel is cancelled", async || {
                shop.hurry_parcels().await;
                shop.partner_parcels(&orders[0]).await[0]["cancelled"] == true
                    && shipment(&customer, &orders[0]).await == Value::Null
            })
            .await;

            // The owner cancels a parcel: the order can be shipped again.
            let parcel = parcel_of(&admin, &orders[1]).await;
            let path = format!(
                "/api/admin/shipments/{}/cancel",
                parcel["_id"].as_str().unwrap()
            );
            admin.post(&path, json!({})).await.expect_ok();
            eventually("the parcel is cancelled", async || {
                shop.hurry_parcels().await;
                parcels(&admin, "all").await["toShipTotal"] == 1
            })
            .await;
            admin
                .post(&path, json!({}))
                .await
                .expect_code(409, "conflict", "");
            ship(&admin, &orders[1..2]).await.expect_ok();
            shop.booked(&customer, &orders[1..2]).await;

            // The courier has two, and the shop does not know yet.
            shop.inject_courier_faults(json!({ "webhook": "lost" }))
                .await;
            for parcel in &booked[2..] {
                shop.move_parcel(number(parcel), "picked_up").await;
            }
            let path = format!("/api/user/orders/{}/cancel", orders[2]);
            customer.post(&path, json!({})).await.expect_ok();
            let accept = json!({ "accept": true });
            decide(&admin, &orders[2], accept).await.expect_ok();
            let path = format!("/api/admin/orders/{}", orders[3]);
            admin.delete(&path).await.expect_ok();
            eventually("the owner is notified", async || {
                shop.hurry_parcels().await;
                let issues = admin.get("/api/admin/concerns").await.expect_ok();
                let issues = issues["concerns"].as_array().unwrap();
                let is_of_parcel = |issue: &&Value| issue["kind"] == "parcel of a cancelled order";
                issues.iter().filter(is_of_parcel).count() == 2
            })
            .await;
            assert_eq!(
                show_order(&customer, &orders[2]).await["orderStatus"],
                "cancelled"
            );
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn webhook_without_the_key_is_refused_and_an_unknown_parcel_is_not_an_error() {
    for_each_engine(async |shop| {
        let visitor = shop.visitor();
        let body = json!({ "awb": "12345", "sr_order_id": 1 });
        for key in [None, Some(""), Some("guess")] {
            let mut request = visitor
                .request(Method::POST, "/api/courier/webhook")
                .json(&body);
            if let Some(key) = key {
                request = request.header("x-api-key", key);
            }
            assert_eq!(visitor.send(request).await.status, 401);
        }
        for (body, status) in [(body, 200), (json!({}), 400), (json!([]), 400)] {
            let request = visitor.request(Method::POST, "/api/courier/webhook");
            let request = request.header("x-api-key", webhook_key(shop)).json(&body);
            assert_eq!(visitor.send(request).await.status, status);
        }
    });
}

/// The key of the sandbox's webhooks.
pub fn webhook_key(shop: &TestShop) -> String {
    use sha2::{Digest as _, Sha256};
    let secret = Sha256::digest(shop.config.sandbox.secret.expose());
    let token = Sha256::new()
        .chain_update(secret)
        .chain_update("sandbox shiprocket: webhook token");
    base16ct::lower::encode_string(&token.finalize())
}
