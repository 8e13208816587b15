//! Refunds by admins: amounts, packs, restocking, failures, and never more than was paid.

use futures::future::join_all;
use http::Method;
use serde_json::{Value, json};

use crate::admin_orders::{customer_with_orders, ids};
use crate::admin_products::audit_entries;
use crate::cancellation::{email_kinds, finish_refunds, refunded_at_gateway, show, stock, texts};
use crate::harness::{TestClient, TestResponse, for_each_engine, for_each_engine_fresh};

async fn refund(admin: &TestClient, order_id: &str, body: Value) -> TestResponse {
    let path = format!("/api/admin/orders/{order_id}/refunds");
    admin.post(&path, body).await
}

async fn set_status(admin: &TestClient, order_id: &str, body: Value) -> TestResponse {
    let path = format!("/api/admin/orders/{order_id}/status");
    admin.put(&path, body).await
}

#[test]
fn amounts_and_packs_are_refunded_up_to_the_payment() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "refund-parts", 2).await;
        // Two packs of 50 g and one of 100 g.
        let order = &orders[1];
        let total = order.state.total.get();
        let price = |at: usize| order.lines[0].items().nth(at).unwrap().price.get();
        let before = stock(shop, "refund-parts").await;

        let lines = json!([{ "productId": "refund-parts", "qty_50g": 1 }]);
        let body = json!({ "lines": lines, "reason": "One pouch was torn", "restock": true });
        let first = refund(&admin, order.id.as_str(), body).await.expect_ok()["refund"].take();
        assert_eq!(first["amount"].as_f64().unwrap() * 100.0, price(0) as f64);
        assert_eq!(first["state"], "requested");
        assert_eq!(first["requestedBy"], crate::harness::ADMIN);
        let (grams, of_50g, of_100g) = before;
        assert_eq!(
            stock(shop, "refund-parts").await,
            (grams + 50, of_50g + 1, of_100g)
        );

        let body = json!({ "amount": 1.5, "reason": "For the trouble" });
        refund(&admin, order.id.as_str(), body).await.expect_ok();
        let left = total - price(0) - 150;
        let body = json!({ "amount": (left + 1) as f64 / 100.0, "reason": "Too much" });
        refund(&admin, order.id.as_str(), body).await.expect_code(
            409,
            "refund_exceeds_payment",
            "",
        );
        let lines = json!([{ "productId": "refund-parts", "qty_50g": 2 }]);
        let body = json!({ "lines": lines, "reason": "Again" });
        refund(&admin, order.id.as_str(), body).await.expect_code(
            409,
            "refund_exceeds_payment",
            "",
        );

        let rest = json!({ "reason": "Everything else", "restock": true });
        let rest = refund(&admin, order.id.as_str(), rest).await.expect_ok()["refund"].take();
        assert_eq!(
            (rest["amount"].as_f64().unwrap() * 100.0).round(),
            left as f64
        );
        assert_eq!(
            stock(shop, "refund-parts").await,
            (grams + 200, of_50g + 2, of_100g + 1)
        );
        let body = json!({ "amount": 1, "reason": "More" });
        refund(&admin, order.id.as_str(), body)
            .await
            .expect_code(409, "nothing_to_refund", "");

        finish_refunds(shop, order.id.as_str()).await;
        let mut returned = refunded_at_gateway(shop, order).await;
        returned.sort_unstable();
        let mut expected = [price(0), 150, left];
        expected.sort_unstable();
        assert_eq!(returned, expected);
        let shown = show(&customer, order.id.as_str()).await;
        assert_eq!(
            shown["orderStatus"], "confirmed",
            "a refund does not change the status"
        );
        assert_eq!(texts(&shown["refunds"], "state"), ["completed"; 3]);
        assert_eq!(
            texts(&shown["refunds"], "requestedBy"),
            ["shop"; 3],
            "no names of admins"
        );
        assert!(!texts(&shown["events"], "kind").contains(&"restocked"));
        let kinds = email_kinds(shop, "refund-parts").await;
        let count = |kind: &str| kinds.iter().filter(|one| *one == kind).count();
        assert_eq!(
            (count("refund requested"), count("refunded")),
            (3, 3),
            "{kinds:?}"
        );
        let entries = audit_entries(&admin, order.id.as_str()).await;
        assert_eq!(
            entries
                .iter()
                .filter(|(action, _)| action == "refund requested")
                .count(),
            3
        );
        shop.assert_consistent_for("refund-parts", &orders).await;
    });
}

#[test]
fn invalid_refunds_are_rejected() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "refund-invalid", 1).await;
        let id = &orders[0].id;
        for (body, field) in [
            (json!({ "amount": 5 }), "reason"),
            (json!({ "amount": 5, "reason": " " }), "reason"),
            (json!({ "amount": 0.99, "reason": "x" }), "amount"),
            (json!({ "amount": -5, "reason": "x" }), "amount"),
            (json!({ "amount": 1.005, "reason": "x" }), "amount"),
            (json!({ "amount": 5, "lines": [], "reason": "x" }), "amount"),
            (json!({ "lines": [], "reason": "x" }), "lines"),
            (
                json!({ "lines": [{ "productId": "other", "qty_50g": 1 }], "reason": "x" }),
                "lines",
            ),
            (
                json!({ "amount": 5, "reason": "x", "restock": true }),
                "restock",
            ),
        ] {
            let response = refund(&admin, id.as_str(), body.clone()).await;
            assert_eq!(response.status, 400, "{body}: {response:?}");
            if response.json()["field"] != Value::Null {
                assert_eq!(response.json()["field"], field, "{body}");
            }
        }
        let body = json!({ "reason": "x" });
        refund(&customer, id.as_str(), body.clone())
            .await
            .expect_code(403, "admin_required", "");
        refund(&admin, "no-such-order", body)
            .await
            .expect_code(404, "order_not_found", "");
        let options = json!({ "orderStatus": "shipped", "refund": true });
        let response = set_status(&admin, id.as_str(), options).await;
        assert_eq!(response.status, 400, "{response:?}");
        assert_eq!(show(&customer, id.as_str()).await["refunds"], json!([]));
    });
}

#[test]
fn concurrent_refunds_never_exceed_the_payment() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "refund-race", 1).await;
        let order = &orders[0];
        let third = order.state.total.get() / 3;
        let body = json!({ "amount": third as f64 / 100.0, "reason": "Race" });
        let responses =
            join_all((0..10).map(|_| refund(&admin, order.id.as_str(), body.clone()))).await;
        let accepted = responses
            .iter()
            .filter(|response| response.status == 200)
            .count();
        assert_eq!(accepted, 3, "{responses:?}");
        assert!(
            responses
                .iter()
                .all(|response| [200, 409].contains(&response.status))
        );
        finish_refunds(shop, order.id.as_str()).await;
        let returned: i64 = refunded_at_gateway(shop, order).await.iter().sum();
        assert_eq!(returned, third * 3);
        assert_eq!(
            show(&customer, order.id.as_str()).await["refunds"]
                .as_array()
                .unwrap()
                .len(),
            3
        );

        // A repeated request with the same key is one refund.
        let (_, orders) = customer_with_orders(shop, "refund-key", 1).await;
        let path = format!("/api/admin/orders/{}/refunds", orders[0].id);
        let send = || {
            let request = admin.request(Method::POST, &path);
            let body = json!({ "amount": 2, "reason": "Once" });
            admin.send(request.header("idempotency-key", "k1").json(&body))
        };
        let responses = join_all((0..5).map(|_| send())).await;
        let ids: std::collections::HashSet<_> = responses
            .iter()
            .map(|response| {
                response.expect_ok()["refund"]["_id"]
                    .as_str()
                    .unwrap()
                    .to_owned()
            })
            .collect();
        assert_eq!(ids.len(), 1);
        shop.assert_consistent_for("refund-race", &orders).await;
    });
}

#[test]
fn failed_refund_is_reported_and_can_be_repeated_once() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = customer_with_orders(shop, "refund-fails", 1).await;
            let order = &orders[0];
            shop.inject_faults(json!({ "refunds": "fail", "refund_ms": 0 }))
                .await;
            let body = json!({ "reason": "Damaged" });
            let failed = refund(&admin, order.id.as_str(), body).await.expect_ok()["refund"].take();
            finish_refunds(shop, order.id.as_str()).await;
            let shown = show(&customer, order.id.as_str()).await;
            assert_eq!(shown["refunds"][0]["state"], "failed");
            assert_eq!(shown["refunds"][0]["error"], Value::Null, "for admins only");
            assert_eq!(shown["refundableAmount"], shown["totalAmount"]);
            let kinds = |issues: Value| texts(&issues["concerns"], "kind").join(",");
            let issues = admin.get("/api/admin/concerns").await.expect_ok();
            assert_eq!(kinds(issues), "refund failed");

            shop.inject_faults(json!({ "refunds": "complete" })).await;
            let path = format!(
                "/api/admin/refunds/{}/retry",
                failed["_id"].as_str().unwrap()
            );
            let (one, two) =
                tokio::join!(admin.post(&path, json!({})), admin.post(&path, json!({})));
            let mut statuses = [one.status, two.status];
            statuses.sort_unstable();
            assert_eq!(statuses, [200, 409]);
            finish_refunds(shop, order.id.as_str()).await;
            assert_eq!(
                refunded_at_gateway(shop, order).await,
                [order.state.total.get()]
            );
            let shown = show(&customer, order.id.as_str()).await;
            assert_eq!(texts(&shown["refunds"], "state"), ["failed", "completed"]);
            let issues = admin.get("/api/admin/concerns").await.expect_ok();
            assert_eq!(kinds(issues), "", "the retry resolves the issue");
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn cancelled_status_refunds_and_restocks_only_if_asked() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "status-cancel", 2).await;
        let before = stock(shop, "status-cancel").await;
        let plain = json!({ "orderStatus": "cancelled" });
        set_status(&admin, orders[0].id.as_str(), plain)
            .await
            .expect_ok();
        let shown = show(&customer, orders[0].id.as_str()).await;
        assert_eq!(
            (&shown["orderStatus"], &shown["refunds"]),
            (&json!("cancelled"), &json!([]))
        );
        assert_eq!(
            stock(shop, "status-cancel").await,
            before,
            "the spec's call changes the status only"
        );

        let both = json!({ "orderStatus": "cancelled", "refund": true, "restock": true });
        let responses =
            join_all((0..3).map(|_| set_status(&admin, orders[1].id.as_str(), both.clone()))).await;
        for response in responses {
            let order = response.expect_ok()["order"].take();
            assert_eq!(order["orderStatus"], "cancelled");
        }
        let shown = show(&customer, orders[1].id.as_str()).await;
        assert_eq!(shown["refunds"].as_array().unwrap().len(), 1);
        assert_eq!(shown["refunds"][0]["amount"], shown["totalAmount"]);
        let (grams, of_50g, of_100g) = before;
        assert_eq!(
            stock(shop, "status-cancel").await,
            (grams + 200, of_50g + 2, of_100g + 1)
        );
        let kinds = email_kinds(shop, "status-cancel").await;
        assert_eq!(
            kinds.iter().filter(|kind| *kind == "cancelled").count(),
            2,
            "{kinds:?}"
        );
        shop.assert_consistent_for("status-cancel", &orders).await;
    });
}

#[test]
fn deleted_order_is_listed_apart_and_can_be_restored() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "restored", 1).await;
        let (id, user) = (&orders[0].id, &orders[0].user.0);
        admin
            .delete(&format!("/api/admin/orders/{id}"))
            .await
            .expect_ok();
        assert!(ids(&admin, &format!("userId={user}")).await.is_empty());
        assert_eq!(
            ids(&admin, &format!("userId={user}&deleted=true")).await,
            std::slice::from_ref(id)
        );
        let restore = format!("/api/admin/orders/{id}/restore");
        let restored = admin.put(&restore, json!({})).await.expect_ok()["order"].take();
        assert_eq!(restored["paymentStatus"], "completed");
        assert_eq!(
            texts(&restored["events"], "kind"),
            ["placed", "paid", "deleted", "restored"]
        );
        assert_eq!(
            ids(&admin, &format!("userId={user}")).await,
            std::slice::from_ref(id)
        );
        assert!(
            ids(&admin, &format!("userId={user}&deleted=true"))
                .await
                .is_empty()
        );
        admin
            .put(&restore, json!({}))
            .await
            .expect_code(404, "order_not_found", "");
        customer
            .put(&restore, json!({}))
            .await
            .expect_code(403, "admin_required", "");
        assert_eq!(
            show(&customer, id.as_str()).await["orderStatus"],
            "confirmed"
        );
        shop.assert_consistent_for("restored", &orders).await;
    });
}
