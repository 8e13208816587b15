//! Orders that are ended before they are paid: stock is released immediately, the payment page is not reused, and a
//! late payment is refunded and opens an issue.

use mirasa_domain::end_reason::EndReason;
use mirasa_domain::order::{OrderStatus, PaymentStatus};
use mirasa_domain::product::ProductId;
use serde_json::{Value, json};

use crate::admin_orders::id_of;
use crate::harness::{
    PendingPayment, TestClient, TestShop, eventually, for_each_engine_fresh, read_db,
};

const WAYS: [(&str, EndReason); 5] = [
    ("cancel", EndReason::Cancelled),
    ("delete", EndReason::Deleted),
    ("release", EndReason::Released),
    ("delete-user", EndReason::AccountDeleted),
    ("erase", EndReason::AccountDeleted),
];

/// Ends the order of this payment in one of the `WAYS`.
async fn end(
    shop: &TestShop,
    admin: &TestClient,
    customer: &TestClient,
    payment: &PendingPayment,
    way: &str,
) -> u16 {
    let order = shop.order_of(payment).await;
    let path = format!("/api/admin/orders/{}", order.id);
    let response = match way {
        "cancel" => {
            let cancelled = json!({ "orderStatus": "cancelled" });
            admin.put(&format!("{path}/status"), cancelled).await
        }
        "delete" => admin.delete(&path).await,
        "release" => admin.post(&format!("{path}/release"), json!({})).await,
        "delete-user" => {
            let path = format!("/api/admin/users/{}", order.user.0);
            admin.delete(&path).await
        }
        _ => customer.delete("/api/user").await,
    };
    response.status
}

async fn pouches(shop: &TestShop, id: &str) -> i64 {
    let id = ProductId(id.to_owned());
    let product = read_db!(shop, db => db.product(&id).await?);
    product.unwrap().stock.pouches_50g
}

async fn issues_about(admin: &TestClient, order_id: &str) -> Vec<Value> {
    let response = admin.get("/api/admin/concerns").await.expect_ok();
    let all = response["concerns"].as_array().unwrap().clone();
    all.into_iter()
        .filter(|entry| entry["orderId"] == order_id)
        .collect()
}

/// The number of refunds of this attempt that the gateway has completed.
async fn completed_refunds(shop: &TestShop, payment: &PendingPayment) -> usize {
    let record = shop.gateway_record().await;
    let refunds = record["refunds"].as_array().unwrap().clone();
    let ours = refunds.iter().filter(|refund| {
        refund["originalMerchantOrderId"] == payment.number.as_str()
            && refund["state"] == "COMPLETED"
    });
    ours.count()
}

/// Whether the refund of this attempt is recorded as completed. Schedules the next poll for now.
async fn refund_is_completed(shop: &TestShop, payment: &PendingPayment) -> bool {
    let number = &payment.number;
    let due = format!("update refunds set next_look_at = 0 where merchant_order_id = '{number}'");
    shop.sql(&due).await;
    let completed = format!("{due} and state = 'completed'");
    shop.sql(&completed).await == 1
}

async fn wait_for_refund(shop: &TestShop, payment: &PendingPayment) {
    eventually("the payment is refunded", async || {
        completed_refunds(shop, payment).await == 1
    })
    .await;
}

#[test]
fn payment_of_an_ended_order_is_refunded() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            shop.inject_faults(json!({ "webhook_delay_ms": 0, "refund_ms": 0 }))
                .await;
            let admin = shop.admin().await;
            for (way, reason) in WAYS {
                let customer = shop.customer(&format!("ends-{way}")).await;
                let body = json!({ "addressId": customer.home().await });
                customer.add("goda-masala", 3, 0).await;
                let payment = PendingPayment::from_response(
                    &customer.check_out_with_key("one", body.clone()).await,
                );
                assert_eq!(pouches(shop, "goda-masala").await, 497, "{way}");
                assert_eq!(
                    end(shop, &admin, &customer, &payment, way).await,
                    200,
                    "{way}"
                );

                let order = shop.order_of(&payment).await;
                assert_eq!(order.state.payment_status, PaymentStatus::Failed, "{way}");
                assert_eq!(order.state.order_status, OrderStatus::Cancelled, "{way}");
                assert_eq!(order.state.end_reason, Some(reason));
                assert_eq!(order.deleted_at_ms.is_some(), way == "delete");
                assert_eq!(pouches(shop, "goda-masala").await, 500, "{way}");
                shop.assert_consistent().await;

                // A customer whose account still exists gets a new payment page, with the same key and without a key.
                if matches!(way, "cancel" | "delete" | "release") {
                    let again = PendingPayment::from_response(
                        &customer.check_out_with_key("one", body.clone()).await,
                    );
                    assert_ne!(again, payment, "{way}");
                    let third = PendingPayment::from_response(
                        &customer
                            .check_out(body["addressId"].as_str().unwrap())
                            .await,
                    );
                    assert_eq!(third, again, "{way}");
                    assert_eq!(end(shop, &admin, &customer, &again, "cancel").await, 200);
                }

                customer.submit_payment(&payment, "pay").await;
                wait_for_refund(shop, &payment).await;
                let order = shop.order_of(&payment).await;
                assert_eq!(order.state.payment_status, PaymentStatus::Failed, "{way}");
                assert_eq!(order.state.end_reason, Some(reason));
                assert_eq!(pouches(shop, "goda-masala").await, 500, "{way}");
                let entries = issues_about(&admin, order.id.as_str()).await;
                assert_eq!(entries.len(), 1, "{way}: {entries:?}");
                assert_eq!(entries[0]["kind"], "refund");
                assert_eq!(entries[0]["orderDeleted"], way == "delete");
                let detail = entries[0]["detail"].as_str().unwrap();
                assert!(detail.starts_with("Paid after "), "{detail}");

                // Deleted accounts get no email.
                let expected: &[&str] = match way {
                    "cancel" => &["cancelled", "cancelled", "refunded"],
                    "delete" => &["cancelled", "refunded"],
                    "release" => &["cancelled", "payment failed", "refunded"],
                    _ => &[],
                };
                let name = format!("ends-{way}");
                eventually("the refund is recorded as completed", async || {
                    refund_is_completed(shop, &payment).await
                })
                .await;
                let sent = shop.emails_to(&name).await;
                let mut kinds: Vec<_> = sent.iter().map(|email| email.kind.as_str()).collect();
                kinds.sort_unstable();
                assert_eq!(kinds, expected, "{way}");
                shop.assert_consistent().await;
            }
        },
    );
}

#[test]
fn late_payment_of_a_failed_and_deleted_order_is_refunded() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            shop.inject_faults(
                json!({ "webhook_delay_ms": 0, "refund_ms": 0, "late_payments": true }),
            )
            .await;
            let admin = shop.admin().await;
            // Replaced by a newer checkout, then deleted. The customer pays on the old page.
            let customer = shop.customer("ends-replaced").await;
            let home = customer.home().await;
            customer.add("goda-masala", 1, 0).await;
            let replaced = PendingPayment::from_response(&customer.check_out(&home).await);
            customer.add("goda-masala", 1, 0).await;
            let newer = PendingPayment::from_response(&customer.check_out(&home).await);
            assert_ne!(replaced, newer);
            let order = shop.order_of(&replaced).await;
            assert_eq!(order.state.end_reason, Some(EndReason::Replaced));
            assert_eq!(end(shop, &admin, &customer, &replaced, "delete").await, 200);
            customer.submit_payment(&replaced, "pay").await;
            wait_for_refund(shop, &replaced).await;
            let entries = issues_about(&admin, order.id.as_str()).await;
            assert_eq!(entries.len(), 1, "{entries:?}");
            assert_eq!(entries[0]["orderDeleted"], true);
            let open = shop.order_of(&newer).await;
            assert_eq!(open.state.payment_status, PaymentStatus::Pending);
            assert_eq!(pouches(shop, "goda-masala").await, 498);

            // Expired, then the customer's account is deleted.
            for way in ["delete-user", "erase"] {
                let customer = shop.customer(&format!("ends-expired-{way}")).await;
                let home = customer.home().await;
                customer.add("chai-masala", 1, 0).await;
                let expired = PendingPayment::from_response(&customer.check_out(&home).await);
                shop.expire(&expired).await;
                let order = shop.order_of(&expired).await;
                assert_eq!(order.state.end_reason, Some(EndReason::Expired));
                assert_eq!(end(shop, &admin, &customer, &expired, way).await, 200);
                customer.submit_payment(&expired, "pay").await;
                wait_for_refund(shop, &expired).await;
                let order = shop.order_of(&expired).await;
                assert_eq!(order.state.payment_status, PaymentStatus::Failed);
                assert_eq!(issues_about(&admin, order.id.as_str()).await.len(), 1);
            }
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn paid_order_can_be_cancelled_but_not_released() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let customer = shop.customer("ends-paid").await;
            let home = customer.home().await;
            customer.add("goda-masala", 1, 0).await;
            let payment = PendingPayment::from_response(&customer.check_out(&home).await);
            customer.submit_payment(&payment, "pay").await;
            customer.settled_result(&payment).await;
            assert_eq!(end(shop, &admin, &customer, &payment, "release").await, 409);
            assert_eq!(end(shop, &admin, &customer, &payment, "cancel").await, 200);
            let order = shop.order_of(&payment).await;
            assert_eq!(order.state.payment_status, PaymentStatus::Completed);
            assert_eq!(order.state.order_status, OrderStatus::Cancelled);
            assert_eq!(order.state.end_reason, None);
            assert_eq!(pouches(shop, "goda-masala").await, 499);
            assert_eq!(
                end(shop, &admin, &customer, &payment, "delete-user").await,
                200
            );
            let issues = issues_about(&admin, order.id.as_str()).await;
            assert_eq!(issues.len(), 1, "its money is kept");
            assert_eq!(issues[0]["kind"], "paid, cancelled, not refunded");
            assert_eq!(completed_refunds(shop, &payment).await, 0);
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn concurrent_payment_and_end_stay_consistent() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            shop.inject_faults(json!({ "webhook": "before_return", "refund_ms": 0 }))
                .await;
            let admin = shop.admin().await;
            for (at, (way, _)) in WAYS.into_iter().cycle().take(15).enumerate() {
                let customer = shop.customer(&format!("ends-race-{at}")).await;
                let home = customer.home().await;
                customer.add("goda-masala", 1, 0).await;
                let payment = PendingPayment::from_response(&customer.check_out(&home).await);
                let pay_and_poll = async {
                    customer.submit_payment(&payment, "pay").await;
                    shop.poll_payment(&payment).await;
                };
                let (status, ()) =
                    tokio::join!(end(shop, &admin, &customer, &payment, way), pay_and_poll);
                assert!(matches!(status, 200 | 409), "{way}: {status}");
                let order = shop.order_of(&payment).await;
                match order.state.payment_status {
                    PaymentStatus::Completed => assert_eq!(order.state.end_reason, None),
                    PaymentStatus::Failed => wait_for_refund(shop, &payment).await,
                    PaymentStatus::Pending => panic!("{way}: the payment was not settled"),
                }
                shop.assert_consistent().await;
            }
        },
    );
}

#[test]
fn ended_order_is_polled_rarely_and_settled_by_webhook() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            shop.inject_faults(json!({ "webhook_delay_ms": 0, "refund_ms": 0 }))
                .await;
            let admin = shop.admin().await;
            let customer = shop.customer("ends-polled").await;
            let home = customer.home().await;
            customer.add("goda-masala", 1, 0).await;
            let payment = PendingPayment::from_response(&customer.check_out(&home).await);
            let polled_within = async |seconds: i64| {
                shop.poll_payment(&payment).await;
                let number = &payment.number;
                let soon = format!(
                    "update payment_attempts set mode = mode where merchant_order_id = '{number}'
                     and state = 'open' and next_look_at <= looked_at + {seconds} * 1000"
                );
                shop.sql(&soon).await == 1
            };
            assert!(polled_within(60).await, "a pending order is polled often");
            // The same for a replaced and for a released order.
            customer.add("goda-masala", 1, 0).await;
            let newer = PendingPayment::from_response(&customer.check_out(&home).await);
            assert!(
                !polled_within(299).await,
                "a replaced order is polled rarely"
            );
            assert!(polled_within(300).await, "a replaced order is still polled");
            assert_eq!(end(shop, &admin, &customer, &newer, "release").await, 200);
            customer.submit_payment(&newer, "pay").await;
            wait_for_refund(shop, &newer).await;
        },
    );
}

#[test]
fn checkout_of_a_deleted_account_is_rejected() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let customer = shop.customer("ends-left").await;
            let home = customer.home().await;
            customer.add("goda-masala", 1, 0).await;
            let id = id_of(&customer).await;
            // The request was authenticated before the account was deleted.
            let delete_user = format!("update users set deleted_at = 1 where id = '{id}'");
            assert_eq!(shop.sql(&delete_user).await, 1);
            let input = mirasa_app::payments::checkout::CheckoutInput {
                address_id: home.into(),
                expected_total: None,
                idempotency_key: None,
            };
            let user = mirasa_domain::user::UserId(id);
            let rejected = shop.running.shop.check_out(&user, input).await;
            assert_eq!(rejected.unwrap_err().message, "not authenticated");
            assert_eq!(pouches(shop, "goda-masala").await, 500);
        },
    );
}
