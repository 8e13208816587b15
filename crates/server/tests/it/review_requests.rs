//! The email that asks for reviews a week after the delivery: who gets it, once, its links, and how to stop it.

use std::sync::Arc;

use mirasa_app::Shop;
use mirasa_app::ports::clock::Clock;
use mirasa_app::repository::emails::outbox::OutboxEmail;
use mirasa_domain::ist::DAY_MS;
use mirasa_server::serve;
use serde_json::{Value, json};

use crate::admin_orders::customer_with_orders;
use crate::cli::Served;
use crate::harness::crash::{ShopFolder, admin, orders, sign_in, wait_for_crash};
use crate::harness::{
    PendingPayment, ProductFixture, TestClient, TestShop, eventually, for_each_engine_fresh,
    in_runtime, now_ms, read_db,
};
use crate::reviews::{customer_who_received, publish, set_status};

const KIND: &str = "review request";

struct FixedClock(i64);

impl Clock for FixedClock {
    fn now_ms(&self) -> i64 {
        self.0
    }
}

/// The same shop `days` days later.
fn days_later(shop: &Shop, days: i64) -> Shop {
    Shop {
        clock: Arc::new(FixedClock(now_ms() + days * DAY_MS)),
        ..shop.clone()
    }
}

async fn request_reviews(shop: &TestShop, days: i64) {
    let later = days_later(&shop.running.shop, days);
    while later.request_reviews().await.unwrap() > 0 {}
}

async fn requests(shop: &TestShop) -> Vec<OutboxEmail> {
    let emails = read_db!(shop, db => db.recent_emails(10_000).await?);
    let is_request = |email: &OutboxEmail| email.kind == KIND;
    emails.into_iter().filter(is_request).collect()
}

async fn recipients(shop: &TestShop) -> Vec<String> {
    let mut all: Vec<_> = requests(shop)
        .await
        .into_iter()
        .map(|email| email.recipient)
        .collect();
    all.sort();
    all
}

/// The token of the only request.
async fn token(shop: &TestShop) -> String {
    let emails = requests(shop).await;
    let (_, rest) = emails[0].text_body.split_once("token=").unwrap();
    rest.split('&').next().unwrap().to_owned()
}

async fn opened(shop: &TestShop, token: &str) -> Value {
    let path = format!("/api/review-requests?token={token}");
    shop.visitor().get(&path).await.expect_ok()
}

#[test]
fn email_is_sent_once_a_week_after_the_delivery() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let (customer, order) = customer_who_received(shop, "asked").await;
            for days in [0, 6] {
                request_reviews(shop, days).await;
                assert!(requests(shop).await.is_empty(), "after {days} days");
            }
            for _ in 0..2 {
                request_reviews(shop, 8).await;
            }
            let emails = requests(shop).await;
            assert_eq!(emails.len(), 1);
            let email = &emails[0];
            assert_eq!(email.recipient, TestShop::email("asked"));
            assert_eq!(email.subject, "How do you like asked? (Mirasa)");
            let link = format!("{}/review?token=", shop.base);
            assert_eq!(
                email.html_body.matches(&link).count(),
                6,
                "five stars, and stop"
            );
            assert!(email.html_body.contains("&#38;product=asked&#38;stars=5\""));

            // The link opens without a session; a review needs one.
            let token = token(shop).await;
            let page = opened(shop, &token).await;
            assert_eq!(page["products"][0]["productId"], "asked");
            assert!(page["products"][0]["stars"].is_null());
            assert_eq!(page["stopped"], false);
            for private in ["email", "customerName", "user", "deliveryAddress"] {
                assert!(page[private].is_null(), "{private}");
            }
            publish(&shop.visitor(), "asked", 5, "")
                .await
                .expect_code(401, "unauthorized", "");
            publish(&customer, "asked", 4, "").await.expect_ok();
            assert_eq!(opened(shop, &token).await["products"][0]["stars"], 4);
            for wrong in ["", "x", &token[1..], &order] {
                let path = format!("/api/review-requests?token={wrong}");
                let response = shop.visitor().get(&path).await;
                response.expect_code(404, "review_link_invalid", "");
            }
            shop.sql(&format!(
                "update review_requests set created_at = {}",
                now_ms() - 181 * DAY_MS
            ))
            .await;
            let path = format!("/api/review-requests?token={token}");
            let response = shop.visitor().get(&path).await;
            response.expect_code(404, "review_link_invalid", "");
        },
    );
}

#[test]
fn nobody_is_asked_about_what_was_not_kept() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (cancelled, orders) = customer_with_orders(shop, "ask-cancelled", 1).await;
            set_status(&admin, orders[0].id.as_str(), "delivered").await;
            set_status(&admin, orders[0].id.as_str(), "cancelled").await;
            drop(cancelled);

            let (_, order) = customer_who_received(shop, "ask-refunded").await;
            let path = format!("/api/admin/orders/{order}/refunds");
            let body = json!({ "reason": "Sorry" });
            admin.post(&path, body).await.expect_ok();

            let (_, order) = customer_who_received(shop, "ask-deleted").await;
            admin
                .delete(&format!("/api/admin/orders/{order}"))
                .await
                .expect_ok();

            let (reviewer, _) = customer_who_received(shop, "ask-reviewed").await;
            publish(&reviewer, "ask-reviewed", 5, "").await.expect_ok();

            let (erased, _) = customer_who_received(shop, "ask-erased").await;
            erased.delete("/api/user").await.expect_ok();

            let (_, _) = customer_who_received(shop, "ask-hidden").await;
            let toggle = "/api/admin/products/ask-hidden/toggle-visibility";
            admin.put(toggle, json!({})).await.expect_ok();

            // Of two products one was refunded.
            let second = ProductFixture::new("ask-second", "ask-second");
            shop.add_product(ProductFixture::new("ask-first", "ask-first"))
                .await;
            shop.add_product(second).await;
            let customer = shop.customer("ask-half").await;
            let home = customer.home().await;
            customer.add("ask-first", 1, 0).await;
            customer.add("ask-second", 1, 0).await;
            let payment = PendingPayment::from_response(&customer.check_out(&home).await);
            customer.submit_payment(&payment, "pay").await;
            customer.settled_result(&payment).await;
            let order = shop.order_of(&payment).await;
            set_status(&admin, order.id.as_str(), "delivered").await;
            let path = format!("/api/admin/orders/{}/refunds", order.id);
            let lines = json!([{ "productId": "ask-first", "qty_50g": 1 }]);
            let body = json!({ "reason": "Torn", "lines": lines });
            admin.post(&path, body).await.expect_ok();

            // Not delivered recently.
            let (_, order) = customer_who_received(shop, "ask-old").await;
            let long_ago = now_ms() - 20 * DAY_MS;
            shop.sql(&format!(
                "update orders set delivered_at = {long_ago} where id = '{order}'"
            ))
            .await;

            request_reviews(shop, 8).await;
            assert_eq!(recipients(shop).await, [TestShop::email("ask-half")]);
            let body = &requests(shop).await[0].text_body;
            assert!(
                body.contains("ask-second") && !body.contains("ask-first"),
                "{body}"
            );
        },
    );
}

#[test]
fn link_stops_further_emails() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (customer, orders) = customer_with_orders(shop, "stopped", 2).await;
            set_status(&admin, orders[0].id.as_str(), "delivered").await;
            request_reviews(shop, 8).await;
            let token = token(shop).await;
            // Opening the link changes nothing: mail programs open links to check them.
            assert_eq!(opened(shop, &token).await["stopped"], false);
            let stop = async |token: &str| {
                let body = json!({ "token": token });
                shop.visitor().post("/api/review-requests/stop", body).await
            };
            stop("wrong")
                .await
                .expect_code(404, "review_link_invalid", "");
            for _ in 0..2 {
                stop(&token).await.expect_ok();
            }
            assert_eq!(opened(shop, &token).await["stopped"], true);
            let export = customer.get("/api/user/export").await.expect_ok();
            assert_eq!(export["wantsNoReviewRequests"], true);
            set_status(&admin, orders[1].id.as_str(), "delivered").await;
            request_reviews(shop, 8).await;
            assert_eq!(requests(shop).await.len(), 1);

            customer.delete("/api/user").await.expect_ok();
            stop(&token)
                .await
                .expect_code(404, "review_link_invalid", "");
        },
    );
}

#[test]
fn erased_customer_is_not_asked_by_a_waiting_email() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let (customer, _) = customer_who_received(shop, "ask-waiting").await;
            request_reviews(shop, 8).await;
            shop.sql("update mails set sent_at = null, next_try_at = 9000000000000000")
                .await;
            assert_eq!(requests(shop).await.len(), 1);
            customer.delete("/api/user").await.expect_ok();
            assert!(requests(shop).await.is_empty());
        },
    );
}

#[test]
fn two_instances_ask_once() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            for name in ["ask-twice-1", "ask-twice-2", "ask-twice-3"] {
                customer_who_received(shop, name).await;
            }
            let second = serve::start(&shop.config, None).await.unwrap();
            let shops = [&shop.running.shop, &second.shop];
            let runs = (0..8).map(|run| {
                let shop = days_later(shops[run % 2], 8);
                async move { shop.request_reviews().await.unwrap() }
            });
            futures::future::join_all(runs).await;
            assert_eq!(recipients(shop).await.len(), 3);
            second.stop().await;
        },
    );
}

/// Where the server is killed while it asks.
const POINTS: [&str; 2] = ["requesting reviews", "reviews requested"];

#[test]
fn killed_while_asking_each_order_gets_one_email() {
    in_runtime(async {
        for point in POINTS {
            let folder = ShopFolder::seeded();
            let served = folder.start_with_failpoint(point);
            let customer = sign_in(&served, "ask-crash@it.example").await;
            deliver_two_orders(&folder, &customer, &served).await;
            wait_for_crash(served, point).await;

            let _served = folder.start();
            eventually("both orders are decided about", async || {
                folder.count("select count(*) from review_requests") == 2
            })
            .await;
            let sent = folder.count("select count(*) from mails where kind = 'review request'");
            assert_eq!(sent, 2, "{point}");
        }
    });
}

async fn deliver_two_orders(folder: &ShopFolder, customer: &TestClient, served: &Served) {
    let home = customer.home().await;
    let admin = admin(served).await;
    for _ in 0..2 {
        customer.add("goda-masala", 1, 1).await;
        let payment = PendingPayment::from_response(&customer.check_out(&home).await);
        customer.submit_payment(&payment, "pay").await;
        customer.settled_result(&payment).await;
    }
    for order in orders(customer).await {
        set_status(&admin, order["_id"].as_str().unwrap(), "delivered").await;
    }
    let week_ago = now_ms() - 8 * DAY_MS;
    folder.sql(&format!("update orders set delivered_at = {week_ago}"));
}
