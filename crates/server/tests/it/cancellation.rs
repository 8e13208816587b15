//! A customer cancels an order: the status, the stock, the refund and the emails change together, once.

use futures::future::join_all;
use mirasa_domain::ist;
use mirasa_domain::order::Order;
use serde_json::{Value, json};

use crate::admin_orders::customer_with_orders;
use crate::harness::{
    PendingPayment, ProductFixture, TestClient, TestResponse, TestShop, eventually,
    for_each_engine, for_each_engine_fresh, now_ms, read_db,
};

pub async fn cancel(customer: &TestClient, id: &str) -> TestResponse {
    let path = format!("/api/user/orders/{id}/cancel");
    customer.post(&path, json!({})).await
}

pub async fn show(customer: &TestClient, id: &str) -> Value {
    let path = format!("/api/user/orders/{id}");
    customer.get(&path).await.expect_ok()["order"].take()
}

/// The texts of a list's field.
pub fn texts<'v>(list: &'v Value, field: &str) -> Vec<&'v str> {
    let texts = list.as_array().unwrap().iter();
    texts.map(|one| one[field].as_str().unwrap()).collect()
}

/// Grams, 50 g pouches and 100 g pouches.
pub async fn stock(shop: &TestShop, id: &str) -> (i64, i64, i64) {
    let id = mirasa_domain::product::ProductId(id.to_owned());
    let stock = read_db!(shop, db => db.product(&id).await?).unwrap().stock;
    (stock.grams, stock.pouches_50g, stock.pouches_100g)
}

/// Lets the worker finish all refunds of the order.
pub async fn finish_refunds(shop: &TestShop, order_id: &str) {
    eventually("the refunds have ended", async || {
        let due = format!(
            "update refunds set next_look_at = 0 where order_id = '{order_id}' and state in ('wanted', 'pending')"
        );
        if shop.sql(&due).await == 0 {
            return true;
        }
        shop.running.shop.process_refunds().await.unwrap();
        false
    })
    .await;
}

/// The amounts that the gateway has refunded for the order's payment, in paise.
pub async fn refunded_at_gateway(shop: &TestShop, order: &Order) -> Vec<i64> {
    let record = shop.gateway_record().await;
    let refunds = record["refunds"].as_array().unwrap().clone();
    let of_order = refunds.iter().filter(|refund| {
        refund["originalMerchantOrderId"] == order.merchant_order_id.as_str()
            && refund["state"] == "COMPLETED"
    });
    of_order
        .map(|refund| refund["amount"].as_i64().unwrap())
        .collect()
}

pub async fn email_kinds(shop: &TestShop, name: &str) -> Vec<String> {
    let mut emails = shop.emails_to(name).await;
    emails.sort_by(|one, other| one.id.cmp(&other.id));
    emails.into_iter().map(|email| email.kind).collect()
}

#[test]
fn cancelling_a_paid_order_refunds_and_restocks_once() {
    for_each_engine(async |shop| {
        let (customer, orders) = customer_with_orders(shop, "cancel-paid", 1).await;
        let order = &orders[0];
        let before = stock(shop, "cancel-paid").await;
        let shown = show(&customer, order.id.as_str()).await;
        let until = shown["cancellableUntil"].as_str().unwrap();
        assert!(
            until.ends_with("T18:29:59.999Z"),
            "23:59:59.999 in India: {until}"
        );

        let cancelled = cancel(&customer, order.id.as_str()).await.expect_ok()["order"].take();
        assert_eq!(cancelled["orderStatus"], "cancelled");
        assert_eq!(cancelled["paymentStatus"], "completed");
        assert_eq!(cancelled["cancellableUntil"], Value::Null);
        assert_eq!(cancelled["refunds"][0]["amount"], cancelled["totalAmount"]);
        assert_eq!(cancelled["refunds"][0]["requestedBy"], "customer");
        assert_eq!(cancelled["refundableAmount"], 0);
        assert_eq!(
            texts(&cancelled["events"], "kind"),
            [
                "placed",
                "paid",
                "cancelled_by_customer",
                "refund_requested"
            ]
        );
        let (grams, of_50g, of_100g) = before;
        let after = (grams + 150, of_50g + 1, of_100g + 1);
        assert_eq!(stock(shop, "cancel-paid").await, after);

        let again = cancel(&customer, order.id.as_str()).await.expect_ok()["order"].take();
        assert_eq!(again["refunds"].as_array().unwrap().len(), 1);
        assert_eq!(stock(shop, "cancel-paid").await, after);

        finish_refunds(shop, order.id.as_str()).await;
        let done = show(&customer, order.id.as_str()).await;
        assert_eq!(done["refunds"][0]["state"], "completed");
        assert_eq!(
            texts(&done["events"], "kind").last(),
            Some(&"refund_completed")
        );
        assert_eq!(
            refunded_at_gateway(shop, order).await,
            [order.state.total.get()]
        );
        assert_eq!(
            email_kinds(shop, "cancel-paid").await,
            ["confirmed", "cancelled", "refunded"]
        );
        shop.assert_consistent_for("cancel-paid", &orders).await;
    });
}

#[test]
fn payment_for_a_cancelled_order_is_refunded() {
    for_each_engine(async |shop| {
        let id = shop
            .add_product(ProductFixture::new("cancel-pending", "Cancel Pending"))
            .await;
        let customer = shop.customer("cancel-pending").await;
        let before = stock(shop, id).await;
        customer.add(id, 2, 0).await;
        let home = customer.home().await;
        let payment = PendingPayment::from_response(&customer.check_out(&home).await);
        let order = shop.order_of(&payment).await;
        let cancelled = cancel(&customer, order.id.as_str()).await.expect_ok()["order"].take();
        assert_eq!(cancelled["paymentStatus"], "failed");
        assert_eq!(cancelled["orderStatus"], "cancelled");
        assert_eq!(cancelled["refunds"], json!([]));
        assert_eq!(stock(shop, id).await, before);

        customer.submit_payment(&payment, "pay").await;
        eventually("the payment is refunded", async || {
            shop.poll_payment(&payment).await;
            finish_refunds(shop, order.id.as_str()).await;
            refunded_at_gateway(shop, &order).await == [order.state.total.get()]
        })
        .await;
        let shown = show(&customer, order.id.as_str()).await;
        assert_eq!(shown["orderStatus"], "cancelled");
        assert_eq!(shown["refunds"][0]["requestedBy"], "shop");
        assert_eq!(stock(shop, id).await, before);
        shop.assert_consistent_for("cancel-pending", std::slice::from_ref(&order))
            .await;
    });
}

#[test]
fn order_can_be_cancelled_on_its_day_before_it_is_shipped() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "cancel-rules", 3).await;
        let [shipped, yesterday, today] = &orders[..] else {
            panic!("three orders")
        };
        let path = format!("/api/admin/orders/{}/status", shipped.id);
        let body = json!({ "orderStatus": "shipped" });
        admin.put(&path, body).await.expect_ok();
        let response = cancel(&customer, shipped.id.as_str()).await;
        response.expect_code(409, "order_not_cancellable", "");
        response.expect_error(409, "This order is shipped and can no longer be cancelled.");

        let midnight = ist::day_start_ms(ist::day(now_ms()));
        for (order, at_ms) in [(yesterday, midnight - 1), (today, midnight)] {
            let id = &order.id;
            shop.sql(&format!(
                "update orders set created_at = {at_ms} where id = '{id}'"
            ))
            .await;
        }
        let response = cancel(&customer, yesterday.id.as_str()).await;
        response.expect_code(409, "cancellation_period_over", "");
        assert_eq!(
            show(&customer, yesterday.id.as_str()).await["cancellableUntil"],
            Value::Null
        );
        let other = shop.customer("cancel-stranger").await;
        cancel(&other, today.id.as_str())
            .await
            .expect_code(404, "order_not_found", "");
        cancel(&admin, today.id.as_str())
            .await
            .expect_code(404, "order_not_found", "");
        cancel(&customer, today.id.as_str()).await.expect_ok();
        shop.assert_consistent_for("cancel-rules", &orders).await;
    });
}

#[test]
fn cancelling_and_shipping_at_once_leaves_one_outcome() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "cancel-or-ship", 4).await;
        for order in &orders {
            let path = format!("/api/admin/orders/{}/status", order.id);
            let ship = admin.put(&path, json!({ "orderStatus": "shipped" }));
            let (cancelled, _) = tokio::join!(cancel(&customer, order.id.as_str()), ship);
            let shown = show(&customer, order.id.as_str()).await;
            let refunds = shown["refunds"].as_array().unwrap().len();
            // An admin may ship a cancelled order: the last change is the status, but the refund is made once.
            assert_eq!(refunds, usize::from(cancelled.status == 200), "{shown}");
        }
        shop.assert_consistent_for("cancel-or-ship", &orders).await;
    });
}

#[test]
fn cancelling_and_paying_at_once_accounts_for_all_money() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let id = shop
                .add_product(ProductFixture::new("cancel-or-pay", "Cancel or Pay"))
                .await;
            let before = stock(shop, id).await;
            let customers = join_all((0..6).map(async |at| {
                let customer = shop.customer(&format!("cancel-or-pay-{at}")).await;
                customer.add(id, 1, 0).await;
                let home = customer.home().await;
                let payment = PendingPayment::from_response(&customer.check_out(&home).await);
                (customer, payment)
            }))
            .await;
            let mut orders = Vec::new();
            for (customer, payment) in &customers {
                let order = shop.order_of(payment).await;
                customer.submit_payment(payment, "pay").await;
                let result = customer.payment_result(payment);
                // Two tabs.
                let (_, one, two) = tokio::join!(
                    result,
                    cancel(customer, order.id.as_str()),
                    cancel(customer, order.id.as_str())
                );
                assert_eq!((one.status, two.status), (200, 200), "{one:?} {two:?}");
                orders.push(order);
            }
            for ((_, payment), order) in customers.iter().zip(&orders) {
                shop.poll_payment(payment).await;
                finish_refunds(shop, order.id.as_str()).await;
                let refunded = refunded_at_gateway(shop, order).await;
                assert_eq!(
                    refunded,
                    [order.state.total.get()],
                    "everything went back, once"
                );
            }
            assert_eq!(stock(shop, id).await, before);
            shop.assert_consistent().await;
        },
    );
}
