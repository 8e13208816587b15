//! Orders that somebody ends before they are paid: the stock is free at once, the old page is never offered again,
//! and money that still arrives goes back, with an entry for the owner.

use mirasa_domain::end_reason::EndReason;
use mirasa_domain::order::{OrderStatus, PaymentStatus};
use mirasa_domain::product::ProductId;
use serde_json::{Value, json};

use crate::admin_orders::id_of;
use crate::admin_products::deeds;
use crate::harness::{
    PendingPayment, ProductFixture, TestClient, TestShop, eventually, for_each_engine_fresh,
    read_db,
};

const WAYS: [(&str, EndReason); 5] = [
    ("cancel", EndReason::Cancelled),
    ("delete", EndReason::Deleted),
    ("release", EndReason::Released),
    ("delete-user", EndReason::AccountDeleted),
    ("erase", EndReason::AccountDeleted),
];

/// Ends the order of this bill, in one of the ways.
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

async fn entries_about(admin: &TestClient, order_id: &str) -> Vec<Value> {
    let response = admin.get("/api/admin/concerns").await.expect_ok();
    let all = response["concerns"].as_array().unwrap().clone();
    all.into_iter()
        .filter(|entry| entry["orderId"] == order_id)
        .collect()
}

/// How many refunds of this attempt the gateway has completed.
async fn returned(shop: &TestShop, payment: &PendingPayment) -> usize {
    let record = shop.gateway_record().await;
    let refunds = record["refunds"].as_array().unwrap().clone();
    let ours = refunds.iter().filter(|refund| {
        refund["originalMerchantOrderId"] == payment.number.as_str() && refund["state"] == "COMPLETED"
    });
    ours.count()
}

/// Whether the shop knows that the refund of this attempt is completed; it looks again at once.
async fn refund_is_over(shop: &TestShop, payment: &PendingPayment) -> bool {
    let number = &payment.number;
    let due = format!("update refunds set next_look_at = 0 where merchant_order_id = '{number}'");
    shop.sql(&due).await;
    let over = format!("{due} and state = 'completed'");
    shop.sql(&over).await == 1
}

async fn money_goes_back(shop: &TestShop, payment: &PendingPayment) {
    eventually("the money goes back", async || {
        returned(shop, payment).await == 1
    })
    .await;
}

#[test]
fn money_for_an_order_that_was_ended_on_purpose_goes_back() {
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
                assert_eq!(end(shop, &admin, &customer, &payment, way).await, 200, "{way}");

                let order = shop.order_of(&payment).await;
                assert_eq!(order.state.payment_status, PaymentStatus::Failed, "{way}");
                assert_eq!(order.state.order_status, OrderStatus::Cancelled, "{way}");
                assert_eq!(order.state.end_reason, Some(reason));
                assert_eq!(order.deleted_at_ms.is_some(), way == "delete");
                assert_eq!(pouches(shop, "goda-masala").await, 500, "{way}");
                shop.is_consistent().await;

                // Whoever is still there gets another page, with the same key and without.
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
                money_goes_back(shop, &payment).await;
                let order = shop.order_of(&payment).await;
                assert_eq!(order.state.payment_status, PaymentStatus::Failed, "{way}");
                assert_eq!(order.state.end_reason, Some(reason));
                assert_eq!(pouches(shop, "goda-masala").await, 500, "{way}");
                let entries = entries_about(&admin, &order.id).await;
                assert_eq!(entries.len(), 1, "{way}: {entries:?}");
                assert_eq!(entries[0]["kind"], "refund");
                assert_eq!(entries[0]["orderDeleted"], way == "delete");
                let detail = entries[0]["detail"].as_str().unwrap();
                assert!(detail.starts_with("Paid after "), "{detail}");

                // Those who left get no email.
                let expected: &[&str] = match way {
                    "cancel" => &["cancelled", "cancelled", "refunded"],
                    "delete" => &["cancelled", "refunded"],
                    "release" => &["cancelled", "payment failed", "refunded"],
                    _ => &[],
                };
                let name = format!("ends-{way}");
                eventually("the refund is over", async || {
                    refund_is_over(shop, &payment).await
                })
                .await;
                let sent = shop.emails_to(&name).await;
                let mut kinds: Vec<_> = sent.iter().map(|email| email.kind.as_str()).collect();
                kinds.sort_unstable();
                assert_eq!(kinds, expected, "{way}");
                shop.is_consistent().await;
            }
        },
    );
}

#[test]
fn an_order_that_had_failed_before_it_was_deleted_keeps_no_late_money() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            shop.inject_faults(
                json!({ "webhook_delay_ms": 0, "refund_ms": 0, "late_payments": true }),
            )
            .await;
            let admin = shop.admin().await;
            // Replaced by a newer checkout, then deleted; the old page is paid.
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
            money_goes_back(shop, &replaced).await;
            let entries = entries_about(&admin, &order.id).await;
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
                money_goes_back(shop, &expired).await;
                let order = shop.order_of(&expired).await;
                assert_eq!(order.state.payment_status, PaymentStatus::Failed);
                assert_eq!(entries_about(&admin, &order.id).await.len(), 1);
            }
            shop.is_consistent().await;
        },
    );
}

#[test]
fn a_paid_order_only_changes_its_status() {
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
            assert!(entries_about(&admin, &order.id).await.is_empty());
            assert_eq!(returned(shop, &payment).await, 0);
            shop.is_consistent().await;
        },
    );
}

#[test]
fn whether_payment_or_end_is_first_money_and_stock_agree() {
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
                let looks = async {
                    customer.submit_payment(&payment, "pay").await;
                    shop.poll_payment(&payment).await;
                };
                let (status, ()) = tokio::join!(end(shop, &admin, &customer, &payment, way), looks);
                assert!(matches!(status, 200 | 409), "{way}: {status}");
                let order = shop.order_of(&payment).await;
                match order.state.payment_status {
                    PaymentStatus::Completed => assert_eq!(order.state.end_reason, None),
                    PaymentStatus::Failed => money_goes_back(shop, &payment).await,
                    PaymentStatus::Pending => panic!("{way}: the money was not seen"),
                }
                shop.is_consistent().await;
            }
        },
    );
}

#[test]
fn an_ended_order_is_polled_seldom_and_its_money_found_at_once_by_webhook() {
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
            let looked_at_within = async |seconds: i64| {
                shop.poll_payment(&payment).await;
                let number = &payment.number;
                let soon = format!(
                    "update payment_attempts set mode = mode where merchant_order_id = '{number}'
                     and state = 'open' and next_look_at <= looked_at + {seconds} * 1000"
                );
                shop.sql(&soon).await == 1
            };
            assert!(looked_at_within(60).await, "somebody waits for it");
            // The same for one that was replaced and one that was released.
            customer.add("goda-masala", 1, 0).await;
            let newer = PendingPayment::from_response(&customer.check_out(&home).await);
            assert!(!looked_at_within(299).await, "nobody waits for it");
            assert!(looked_at_within(300).await, "it is still watched");
            assert_eq!(end(shop, &admin, &customer, &newer, "release").await, 200);
            customer.submit_payment(&newer, "pay").await;
            money_goes_back(shop, &newer).await;
        },
    );
}

#[test]
fn a_product_that_a_released_order_held_can_be_bought_by_others() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let few = ProductFixture {
                pouches_50g: 2,
                pouches_100g: 1,
                ..ProductFixture::new("held-goods", "Held Goods")
            };
            shop.add_product(few).await;
            let admin = shop.admin().await;
            let holder = shop.customer("holder").await;
            let home = holder.home().await;
            holder.add("held-goods", 2, 1).await;
            let payment = PendingPayment::from_response(&holder.check_out(&home).await);
            let small = shop.customer("small-holder").await;
            small.add("goda-masala", 1, 0).await;
            let smaller =
                PendingPayment::from_response(&small.check_out(&small.home().await).await);
            let order = shop.order_of(&payment).await;

            let listed = admin.get("/api/admin/reserved-stock").await.expect_ok();
            let orders = listed["orders"].as_array().unwrap();
            let ids: Vec<_> = orders.iter().map(|one| &one["orderId"]).collect();
            let second = shop.order_of(&smaller).await.id;
            assert_eq!(ids, [&json!(order.id), &json!(second)], "the largest first");
            assert_eq!(listed["more"], false);
            assert_eq!(orders[0]["customerEmail"], "holder@it.example");
            assert_eq!(orders[0]["customerName"], "Holder");
            assert_eq!(
                (&orders[0]["packs"], &orders[0]["grams"]),
                (&json!(3), &json!(200))
            );
            let rupees = order.state.total.get() as f64 / 100.0;
            assert_eq!(orders[0]["totalAmount"].as_f64().unwrap(), rupees);
            let until = orders[0]["reservedUntil"].as_str().unwrap();
            assert!(until > orders[0]["createdAt"].as_str().unwrap(), "{until}");

            let other = shop.customer("held-from").await;
            let body = json!({ "productId": "held-goods", "qty_50g": 1, "qty_100g": 0 });
            let refused = other.post("/api/cart/add-to-cart", body.clone()).await;
            assert_eq!(refused.status, 409, "{refused:?}");
            let path = format!("/api/admin/orders/{}/release", order.id);
            let response = admin.post(&path, json!({})).await.expect_ok();
            assert_eq!(response["order"]["paymentStatus"], "failed");
            assert_eq!(deeds(&admin, &order.id).await[0].0, "stock released");
            let says = "This order no longer reserves stock.";
            admin.post(&path, json!({})).await.expect_error(409, says);
            other.post("/api/cart/add-to-cart", body).await.expect_ok();
            PendingPayment::from_response(&other.check_out(&other.home().await).await);

            let listed = admin.get("/api/admin/reserved-stock").await.expect_ok();
            assert_eq!(listed["orders"].as_array().unwrap().len(), 2);
            let nothing = admin
                .post("/api/admin/orders/none/release", json!({}))
                .await;
            nothing.expect_error(404, "Order not found.");
            let shown = holder.payment_result(&payment).await;
            let says = "The shop released the items that this order had reserved.";
            assert_eq!(shown["message"], says);
            shop.is_consistent().await;
        },
    );
}

#[test]
fn the_account_of_somebody_who_has_left_gets_no_new_order() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let customer = shop.customer("ends-left").await;
            let home = customer.home().await;
            customer.add("goda-masala", 1, 0).await;
            let id = id_of(&customer).await;
            // The request was let in before the account went.
            let gone = format!("update users set deleted_at = 1 where id = '{id}'");
            assert_eq!(shop.sql(&gone).await, 1);
            let ask = mirasa_app::payments::checkout::CheckoutInput {
                address_id: home,
                expected_total: None,
                idempotency_key: None,
            };
            let user = mirasa_domain::user::UserId(id);
            let refused = shop.running.shop.check_out(&user, ask).await;
            assert_eq!(refused.unwrap_err().message, "not authenticated");
            assert_eq!(pouches(shop, "goda-masala").await, 500);
        },
    );
}
