//! Pages of admins that are out of date: what they have seen is compared with the order, and money and goods follow the
//! rules whatever the order of calls.

use mirasa_domain::order::Order;
use serde_json::{Value, json};

use crate::admin_orders::customer_with_orders;
use crate::cancellation::{cancel, email_kinds, finish_refunds, show, stock};
use crate::harness::{COURIER, TestClient, TestResponse, TestShop, for_each_engine};
use crate::stock::pack;

pub async fn admin_order(admin: &TestClient, id: &str) -> Value {
    let path = format!("/api/admin/orders?orderId={id}");
    admin.get(&path).await.expect_ok()["orders"][0].take()
}

pub async fn set_status(admin: &TestClient, id: &str, body: Value) -> TestResponse {
    let path = format!("/api/admin/orders/{id}/status");
    admin.put(&path, body).await
}

/// What a page that showed this order sends.
pub fn seen(order: &Value, status: &str) -> Value {
    json!({ "orderStatus": status, "version": order["version"], "seenStatus": order["orderStatus"] })
}

pub async fn issues(admin: &TestClient, order_id: &str) -> Vec<(String, String)> {
    let response = admin.get("/api/admin/concerns").await.expect_ok();
    let all = response["concerns"].as_array().unwrap().clone();
    let of_order = all.into_iter().filter(|one| one["orderId"] == order_id);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    of_order
        .map(|one| (text(&one["kind"]), text(&one["detail"])))
        .collect()
}

async fn parcels(shop: &TestShop, order: &Order) -> usize {
    let record = shop.visitor().get(&format!("{COURIER}/record")).await;
    let record = record.expect_ok().to_string();
    record.matches(&order.id.as_str().replace('-', "")).count()
}

#[test]
fn stale_page_does_not_ship_what_the_customer_cancelled() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "stale-ship", 1).await;
        let id = &orders[0].id;
        let page = admin_order(&admin, id.as_str()).await;
        cancel(&customer, id.as_str()).await.expect_ok();
        // Otherwise the gateway completes it while the test reads the order.
        finish_refunds(shop, id.as_str()).await;

        let response = set_status(&admin, id.as_str(), seen(&page, "shipped")).await;
        response.expect_code(409, "order_changed", "");
        let text = response.error_text();
        for part in [
            "Cancelled by the customer at ",
            &format!("{} refunded", orders[0].state.total.two_decimals()),
            "packs back in stock.",
        ] {
            assert!(text.contains(part), "{text}");
        }
        // Each of the two is enough.
        let only_status = json!({ "orderStatus": "shipped", "seenStatus": "confirmed" });
        let response = set_status(&admin, id.as_str(), only_status).await;
        response.expect_code(409, "order_changed", "");
        assert!(
            response.error_text().contains("Cancelled by the customer"),
            "{response:?}"
        );
        let only_version = json!({ "orderStatus": "shipped", "version": page["version"] });
        set_status(&admin, id.as_str(), only_version)
            .await
            .expect_code(409, "order_changed", "");
        assert_eq!(
            show(&customer, id.as_str()).await["orderStatus"],
            "cancelled"
        );
        assert_eq!(
            email_kinds(shop, "stale-ship").await,
            ["confirmed", "cancelled", "refunded"]
        );

        // The page is loaded again.
        let page = admin_order(&admin, id.as_str()).await;
        let response = set_status(&admin, id.as_str(), seen(&page, "shipped")).await;
        response.expect_code(409, "order_refunded", "");
        let mut confirmed = seen(&page, "shipped");
        confirmed["evenIfRefunded"] = json!(true);
        set_status(&admin, id.as_str(), confirmed)
            .await
            .expect_code(409, "order_refunded", "");
        shop.assert_consistent_for("stale-ship", &orders).await;
    });
}

#[test]
fn plain_call_ships_a_cancelled_order_without_email_invoice_or_courier() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "plain-ship", 1).await;
        let id = &orders[0].id;
        let before = stock(shop, "plain-ship").await;
        cancel(&customer, id.as_str()).await.expect_ok();
        let restocked = stock(shop, "plain-ship").await;
        assert_ne!(before, restocked);

        finish_refunds(shop, id.as_str()).await;
        let plain = |status: &str| json!({ "orderStatus": status });
        set_status(&admin, id.as_str(), plain("shipped"))
            .await
            .expect_ok();
        let shown = show(&customer, id.as_str()).await;
        assert_eq!(shown["orderStatus"], "shipped");
        assert_eq!(shown["invoice"], Value::Null);
        let found = issues(&admin, id.as_str()).await;
        assert_eq!(found[0].0, "shipped, refunded", "{found:?}");
        assert!(found[0].1.contains("in stock again"), "{found:?}");

        // The detour by confirmed books no courier either.
        set_status(&admin, id.as_str(), plain("confirmed"))
            .await
            .expect_ok();
        assert!(
            issues(&admin, id.as_str()).await.is_empty(),
            "it is set back"
        );
        pack(&admin, std::slice::from_ref(&id.0))
            .await
            .expect_code(409, "order_refunded", "");
        let packed = format!("update orders set packed_at = 1 where id = '{id}'");
        shop.sql(&packed).await;
        let body = json!({ "orders": [id], "evenIfRefunded": true });
        let response = admin.post("/api/admin/shipments", body).await;
        response.expect_code(409, "order_refunded", "");
        assert_eq!(parcels(shop, &orders[0]).await, 0);
        assert_eq!(
            email_kinds(shop, "plain-ship").await,
            ["confirmed", "cancelled", "refunded"]
        );
        assert_eq!(stock(shop, "plain-ship").await, restocked);
        shop.sql(&format!(
            "update orders set packed_at = null where id = '{id}'"
        ))
        .await;
        set_status(&admin, id.as_str(), plain("delivered"))
            .await
            .expect_ok();
        assert_eq!(issues(&admin, id.as_str()).await.len(), 1, "opened again");
        shop.assert_consistent_for("plain-ship", &orders).await;
    });
}

#[test]
fn stale_page_does_not_restock_what_is_in_a_van() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (_, orders) = customer_with_orders(shop, "stale-restock", 1).await;
        let id = &orders[0].id;
        let before = stock(shop, "stale-restock").await;
        let page = admin_order(&admin, id.as_str()).await;
        set_status(&admin, id.as_str(), seen(&page, "shipped"))
            .await
            .expect_ok();
        let mut cancelled = seen(&page, "cancelled");
        cancelled["refund"] = json!(true);
        cancelled["restock"] = json!(true);
        let response = set_status(&admin, id.as_str(), cancelled).await;
        response.expect_code(409, "order_changed", "");
        assert!(
            response.error_text().contains("Set to shipped by "),
            "{response:?}"
        );
        let blind = json!({ "orderStatus": "cancelled", "refund": true, "restock": true });
        set_status(&admin, id.as_str(), blind)
            .await
            .expect_code(409, "order_changed", "");
        assert_eq!(stock(shop, "stale-restock").await, before);
        // The parcel came back, and the admin knows that it was shipped.
        let aware = json!({ "orderStatus": "cancelled", "refund": true, "restock": true, "seenStatus": "shipped" });
        set_status(&admin, id.as_str(), aware).await.expect_ok();
        assert_ne!(stock(shop, "stale-restock").await, before);
        shop.assert_consistent_for("stale-restock", &orders).await;
    });
}

#[test]
fn sent_packs_are_restocked_only_by_who_knows_that_they_were_sent() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (_, orders) = customer_with_orders(shop, "sent-packs", 3).await;
        let before = stock(shop, "sent-packs").await;
        let plain = |status: &str| json!({ "orderStatus": status });
        for (order, detour) in orders.iter().zip(["cancelled", "confirmed", "shipped"]) {
            let (id, present) = (&order.id, stock(shop, "sent-packs").await);
            set_status(&admin, id.as_str(), plain("shipped"))
                .await
                .expect_ok();
            set_status(&admin, id.as_str(), plain(detour))
                .await
                .expect_ok();
            let restock = json!({ "orderStatus": "cancelled", "restock": true });
            let response = set_status(&admin, id.as_str(), restock).await;
            response.expect_code(409, "order_changed", "");
            assert!(response.error_text().contains("cameBack"), "{response:?}");
            // To know the last status is not enough.
            if detour != "shipped" {
                let seen =
                    json!({ "orderStatus": "cancelled", "restock": true, "seenStatus": detour });
                set_status(&admin, id.as_str(), seen)
                    .await
                    .expect_code(409, "order_changed", "");
            }
            let refunds = format!("/api/admin/orders/{id}/refunds");
            let mut body = json!({ "reason": "Came back", "restock": true });
            let response = admin.post(&refunds, body.clone()).await;
            response.expect_code(409, "order_changed", "");
            assert_eq!(stock(shop, "sent-packs").await, present, "{detour}");
            assert_eq!(admin_order(&admin, id.as_str()).await["refunds"], json!([]));
            if detour == "cancelled" {
                body["cameBack"] = json!(true);
                admin.post(&refunds, body).await.expect_ok();
            }
        }
        let came_back = json!({ "orderStatus": "cancelled", "restock": true, "cameBack": true });
        set_status(&admin, orders[1].id.as_str(), came_back)
            .await
            .expect_ok();
        // A page that is up to date shows the whole history.
        let page = admin_order(&admin, orders[2].id.as_str()).await;
        let mut body = seen(&page, "cancelled");
        body["restock"] = json!(true);
        set_status(&admin, orders[2].id.as_str(), body)
            .await
            .expect_ok();
        let (grams, of_50g, of_100g) = before;
        // 1, 2 and 3 packs of 50 g, and one of 100 g each.
        assert_eq!(
            stock(shop, "sent-packs").await,
            (grams + 600, of_50g + 6, of_100g + 3)
        );
        shop.assert_consistent_for("sent-packs", &orders).await;
    });
}

#[test]
fn stale_page_neither_deletes_nor_refunds() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (_, orders) = customer_with_orders(shop, "stale-delete", 1).await;
        let id = &orders[0].id;
        let page = admin_order(&admin, id.as_str()).await;
        pack(&admin, std::slice::from_ref(&id.0)).await.expect_ok();
        let version = &page["version"];
        let path = format!("/api/admin/orders/{id}?version={version}");
        let response = admin.delete(&path).await;
        response.expect_code(409, "order_changed", "");
        assert!(response.error_text().contains("Packed by "), "{response:?}");
        let refunds = format!("/api/admin/orders/{id}/refunds");
        let body = json!({ "amount": 5, "reason": "Torn", "version": version });
        let response = admin.post(&refunds, body).await;
        response.expect_code(409, "order_changed", "");
        let version = &admin_order(&admin, id.as_str()).await["version"];
        let body = json!({ "amount": 5, "reason": "Torn", "version": version });
        admin.post(&refunds, body.clone()).await.expect_ok();
        let response = admin.post(&refunds, body).await;
        response.expect_code(409, "order_changed", "");
        assert!(
            response.error_text().contains("₹5.00 refunded"),
            "{response:?}"
        );
        // Another admin has deleted it.
        let page = admin_order(&admin, id.as_str()).await;
        admin
            .delete(&format!("/api/admin/orders/{id}"))
            .await
            .expect_ok();
        let response = set_status(&admin, id.as_str(), seen(&page, "shipped")).await;
        response.expect_code(409, "order_changed", "");
        assert!(
            response.error_text().contains("Deleted by "),
            "{response:?}"
        );
        shop.assert_consistent_for("stale-delete", &orders).await;
    });
}

#[test]
fn of_two_admins_and_a_customer_at_once_one_decides() {
    for_each_engine(async |shop| {
        let (one, two) = (shop.admin().await, shop.admin().await);
        let (customer, orders) = customer_with_orders(shop, "stale-races", 6).await;
        for (at, order) in orders.iter().enumerate() {
            let page = admin_order(&one, order.id.as_str()).await;
            let ship = set_status(&one, order.id.as_str(), seen(&page, "shipped"));
            let mut end = seen(&page, "cancelled");
            end["refund"] = json!(true);
            end["restock"] = json!(true);
            let (shipped, ended) = if at % 2 == 0 {
                tokio::join!(ship, set_status(&two, order.id.as_str(), end))
            } else {
                tokio::join!(ship, cancel(&customer, order.id.as_str()))
            };
            let results = [shipped.status, ended.status];
            assert!(
                results == [200, 409] || results == [409, 200],
                "{shipped:?} {ended:?}"
            );
            let shown = show(&customer, order.id.as_str()).await;
            let refunds = shown["refunds"].as_array().unwrap().len();
            let is_shipped = shipped.status == 200;
            assert_eq!(refunds, usize::from(!is_shipped), "{shown}");
            assert_eq!(shown["invoice"].is_null(), !is_shipped, "{shown}");
        }
        shop.assert_consistent_for("stale-races", &orders).await;
    });
}

#[test]
fn stale_page_does_not_pack_what_was_refunded() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (_, orders) = customer_with_orders(shop, "stale-pack", 3).await;
        let [known, refunded, open] = orders.as_slice() else {
            panic!("three orders");
        };
        let refund = async |order: &Order| {
            let path = format!("/api/admin/orders/{}/refunds", order.id);
            let body = json!({ "reason": "Late" });
            admin.post(&path, body).await.expect_ok();
        };
        refund(known).await;
        finish_refunds(shop, known.id.as_str()).await;
        let mut page = Vec::new();
        for order in &orders {
            page.push(admin_order(&admin, order.id.as_str()).await);
        }
        // The page shows that the first one is refunded, and its admin wants to send it all the same.
        refund(refunded).await;
        let seen: Vec<_> = page
            .iter()
            .map(|order| json!({ "id": order["_id"], "version": order["version"] }))
            .collect();
        let ids: Vec<_> = orders.iter().map(|order| &order.id).collect();
        let body = json!({ "orders": ids, "seen": seen, "evenIfRefunded": true });
        let response = admin
            .put("/api/admin/orders/packed", body)
            .await
            .expect_ok();
        let not_packed = response["notPacked"].as_array().unwrap();
        assert_eq!(not_packed.len(), 1, "{not_packed:?}");
        assert_eq!(
            (&not_packed[0]["orderId"], &not_packed[0]["code"]),
            (&json!(refunded.id), &json!("order_changed"))
        );
        let text = not_packed[0]["message"].as_str().unwrap();
        assert!(text.contains(" refunded"), "{text}");
        for order in [known, open] {
            let shown = admin_order(&admin, order.id.as_str()).await;
            assert!(shown["packedAt"].is_string(), "{shown}");
        }
        let shown = admin_order(&admin, refunded.id.as_str()).await;
        assert!(shown["packedAt"].is_null(), "{shown}");
        shop.assert_consistent_for("stale-pack", &orders).await;
    });
}
