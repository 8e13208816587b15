//! Parcels that are sent again, what they have in them, and labels that are missing.

use std::cell::Cell;

use mirasa_server::commands::check_data::check_consistency;
use mirasa_store::DatabaseUrl;
use serde_json::json;

use crate::batches::{left, of, receive};
use crate::cancellation::stock;
use crate::harness::{
    ProductFixture, TestClient, TestShop, eventually, for_each_engine, for_each_engine_fresh,
    now_ms, on_postgres_fresh, postgres, ship, shipment, show_order,
};
use crate::stale_pages::set_status;
use crate::stock::{buy, pack};

/// Books a parcel for the order and moves it to its end.
pub async fn book_and_end(
    shop: &TestShop,
    admin: &TestClient,
    customer: &TestClient,
    order: &str,
    end: &str,
) {
    let orders = [order.to_owned()];
    ship(admin, &orders).await.expect_ok();
    shop.booked(customer, &orders).await;
    end_parcel(shop, customer, order, end).await;
}

/// Moves the parcel of an order to its end.
pub async fn end_parcel(shop: &TestShop, customer: &TestClient, order: &str, end: &str) {
    let parcel = shipment(customer, order).await;
    let number = parcel["trackingNumber"].as_str().unwrap();
    let steps: &[&str] = match end {
        "returned" => &["picked_up", "undelivered", "returning", "returned"],
        _ => &["picked_up", "lost"],
    };
    for to in steps {
        shop.move_parcel(number, to).await;
    }
    eventually(end, async || {
        shop.hurry_parcels().await;
        shipment(customer, order).await["status"] == end
    })
    .await;
}

#[test]
fn lost_parcel_is_sent_again_with_packs_from_stock() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let product = ProductFixture {
                grams: 0,
                ..ProductFixture::new("lost-parcel", "Lost Parcel")
            };
            let product = shop.add_product(product).await;
            receive(&admin, product, "B1", 90, 1_000).await;
            let customer = shop.customer("lost-parcel").await;
            let order = buy(&customer, product, 1, 1).await;
            pack(&admin, std::slice::from_ref(&order)).await.expect_ok();
            book_and_end(shop, &admin, &customer, &order, "lost").await;
            let (grams, of_50g, of_100g) = stock(shop, product).await;

            // Lost packs do not come back into stock.
            let body = json!({ "orderStatus": "cancelled", "refund": true, "restock": true, "seenStatus": "shipped" });
            set_status(&admin, &order, body)
                .await
                .expect_code(409, "conflict", "");
            let listed = admin
                .get("/api/admin/shipments?group=attention")
                .await
                .expect_ok();
            assert_eq!(listed["shipments"][0]["needsDecision"], true);

            let again = ship(&admin, std::slice::from_ref(&order)).await.expect_ok();
            assert_eq!(
                again["shipments"][0]["status"], "preparing",
                "another parcel"
            );
            let left = (grams - 150, of_50g - 1, of_100g - 1);
            assert_eq!(stock(shop, product).await, left);
            // The same request again changes nothing.
            ship(&admin, std::slice::from_ref(&order)).await.expect_ok();
            assert_eq!(stock(shop, product).await, left);
            let shown = show_order(&customer, &order).await;
            let events = shown["events"].as_array().unwrap();
            assert!(
                events.iter().any(|event| event["kind"] == "sent_again"),
                "{events:?}"
            );
            shop.booked(&customer, std::slice::from_ref(&order)).await;
            assert_eq!(shop.partner_parcels(&order).await.len(), 2);
            let listed = admin
                .get("/api/admin/shipments?group=attention")
                .await
                .expect_ok();
            assert_eq!(listed["attention"], 0);
            let issues = admin.get("/api/admin/concerns").await.expect_ok();
            assert_eq!(issues["concerns"], json!([]), "the issue is decided");
            shop.assert_consistent().await;

            // The second one arrives.
            let parcel = shipment(&customer, &order).await;
            for to in ["picked_up", "delivered"] {
                shop.move_parcel(parcel["trackingNumber"].as_str().unwrap(), to)
                    .await;
            }
            eventually("delivered", async || {
                shop.hurry_parcels().await;
                show_order(&customer, &order).await["orderStatus"] == "delivered"
            })
            .await;
            shop.assert_consistent().await;
            shop.sql("update order_lines set resent_50g = 0, resent_100g = 0")
                .await;
            let report = check_consistency(&shop.second_instance)
                .await
                .unwrap()
                .to_string();
            assert!(
                report.contains("was sent again do not fit its parcels"),
                "{report}"
            );
        },
    );
}

#[test]
fn lost_parcel_is_not_sent_again_without_stock() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("lost-no-stock", 1).await;
            book_and_end(shop, &admin, &customer, &orders[0], "lost").await;
            shop.set_stock("goda-masala", "pouches_100g", 0).await;
            let before = stock(shop, "goda-masala").await;
            let refused = ship(&admin, &orders).await;
            refused.expect_code(409, "insufficient_stock", "");
            let path = format!("/api/admin/orders/{}/tracking", orders[0]);
            let body = json!({ "courier": "India Post", "trackingNumber": "EM9" });
            admin
                .put(&path, body.clone())
                .await
                .expect_code(409, "insufficient_stock", "");
            assert_eq!(stock(shop, "goda-masala").await, before);
            shop.assert_consistent().await;

            // A typed tracking number sends it again, too.
            shop.set_stock("goda-masala", "pouches_100g", 5).await;
            let (grams, of_50g, _) = stock(shop, "goda-masala").await;
            admin.put(&path, body).await.expect_ok();
            assert_eq!(
                stock(shop, "goda-masala").await,
                (grams - 150, of_50g - 1, 4)
            );
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn lost_parcels_that_are_sent_again_together_wait_for_other_changes_of_their_batches() {
    on_postgres_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let customer = shop.customer("lost-together").await;
            let mut lost = Vec::new();
            for id in ["lost-one", "lost-two"] {
                let product = ProductFixture {
                    grams: 0,
                    ..ProductFixture::new(id, id)
                };
                let product = shop.add_product(product).await;
                receive(&admin, product, "B1", 90, 1_000).await;
                receive(&admin, product, "B2", 120, 1_000).await;
                let order = buy(&customer, product, 1, 1).await;
                pack(&admin, std::slice::from_ref(&order)).await.expect_ok();
                book_and_end(shop, &admin, &customer, &order, "lost").await;
                lost.push((order, product));
            }
            lost.sort();
            let orders: Vec<_> = lost.iter().map(|(order, _)| order.clone()).collect();
            let second = lost[1].1;

            // Another admin empties the first batch of the second order's product.
            let DatabaseUrl::Postgres(url) = shop.config.database().unwrap() else {
                panic!("not PostgreSQL");
            };
            let other = postgres(&url).await;
            let lock = format!("begin; select id from products where id = '{second}' for update");
            other.batch_execute(&lock).await.unwrap();
            let empty = format!(
                "update batches set left_grams = case number when 'B1' then 0 else 1850 end where product_id = '{second}'"
            );
            other.batch_execute(&empty).await.unwrap();
            let waits = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
            let commit = async {
                eventually("it waits for the product", async || {
                    let row = other.query_one(waits, &[]).await.unwrap();
                    row.get::<_, i64>(0) > 0
                })
                .await;
                other.batch_execute("commit").await.unwrap();
            };
            let (again, ()) = futures::join!(ship(&admin, &orders), commit);
            again.expect_ok();
            assert_eq!(left(&admin, second).await, of(&[("B1", 0), ("B2", 1_700)]));
        },
    );
}

#[test]
fn returned_parcel_takes_stock_again_only_if_it_was_restocked() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("returned-again", 2).await;
            for order in &orders {
                book_and_end(shop, &admin, &customer, order, "returned").await;
            }
            let before = stock(shop, "goda-masala").await;
            ship(&admin, &orders[..1]).await.expect_ok();
            assert_eq!(
                stock(shop, "goda-masala").await,
                before,
                "the packs of the first parcel"
            );

            let restock = json!({ "orderStatus": "cancelled", "restock": true });
            set_status(&admin, &orders[1], restock).await.expect_ok();
            let (grams, of_50g, of_100g) = before;
            assert_eq!(
                stock(shop, "goda-masala").await,
                (grams + 150, of_50g + 1, of_100g + 1)
            );
            set_status(&admin, &orders[1], json!({ "orderStatus": "shipped" }))
                .await
                .expect_ok();
            ship(&admin, &orders[1..]).await.expect_ok();
            assert_eq!(stock(shop, "goda-masala").await, before, "taken out again");
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn parcel_has_the_weight_contents_and_value_of_the_packs_that_are_sent() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("light-parcel", 1).await;
            let shown = show_order(&customer, &orders[0]).await;
            let items = shown["items"].as_array().unwrap();
            let kept = items.iter().find(|item| item["qty_50g"] == 1).unwrap();
            let path = format!("/api/admin/orders/{}/refunds", orders[0]);
            let lines = json!([{ "productId": "goda-masala", "qty_100g": 1 }]);
            let body = json!({ "lines": lines, "reason": "Torn", "restock": true });
            let refunded = admin.post(&path, body).await.expect_ok();
            let listed = admin.get("/api/admin/shipments").await.expect_ok();
            let waiting = &listed["toShip"][0];
            assert_eq!(waiting["refundedAmount"], refunded["refund"]["amount"]);
            assert_eq!(
                (&waiting["packs"], &waiting["weightGrams"]),
                (&json!(1), &json!(50 + 120))
            );
            let shipped = ship(&admin, &orders).await.expect_ok();
            assert_eq!(shipped["shipments"][0]["weightGrams"], 170);
            shop.booked(&customer, &orders).await;
            let parcel = shop.partner_parcels(&orders[0]).await.remove(0);
            assert_eq!(parcel["weight"], 0.17);
            assert_eq!(parcel["contents"], "1 x Goda Masala (50 g)");
            assert_eq!(parcel["value"], kept["price"]);
        },
    );
}

#[test]
fn missing_label_does_not_block_the_others() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("some-labels", 2).await;
            let shipped = ship(&admin, &orders).await.expect_ok();
            shop.booked(&customer, &orders).await;
            let ids: Vec<_> = shipped["shipments"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one["_id"].as_str().unwrap().to_owned())
                .collect();
            shop.sql(&format!(
                "delete from shipment_labels where shipment_id = '{}'",
                ids[0]
            ))
            .await;
            let path = format!("/api/admin/labels.pdf?shipments={}", ids.join(","));
            let labels = admin.get(&path).await;
            assert_eq!(
                (labels.status, labels.header("content-type")),
                (200, "application/pdf")
            );
            let order = shipped["shipments"][0]["orderId"].as_str().unwrap();
            let number = order[order.len() - 8..].to_uppercase();
            assert_eq!(labels.header("x-missing-labels"), number);
            let path = format!("/api/admin/labels.pdf?shipments={}", ids[0]);
            let none = admin.get(&path).await;
            none.expect_code(409, "label_not_ready", "");
            assert!(none.text().contains(&number), "{none:?}");
        },
    );
}

#[test]
fn parcel_that_is_cancelled_during_a_poll_does_not_wait_for_the_lease() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = shop.packed_orders("cancel-in-poll", 1).await;
        let shipped = ship(&admin, &orders).await.expect_ok();
        let id = shipped["shipments"][0]["_id"].as_str().unwrap();
        shop.booked(&customer, &orders).await;
        shop.inject_courier_faults(json!({ "latency_ms": 3000, "calls": ["track"] }))
            .await;
        // A lease takes a minute: this one is at most some seconds old.
        let lease_end = Cell::new(0);
        eventually("it is polled", async || {
            shop.hurry_parcels().await;
            let soon = now_ms() + 50_000;
            lease_end.set(soon);
            let leased = format!("update shipments set updated_at = updated_at where id = '{id}' and leased_until > {soon}");
            shop.sql(&leased).await == 1
        })
        .await;
        let path = format!("/api/admin/shipments/{id}/cancel");
        admin.post(&path, json!({})).await.expect_ok();
        eventually("it is cancelled", async || {
            shop.partner_parcels(&orders[0]).await[0]["cancelled"] == true
        })
        .await;
        assert!(
            now_ms() < lease_end.get(),
            "the lease of the poll has not ended by itself"
        );
        shop.inject_courier_faults(json!({})).await;
    });
}

#[test]
fn day_for_problems_begins_when_the_courier_delivers() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = shop.packed_orders("early-day", 2).await;
            for (order, corrected) in orders.iter().zip([true, false]) {
                let plain = |status: &str| json!({ "orderStatus": status });
                // By mistake, the day before.
                set_status(&admin, order, plain("delivered"))
                    .await
                    .expect_ok();
                let yesterday = "delivered_at = delivered_at - 86400000";
                shop.sql(&format!(
                    "update orders set {yesterday} where id = '{order}'"
                ))
                .await;
                let mistaken = show_order(&customer, order).await["deliveredAt"].clone();
                set_status(&admin, order, plain("confirmed"))
                    .await
                    .expect_ok();
                ship(&admin, std::slice::from_ref(order)).await.expect_ok();
                let parcel = shop.booked(&customer, std::slice::from_ref(order)).await;
                // The parcel is older than the mistake.
                let older = "created_at = created_at - 172800000";
                shop.sql(&format!(
                    "update shipments set {older} where order_id = '{order}'"
                ))
                .await;
                if !corrected {
                    set_status(&admin, order, plain("delivered"))
                        .await
                        .expect_ok();
                }
                assert_eq!(show_order(&customer, order).await["deliveredAt"], mistaken);
                let number = parcel[0]["trackingNumber"].as_str().unwrap();
                for to in ["picked_up", "delivered"] {
                    shop.move_parcel(number, to).await;
                }
                eventually("it is delivered", async || {
                    shop.hurry_parcels().await;
                    let shown = show_order(&customer, order).await;
                    shown["orderStatus"] == "delivered" && shown["deliveredAt"] != mistaken
                })
                .await;
                let first = show_order(&customer, order).await["deliveredAt"].clone();
                for status in ["shipped", "delivered"] {
                    set_status(&admin, order, plain(status)).await.expect_ok();
                }
                assert_eq!(show_order(&customer, order).await["deliveredAt"], first);
            }
            shop.assert_consistent().await;
        },
    );
}
