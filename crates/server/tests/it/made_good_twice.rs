//! Packs that were replaced are not refunded, and a cancelled replacement is not sent after its packs were made good otherwise,
//! unless an admin confirms it. Without a question the owner is told.

use mirasa_domain::order::Order;
use mirasa_server::commands::check_data::check_consistency;
use serde_json::{Value, json};

use crate::harness::{TestClient, TestShop, for_each_engine_fresh};
use crate::problems::{report, reported, resolve};
use crate::stale_pages::{admin_order, issues, seen, set_status};

async fn replace(admin: &TestClient, problem: &str) -> String {
    let replaced = resolve(admin, problem, json!({ "action": "replace" })).await;
    let replaced = replaced.expect_ok()["problem"]["replacementOrderId"].take();
    replaced.as_str().unwrap().to_owned()
}

async fn report_again(customer: &TestClient, order: &Order, product: &str) -> String {
    let lines = json!([{ "productId": product, "qty_50g": 1 }]);
    let reported = report(customer, order.id.as_str(), "Torn", lines, vec![]).await;
    let problem = reported.expect_ok()["problem"]["_id"].take();
    problem.as_str().unwrap().to_owned()
}

async fn cancel(admin: &TestClient, id: &str) {
    let cancelled = set_status(admin, id, json!({ "orderStatus": "cancelled" })).await;
    cancelled.expect_ok();
}

/// Whether `mirasa check` finds the problems of the order wrong.
async fn is_found(shop: &TestShop, order: &Order) -> bool {
    let report = check_consistency(&shop.second_instance).await.unwrap();
    let text = format!(
        "the problems of order {} were replaced or refunded wrongly",
        order.id
    );
    report.to_string().contains(&text)
}

#[test]
fn cancelled_replacement_is_sent_after_its_packs_were_made_good_only_if_confirmed() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            for (product, action, made_good) in [
                (
                    "refunded-instead",
                    "refund",
                    "1 of these packs was refunded on ",
                ),
                (
                    "replaced-instead",
                    "replace",
                    "1 of these packs was replaced by order ",
                ),
            ] {
                let (customer, order, problem) = reported(shop, &admin, product).await;
                let replacement = replace(&admin, &problem).await;
                cancel(&admin, &replacement).await;
                // Nothing was done otherwise, so it may be sent after all.
                let page = admin_order(&admin, &replacement).await;
                set_status(&admin, &replacement, seen(&page, "confirmed"))
                    .await
                    .expect_ok();
                cancel(&admin, &replacement).await;

                let again = report_again(&customer, &order, product).await;
                resolve(&admin, &again, json!({ "action": action }))
                    .await
                    .expect_ok();
                let page = admin_order(&admin, &replacement).await;
                let refused = set_status(&admin, &replacement, seen(&page, "confirmed")).await;
                refused.expect_code(409, "problem_repeated", "");
                let text = refused.error_text();
                assert!(text.starts_with(made_good), "{text}");

                let mut confirmed = seen(&page, "confirmed");
                confirmed["evenIfRepeated"] = json!(true);
                set_status(&admin, &replacement, confirmed)
                    .await
                    .expect_ok();
                assert_eq!(issues(&admin, &replacement).await, []);
                shop.assert_consistent().await;
                cancel(&admin, &replacement).await;

                let plain = json!({ "orderStatus": "confirmed" });
                set_status(&admin, &replacement, plain).await.expect_ok();
                let (kind, detail) = issues(&admin, &replacement).await.remove(0);
                assert_eq!(kind, "made good twice");
                let start = "Set to confirmed after it was cancelled, but ";
                assert!(
                    detail.starts_with(&format!("{start}{made_good}")),
                    "{detail}"
                );
                shop.assert_consistent().await;
                // The check notices if nobody is told.
                let about = format!("where order_id = '{replacement}'");
                shop.sql(&format!("update concerns set kind = 'hidden' {about}"))
                    .await;
                assert!(is_found(shop, &order).await);
                shop.sql(&format!(
                    "update concerns set kind = 'made good twice' {about}"
                ))
                .await;

                cancel(&admin, &replacement).await;
                assert_eq!(issues(&admin, &replacement).await, []);
                shop.assert_consistent().await;
            }
        },
    );
}

#[test]
fn order_with_replaced_packs_is_cancelled_and_refunded_only_after_a_confirmation() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (_, order, problem) = reported(shop, &admin, "replaced-cancel").await;
            let replacement = replace(&admin, &problem).await;
            let number = replacement[replacement.len() - 8..].to_uppercase();
            let page = admin_order(&admin, order.id.as_str()).await;
            let mut seen_it = seen(&page, "cancelled");
            seen_it["refund"] = json!(true);
            let plain = json!({ "orderStatus": "cancelled", "refund": true });
            for body in [&seen_it, &plain] {
                let refused = set_status(&admin, order.id.as_str(), body.clone()).await;
                refused.expect_code(409, "problem_repeated", "");
                let text = refused.error_text();
                let start = format!("1 of these packs was replaced by order {number} on ");
                assert!(text.starts_with(&start), "{text}");
            }
            let unchanged = admin_order(&admin, order.id.as_str()).await;
            assert_eq!(
                (&unchanged["orderStatus"], &unchanged["refunds"]),
                (&json!("delivered"), &json!([]))
            );
            seen_it["evenIfRepeated"] = json!(true);
            let cancelled = set_status(&admin, order.id.as_str(), seen_it)
                .await
                .expect_ok();
            let refunds = cancelled["order"]["refunds"].as_array().map(Vec::len);
            assert_eq!(refunds, Some(1), "{cancelled}");
            shop.assert_consistent().await;

            // The check notices packs that were replaced and refunded without a confirmation.
            let wrong = async |repeated: Value| {
                shop.sql(&format!("update refunds set repeated = {repeated}"))
                    .await;
                is_found(shop, &order).await
            };
            assert!(wrong(json!(false)).await);
            // An earlier version did not record it.
            assert!(!wrong(Value::Null).await);
        },
    );
}
