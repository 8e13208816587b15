//! Packs that are reported again, and replacements that arrive damaged.

use mirasa_domain::order::{Order, short_id};
use mirasa_server::commands::check_data::check_consistency;
use serde_json::{Value, json};

use crate::admin_orders::customer_with_orders;
use crate::cancellation::{finish_refunds, refunded_at_gateway, show, texts};
use crate::harness::{RefundDesk, TestClient, TestResponse, TestShop, for_each_engine_fresh};
use crate::problems::report;
use crate::refund_packs::second_payment;

async fn deliver(admin: &TestClient, id: &str) {
    let path = format!("/api/admin/orders/{id}/status");
    let body = json!({ "orderStatus": "delivered" });
    admin.put(&path, body).await.expect_ok();
}

/// Reports one pack of 50 g.
async fn report_one(customer: &TestClient, order: &str, product: &str) -> String {
    let lines = json!([{ "productId": product, "qty_50g": 1 }]);
    let reported = report(customer, order, "Torn", lines, vec![])
        .await
        .expect_ok();
    reported["problem"]["_id"].as_str().unwrap().to_owned()
}

async fn resolve(admin: &TestClient, id: &str, body: Value) -> TestResponse {
    admin.put(&format!("/api/admin/problems/{id}"), body).await
}

async fn listed(admin: &TestClient, id: &str) -> Value {
    let all = admin
        .get("/api/admin/problems?state=all&limit=1000")
        .await
        .expect_ok();
    let all = all["problems"].as_array().unwrap().clone();
    all.into_iter().find(|one| one["_id"] == id).unwrap()
}

async fn delivered_order(
    shop: &TestShop,
    admin: &TestClient,
    name: &'static str,
) -> (TestClient, Order) {
    let (customer, mut orders) = customer_with_orders(shop, name, 1).await;
    deliver(admin, orders[0].id.as_str()).await;
    (customer, orders.remove(0))
}

#[test]
fn packs_that_were_replaced_or_refunded_are_reported_again_with_a_warning() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, order) = delivered_order(shop, &admin, "reported-again").await;
            let first = report_one(&customer, order.id.as_str(), "reported-again").await;
            assert_eq!(listed(&admin, &first).await["warning"], Value::Null);
            let replace = json!({ "action": "replace" });
            let replaced = resolve(&admin, &first, replace.clone()).await.expect_ok();
            let replacement = replaced["problem"]["replacementOrderId"].as_str().unwrap();
            let number = replacement[replacement.len() - 8..].to_uppercase();

            let second = report_one(&customer, order.id.as_str(), "reported-again").await;
            let warning = listed(&admin, &second).await["warning"].take();
            let warning = warning.as_str().unwrap();
            assert!(
                warning.starts_with(&format!(
                    "1 of these packs was replaced by order {number} on "
                )),
                "{warning}"
            );
            for action in ["replace", "refund"] {
                let refused = resolve(&admin, &second, json!({ "action": action })).await;
                refused.expect_code(409, "problem_repeated", "");
                assert!(refused.text().contains(warning), "{refused:?}");
            }
            let confirmed = json!({ "action": "refund", "evenIfRepeated": true });
            resolve(&admin, &second, confirmed).await.expect_ok();

            let third = report_one(&customer, order.id.as_str(), "reported-again").await;
            let warning = listed(&admin, &third).await["warning"].take();
            let warning = warning.as_str().unwrap();
            assert!(
                warning.starts_with("1 of these packs was refunded on "),
                "{warning}"
            );
            assert!(
                warning.contains(&format!(", 1 was replaced by order {number} on ")),
                "{warning}"
            );
            // A decision against it needs no confirmation.
            let decline = json!({ "action": "decline", "message": "We have replaced it." });
            resolve(&admin, &third, decline).await.expect_ok();
            assert_eq!(listed(&admin, &third).await["warning"], Value::Null);

            // Another size is another pack.
            let lines = json!([{ "productId": "reported-again", "qty_100g": 1 }]);
            let other = report(&customer, order.id.as_str(), "Torn", lines, vec![])
                .await
                .expect_ok();
            let other = other["problem"]["_id"].as_str().unwrap();
            assert_eq!(listed(&admin, other).await["warning"], Value::Null);
            resolve(&admin, other, replace).await.expect_ok();
            shop.assert_consistent().await;

            shop.sql("update order_problems set repeated = 0 where repeated = 1")
                .await;
            shop.sql(
                "update order_problems set state = 'replaced', replacement_order_id =
                (select max(replacement_order_id) from order_problems) where state = 'refunded'",
            )
            .await;
            shop.sql(&format!(
                "update order_lines set qty_50g = 2 where order_id = '{replacement}'"
            ))
            .await;
            let report = check_consistency(&shop.second_instance)
                .await
                .unwrap()
                .to_string();
            let wrong = format!(
                "the problems of order {} were replaced or refunded wrongly",
                order.id
            );
            assert!(report.contains(&wrong), "{report}");
        },
    );
}

#[test]
fn damaged_replacement_is_refunded_from_the_first_payment() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, order) = delivered_order(shop, &admin, "damaged-twice").await;
            // The replacement of the replacement arrives damaged, too.
            let mut last = order.id.clone();
            for _ in 0..2 {
                let problem = report_one(&customer, last.as_str(), "damaged-twice").await;
                let replace = json!({ "action": "replace" });
                let replaced = resolve(&admin, &problem, replace).await.expect_ok();
                last = replaced["problem"]["replacementOrderId"]
                    .as_str()
                    .unwrap()
                    .to_owned()
                    .into();
                deliver(&admin, last.as_str()).await;
            }
            let problem = report_one(&customer, last.as_str(), "damaged-twice").await;
            let listed = listed(&admin, &problem).await;
            assert_eq!(
                (&listed["paidOrderId"], &listed["warning"]),
                (&json!(order.id), &Value::Null)
            );
            let refunded = resolve(&admin, &problem, json!({ "action": "refund" })).await;
            assert_eq!(refunded.expect_ok()["problem"]["state"], "refunded");
            let paid = show(&customer, order.id.as_str()).await;
            let item = paid["items"]
                .as_array()
                .unwrap()
                .iter()
                .find(|item| item["qty_50g"] == 1)
                .unwrap()
                .clone();
            assert_eq!(paid["refunds"][0]["amount"], item["price"]);
            assert_eq!(paid["refunds"][0]["lines"][0]["qty_50g"], 1);
            let replacement = show(&customer, last.as_str()).await;
            assert_eq!(replacement["refunds"], json!([]));
            let number = short_id(&order.id);
            let history = texts(&replacement["events"], "text").join("\n");
            assert!(history.contains(&format!("of order {number}")), "{history}");
            finish_refunds(shop, order.id.as_str()).await;
            assert_eq!(refunded_at_gateway(shop, &order).await.len(), 1);

            // The same pack is not paid back twice.
            let problem = report_one(&customer, last.as_str(), "damaged-twice").await;
            let again = json!({ "action": "refund", "evenIfRepeated": true });
            let refused = resolve(&admin, &problem, again).await;
            refused.expect_code(409, "refund_exceeds_payment", "");
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn replaced_packs_are_refunded_only_after_a_confirmation() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, order) = delivered_order(shop, &admin, "replaced-refund").await;
            let problem = report_one(&customer, order.id.as_str(), "replaced-refund").await;
            let replaced = resolve(&admin, &problem, json!({ "action": "replace" })).await;
            let replaced = replaced.expect_ok()["problem"]["replacementOrderId"].take();
            let replacement = replaced.as_str().unwrap();
            let number = replacement[replacement.len() - 8..].to_uppercase();

            let path = format!("/api/admin/orders/{}/refunds", order.id);
            let refund = async |body: Value| {
                let request = admin.request(http::Method::POST, &path);
                let key = request.header("idempotency-key", "replaced");
                admin.send(key.json(&body)).await
            };
            let one = json!([{ "productId": "replaced-refund", "qty_50g": 1 }]);
            for body in [
                json!({ "reason": "Torn" }),
                json!({ "reason": "Torn", "lines": one }),
            ] {
                let refused = refund(body).await;
                refused.expect_code(409, "problem_repeated", "");
                let text = refused.error_text();
                let start = format!("1 of these packs was replaced by order {number} on ");
                assert!(text.starts_with(&start), "{text}");
            }
            // Another size needs no confirmation.
            let other = json!([{ "productId": "replaced-refund", "qty_100g": 1 }]);
            let body = json!({ "reason": "Torn", "lines": other });
            admin.post(&path, body).await.expect_ok();
            let confirmed = json!({ "reason": "Torn", "lines": one, "evenIfRepeated": true });
            let first = refund(confirmed.clone()).await.expect_ok()["refund"]["_id"].take();
            let again = refund(confirmed).await.expect_ok()["refund"]["_id"].take();
            assert_eq!(first, again, "the key belongs to the refund");
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn returned_second_payment_is_no_earlier_refund_of_packs() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, order) = delivered_order(shop, &admin, "second-payment").await;
            let desk = RefundDesk::open(shop).await;
            second_payment(shop, &desk, &order).await;
            let problem = report_one(&customer, order.id.as_str(), "second-payment").await;
            assert_eq!(listed(&admin, &problem).await["warning"], Value::Null);
            let refund = resolve(&admin, &problem, json!({ "action": "refund" })).await;
            assert_eq!(refund.expect_ok()["problem"]["state"], "refunded");
        },
    );
}
