//! Less than the gateway refunds is left of a payment: the rest is kept and said, and stops nothing. Packs that an order
//! does not hold do not go back into stock.

use serde_json::{Value, json};

use crate::admin_orders::customer_with_orders;
use crate::cancellation::{cancel, show, stock, texts};
use crate::harness::{
    PendingPayment, ProductFixture, TestClient, TestResponse, TestShop, for_each_engine,
    for_each_engine_fresh, paise,
};
use crate::problems::{reported, resolve};

const KEPT: &str = "₹0.50 is kept: the gateway refunds ₹1.00 or more";

async fn refund(admin: &TestClient, order_id: &str, body: Value) -> TestResponse {
    let path = format!("/api/admin/orders/{order_id}/refunds");
    admin.post(&path, body).await
}

/// Refunds all but half a rupee.
async fn refund_most(admin: &TestClient, order: &mirasa_domain::order::Order) {
    let most = (order.state.total.get() - 50) as f64 / 100.0;
    let body = json!({ "amount": most, "reason": "Nearly all" });
    refund(admin, order.id.as_str(), body).await.expect_ok();
}

async fn email(shop: &TestShop, name: &str, kind: &str) -> String {
    let emails = shop.emails_to(name).await;
    let found = emails.into_iter().find(|email| email.kind == kind);
    found.unwrap().text_body
}

#[test]
fn small_rest_does_not_stop_a_customer_who_cancels() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "rest-customer", 1).await;
        let (order, before) = (&orders[0], stock(shop, "rest-customer").await);
        refund_most(&admin, order).await;
        assert!(
            email(shop, "rest-customer", "refund requested")
                .await
                .contains(KEPT)
        );
        let shown = show(&customer, order.id.as_str()).await;
        assert_eq!(
            (paise(&shown["refundableAmount"]), paise(&shown["restKept"])),
            (0, 50)
        );
        let cancelled = cancel(&customer, order.id.as_str()).await.expect_ok()["order"].take();
        assert_eq!(cancelled["orderStatus"], "cancelled");
        assert_eq!(cancelled["restKept"], 0.5);
        assert_eq!(cancelled["refunds"].as_array().unwrap().len(), 1);
        let said = texts(&cancelled["events"], "text");
        assert_eq!(
            said.iter().filter(|text| **text == KEPT).count(),
            1,
            "{said:?}"
        );
        assert!(
            email(shop, "rest-customer", "cancelled")
                .await
                .contains(KEPT)
        );
        let (grams, small, large) = before;
        let after = (grams + 150, small + 1, large + 1);
        assert_eq!(stock(shop, "rest-customer").await, after);
        shop.assert_consistent_for("rest-customer", &orders).await;
    });
}

#[test]
fn small_rest_does_not_stop_an_admin() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "rest-admin", 2).await;
        for order in &orders {
            refund_most(&admin, order).await;
            let everything = json!({ "reason": "The rest", "restock": true });
            let refused = refund(&admin, order.id.as_str(), everything).await;
            refused.expect_code(409, "nothing_to_refund", "");
            assert_eq!(refused.error_text(), format!("{KEPT}."));
            let path = format!("/api/admin/orders/{}/status", order.id);
            let body = json!({ "orderStatus": "cancelled", "refund": true, "restock": true });
            for _ in 0..2 {
                let response = admin.put(&path, body.clone()).await.expect_ok();
                assert_eq!(response["order"]["orderStatus"], "cancelled");
                assert_eq!(response["order"]["restKept"], 0.5);
            }
            let shown = show(&customer, order.id.as_str()).await;
            let said = texts(&shown["events"], "text");
            assert_eq!(
                said.iter().filter(|text| **text == KEPT).count(),
                1,
                "{said:?}"
            );
        }
        assert_eq!(stock(shop, "rest-admin").await, (100_000, 500, 500));
        shop.assert_consistent_for("rest-admin", &orders).await;
    });
}

#[test]
fn small_rest_does_not_stop_the_decision_about_a_problem() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, order, problem) = reported(shop, &admin, "rest-problem").await;
        refund_most(&admin, &order).await;
        let body = json!({ "action": "refund", "message": "Sorry.", "evenIfRepeated": true });
        let response = resolve(&admin, &problem, body).await.expect_ok();
        assert_eq!(response["problem"]["state"], "refunded");
        assert_eq!(response["problem"]["refundId"], Value::Null);
        let shown = show(&customer, order.id.as_str()).await;
        assert_eq!(shown["refunds"].as_array().unwrap().len(), 1);
        assert!(texts(&shown["events"], "text").contains(&KEPT));
        assert!(
            email(shop, "rest-problem", "problem resolved")
                .await
                .contains(KEPT)
        );
        shop.assert_consistent_for("rest-problem", &[order]).await;
    });
}

#[test]
fn packs_that_an_order_has_released_do_not_come_back_again() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let id = shop
                .add_product(ProductFixture::new("released", "Released"))
                .await;
            let before = stock(shop, id).await;
            let customer = shop.customer("released").await;
            customer.add(id, 1, 1).await;
            let home = customer.home().await;
            let payment = PendingPayment::from_response(&customer.check_out(&home).await);
            // The gateway reports half the amount, so the order fails and releases its packs. The money is there.
            shop.inject_faults(json!({ "wrong_amount": true })).await;
            customer.submit_payment(&payment, "pay").await;
            customer.settled_result(&payment).await;
            shop.inject_faults(json!({})).await;
            let order = shop.order_of(&payment).await;
            assert_eq!(stock(shop, id).await, before);

            let path = format!("/api/admin/orders?orderId={}", order.id);
            let listed = admin.get(&path).await.expect_ok()["orders"][0].take();
            let received = order.state.total.get() / 2;
            assert_eq!(paise(&listed["refundableAmount"]), received);
            let held = listed["items"].as_array().unwrap().iter();
            assert!(held.into_iter().all(|item| item["held"] == 0), "{listed}");
            let lines = json!([{ "productId": id, "qty_50g": 1 }]);
            let body = json!({ "lines": lines, "reason": "Part", "restock": true });
            refund(&admin, order.id.as_str(), body).await.expect_ok();
            let body = json!({ "reason": "All", "restock": true });
            refund(&admin, order.id.as_str(), body).await.expect_ok();
            assert_eq!(
                stock(shop, id).await,
                before,
                "they have been there all along"
            );
            shop.assert_consistent().await;
        },
    );
}
