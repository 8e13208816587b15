//! Orders that could be forgotten: each of them is in a list of what is to do, or has an issue.

use serde_json::{Value, json};

use crate::admin_orders::{customer_with_orders, ids};
use crate::harness::for_each_engine_fresh;
use crate::order_endings::{plain, pouches, refund, unpaid};
use crate::stale_pages::{issues, set_status};
use crate::stock::pack;

#[test]
fn packs_of_an_unpaid_order_that_left_are_not_released_unnoticed() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (_, payment, id) = unpaid(shop, "left-release").await;
            let reserved = pouches(shop, "left-release").await;
            let reserves = async || {
                let listed = admin.get("/api/admin/reserved-stock").await.expect_ok();
                listed.to_string().contains(&id)
            };
            assert!(reserves().await);
            for status in ["shipped", "delivered"] {
                set_status(&admin, &id, plain(status)).await.expect_ok();
                let release = format!("/api/admin/orders/{id}/release");
                let response = admin.post(&release, json!({})).await;
                response.expect_code(409, "conflict", "");
                assert!(response.error_text().contains(status), "{response:?}");
                assert!(!reserves().await);
            }
            assert_eq!(pouches(shop, "left-release").await, reserved);

            // Settled before; the packs are news all the same.
            let concerns = admin.get("/api/admin/concerns").await.expect_ok();
            let issue = concerns["concerns"][0]["_id"].as_str().unwrap();
            let settle = format!("/api/admin/concerns/{issue}/settle");
            admin.put(&settle, json!({})).await.expect_ok();
            set_status(&admin, &id, plain("cancelled"))
                .await
                .expect_ok();
            assert_eq!(pouches(shop, "left-release").await, reserved + 1);
            let found = issues(&admin, &id).await;
            assert_eq!(found[0].0, "shipped, not paid", "{found:?}");
            assert!(found[0].1.contains("back in stock"), "{found:?}");
            admin
                .delete(&format!("/api/admin/orders/{id}"))
                .await
                .expect_ok();
            assert_eq!(issues(&admin, &id).await, found, "until it is resolved");
            admin.put(&settle, json!({})).await.expect_ok();
            assert!(issues(&admin, &id).await.is_empty());
            shop.poll_payment(&payment).await;
            shop.assert_consistent().await;

            let (_, _, id) = unpaid(shop, "left-delete").await;
            set_status(&admin, &id, plain("shipped")).await.expect_ok();
            admin
                .delete(&format!("/api/admin/orders/{id}"))
                .await
                .expect_ok();
            let found = issues(&admin, &id).await;
            assert!(found[0].1.contains("then deleted"), "{found:?}");
            let restore = format!("/api/admin/orders/{id}/restore");
            admin.put(&restore, json!({})).await.expect_ok();
            assert_eq!(issues(&admin, &id).await, found);
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn paid_orders_without_a_decision_are_to_do() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (_, orders) = customer_with_orders(shop, "undecided", 3).await;
            set_status(&admin, orders[0].id.as_str(), plain("N/A"))
                .await
                .expect_ok();
            set_status(&admin, orders[1].id.as_str(), plain("pending"))
                .await
                .expect_ok();
            set_status(&admin, orders[2].id.as_str(), plain("cancelled"))
                .await
                .expect_ok();
            let to_do = admin.get("/api/admin/to-do").await.expect_ok();
            assert_eq!(
                (
                    &to_do["toConfirm"],
                    &to_do["keptPayments"],
                    &to_do["issues"]
                ),
                (&json!(2), &json!(1), &json!(0)),
                "{to_do}"
            );
            assert_eq!(
                ids(&admin, "todo=confirm").await,
                [orders[1].id.clone(), orders[0].id.clone()]
            );
        },
    );
}

#[test]
fn paid_order_with_nothing_to_send_is_in_a_list() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (_, orders) = customer_with_orders(shop, "nothing-to-send", 4).await;
            let [restocked, refunded, pending, open] = orders.as_slice() else {
                panic!("four orders");
            };
            let to_do = async || {
                let to_do = admin.get("/api/admin/to-do").await.expect_ok();
                let counts = ["toConfirm", "toPack", "toShip"].map(|name| to_do[name].clone());
                (counts, ids(&admin, "todo=confirm").await)
            };
            let restock = json!({ "orderStatus": "cancelled", "restock": true });
            set_status(&admin, restocked.id.as_str(), restock)
                .await
                .expect_ok();
            set_status(&admin, restocked.id.as_str(), plain("confirmed"))
                .await
                .expect_ok();
            set_status(&admin, pending.id.as_str(), plain("pending"))
                .await
                .expect_ok();
            let response = pack(&admin, std::slice::from_ref(&restocked.id.0)).await;
            response.expect_code(409, "order_refunded", "");
            let both = vec![pending.id.clone(), restocked.id.clone()];
            assert_eq!(to_do().await, ([2, 2, 0].map(Value::from), both));
            assert!(
                !ids(&admin, "todo=pack").await.contains(&restocked.id),
                "it has nothing to pack"
            );
            // Nothing is left to decide once the money went back.
            let body = json!({ "reason": "Not wanted", "restock": true });
            for order in [refunded, pending] {
                refund(&admin, order.id.as_str(), body.clone()).await;
            }
            let one = vec![restocked.id.clone()];
            assert_eq!(to_do().await, ([1, 1, 0].map(Value::from), one));
            let body = json!({ "reason": "Not there" });
            refund(&admin, restocked.id.as_str(), body).await;
            assert_eq!(to_do().await, ([0, 1, 0].map(Value::from), Vec::new()));
            assert_eq!(
                ids(&admin, "todo=pack").await,
                std::slice::from_ref(&open.id)
            );
            shop.assert_consistent().await;
        },
    );
}
