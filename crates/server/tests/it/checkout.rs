//! From a cart to a paid order, as shoppers do it: paid, refused, left open, begun twice.

use mirasa_domain::order::{OrderStatus, PaymentStatus};
use mirasa_domain::product::ProductId;
use serde_json::json;

use crate::cart::{cart, packs};
use crate::harness::{
    PendingPayment, ProductFixture, TestShop, eventually, for_each_engine_fresh, now_ms, read_db,
};

async fn stock(shop: &TestShop, id: &str) -> (i64, i64, i64) {
    let id = ProductId(id.to_owned());
    let stock = read_db!(shop, db => db.product(&id).await?).unwrap().stock;
    (stock.grams, stock.pouches_50g, stock.pouches_100g)
}

#[test]
fn a_paid_order_is_confirmed_and_leaves_the_cart() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let fixture = ProductFixture {
                mrp: &[65_50, 119_99],
                ..ProductFixture::new("pay-one", "Pay One")
            };
            shop.add_product(fixture).await;
            let browser = shop.customer("pay-paid").await;
            let home = browser.home().await;
            browser.add("pay-one", 3, 1).await;
            browser.add("chai-masala", 1, 0).await;
            let payment = PendingPayment::from_response(&browser.check_out(&home).await);
            assert_eq!(stock(shop, "pay-one").await, (100_000 - 250, 497, 499));

            let page = browser.get(&payment.page).await;
            assert!(page.text().contains("396.49"), "{}", page.text());
            let pending = browser.payment_result(&payment).await;
            assert_eq!(pending["message"], "Payment pending...");
            assert_eq!(pending["order"]["totalAmount"], json!(396.49));
            assert_eq!(pending["order"]["orderStatus"], "pending");
            assert_eq!(
                pending["order"]["deliveryAddress"]["phone"],
                "+919876543210"
            );

            // What is added while paying was not bought.
            browser.add("pay-one", 2, 0).await;
            browser.add("goda-masala", 1, 0).await;
            let back = browser.submit_payment(&payment, "pay").await;
            assert_eq!(
                back,
                format!("/payment/status?merchantOrderId={}", payment.number)
            );
            let paid = browser.settled_result(&payment).await;
            assert_eq!(
                paid["message"],
                "Payment successful! Your order has been confirmed."
            );
            let order = &paid["order"];
            assert_eq!(order["paymentStatus"], "completed");
            assert_eq!(order["orderStatus"], "confirmed");
            let [small, large] = [&order["items"][0], &order["items"][1]];
            assert_eq!(small["productName"], "Pay One");
            assert_eq!(
                (&small["qty_50g"], &small["qty_100g"]),
                (&json!(3), &json!(0))
            );
            assert_eq!(
                (&large["qty_50g"], &large["qty_100g"]),
                (&json!(0), &json!(1))
            );
            assert_eq!(
                packs(&cart(&browser).await),
                [("pay-one", 2, 0), ("goda-masala", 1, 0)]
            );
            assert_eq!(stock(shop, "pay-one").await, (100_000 - 250, 497, 499));

            let orders = browser.get("/api/user/orders").await.expect_ok();
            assert_eq!(orders["orders"].as_array().unwrap().len(), 1);
            let id = order["_id"].as_str().unwrap();
            let one = browser
                .get(&format!("/api/user/orders/{id}"))
                .await
                .expect_ok();
            assert_eq!(&one["order"], order);

            // The gateway's own call comes too, and its letter was written already.
            shop.poll_payment(&payment).await;
            let emails = shop.emails_to("pay-paid").await;
            let kinds: Vec<_> = emails.iter().map(|email| email.kind.as_str()).collect();
            assert_eq!(kinds, ["confirmed"]);
            assert!(emails[0].text_body.contains("Total: ₹396.49"));
            eventually("the letter is sent", async || {
                shop.emails_to("pay-paid").await[0].sent_at_ms.is_some()
            })
            .await;
            shop.is_consistent().await;
        },
    );
}

#[test]
fn a_refused_payment_gives_the_goods_back_and_keeps_the_cart() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            shop.add_product(ProductFixture::new("pay-two", "Pay Two"))
                .await;
            let browser = shop.customer("pay-refused").await;
            let home = browser.home().await;
            browser.add("pay-two", 2, 2).await;
            let payment = PendingPayment::from_response(&browser.check_out(&home).await);
            browser.submit_payment(&payment, "fail").await;
            let failed = browser.settled_result(&payment).await;
            assert_eq!(failed["order"]["paymentStatus"], "failed");
            assert_eq!(failed["order"]["orderStatus"], "cancelled");
            assert_eq!(
                failed["message"],
                failed["order"]["paymentDetails"]["errorMessage"]
            );
            assert!(!failed["message"].as_str().unwrap().is_empty());
            assert_eq!(stock(shop, "pay-two").await, (100_000, 500, 500));
            assert_eq!(packs(&cart(&browser).await), [("pay-two", 2, 2)]);
            let emails = shop.emails_to("pay-refused").await;
            assert_eq!(emails.len(), 1);
            assert_eq!(emails[0].kind, "payment failed");

            // Once more, under a new number.
            let id = failed["order"]["_id"].as_str().unwrap();
            let path = format!("/api/user/orders/{id}/pay-again");
            let again = PendingPayment::from_response(&browser.post(&path, json!({})).await);
            assert_ne!(again.number, payment.number);
            assert_eq!(
                PendingPayment::from_response(&browser.post(&path, json!({})).await),
                again
            );
            browser.submit_payment(&again, "pay").await;
            assert_eq!(
                browser.settled_result(&again).await["order"]["paymentStatus"],
                "completed"
            );
            assert_eq!(cart(&browser).await["items"], json!([]));
            let paid = shop.order_of(&again).await.id;
            browser
                .post(&format!("/api/user/orders/{paid}/pay-again"), json!({}))
                .await
                .expect_error(409, "This order cannot be paid again");
            let other = shop.customer("pay-refused-other").await;
            other
                .post(&path, json!({}))
                .await
                .expect_error(404, "Order not found.");
            shop.is_consistent().await;
        },
    );
}

#[test]
fn a_payment_left_open_is_completed_later() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let browser = shop.customer("pay-pending").await;
            let home = browser.home().await;
            browser.add("goda-masala", 1, 0).await;
            let payment = PendingPayment::from_response(&browser.check_out(&home).await);
            browser.submit_payment(&payment, "pending").await;
            assert_eq!(
                browser.payment_result(&payment).await["message"],
                "Payment pending..."
            );
            assert_eq!(packs(&cart(&browser).await), [("goda-masala", 1, 0)]);
            browser.submit_payment(&payment, "pay").await;
            eventually("the gateway's call settles it", async || {
                shop.order_of(&payment).await.state.payment_status == PaymentStatus::Completed
            })
            .await;
            assert_eq!(cart(&browser).await["items"], json!([]));
            shop.is_consistent().await;
        },
    );
}

#[test]
fn the_same_key_has_the_same_answer() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let browser = shop.customer("pay-key").await;
            let home = browser.home().await;
            let body = json!({ "addressId": home, "expectedTotal": 65.5 });
            // A failure is not remembered.
            browser
                .check_out_with_key("k1", body.clone())
                .await
                .expect_error(400, "Your cart is empty");
            browser.add("goda-masala", 1, 0).await;
            let payment = PendingPayment::from_response(
                &browser.check_out_with_key("k1", body.clone()).await,
            );
            assert_eq!(
                PendingPayment::from_response(
                    &browser.check_out_with_key("k1", body.clone()).await
                ),
                payment
            );
            let other = json!({ "addressId": home });
            browser
                .check_out_with_key("k1", other)
                .await
                .expect_error(422, "This Idempotency-Key was used for another request");
            browser.submit_payment(&payment, "pay").await;
            browser.settled_result(&payment).await;
            // Long after: still the first answer, and no second order.
            assert_eq!(
                PendingPayment::from_response(
                    &browser.check_out_with_key("k1", body.clone()).await
                ),
                payment
            );
            let orders = browser.get("/api/user/orders").await.expect_ok();
            assert_eq!(orders["orders"].as_array().unwrap().len(), 1);
            // The key is this shopper's own.
            let other = shop.customer("pay-key-stranger").await;
            let theirs = json!({ "addressId": other.home().await, "expectedTotal": 65.5 });
            other.add("goda-masala", 1, 0).await;
            assert_ne!(
                PendingPayment::from_response(&other.check_out_with_key("k1", theirs).await),
                payment
            );
            for bad in ["", &"k".repeat(201)] {
                assert_eq!(
                    browser.check_out_with_key(bad, body.clone()).await.status,
                    400
                );
            }
        },
    );
}

#[test]
fn ten_clicks_at_once_are_one_order() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            for (name, keyed) in [("pay-clicks-keyed", true), ("pay-clicks", false)] {
                let browser = shop.customer(name).await;
                let home = browser.home().await;
                browser.add("goda-masala", 1, 1).await;
                let body = json!({ "addressId": home });
                let clicks = (0..10).map(|_| {
                    let (browser, body, home) = (&browser, body.clone(), &home);
                    async move {
                        let response = if keyed {
                            browser.check_out_with_key("click", body).await
                        } else {
                            browser.check_out(home).await
                        };
                        PendingPayment::from_response(&response)
                    }
                });
                let payments = futures::future::join_all(clicks).await;
                assert!(payments.iter().all(|payment| *payment == payments[0]), "{payments:?}");
                let orders = browser.get("/api/user/orders").await.expect_ok();
                assert_eq!(orders["orders"].as_array().unwrap().len(), 1);
            }
            shop.is_consistent().await;
        },
    );
}

#[test]
fn the_same_unpaid_order_is_the_same_page_and_a_new_one_replaces_it() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let last = ProductFixture {
                grams: 100,
                pouches_50g: 2,
                pouches_100g: 1,
                ..ProductFixture::new("pay-last", "The Last")
            };
            shop.add_product(last).await;
            let browser = shop.customer("pay-again").await;
            let home = browser.home().await;
            browser.add("pay-last", 1, 0).await;
            let first = PendingPayment::from_response(&browser.check_out(&home).await);
            assert_eq!(
                PendingPayment::from_response(&browser.check_out(&home).await),
                first
            );
            // Both pouches now: only possible if the shopper's own hold does not stand in the way.
            shop.sql("update cart_lines set qty_50g = 2 where product_id = 'pay-last'")
                .await;
            let second = PendingPayment::from_response(&browser.check_out(&home).await);
            assert_ne!(second, first);
            assert_eq!(stock(shop, "pay-last").await, (0, 0, 1));
            let replaced = shop.order_of(&first).await;
            assert_eq!(replaced.state.payment_status, PaymentStatus::Failed);
            assert_eq!(replaced.state.order_status, OrderStatus::Cancelled);
            assert!(
                shop.emails_to("pay-again").await.is_empty(),
                "no letter for that"
            );
            // Another shopper cannot have what is held.
            let other = shop.customer("pay-again-other").await;
            let their_home = other.home().await;
            shop.sql("insert into cart_lines (user_id, product_id, qty_50g, qty_100g, added_at) select id, 'pay-last', 1, 0, 1 from users where email = 'pay-again-other@it.example'").await;
            let response = other.check_out(&their_home).await;
            response.expect_error(409, "Not enough 50g packaging available");
            shop.is_consistent().await;
        },
    );
}

#[test]
fn what_stands_in_the_way_is_said_in_words() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            for (id, name) in [("pay-hide", "Hide Me"), ("pay-out", "Sold Out Soon")] {
                shop.add_product(ProductFixture::new(id, name)).await;
            }
            let browser = shop.customer("pay-words").await;
            let home = browser.home().await;
            browser
                .check_out(&home)
                .await
                .expect_error(400, "Your cart is empty");
            browser.add("goda-masala", 1, 0).await;
            let other = shop.customer("pay-words-stranger").await;
            let theirs = other.home().await;
            browser
                .check_out(&theirs)
                .await
                .expect_error(404, "Address not found.");
            let wrong = json!({ "addressId": home, "expectedTotal": 65 });
            browser
                .post("/api/cart/checkout", wrong)
                .await
                .expect_error(409, "Prices have changed. Please look at your cart again.");
            browser.add("pay-hide", 1, 0).await;
            let now = now_ms();
            shop.sql(&format!(
                "update products set is_visible = false, touched_at = {now} where id = 'pay-hide'"
            ))
            .await;
            browser.check_out(&home).await.expect_error(
                409,
                "Hide Me is no longer available. Please remove it from your cart.",
            );
            browser
                .delete("/api/cart/remove/pay-hide")
                .await
                .expect_ok();
            browser.add("pay-out", 1, 0).await;
            shop.sql(&format!("insert into stock_ledger (id, product_id, reason, grams, pouches_50g, pouches_100g, at) values ('out', 'pay-out', 'edit', -99990, 0, 0, {now})")).await;
            shop.sql(&format!(
                "update products set stock_grams = 10, touched_at = {now} where id = 'pay-out'"
            ))
            .await;
            browser
                .check_out(&home)
                .await
                .expect_error(409, "Not enough spice stock available");
            assert!(
                browser.get("/api/user/orders").await.expect_ok()["orders"]
                    .as_array()
                    .unwrap()
                    .is_empty()
            );
            shop.is_consistent().await;
        },
    );
}

#[test]
fn an_order_is_its_owners_and_the_admins_alone() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let browser = shop.customer("pay-mine").await;
            let home = browser.home().await;
            browser.add("goda-masala", 1, 0).await;
            let payment = PendingPayment::from_response(&browser.check_out(&home).await);
            let id = shop.order_of(&payment).await.id;
            let paths = [
                format!("/api/user/orders/{id}"),
                format!("/api/payment/order/db/{}", payment.number),
            ];
            let other = shop.customer("pay-mine-stranger").await;
            let admin = shop.admin().await;
            for path in &paths {
                browser.get(path).await.expect_ok();
                admin.get(path).await.expect_ok();
                other
                    .get(path)
                    .await
                    .expect_error(404, "Order not found.");
                shop.visitor()
                    .get(path)
                    .await
                    .expect_error(401, "not authenticated");
            }
            assert!(
                other.get("/api/user/orders").await.expect_ok()["orders"]
                    .as_array()
                    .unwrap()
                    .is_empty()
            );
        },
    );
}
