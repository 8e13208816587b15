//! Several paid orders are packed, shipped and printed together: in one order, once, and as far as possible.

use futures::future::join_all;
use mirasa_server::config::PartnerChoice;
use serde_json::{Value, json};

use crate::batches::{day, left, new_product, of, receive, set_status};
use crate::cancellation::show;
use crate::harness::{
    TestClient, TestResponse, TestShop, for_each_engine_fresh, on_sqlite_fresh, ship,
};
use crate::invoice_files::pdf_text;
use crate::stock::{buy, pack};

pub const PATH: &str = "/api/admin/pack-and-ship";

pub async fn waiting(admin: &TestClient) -> Value {
    admin.get(PATH).await.expect_ok()
}

pub fn rows(waiting: &Value) -> Vec<Value> {
    waiting["orders"].as_array().unwrap().clone()
}

pub fn order_ids(rows: &[Value]) -> Vec<&str> {
    rows.iter()
        .map(|row| row["order"]["_id"].as_str().unwrap())
        .collect()
}

/// What a page that shows these rows sends.
pub async fn press(admin: &TestClient, rows: &[Value]) -> TestResponse {
    let seen = rows
        .iter()
        .map(|row| json!({ "id": row["order"]["_id"], "version": row["order"]["version"] }));
    let body = json!({ "orders": order_ids(rows), "seen": seen.collect::<Vec<_>>() });
    admin.post(PATH, body).await
}

async fn press_ids(admin: &TestClient, ids: &[String]) -> Value {
    let body = json!({ "orders": ids });
    admin.post(PATH, body).await.expect_ok()
}

pub async fn papers(admin: &TestClient, ids: &[String]) -> TestResponse {
    let path = format!("{PATH}/papers.pdf?orders={}", ids.join(","));
    admin.get(&path).await
}

pub fn short(id: &str) -> String {
    id[id.len() - 8..].to_uppercase()
}

/// What each page is, and which orders it names: `slip 0A1B2C3D`.
pub fn pages(response: &TestResponse, orders: &[String]) -> Vec<String> {
    let text = pdf_text(response);
    let pages = text.trim_end_matches('\u{c}').split('\u{c}');
    let page = |text: &str| {
        let numbers = orders.iter().map(|id| short(id));
        let named: Vec<_> = numbers.filter(|number| text.contains(number)).collect();
        let kind = match text {
            text if text.contains("Pick List") => "list",
            text if text.contains("Packing Slip") => "slip",
            text if text.contains("SANDBOX") => "label",
            _ => "invoice",
        };
        format!("{kind} {}", named.join(" "))
    };
    pages.map(page).collect()
}

pub fn papers_of(orders: &[String]) -> Vec<String> {
    let numbers: Vec<_> = orders.iter().map(|id| short(id)).collect();
    let mut expected = vec![format!("list {}", numbers.join(" "))];
    for number in numbers {
        expected.extend(["slip", "label", "invoice"].map(|kind| format!("{kind} {number}")));
    }
    expected
}

fn reversed(ids: &[String]) -> Vec<String> {
    ids.iter().rev().cloned().collect()
}

pub async fn paid_orders(shop: &TestShop, name: &str, count: usize) -> (TestClient, Vec<String>) {
    let customer = shop.customer(name).await;
    let mut ids = Vec::new();
    for _ in 0..count {
        ids.push(shop.paid_order(&customer).await);
    }
    (customer, ids)
}

#[test]
fn everything_runs_in_the_order_of_the_orders() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = paid_orders(shop, "in-order", 3).await;
            let listed = waiting(&admin).await;
            assert_eq!(
                (&listed["total"], &listed["hasPartner"]),
                (&json!(3), &json!(true))
            );
            let shown = rows(&listed);
            assert_eq!(order_ids(&shown), orders);
            let row = &shown[0];
            assert_eq!(
                (&row["stage"], &row["weightGrams"], &row["shipmentId"]),
                (&json!("pack"), &json!(150 + 120), &Value::Null)
            );
            let path = format!("{PATH}/costs?orders={}", orders.join(","));
            let costs = admin.get(&path).await.expect_ok();
            for cost in costs["costs"].as_array().unwrap() {
                assert_eq!(
                    (&cost["cost"], &cost["courier"]),
                    (&json!(32.9), &json!("Xpressbees Surface"))
                );
            }
            papers(&admin, &orders)
                .await
                .expect_code(409, "label_not_ready", "");

            let mut backwards = shown.clone();
            backwards.reverse();
            let result = press(&admin, &backwards).await.expect_ok();
            assert_eq!(
                (&result["done"], &result["refused"]),
                (&json!(orders), &json!([]))
            );
            shop.booked(&customer, &orders).await;
            let shown = rows(&waiting(&admin).await);
            assert_eq!(order_ids(&shown), orders);
            for row in &shown {
                assert_eq!(
                    (&row["stage"], &row["cost"], &row["error"]),
                    (&json!("print"), &json!(32.9), &Value::Null)
                );
            }
            let file = papers(&admin, &reversed(&orders)).await;
            assert_eq!(pages(&file, &orders), papers_of(&orders));
            assert!(pdf_text(&file).contains(&format!("Order {}", short(&orders[1]))));

            // Printed, so it is done. The file can be opened again.
            assert_eq!(waiting(&admin).await["total"], 0);
            assert_eq!(papers(&admin, &orders).await.status, 200);
            let listed = admin.get("/api/admin/shipments").await.expect_ok();
            let parcels = listed["shipments"].as_array().unwrap();
            let newest_first: Vec<_> = parcels
                .iter()
                .map(|parcel| parcel["_id"].as_str().unwrap())
                .collect();
            assert_eq!(parcels[0]["orderId"], orders[2]);
            assert!(parcels[0]["labelPrintedAt"].is_string());
            let path = format!("/api/admin/labels.pdf?shipments={}", newest_first.join(","));
            let labels = pages(&admin.get(&path).await, &orders);
            let expected = orders.iter().map(|id| format!("label {}", short(id)));
            assert_eq!(labels, expected.collect::<Vec<_>>());

            let events = rows_of_history(&admin, &orders[0]).await;
            assert!(
                events.contains(&("packed".to_owned(), TestShop::email("owner"))),
                "{events:?}"
            );
            let seen_by_customer = show(&customer, &orders[0]).await["events"].to_string();
            assert!(!seen_by_customer.contains("owner@"), "{seen_by_customer}");
            shop.assert_consistent().await;
        },
    );
}

/// The kinds of the events and who did them.
async fn rows_of_history(admin: &TestClient, id: &str) -> Vec<(String, String)> {
    let path = format!("/api/admin/orders?orderId={id}");
    let order = admin.get(&path).await.expect_ok()["orders"][0].take();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let events = order["events"].as_array().unwrap().iter();
    events
        .map(|event| (text(&event["kind"]), text(&event["by"])))
        .collect()
}

#[test]
fn history_names_who_packed_also_if_the_order_was_set_to_shipped_at_once() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (_, orders) = paid_orders(shop, "shipped-at-once", 1).await;
            let body = json!({ "orderStatus": "shipped" });
            set_status(&admin, &orders[0], body).await.expect_ok();
            let events = rows_of_history(&admin, &orders[0]).await;
            assert!(
                events.contains(&("packed".to_owned(), TestShop::email("owner"))),
                "{events:?}"
            );
        },
    );
}

#[test]
fn pressing_twice_or_in_two_tabs_packs_and_ships_once() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let product = new_product(shop, "pressed-twice", 0).await;
            receive(&admin, product, "A", 90, 1_000).await;
            let customer = shop.customer("pressed-twice").await;
            let mut orders = Vec::new();
            for _ in 0..2 {
                orders.push(buy(&customer, product, 1, 1).await);
            }
            let shown = rows(&waiting(&admin).await);
            let all = join_all((0..6).map(|_| press(&admin, &shown))).await;
            for response in all {
                let result = response.expect_ok();
                assert_eq!(
                    (&result["done"], &result["refused"]),
                    (&json!(orders), &json!([]))
                );
            }
            shop.booked(&customer, &orders).await;
            // A tab that was loaded before.
            let late = press(&admin, &shown).await.expect_ok();
            assert_eq!(late["done"], json!(orders));
            assert_eq!(left(&admin, product).await, of(&[("A", 700)]));
            for id in &orders {
                assert_eq!(shop.partner_parcels(id).await.len(), 1);
                let packed = rows_of_history(&admin, id).await;
                let kinds = packed.iter().filter(|(kind, _)| kind == "invoiced");
                assert_eq!(kinds.count(), 1);
            }
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn press_continues_where_an_earlier_one_stopped() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = paid_orders(shop, "continued", 3).await;
            // The first one got as far as its parcel, the second one was packed, the third one not.
            pack(&admin, &orders[..2]).await.expect_ok();
            ship(&admin, &orders[..1]).await.expect_ok();
            let shown = rows(&waiting(&admin).await);
            assert_eq!(order_ids(&shown), orders);
            let stages: Vec<_> = shown.iter().map(|row| row["stage"].clone()).collect();
            assert_eq!(stages[1..], [json!("ship"), json!("pack")]);
            assert!(stages[0] == "book" || stages[0] == "print", "{stages:?}");
            let result = press(&admin, &shown).await.expect_ok();
            assert_eq!(result["done"], json!(orders));
            shop.booked(&customer, &orders).await;
            for id in &orders {
                assert_eq!(shop.partner_parcels(id).await.len(), 1);
            }
            let file = papers(&admin, &orders).await;
            assert_eq!(pages(&file, &orders), papers_of(&orders));
        },
    );
}

#[test]
fn batches_are_forecast_as_they_are_taken() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let product = new_product(shop, "forecast", 100).await;
            receive(&admin, product, "A", 60, 250).await;
            receive(&admin, product, "B", 90, 150).await;
            let customer = shop.customer("forecast").await;
            for _ in 0..3 {
                buy(&customer, product, 1, 1).await;
            }
            let items = |listed: &Value| {
                let rows = rows(listed);
                let items = rows.iter().map(|row| {
                    let items = row["items"].as_array().unwrap().iter();
                    items
                        .map(|item| {
                            (
                                item["grams"].as_i64().unwrap(),
                                item["quantity"].as_i64().unwrap(),
                                item["batch"].as_str().unwrap_or("-").to_owned(),
                            )
                        })
                        .collect::<Vec<_>>()
                });
                let mut items: Vec<_> = items.collect();
                items.iter_mut().for_each(|items| items.sort());
                items
            };
            let listed = waiting(&admin).await;
            let before = items(&listed);
            let row = |of_50g: &str, of_100g: &str| {
                vec![(50, 1, of_50g.to_owned()), (100, 1, of_100g.to_owned())]
            };
            assert_eq!(before, [row("A", "A"), row("B", "A"), row("-", "B")]);
            let first = &rows(&listed)[0]["items"][0];
            assert_eq!(first["bestBefore"], day(60));
            press(&admin, &rows(&listed)).await.expect_ok();
            assert_eq!(items(&waiting(&admin).await), before);
        },
    );
}

#[test]
fn cost_that_the_partner_does_not_say_is_not_known() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (_, orders) = paid_orders(shop, "unknown-cost", 1).await;
            shop.inject_courier_faults(json!({ "down": true })).await;
            let path = |ids: &str| format!("{PATH}/costs?orders={ids}");
            let costs = admin.get(&path(&orders[0])).await.expect_ok();
            let expected = json!([{ "orderId": orders[0], "courier": "", "cost": null }]);
            assert_eq!(costs["costs"], expected);
            assert_eq!(waiting(&admin).await["total"], 1, "the list does not ask");
            let many = vec!["x"; 20].join(",") + ",y";
            for (ids, status) in [("", 400), (many.as_str(), 200)] {
                assert_eq!(admin.get(&path(ids)).await.status, status);
            }
            let many: Vec<_> = (0..21).map(|number| number.to_string()).collect();
            admin
                .get(&path(&many.join(",")))
                .await
                .expect_code(400, "invalid_input", "orders");
        },
    );
}

#[test]
fn without_a_partner_orders_are_packed_and_printed() {
    on_sqlite_fresh(
        |config| config.shipping.partner = PartnerChoice::None,
        async |shop| {
            let admin = shop.admin().await;
            let (_, orders) = paid_orders(shop, "packed-by-hand", 2).await;
            let listed = waiting(&admin).await;
            assert_eq!(listed["hasPartner"], false);
            admin
                .get(&format!("{PATH}/costs?orders={}", orders[0]))
                .await
                .expect_code(409, "no_delivery_partner", "");
            papers(&admin, &orders)
                .await
                .expect_code(409, "order_not_packable", "");
            let result = press(&admin, &rows(&listed)).await.expect_ok();
            assert_eq!(result["done"], json!(orders));
            assert_eq!(waiting(&admin).await["total"], 0);
            let kinds: Vec<_> = pages(&papers(&admin, &orders).await, &orders);
            let without_labels = papers_of(&orders);
            let without_labels: Vec<_> = without_labels
                .iter()
                .filter(|page| !page.starts_with("label"))
                .collect();
            assert_eq!(kinds.iter().collect::<Vec<_>>(), without_labels);
        },
    );
}

#[test]
fn requests_are_checked() {
    on_sqlite_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let empty = json!({ "orders": [] });
            admin
                .post(PATH, empty)
                .await
                .expect_code(400, "invalid_input", "orders");
            let refused = press_ids(&admin, &["no-such-order".to_owned()]).await;
            assert_eq!(refused["refused"][0]["code"], "order_not_found");
            for (ids, status) in [("", 400), ("no-such-order", 404)] {
                let path = format!("{PATH}/papers.pdf?orders={ids}");
                assert_eq!(admin.get(&path).await.status, status, "{ids}");
            }
        },
    );
}
