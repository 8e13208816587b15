//! Failed refunds: what was refunded otherwise meanwhile is not refunded again, and its issue is closed.

use mirasa_app::ErrorCode;
use mirasa_domain::order::Order;
use mirasa_domain::refund::RefundStatus;
use mirasa_domain::refund_plan::RefundSelection;
use mirasa_server::commands::check_data;
use serde_json::json;

use crate::admin_orders::customer_with_orders;
use crate::cancellation::texts;
use crate::harness::{RefundDesk, TestClient, amount, for_each_engine_fresh, packs, paise};
use crate::problems::reported;

/// Three packs of 50 g and one of 100 g.
async fn order(desk: &RefundDesk<'_>, name: &'static str) -> (TestClient, Order) {
    let (customer, mut orders) = customer_with_orders(desk.shop, name, 3).await;
    (customer, orders.remove(2))
}

#[test]
fn new_refund_of_the_same_packs_replaces_the_failed_one() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let desk = RefundDesk::open(shop).await;
            let (_, order) = order(&desk, "replaced").await;
            let failed = desk.failed(&order, packs("replaced", 2, 0)).await;
            assert_eq!(desk.issues(&order).await, ["refund failed"]);
            let new = desk.refund(&order, packs("replaced", 2, 0)).await.unwrap();
            assert_eq!(desk.issues(&order).await, [""; 0], "the new one closes it");

            let admin = shop.admin().await;
            let path = format!("/api/admin/refunds/{}/retry", failed.id);
            let refused = admin.post(&path, json!({})).await;
            refused.expect_code(409, "conflict", "");
            let text = refused.error_text();
            assert!(text.contains("instead of this one"), "{text}");
            desk.complete(&new).await;
            assert_eq!(admin.post(&path, json!({})).await.status, 409);

            let path = format!("/api/admin/orders?orderId={}", order.id);
            let shown = admin.get(&path).await.expect_ok()["orders"][0].take();
            assert_eq!(texts(&shown["refunds"], "state"), ["failed", "completed"]);
            assert_eq!(shown["refunds"][0]["supersededBy"], new.id.as_str());
            let left = order.state.total - new.amount;
            assert_eq!(paise(&shown["refundableAmount"]), left.get());
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn part_of_a_failed_refund_leaves_its_issue_and_stops_the_repetition() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let desk = RefundDesk::open(shop).await;
            let (_, order) = order(&desk, "partly").await;
            let failed = desk.failed(&order, packs("partly", 2, 0)).await;
            desk.completed(&order, packs("partly", 1, 0)).await;
            // Two of three are left, but one of the failed refund was refunded.
            assert_eq!(desk.issues(&order).await, ["refund failed"]);
            let refused = desk.retry(failed.id.as_str()).await.unwrap_err();
            assert_eq!(refused.code, ErrorCode::Conflict);
            assert!(refused.message.contains("a new refund"), "{refused:?}");
            desk.completed(&order, packs("partly", 1, 0)).await;
            assert_eq!(desk.issues(&order).await, [""; 0]);
            let refused = desk.retry(failed.id.as_str()).await.unwrap_err();
            assert!(
                refused.message.contains("instead of this one"),
                "{refused:?}"
            );
            // The third pack was never part of it.
            desk.completed(&order, packs("partly", 1, 0)).await;
            let all = desk.refunds(&order).await;
            assert_eq!(
                all.len(),
                4,
                "nothing was requested by a refused repetition"
            );
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn free_amounts_and_the_rest_of_a_payment_cover_failed_refunds() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let desk = RefundDesk::open(shop).await;
            let (_, order) = order(&desk, "amounts").await;
            let first = desk.refund(&order, amount(40_00)).await.unwrap();
            let second = desk.refund(&order, amount(40_00)).await.unwrap();
            desk.fail(&first).await;
            desk.fail(&second).await;
            desk.completed(&order, amount(40_00)).await;
            assert_eq!(desk.issues(&order).await, ["refund failed"], "one of two");
            let refused = desk.retry(first.id.as_str()).await.unwrap_err();
            assert_eq!(refused.code, ErrorCode::Conflict);
            let again = desk.retry(second.id.as_str()).await.unwrap();
            assert_eq!(again.amount, second.amount);
            assert_eq!(desk.issues(&order).await, [""; 0]);
            desk.fail(&again).await;
            assert_eq!(desk.issues(&order).await, ["refund failed"]);
            desk.completed(&order, RefundSelection::Everything).await;
            assert_eq!(
                desk.issues(&order).await,
                [""; 0],
                "nothing is left to refund"
            );
            for id in [&first.id, &second.id, &again.id] {
                assert!(desk.retry(id.as_str()).await.is_err());
            }
            let refunds = desk.refunds(&order).await;
            let completed = refunds.iter().filter(|one| one.is_completed());
            let returned = completed.map(|one| one.amount).sum();
            assert_eq!(order.state.total, returned);
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn problem_is_settled_by_the_refund_that_replaces_its_own() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let desk = RefundDesk::open(shop).await;
            let admin = shop.admin().await;
            let (_, order, problem) = reported(shop, &admin, "problem-retry").await;
            let decision = mirasa_app::orders::ProblemDecision {
                resolution: mirasa_app::orders::ProblemResolution::Refund(None),
                message: String::new(),
                even_if_repeated: false,
            };
            let resolved = desk
                .instance
                .resolve_problem(&desk.admin, problem.into(), decision);
            resolved.await.unwrap();
            let refunds = desk.refunds(&order).await;
            desk.fail(&refunds[0]).await;
            let again = desk.retry(refunds[0].id.as_str()).await.unwrap();
            desk.complete(&again).await;
            assert_eq!(
                desk.refunds(&order).await[1].status,
                RefundStatus::Completed
            );
            let path = "/api/admin/problems?state=unsettled";
            let listed = admin.get(path).await.expect_ok();
            assert_eq!(listed["problems"], json!([]), "{listed}");
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn consistency_check_finds_wrong_refunds() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let desk = RefundDesk::open(shop).await;
            let (_, order) = order(&desk, "checked").await;
            let failed = desk.failed(&order, packs("checked", 2, 0)).await;
            let new = desk.refund_with(&order, packs("checked", 2, 0), true);
            let new = new.await.unwrap();
            desk.complete(&new).await;
            shop.assert_consistent().await;
            let (failed, new) = (&failed.id, &new.id);
            for (change, undo, found) in [
                (
                    format!("update refunds set state = 'completed' where id = '{failed}'"),
                    format!("update refunds set state = 'failed' where id = '{failed}'"),
                    "do not fit its packs",
                ),
                (
                    format!("update concerns set settled_at = null where about = '{failed}'"),
                    format!("update concerns set settled_at = 1 where about = '{failed}'"),
                    "do not fit its packs",
                ),
                (
                    format!("update concerns set about = 'none' where about = '{failed}'"),
                    format!("update concerns set about = '{failed}' where about = 'none'"),
                    "do not fit its packs",
                ),
                (
                    format!("update refunds set superseded_by = 'none' where id = '{failed}'"),
                    format!("update refunds set superseded_by = '{new}' where id = '{failed}'"),
                    "do not fit its packs",
                ),
                (
                    "update order_lines set restocked_50g = restocked_50g + 2".to_owned(),
                    "update order_lines set restocked_50g = restocked_50g - 2".to_owned(),
                    "has put back more packs",
                ),
            ] {
                assert_ne!(shop.sql(&change).await, 0, "{change}");
                let report = check_data::check_consistency(&shop.second_instance);
                let report = report.await.unwrap().to_string();
                assert!(report.contains(found), "{change}: {report}");
                shop.sql(&undo).await;
                shop.assert_consistent().await;
            }
        },
    );
}

#[test]
fn failed_refund_of_a_deleted_order_is_repeated() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let desk = RefundDesk::open(shop).await;
            let admin = shop.admin().await;
            let (_, order) = order(&desk, "deleted-order").await;
            let failed = desk.failed(&order, RefundSelection::Everything).await;
            let path = format!("/api/admin/orders/{}", order.id);
            admin.delete(&path).await.expect_ok();
            let told = desk.issues(&order).await;
            assert!(told.contains(&"refund failed"), "{told:?}");

            let path = format!("/api/admin/refunds/{}/retry", failed.id);
            let retried = admin.post(&path, json!({})).await.expect_ok();
            let id = retried["refund"]["_id"].as_str().unwrap().to_owned();
            let refunds = desk.refunds(&order).await;
            let again = refunds.iter().find(|one| one.id.as_str() == id).unwrap();
            assert_eq!(again.amount, order.state.total);
            assert_eq!(desk.issues(&order).await, [""; 0]);
            desk.complete(again).await;
            shop.assert_consistent().await;
            assert_eq!(admin.post(&path, json!({})).await.status, 409);
        },
    );
}
