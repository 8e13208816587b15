//! Orders that end or leave in a way that costs money: refunded ones, paid ones that are cancelled without a refund, unpaid
//! ones that are set to shipped. The owner is asked or told.

use mirasa_domain::product::ProductId;
use serde_json::{Value, json};

use crate::admin_orders::{customer_with_orders, ids};
use crate::admin_products::audit_entries;
use crate::cancellation::{email_kinds, finish_refunds, show, stock, texts};
use crate::harness::{
    PendingPayment, ProductFixture, TestClient, TestShop, eventually, for_each_engine,
    for_each_engine_fresh, read_db,
};
use crate::stale_pages::{admin_order, issues, seen, set_status};
use crate::stock::pack;

pub async fn refund(admin: &TestClient, id: &str, body: Value) {
    let path = format!("/api/admin/orders/{id}/refunds");
    admin.post(&path, body).await.expect_ok();
}

pub fn plain(status: &str) -> Value {
    json!({ "orderStatus": status })
}

#[test]
fn refunded_orders_are_not_packed_or_shipped_unasked() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "refunded-pack", 3).await;
        let [by_amount, in_stock, part] = orders.as_slice() else {
            panic!("three orders");
        };
        // By amounts: no refund names the packs.
        let rest = (by_amount.state.total.get() - 500) as f64 / 100.0;
        for amount in [5.0, rest] {
            let body = json!({ "amount": amount, "reason": "Late" });
            refund(&admin, by_amount.id.as_str(), body).await;
        }
        let body = json!({ "reason": "Not wanted", "restock": true });
        refund(&admin, in_stock.id.as_str(), body).await;
        let lines = json!([{ "productId": "refunded-pack", "qty_50g": 1 }]);
        let body = json!({ "lines": lines, "reason": "Torn" });
        refund(&admin, part.id.as_str(), body).await;

        let user = &by_amount.user.0;
        let to_do = async |todo: &str| ids(&admin, &format!("todo={todo}&userId={user}")).await;
        assert_eq!(to_do("pack").await, std::slice::from_ref(&part.id));
        for order in [by_amount, in_stock] {
            let response = pack(&admin, std::slice::from_ref(&order.id.0)).await;
            response.expect_code(409, "order_refunded", "");
            let total = order.state.total.to_string();
            assert!(response.error_text().contains(&total), "{response:?}");
            let tracking = format!("/api/admin/orders/{}/tracking", order.id);
            let body = json!({ "courier": "Post", "trackingNumber": "1" });
            let response = admin.put(&tracking, body).await;
            response.expect_code(409, "order_refunded", "");
        }
        pack(&admin, std::slice::from_ref(&part.id.0))
            .await
            .expect_ok();
        assert_eq!(to_do("ship").await, std::slice::from_ref(&part.id));

        finish_refunds(shop, by_amount.id.as_str()).await;
        // The owner sends the packs all the same, but not those that others can buy.
        let body = json!({ "orders": [in_stock.id], "evenIfRefunded": true });
        let response = admin.put("/api/admin/orders/packed", body).await;
        response.expect_code(409, "order_refunded", "");
        let body = json!({ "orders": [by_amount.id], "evenIfRefunded": true });
        admin
            .put("/api/admin/orders/packed", body)
            .await
            .expect_ok();
        assert_eq!(to_do("ship").await, [part.id.clone(), by_amount.id.clone()]);
        let page = admin_order(&admin, by_amount.id.as_str()).await;
        set_status(&admin, by_amount.id.as_str(), seen(&page, "shipped"))
            .await
            .expect_ok();
        assert!(issues(&admin, by_amount.id.as_str()).await.is_empty());
        let shown = show(&customer, by_amount.id.as_str()).await;
        assert_eq!(shown["invoice"], Value::Null, "no money is kept");
        shop.assert_consistent_for("refunded-pack", &orders).await;
    });
}

#[test]
fn returned_and_restocked_order_is_not_shipped_again() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (_, orders) = customer_with_orders(shop, "returned-ship", 1).await;
        let id = &orders[0].id;
        pack(&admin, std::slice::from_ref(&id.0)).await.expect_ok();
        set_status(&admin, id.as_str(), plain("shipped"))
            .await
            .expect_ok();
        let body = json!({ "reason": "Came back", "restock": true, "cameBack": true });
        refund(&admin, id.as_str(), body).await;
        // Otherwise the gateway completes it while the test reads the order.
        finish_refunds(shop, id.as_str()).await;
        let before = stock(shop, "returned-ship").await;
        assert!(
            issues(&admin, id.as_str()).await.is_empty(),
            "a usual return"
        );
        // The clock was two hours fast when it was shipped.
        let fast = "set at = at + 7200000 where kind = 'status_set'";
        shop.sql(&format!("update order_events {fast} and order_id = '{id}'"))
            .await;
        let wrong = read_db!(shop, db => db.orders_that_left_wrongly().await?);
        assert!(!wrong.contains(&id.0), "the versions say what came first");
        set_status(&admin, id.as_str(), plain("confirmed"))
            .await
            .expect_ok();
        let page = admin_order(&admin, id.as_str()).await;
        let mut again = seen(&page, "shipped");
        again["evenIfRefunded"] = json!(true);
        set_status(&admin, id.as_str(), again)
            .await
            .expect_code(409, "order_refunded", "");
        set_status(&admin, id.as_str(), plain("shipped"))
            .await
            .expect_ok();
        assert_eq!(issues(&admin, id.as_str()).await[0].0, "shipped, refunded");
        assert_eq!(stock(shop, "returned-ship").await, before);
        shop.assert_consistent_for("returned-ship", &orders).await;
        // The check notices if nobody is told.
        let hide = format!("delete from concerns where order_id = '{id}'");
        shop.sql(&hide).await;
        let wrong = read_db!(shop, db => db.orders_that_left_wrongly().await?);
        assert_eq!(wrong, [id.as_str()]);
        set_status(&admin, id.as_str(), plain("cancelled"))
            .await
            .expect_ok();
    });
}

#[test]
fn kept_money_is_an_issue_until_it_is_refunded_or_confirmed() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (_, orders) = customer_with_orders(shop, "kept-money", 4).await;
        let kind = "paid, cancelled, not refunded";
        let [back, refunded, confirmed, deleted] = orders.as_slice() else {
            panic!("four orders");
        };
        for order in &orders[..3] {
            set_status(&admin, order.id.as_str(), plain("cancelled"))
                .await
                .expect_ok();
            let found = issues(&admin, order.id.as_str()).await;
            assert_eq!(found[0].0, kind);
            let text = &found[0].1;
            assert!(text.contains(&order.state.total.to_string()), "{text}");
            assert!(text.contains("Neither in stock nor to be sent: "), "{text}");
        }
        set_status(&admin, back.id.as_str(), plain("confirmed"))
            .await
            .expect_ok();
        assert!(issues(&admin, back.id.as_str()).await.is_empty());

        let body = json!({ "amount": 5, "reason": "A part" });
        refund(&admin, refunded.id.as_str(), body).await;
        let found = issues(&admin, refunded.id.as_str()).await;
        assert_eq!(found.len(), 1, "a part is kept");
        let body = json!({ "reason": "The rest", "restock": true });
        refund(&admin, refunded.id.as_str(), body).await;
        assert!(issues(&admin, refunded.id.as_str()).await.is_empty());

        // Settling needs a reason.
        let concerns = admin.get("/api/admin/concerns").await.expect_ok();
        let concerns = concerns["concerns"].as_array().unwrap().clone();
        let issue = concerns
            .iter()
            .find(|one| one["orderId"] == confirmed.id.as_str());
        let settle = format!(
            "/api/admin/concerns/{}/settle",
            issue.unwrap()["_id"].as_str().unwrap()
        );
        for body in [json!({}), json!({ "reason": "  " })] {
            let response = admin.put(&settle, body).await;
            response.expect_code(400, "invalid_input", "reason");
        }
        let reason = "Paid for a class, not for packs";
        admin
            .put(&settle, json!({ "reason": reason }))
            .await
            .expect_ok();
        assert!(issues(&admin, confirmed.id.as_str()).await.is_empty());
        let shown = admin_order(&admin, confirmed.id.as_str()).await;
        assert!(texts(&shown["events"], "kind").contains(&"payment_kept"));
        assert_eq!(
            audit_entries(&admin, confirmed.id.as_str()).await[0],
            ("payment kept".to_owned(), reason.to_owned())
        );
        // A new end asks again.
        for status in ["confirmed", "cancelled"] {
            set_status(&admin, confirmed.id.as_str(), plain(status))
                .await
                .expect_ok();
        }
        assert_eq!(issues(&admin, confirmed.id.as_str()).await.len(), 1);

        let path = format!("/api/admin/orders/{}", deleted.id);
        admin.delete(&path).await.expect_ok();
        let text = issues(&admin, deleted.id.as_str()).await[0].1.clone();
        assert!(text.contains("deleted. To refund it, restore"), "{text}");
        let restore = format!("{path}/restore");
        admin.put(&restore, json!({})).await.expect_ok();
        assert!(issues(&admin, deleted.id.as_str()).await.is_empty());
        let response = admin.delete(&format!("{path}?keepReason=+")).await;
        response.expect_code(400, "invalid_input", "reason");
        admin
            .delete(&format!("{path}?keepReason=Sold+at+the+market"))
            .await
            .expect_ok();
        assert!(issues(&admin, deleted.id.as_str()).await.is_empty());
        shop.assert_consistent_for("kept-money", &orders).await;
        let hide = format!(
            "update concerns set reason = null where about = '{}'",
            deleted.id
        );
        shop.sql(&hide).await;
        let wrong = read_db!(shop, db => db.orders_with_kept_payment().await?);
        assert_eq!(&wrong, std::slice::from_ref(&deleted.id.as_str()));
        let tell = format!(
            "update concerns set reason = 'x' where about = '{}'",
            deleted.id
        );
        shop.sql(&tell).await;
    });
}

#[test]
fn failed_refund_of_a_cancelled_order_keeps_its_money() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (_, orders) = customer_with_orders(shop, "kept-failed", 1).await;
            let id = &orders[0].id;
            shop.inject_faults(json!({ "refunds": "fail", "refund_ms": 0 }))
                .await;
            let body = json!({ "orderStatus": "cancelled", "refund": true });
            set_status(&admin, id.as_str(), body).await.expect_ok();
            assert!(issues(&admin, id.as_str()).await.is_empty());
            finish_refunds(shop, id.as_str()).await;
            let found = issues(&admin, id.as_str()).await;
            let kinds: Vec<_> = found.iter().map(|(kind, _)| kind.as_str()).collect();
            assert!(
                kinds.contains(&"paid, cancelled, not refunded"),
                "{kinds:?}"
            );
            shop.inject_faults(json!({ "refunds": "complete" })).await;
            let body = json!({ "reason": "Again" });
            refund(&admin, id.as_str(), body).await;
            finish_refunds(shop, id.as_str()).await;
            let found = issues(&admin, id.as_str()).await;
            let is_kept = |(kind, _): &(String, String)| kind == "paid, cancelled, not refunded";
            assert!(!found.iter().any(is_kept), "{found:?}");
            shop.assert_consistent().await;
        },
    );
}

/// An unpaid order of one pack.
pub async fn unpaid(shop: &TestShop, name: &'static str) -> (TestClient, PendingPayment, String) {
    let id = shop.add_product(ProductFixture::new(name, name)).await;
    let customer = shop.customer(name).await;
    customer.add(id, 1, 0).await;
    let home = customer.home().await;
    let payment = PendingPayment::from_response(&customer.check_out(&home).await);
    let order = shop.order_of(&payment).await.id;
    (customer, payment, order.0)
}

pub async fn pouches(shop: &TestShop, id: &str) -> i64 {
    let id = ProductId(id.to_owned());
    let product = read_db!(shop, db => db.product(&id).await?);
    product.unwrap().stock.pouches_50g
}

/// Lets the time to pay end, as the reconciler sees it.
async fn expire(shop: &TestShop, payment: &PendingPayment) {
    let number = &payment.number;
    for table in ["orders", "payment_attempts"] {
        shop.sql(&format!(
            "update {table} set expires_at = expires_at - 86400000 where merchant_order_id = '{number}'"
        ))
        .await;
    }
    shop.poll_payment(payment).await;
}

#[test]
fn unpaid_order_that_left_keeps_its_packs() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, payment, id) = unpaid(shop, "left-unpaid").await;
            let reserved = pouches(shop, "left-unpaid").await;
            let page = admin_order(&admin, &id).await;
            set_status(&admin, &id, seen(&page, "shipped"))
                .await
                .expect_code(409, "order_not_paid", "");
            let mut confirmed = seen(&page, "shipped");
            confirmed["evenIfUnpaid"] = json!(true);
            set_status(&admin, &id, confirmed).await.expect_ok();
            set_status(&admin, &id, plain("delivered"))
                .await
                .expect_ok();
            assert_eq!(issues(&admin, &id).await[0].0, "shipped, not paid");
            assert!(email_kinds(shop, "left-unpaid").await.is_empty());
            expire(shop, &payment).await;
            let shown = show(&customer, &id).await;
            assert_eq!(
                (&shown["orderStatus"], &shown["paymentStatus"]),
                (&json!("delivered"), &json!("pending"))
            );
            assert_eq!(pouches(shop, "left-unpaid").await, reserved);
            // A new order of the same customer does not replace it.
            customer.add("left-unpaid", 2, 0).await;
            let home = customer.home().await;
            customer.check_out(&home).await.expect_ok();
            assert_eq!(pouches(shop, "left-unpaid").await, reserved - 3);
            shop.assert_consistent().await;

            // Paid all the same: everything is as usual.
            customer.submit_payment(&payment, "pay").await;
            eventually("it is paid", async || {
                shop.poll_payment(&payment).await;
                show(&customer, &id).await["paymentStatus"] == "completed"
            })
            .await;
            assert!(issues(&admin, &id).await.is_empty());
            let shown = show(&customer, &id).await;
            assert_eq!(shown["orderStatus"], "delivered");
            assert!(!shown["invoice"].is_null());
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn unpaid_order_that_is_set_back_releases_its_packs_once() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            for (name, back) in [
                ("unpaid-cancelled", "cancelled"),
                ("unpaid-confirmed", "confirmed"),
            ] {
                let (_, payment, id) = unpaid(shop, name).await;
                let reserved = pouches(shop, name).await;
                set_status(&admin, &id, plain("shipped")).await.expect_ok();
                expire(shop, &payment).await;
                assert_eq!(pouches(shop, name).await, reserved, "{name}");
                for _ in 0..2 {
                    let response = set_status(&admin, &id, plain(back)).await.expect_ok();
                    assert_eq!(response["order"]["orderStatus"], back);
                    assert_eq!(response["order"]["paymentStatus"], "failed");
                    assert_eq!(pouches(shop, name).await, reserved + 1, "{name}");
                }
                // An order that was cancelled may have been sent.
                let found = issues(&admin, &id).await;
                assert_eq!(found.len(), usize::from(back == "cancelled"), "{found:?}");
                let emails = email_kinds(shop, name).await;
                let says_paid = emails.iter().any(|kind| kind == "confirmed");
                assert!(!says_paid, "the shop has no payment: {emails:?}");
                // The packs are in stock: no confirmation sends them.
                let page = admin_order(&admin, &id).await;
                let mut again = seen(&page, "shipped");
                again["evenIfUnpaid"] = json!(true);
                set_status(&admin, &id, again)
                    .await
                    .expect_code(409, "order_not_paid", "");
            }
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn day_for_problems_begins_once() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "delivered-once", 1).await;
        let id = &orders[0].id;
        set_status(&admin, id.as_str(), plain("delivered"))
            .await
            .expect_ok();
        let yesterday = "delivered_at = delivered_at - 86400000";
        shop.sql(&format!("update orders set {yesterday} where id = '{id}'"))
            .await;
        let first = show(&customer, id.as_str()).await["deliveredAt"].clone();
        for status in ["shipped", "delivered"] {
            set_status(&admin, id.as_str(), plain(status))
                .await
                .expect_ok();
        }
        assert_eq!(show(&customer, id.as_str()).await["deliveredAt"], first);
        // Another parcel was sent.
        set_status(&admin, id.as_str(), plain("shipped"))
            .await
            .expect_ok();
        let tracking = format!("/api/admin/orders/{id}/tracking");
        let body = json!({ "courier": "Post", "trackingNumber": "RR1" });
        admin.put(&tracking, body).await.expect_ok();
        set_status(&admin, id.as_str(), plain("delivered"))
            .await
            .expect_ok();
        assert_ne!(show(&customer, id.as_str()).await["deliveredAt"], first);
    });
}
