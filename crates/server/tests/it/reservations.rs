//! How long a customer may keep stock from others without paying.

use mirasa_domain::end_reason::EndReason;
use mirasa_domain::order::PaymentStatus;
use serde_json::json;

use crate::admin_orders::id_of;
use crate::harness::{
    PendingPayment, TestClient, TestResponse, TestShop, for_each_engine_fresh, now_ms,
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

/// Moves the deadline of an order; the gateway's page is not changed by it.
async fn leave(shop: &TestShop, payment: &PendingPayment, minutes: i64) {
    let (id, at) = (shop.order_of(payment).await.id, now_ms() + minutes * MINUTE);
    let set = format!("update orders set expires_at = {at} where id = '{id}'");
    assert_eq!(shop.sql(&set).await, 1);
}

async fn reason(shop: &TestShop, payment: &PendingPayment) -> Option<EndReason> {
    shop.order_of(payment).await.state.end_reason
}

fn retry_after(response: &TestResponse, says: &str, minutes: i64) {
    response.expect_error(429, says);
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
            leave(shop, &first, 8).await;
            let deadline = shop.order_of(&first).await.expires_at_ms;
            let second = PendingPayment::from_response(&next().await);
            assert_eq!(reason(shop, &first).await, Some(EndReason::Replaced));
            let replacing = shop.order_of(&second).await;
            assert_eq!(replacing.expires_at_ms, deadline);
            let record = shop.gateway_record().await;
            let pages = record["orders"].as_array().unwrap().clone();
            let page = pages
                .iter()
                .find(|page| page["merchantOrderId"] == second.number.as_str());
            let closes = page.unwrap()["expireAt"].as_i64().unwrap();
            assert!((closes - deadline).abs() < 2_000, "{closes} {deadline}");

            // No page fits into what is left: the first has had its time, and the next one starts afresh.
            leave(shop, &second, 4).await;
            let before = now_ms();
            let third = PendingPayment::from_response(&next().await);
            assert_eq!(reason(shop, &second).await, Some(EndReason::Expired));
            let fresh = shop.order_of(&third).await.expires_at_ms;
            assert!((before + 14 * MINUTE..=now_ms() + 15 * MINUTE).contains(&fresh));

            // That was one unpaid order; this would be the second in a row.
            leave(shop, &third, 4).await;
            let says = "Your last two orders were not paid. You can order again in 15 minutes.";
            retry_after(&next().await, says, 15);
            let open = shop.order_of(&third).await;
            assert_eq!(open.state.payment_status, PaymentStatus::Pending);
            assert!(shop.emails_to("holds-long").await.is_empty());
            shop.is_consistent().await;
        },
    );
}

#[test]
fn after_two_unpaid_orders_comes_a_cool_down_that_says_how_long() {
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
            // Released by the owner counts as unpaid, too.
            let path = format!(
                "/api/admin/orders/{}/release",
                shop.order_of(&second).await.id
            );
            admin.post(&path, json!({})).await.expect_ok();
            pass(1).await;
            let says = "Your last two orders were not paid. You can order again in 14 minutes.";
            retry_after(&customer.check_out(&home).await, says, 14);
            let again = format!(
                "/api/user/orders/{}/pay-again",
                shop.order_of(&first).await.id
            );
            retry_after(&customer.post(&again, json!({})).await, says, 14);
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
            let says = "Your last three orders were not paid. You can order again in 30 minutes.";
            retry_after(&customer.check_out(&home).await, says, 30);

            // Whoever pays starts anew.
            pass(30).await;
            let paid = PendingPayment::from_response(&customer.check_out(&home).await);
            customer.submit_payment(&paid, "pay").await;
            customer.settled_result(&paid).await;
            customer.add("goda-masala", 1, 0).await;
            let fourth = PendingPayment::from_response(&customer.check_out(&home).await);
            shop.expire(&fourth).await;
            PendingPayment::from_response(&customer.check_out(&home).await);
            shop.is_consistent().await;
        },
    );
}

#[test]
fn a_declined_payment_does_not_count() {
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
                assert_eq!(reason(shop, &payment).await, Some(EndReason::Failed));
            }
            // The gateway also says "failed" when the time is over. That counts.
            for _ in 0..2 {
                let payment = PendingPayment::from_response(&customer.check_out(&home).await);
                leave(shop, &payment, 0).await;
                customer.submit_payment(&payment, "fail").await;
                customer.settled_result(&payment).await;
                assert_eq!(reason(shop, &payment).await, Some(EndReason::Expired));
            }
            let says = "Your last two orders were not paid. You can order again in 15 minutes.";
            retry_after(&customer.check_out(&home).await, says, 15);
        },
    );
}

#[test]
fn the_owner_may_limit_the_packs_of_an_order() {
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
