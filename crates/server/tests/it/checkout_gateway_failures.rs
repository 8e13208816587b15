//! Gateway failures: timeouts, errors, duplicate, missing and wrong webhooks. No order is lost and no order is
//! marked as paid by mistake.

use mirasa_domain::order::{OrderStatus, PaymentStatus};
use mirasa_domain::product::ProductId;
use serde_json::json;

use crate::harness::{
    PendingPayment, ProductFixture, TestClient, TestShop, eventually, for_each_engine_fresh,
    read_db,
};

pub const WEBHOOK: &str = "/api/payment/webhook/phonepe";

async fn customer_with_cart(shop: &TestShop, name: &str) -> (TestClient, String) {
    let browser = shop.customer(name).await;
    browser.add("goda-masala", 2, 0).await;
    let home = browser.home().await;
    (browser, home)
}

pub async fn payment(shop: &TestShop, name: &str) -> (TestClient, PendingPayment) {
    let (browser, home) = customer_with_cart(shop, name).await;
    let payment = PendingPayment::from_response(&browser.check_out(&home).await);
    (browser, payment)
}

pub async fn payment_status(shop: &TestShop, payment: &PendingPayment) -> PaymentStatus {
    shop.order_of(payment).await.state.payment_status
}

/// 0 until the gateway was asked about the payment.
pub async fn polled_at(shop: &TestShop, payment: &PendingPayment) -> i64 {
    let number = payment.number.clone();
    let attempt = read_db!(shop, db => db.attempt(&number.as_str().into()).await?);
    attempt.unwrap().polled_at_ms
}

/// What a webhook about the payment starts after its response, to its end.
pub async fn follow_up_webhook(shop: &TestShop, payment: &PendingPayment) {
    let shop = &shop.running.shop;
    shop.handle_payment_webhook(&payment.number.as_str().into())
        .await
        .unwrap();
}

async fn pouches(shop: &TestShop, id: &str) -> i64 {
    let id = ProductId(id.to_owned());
    let product = read_db!(shop, db => db.product(&id).await?);
    product.unwrap().stock.pouches_50g
}

fn kinds(emails: &[mirasa_app::repository::emails::outbox::OutboxEmail]) -> Vec<&str> {
    emails.iter().map(|email| email.kind.as_str()).collect()
}

#[test]
fn failed_payment_creation_reserves_no_stock() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let (browser, home) = customer_with_cart(shop, "fault-500").await;
            let body = json!({ "addressId": home });
            for fault in ["errors", "too_many"] {
                shop.inject_faults(json!({ fault: 2, "calls": ["pay"] }))
                    .await;
                let response = browser.check_out_with_key("same", body.clone()).await;
                response.expect_error(503, "Failed to initiate payment");
                assert_eq!(pouches(shop, "goda-masala").await, 500);
            }
            // A failed request does not use up the key. A single error is retried.
            shop.inject_faults(json!({ "errors": 1, "calls": ["pay"] }))
                .await;
            let payment =
                PendingPayment::from_response(&browser.check_out_with_key("same", body).await);
            browser.submit_payment(&payment, "pay").await;
            assert_eq!(
                browser.settled_result(&payment).await["order"]["paymentStatus"],
                "completed"
            );
            assert_eq!(pouches(shop, "goda-masala").await, 498);
            assert_eq!(kinds(&shop.emails_to("fault-500").await), ["confirmed"]);
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn lost_gateway_response_leaves_one_payable_order() {
    for_each_engine_fresh(
        |config| config.phonepe.timeout_s = 3,
        async |shop| {
            for (name, fault) in [("fault-hang", "timeout"), ("fault-lost", "lost_responses")] {
                let (browser, home) = customer_with_cart(shop, name).await;
                shop.inject_faults(json!({ fault: 1, "calls": ["pay"] }))
                    .await;
                let payment = PendingPayment::from_response(&browser.check_out(&home).await);
                browser.submit_payment(&payment, "pay").await;
                assert_eq!(
                    browser.settled_result(&payment).await["order"]["paymentStatus"],
                    "completed"
                );
                let orders = browser.get("/api/user/orders").await.expect_ok();
                assert_eq!(orders["orders"].as_array().unwrap().len(), 1);
            }
            assert_eq!(pouches(shop, "goda-masala").await, 496);
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn webhook_poll_and_return_settle_once() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            shop.inject_faults(json!({
                "webhook": "before_return", "duplicate_webhooks": 5, "failed_attempts": 2,
            }))
            .await;
            let (browser, first) = payment(shop, "fault-before").await;
            browser.submit_payment(&first, "pay").await;
            eventually("the webhook settles the payment", async || {
                payment_status(shop, &first).await == PaymentStatus::Completed
            })
            .await;
            let (declined, second) = payment(shop, "fault-before-declined").await;
            declined.submit_payment(&second, "fail").await;
            eventually("the webhook fails the payment", async || {
                payment_status(shop, &second).await == PaymentStatus::Failed
            })
            .await;
            // Webhook, returning customer and reconciler concurrently.
            shop.inject_faults(json!({ "webhook": "after_return", "webhook_delay_ms": 0 }))
                .await;
            let (customer, third) = payment(shop, "fault-concurrent").await;
            customer.submit_payment(&third, "pay").await;
            let polls = (0..8).map(async |_| {
                customer.payment_result(&third).await;
                shop.poll_payment(&third).await;
                // What the webhook starts, to its end.
                follow_up_webhook(shop, &third).await;
            });
            futures::future::join_all(polls).await;
            assert_eq!(payment_status(shop, &third).await, PaymentStatus::Completed);
            assert_eq!(kinds(&shop.emails_to("fault-before").await), ["confirmed"]);
            assert_eq!(
                kinds(&shop.emails_to("fault-concurrent").await),
                ["confirmed"]
            );
            assert_eq!(
                kinds(&shop.emails_to("fault-before-declined").await),
                ["payment failed"]
            );
            assert_eq!(pouches(shop, "goda-masala").await, 496);
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn reconciler_settles_without_a_webhook() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            shop.inject_faults(json!({ "webhook": "never" })).await;
            let (paid, first) = payment(shop, "fault-never").await;
            let (declined, second) = payment(shop, "fault-never-declined").await;
            paid.submit_payment(&first, "pay").await;
            declined.submit_payment(&second, "fail").await;
            shop.inject_faults(json!({ "errors": 3, "calls": ["status"] }))
                .await;
            shop.poll_payment(&first).await;
            assert_eq!(payment_status(shop, &first).await, PaymentStatus::Pending);
            shop.poll_payment(&first).await;
            shop.poll_payment(&second).await;
            assert_eq!(payment_status(shop, &first).await, PaymentStatus::Completed);
            assert_eq!(payment_status(shop, &second).await, PaymentStatus::Failed);
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn amount_mismatch_fails_the_order_and_opens_an_issue() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let (browser, payment) = payment(shop, "fault-amount").await;
            shop.inject_faults(json!({ "wrong_amount": true })).await;
            browser.submit_payment(&payment, "pay").await;
            let order = browser.settled_result(&payment).await;
            assert_eq!(order["order"]["paymentStatus"], "failed");
            let issues = shop.issues_for(&payment).await;
            assert_eq!(issues.len(), 1);
            assert_eq!(issues[0].kind.as_str(), "amount mismatch");
            assert!(issues[0].detail.contains("₹65.50"), "{}", issues[0].detail);
            assert!(
                shop.emails_to("fault-amount").await.is_empty(),
                "no email may say that nothing was charged"
            );
            assert_eq!(pouches(shop, "goda-masala").await, 500);
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn late_payment_reserves_stock_again_or_is_refunded() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let scarce = ProductFixture {
                pouches_50g: 2,
                ..ProductFixture::new("late-stock", "Late Stock")
            };
            shop.add_product(scarce).await;
            let customer = shop.customer("late").await;
            customer.add("late-stock", 2, 0).await;
            let home = customer.home().await;
            let payment = PendingPayment::from_response(&customer.check_out(&home).await);
            shop.expire(&payment).await;
            let order = shop.order_of(&payment).await;
            assert_eq!(order.state.payment_status, PaymentStatus::Failed);
            assert_eq!(order.state.order_status, OrderStatus::Cancelled);
            assert_eq!(pouches(shop, "late-stock").await, 2);
            // Without a webhook the late payment is still found, because expired attempts are polled for a while.
            shop.inject_faults(json!({ "webhook": "never" })).await;
            customer.submit_payment(&payment, "pay").await;
            shop.poll_payment(&payment).await;
            let order = shop.order_of(&payment).await;
            assert_eq!(order.state.payment_status, PaymentStatus::Completed);
            assert_eq!(order.state.order_status, OrderStatus::Confirmed);
            assert_eq!(pouches(shop, "late-stock").await, 0);
            let issues = shop.issues_for(&payment).await;
            assert_eq!(issues.len(), 1, "{issues:?}");
            assert_eq!(issues[0].kind.as_str(), "late payment");
            assert_eq!(
                kinds(&shop.emails_to("late").await),
                ["confirmed", "payment failed"]
            );
            shop.assert_consistent().await;

            // The same when the stock was sold in the meantime.
            shop.sql("update products set pouches_50g = 2 where id = 'late-stock'")
                .await;
            shop.sql("insert into stock_ledger (id, product_id, reason, grams, pouches_50g, pouches_100g, at) values ('more', 'late-stock', 'edit', 0, 2, 0, 1)").await;
            shop.inject_faults(json!({ "webhook": "after_return", "webhook_delay_ms": 0, "refund_ms": 300, "late_payments": true })).await;
            shop.refresh_catalogue().await;
            let loser = shop.customer("late-loser").await;
            loser.add("late-stock", 2, 0).await;
            let home = loser.home().await;
            let lost = PendingPayment::from_response(&loser.check_out(&home).await);
            shop.expire(&lost).await;
            shop.refresh_catalogue().await;
            let winner = shop.customer("late-winner").await;
            winner.add("late-stock", 1, 0).await;
            let home = winner.home().await;
            let won = PendingPayment::from_response(&winner.check_out(&home).await);
            loser.submit_payment(&lost, "pay").await;
            eventually("the payment is refunded", async || {
                kinds(&shop.emails_to("late-loser").await).contains(&"refunded")
            })
            .await;
            winner.submit_payment(&won, "pay").await;
            winner.settled_result(&won).await;
            assert_eq!(payment_status(shop, &lost).await, PaymentStatus::Failed);
            assert_eq!(payment_status(shop, &won).await, PaymentStatus::Completed);
            assert_eq!(pouches(shop, "late-stock").await, 1);
            let record = shop.gateway_record().await;
            let refunds = record["refunds"].as_array().unwrap();
            assert_eq!(refunds.len(), 1);
            assert_eq!(refunds[0]["state"], "COMPLETED");
            assert_eq!(refunds[0]["originalMerchantOrderId"], lost.number.as_str());
            assert_eq!(refunds[0]["amount"], 131_00);
            let issues = shop.issues_for(&lost).await;
            assert_eq!(issues.len(), 1, "{issues:?}");
            assert_eq!(issues[0].kind.as_str(), "refund");
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn payment_after_the_gateway_expiry_is_found_by_webhook() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            shop.inject_faults(
                json!({ "expire_after_s": 0, "late_payments": true, "webhook_delay_ms": 0 }),
            )
            .await;
            let (browser, payment) = payment(shop, "late-webhook").await;
            shop.poll_payment(&payment).await;
            assert_eq!(payment_status(shop, &payment).await, PaymentStatus::Failed);
            browser.submit_payment(&payment, "pay").await;
            eventually("the late payment is settled", async || {
                payment_status(shop, &payment).await == PaymentStatus::Completed
            })
            .await;
            assert_eq!(shop.issues_for(&payment).await.len(), 1);
            assert_eq!(pouches(shop, "goda-masala").await, 498);
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn failed_refund_opens_an_issue() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            shop.inject_faults(
                json!({ "refunds": "fail", "refund_ms": 100, "webhook_delay_ms": 0 }),
            )
            .await;
            let (browser, payment) = payment(shop, "refund-fails").await;
            shop.expire(&payment).await;
            shop.sql("update products set pouches_50g = 0 where id = 'goda-masala'")
                .await;
            browser.submit_payment(&payment, "pay").await;
            eventually("an issue is opened", async || {
                let issues = shop.issues_for(&payment).await;
                issues
                    .iter()
                    .any(|issue| issue.kind.as_str() == "refund failed")
            })
            .await;
            let emails = shop.emails_to("refund-fails").await;
            assert_eq!(kinds(&emails), ["payment failed"]);
        },
    );
}

#[test]
fn paid_items_are_not_ordered_again() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            shop.inject_faults(json!({ "webhook": "never" })).await;
            let (browser, payment) = payment(shop, "paid-unseen").await;
            let home = browser.home().await;
            browser.submit_payment(&payment, "pay").await;
            // The customer closed the browser before the return page, so the cart still has the paid items. Add one more.
            browser.add("goda-masala", 1, 0).await;
            let second = PendingPayment::from_response(&browser.check_out(&home).await);
            assert_eq!(
                payment_status(shop, &payment).await,
                PaymentStatus::Completed
            );
            assert_eq!(shop.order_of(&second).await.state.total.get(), 65_50);
            assert!(shop.issues_for(&payment).await.is_empty());
            shop.assert_consistent().await;
        },
    );
}
