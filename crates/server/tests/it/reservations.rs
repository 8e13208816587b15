//! Limits on reservations by unpaid orders: duration, cool-down and packs per order.

use mirasa_domain::end_reason::EndReason;
use mirasa_domain::order::PaymentStatus;
use serde_json::json;

use crate::admin_orders::id_of;
use crate::admin_products::audit_entries;
use crate::harness::{
    PendingPayment, ProductFixture, TestClient, TestResponse, TestShop, for_each_engine_fresh,
    now_ms,
};

const MINUTE: i64 = 60_000;

async fn office(browser: &TestClient) -> String {
    let body = json!({
        "addressName": "Office", "name": "Asha Kulkarni", "phone": "9876543210",
        "addressLine1": "7 Baner Road", "addressLine2": "", "city": "Pune",
        "state": "Maharashtra", "pincode": "411045",
    });
    let response = browser.post("/api/addresses", body).await.expect_ok();
    response["address"]["_id"].as_str().unwrap().to_owned()
}

/// Changes the expiry of an order. The gateway's page does not change.
async fn set_minutes_left(shop: &TestShop, payment: &PendingPayment, minutes: i64) {
    let (id, at) = (shop.order_of(payment).await.id, now_ms() + minutes * MINUTE);
    let set = format!("update orders set expires_at = {at} where id = '{id}'");
    assert_eq!(shop.sql(&set).await, 1);
}

async fn end_reason(shop: &TestShop, payment: &PendingPayment) -> Option<EndReason> {
    shop.order_of(payment).await.state.end_reason
}

fn retry_after(response: &TestResponse, message: &str, minutes: i64) {
    response.expect_error(429, message);
    let seconds: i64 = response.header("retry-after").parse().unwrap();
    let expected = (minutes - 1) * 60..=minutes * 60;
    assert!(expected.contains(&seconds), "{seconds}");
}

#[test]
fn checking_out_again_does_not_prolong_the_reservation() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let customer = shop.customer("holds-long").await;
            let addresses = [customer.home().await, office(&customer).await];
            customer.add("goda-masala", 5, 0).await;
            let mut at = 0;
            let mut next = async || {
                at += 1;
                customer.check_out(&addresses[at % 2]).await
            };
            let first = PendingPayment::from_response(&next().await);
            set_minutes_left(shop, &first, 8).await;
            let deadline = shop.order_of(&first).await.expires_at_ms;
            let second = PendingPayment::from_response(&next().await);
            assert_eq!(end_reason(shop, &first).await, Some(EndReason::Replaced));
            let replacing = shop.order_of(&second).await;
            assert_eq!(replacing.expires_at_ms, deadline);
            let record = shop.gateway_record().await;
            let pages = record["orders"].as_array().unwrap().clone();
            let page = pages
                .iter()
                .find(|page| page["merchantOrderId"] == second.number.as_str());
            let closes = page.unwrap()["expireAt"].as_i64().unwrap();
            assert!((closes - deadline).abs() < 2_000, "{closes} {deadline}");

            // The remaining time is too short for a payment page: the old order expires and a new reservation starts.
            set_minutes_left(shop, &second, 4).await;
            let before = now_ms();
            let third = PendingPayment::from_response(&next().await);
            assert_eq!(end_reason(shop, &second).await, Some(EndReason::Expired));
            let fresh = shop.order_of(&third).await.expires_at_ms;
            assert!((before + 14 * MINUTE..=now_ms() + 15 * MINUTE).contains(&fresh));

            // The expired order counts as unpaid; this one is the second in a row.
            set_minutes_left(shop, &third, 4).await;
            let message = "Your last two orders were not paid. You can order again in 15 minutes.";
            retry_after(&next().await, message, 15);
            let open = shop.order_of(&third).await;
            assert_eq!(open.state.payment_status, PaymentStatus::Pending);
            assert!(shop.emails_to("holds-long").await.is_empty());
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn two_unpaid_orders_start_a_cool_down_with_its_duration() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let customer = shop.customer("cools-down").await;
            let user = id_of(&customer).await;
            let home = customer.home().await;
            customer.add("goda-masala", 1, 0).await;
            let pass = async |minutes: i64| {
                let ms = minutes * MINUTE;
                let earlier = format!(
                    "update orders set ended_at = ended_at - {ms}, created_at = created_at - {ms} where user_id = '{user}'"
                );
                shop.sql(&earlier).await;
            };
            let first = PendingPayment::from_response(&customer.check_out(&home).await);
            shop.expire(&first).await;
            let second = PendingPayment::from_response(&customer.check_out(&home).await);
            // An order that an admin released counts as unpaid, too.
            let path = format!(
                "/api/admin/orders/{}/release",
                shop.order_of(&second).await.id
            );
            admin.post(&path, json!({})).await.expect_ok();
            pass(1).await;
            let message = "Your last two orders were not paid. You can order again in 14 minutes.";
            retry_after(&customer.check_out(&home).await, message, 14);
            let again = format!(
                "/api/user/orders/{}/pay-again",
                shop.order_of(&first).await.id
            );
            retry_after(&customer.post(&again, json!({})).await, message, 14);
            let other = shop.customer("cools-down-not").await;
            other.add("goda-masala", 1, 0).await;
            PendingPayment::from_response(&other.check_out(&other.home().await).await);

            pass(14).await;
            let third = PendingPayment::from_response(&customer.check_out(&home).await);
            assert_eq!(
                PendingPayment::from_response(&customer.check_out(&home).await),
                third
            );
            shop.expire(&third).await;
            let message =
                "Your last three orders were not paid. You can order again in 30 minutes.";
            retry_after(&customer.check_out(&home).await, message, 30);

            // A payment resets the count.
            pass(30).await;
            let paid = PendingPayment::from_response(&customer.check_out(&home).await);
            customer.submit_payment(&paid, "pay").await;
            customer.settled_result(&paid).await;
            customer.add("goda-masala", 1, 0).await;
            let fourth = PendingPayment::from_response(&customer.check_out(&home).await);
            shop.expire(&fourth).await;
            PendingPayment::from_response(&customer.check_out(&home).await);
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn declined_payment_does_not_count_as_unpaid() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let customer = shop.customer("declined").await;
            let home = customer.home().await;
            customer.add("goda-masala", 1, 0).await;
            for _ in 0..4 {
                let payment = PendingPayment::from_response(&customer.check_out(&home).await);
                customer.submit_payment(&payment, "fail").await;
                customer.settled_result(&payment).await;
                assert_eq!(end_reason(shop, &payment).await, Some(EndReason::Failed));
            }
            // The gateway also reports "failed" for an expired payment, which counts.
            for _ in 0..2 {
                let payment = PendingPayment::from_response(&customer.check_out(&home).await);
                set_minutes_left(shop, &payment, 0).await;
                customer.submit_payment(&payment, "fail").await;
                customer.settled_result(&payment).await;
                assert_eq!(end_reason(shop, &payment).await, Some(EndReason::Expired));
            }
            let message = "Your last two orders were not paid. You can order again in 15 minutes.";
            retry_after(&customer.check_out(&home).await, message, 15);
        },
    );
}

#[test]
fn packs_per_order_can_be_limited() {
    for_each_engine_fresh(
        |config| config.max_packs_per_order = 5,
        async |shop| {
            let customer = shop.customer("many-packs").await;
            let home = customer.home().await;
            customer.add("goda-masala", 2, 1).await;
            customer.add("chai-masala", 3, 0).await;
            customer
                .check_out(&home)
                .await
                .expect_error(400, "An order can have at most 5 packs. Yours has 6.");
            customer
                .delete("/api/cart/remove/chai-masala")
                .await
                .expect_ok();
            customer.add("chai-masala", 2, 0).await;
            PendingPayment::from_response(&customer.check_out(&home).await);
        },
    );
}

#[test]
fn released_stock_can_be_bought_by_other_customers() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let scarce = ProductFixture {
                pouches_50g: 2,
                pouches_100g: 1,
                ..ProductFixture::new("reserved-stock-masala", "Reserved Stock Masala")
            };
            shop.add_product(scarce).await;
            let admin = shop.admin().await;
            let first_customer = shop.customer("reserver").await;
            let home = first_customer.home().await;
            first_customer.add("reserved-stock-masala", 2, 1).await;
            let payment = PendingPayment::from_response(&first_customer.check_out(&home).await);
            let small = shop.customer("small-reserver").await;
            small.add("goda-masala", 1, 0).await;
            let smaller =
                PendingPayment::from_response(&small.check_out(&small.home().await).await);
            let order = shop.order_of(&payment).await;

            let listed = admin.get("/api/admin/reserved-stock").await.expect_ok();
            let orders = listed["orders"].as_array().unwrap();
            let ids: Vec<_> = orders.iter().map(|one| &one["orderId"]).collect();
            let second = shop.order_of(&smaller).await.id;
            assert_eq!(
                ids,
                [&json!(order.id), &json!(second)],
                "largest reservation first"
            );
            assert_eq!(listed["more"], false);
            assert_eq!(orders[0]["customerEmail"], "reserver@it.example");
            assert_eq!(orders[0]["customerName"], "Reserver");
            assert_eq!(
                (&orders[0]["packs"], &orders[0]["grams"]),
                (&json!(3), &json!(200))
            );
            let rupees = order.state.total.get() as f64 / 100.0;
            assert_eq!(orders[0]["totalAmount"].as_f64().unwrap(), rupees);
            let until = orders[0]["reservedUntil"].as_str().unwrap();
            assert!(until > orders[0]["createdAt"].as_str().unwrap(), "{until}");

            let other = shop.customer("reserved-other").await;
            let body = json!({ "productId": "reserved-stock-masala", "qty_50g": 1, "qty_100g": 0 });
            let rejected = other.post("/api/cart/add-to-cart", body.clone()).await;
            assert_eq!(rejected.status, 409, "{rejected:?}");
            let path = format!("/api/admin/orders/{}/release", order.id);
            let response = admin.post(&path, json!({})).await.expect_ok();
            assert_eq!(response["order"]["paymentStatus"], "failed");
            assert_eq!(
                audit_entries(&admin, order.id.as_str()).await[0].0,
                "stock released"
            );
            let message = "This order no longer reserves stock.";
            admin
                .post(&path, json!({}))
                .await
                .expect_error(409, message);
            other.post("/api/cart/add-to-cart", body).await.expect_ok();
            PendingPayment::from_response(&other.check_out(&other.home().await).await);

            let listed = admin.get("/api/admin/reserved-stock").await.expect_ok();
            assert_eq!(listed["orders"].as_array().unwrap().len(), 2);
            let unknown = admin
                .post("/api/admin/orders/none/release", json!({}))
                .await;
            unknown.expect_error(404, "Order not found.");
            let shown = first_customer.payment_result(&payment).await;
            let message = "The shop released the items that this order had reserved.";
            assert_eq!(shown["message"], message);
            shop.assert_consistent().await;
        },
    );
}
