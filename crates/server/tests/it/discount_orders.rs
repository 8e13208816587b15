//! Uses of discount codes: limits, payments that fail or come late, cancelled and free orders, refunds.

use mirasa_domain::money::Paise;
use serde_json::{Value, json};

use crate::cancellation::{finish_refunds, refunded_at_gateway, show, stock};
use crate::discounts::{add_code, cart, change_code, customer_with_cart, enter, pay, report};
use crate::harness::{PendingPayment, TestResponse, for_each_engine, paise};
use crate::invoices::{invoices, pack, set_status};

#[test]
fn code_that_runs_out_before_the_checkout_is_refused() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let code = add_code(&admin, "LASTONE", "percent", 10.0, json!({ "maxUses": 1 })).await;
        let (first, first_home) = customer_with_cart(shop, "code-last-a", (1, 0)).await;
        let (second, second_home) = customer_with_cart(shop, "code-last-b", (1, 0)).await;
        enter(&first, "LASTONE").await.expect_ok();
        enter(&second, "LASTONE").await.expect_ok();
        let payment = PendingPayment::from_response(&first.check_out(&first_home).await);
        let refused = second.check_out(&second_home).await;
        refused.expect_code(409, "discount_not_applicable", "");
        refused.expect_error(
            409,
            "The code LASTONE cannot be used. This code has been used up.",
        );
        assert_eq!(
            cart(&second).await["discountNotice"],
            "This code has been used up."
        );
        let none: Value = second.get("/api/user/orders").await.expect_ok();
        assert_eq!(none["orders"], json!([]));
        // The same customer's checkout replaces their order, and its use with it.
        first.add("code-last-a", 1, 0).await;
        let replaced = PendingPayment::from_response(&first.check_out(&first_home).await);
        assert_ne!(replaced, payment);

        // The order is not paid, so the use is free again.
        first.submit_payment(&replaced, "fail").await;
        first.settled_result(&replaced).await;
        assert_eq!(report(&admin, "LASTONE").await["uses"], 0);
        let payment = PendingPayment::from_response(&second.check_out(&second_home).await);
        pay(&second, &payment).await;
        let order = shop.order_of(&replaced).await.id;
        let again = first
            .post(&format!("/api/user/orders/{order}/pay-again"), json!({}))
            .await;
        again.expect_code(409, "discount_not_applicable", "");

        // A limit below the uses would be wrong from the start.
        change_code(&admin, &code, "maxUses", json!(2))
            .await
            .expect_ok();
        let payment = PendingPayment::from_response(
            &first
                .post(&format!("/api/user/orders/{order}/pay-again"), json!({}))
                .await,
        );
        let paid = pay(&first, &payment).await;
        assert_eq!(paid["discountCode"], "LASTONE");
        assert_eq!(paise(&paid["totalAmount"]), 117_90);
        change_code(&admin, &code, "maxUses", json!(1))
            .await
            .expect_code(400, "invalid_input", "maxUses");
        let orders = [
            shop.order_of(&payment).await,
            shop.order_of(&replaced).await,
        ];
        shop.assert_consistent_for("code-last-a", &orders).await;
    });
}

#[test]
fn late_payment_needs_a_use_of_the_code() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        add_code(
            &admin,
            "LATE-CODE",
            "percent",
            10.0,
            json!({ "maxUses": 1 }),
        )
        .await;
        let (first, first_home) = customer_with_cart(shop, "code-late-a", (1, 0)).await;
        let (second, second_home) = customer_with_cart(shop, "code-late-b", (1, 0)).await;
        enter(&first, "LATE-CODE").await.expect_ok();
        enter(&second, "LATE-CODE").await.expect_ok();
        // The first customer pays after the order has expired. The use is still free.
        let late = PendingPayment::from_response(&first.check_out(&first_home).await);
        shop.expire(&late).await;
        assert_eq!(report(&admin, "LATE-CODE").await["uses"], 0);
        first.submit_payment(&late, "pay").await;
        shop.poll_payment(&late).await;
        assert!(shop.order_of(&late).await.is_paid());
        assert_eq!(report(&admin, "LATE-CODE").await["uses"], 1);

        // The second customer's order expires too. Its use is gone when the payment arrives.
        let code = report(&admin, "LATE-CODE").await;
        change_code(&admin, &code, "maxUses", json!(2))
            .await
            .expect_ok();
        let lost = PendingPayment::from_response(&second.check_out(&second_home).await);
        shop.expire(&lost).await;
        first.add("code-late-a", 2, 0).await;
        enter(&first, "LATE-CODE").await.expect_ok();
        let taken = PendingPayment::from_response(&first.check_out(&first_home).await);
        pay(&first, &taken).await;
        let before = stock(shop, "code-late-b").await;
        second.submit_payment(&lost, "pay").await;
        shop.poll_payment(&lost).await;
        let stored = shop.order_of(&lost).await;
        assert!(!stored.is_paid());
        finish_refunds(shop, stored.id.as_str()).await;
        assert_eq!(
            refunded_at_gateway(shop, &stored).await,
            [stored.state.total.get()]
        );
        assert_eq!(stock(shop, "code-late-b").await, before);
        assert_eq!(shop.issues_for(&lost).await.len(), 1);
        assert_eq!(report(&admin, "LATE-CODE").await["uses"], 2);
        let orders = [
            stored,
            shop.order_of(&late).await,
            shop.order_of(&taken).await,
        ];
        shop.assert_consistent_for("code-late-b", &orders).await;
    });
}

#[test]
fn customer_uses_a_code_once_and_a_first_order_code_first() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        add_code(
            &admin,
            "ONCE-EACH",
            "amount",
            5.0,
            json!({ "oncePerCustomer": true }),
        )
        .await;
        add_code(
            &admin,
            "WELCOME",
            "amount",
            5.0,
            json!({ "firstOrderOnly": true }),
        )
        .await;
        let (customer, home) = customer_with_cart(shop, "code-once", (1, 0)).await;
        enter(&customer, "WELCOME").await.expect_ok();
        enter(&customer, "ONCE-EACH").await.expect_ok();
        let payment = PendingPayment::from_response(&customer.check_out(&home).await);
        // While the order waits for its payment, a new checkout would replace it.
        enter(&customer, "WELCOME").await.expect_ok();
        enter(&customer, "ONCE-EACH").await.expect_ok();
        let order = pay(&customer, &payment).await;
        let message = |response: TestResponse| {
            response.expect_code(409, "discount_not_applicable", "code");
            response.json()["message"].as_str().unwrap().to_owned()
        };
        assert_eq!(
            message(enter(&customer, "ONCE-EACH").await),
            "You have already used this code."
        );
        assert_eq!(
            message(enter(&customer, "WELCOME").await),
            "This code is only for the first order."
        );
        assert_eq!(report(&admin, "ONCE-EACH").await["uses"], 1);

        // A cancelled order gives the use back.
        let id = order["_id"].as_str().unwrap();
        customer
            .post(&format!("/api/user/orders/{id}/cancel"), json!({}))
            .await
            .expect_ok();
        let seen = report(&admin, "ONCE-EACH").await;
        assert_eq!(
            (&seen["uses"], &seen["turnover"], &seen["cost"]),
            (&json!(0), &json!(0), &json!(0))
        );
        enter(&customer, "WELCOME").await.expect_ok();
        enter(&customer, "ONCE-EACH").await.expect_ok();
        customer.add("code-once", 1, 0).await;
        let payment = PendingPayment::from_response(&customer.check_out(&home).await);
        pay(&customer, &payment).await;
        // It cannot be taken back any more: another order has the customer's use now.
        set_status(&admin, id, "confirmed")
            .await
            .expect_code(409, "discount_not_applicable", "");
        assert_eq!(show(&customer, id).await["orderStatus"], "cancelled");
        finish_refunds(shop, id).await;
        shop.assert_consistent_for("code-once", &[shop.order_of(&payment).await])
            .await;
    });
}

#[test]
fn order_that_a_code_makes_free_is_confirmed_without_the_gateway() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        add_code(&admin, "ALL-FREE", "percent", 100.0, json!({})).await;
        let (customer, home) = customer_with_cart(shop, "code-free", (1, 1)).await;
        let before = stock(shop, "code-free").await;
        enter(&customer, "ALL-FREE").await.expect_ok();
        assert_eq!(cart(&customer).await["totalAmount"], 0);
        let body = json!({ "addressId": home, "expectedTotal": 0 });
        let first = customer
            .check_out_with_key("free-order", body.clone())
            .await;
        let payment = PendingPayment::from_response(&first);
        let result = format!("/payment/status?merchantOrderId={}", payment.number);
        assert_eq!(payment.page, result);
        let record = shop.gateway_record().await.to_string();
        assert!(
            !record.contains(&payment.number),
            "the gateway is not called"
        );
        let order = customer.payment_result(&payment).await["order"].take();
        assert_eq!(
            (&order["paymentStatus"], &order["orderStatus"]),
            (&json!("completed"), &json!("confirmed"))
        );
        assert_eq!(
            (&order["totalAmount"], paise(&order["discountAmount"])),
            (&json!(0), 185_50)
        );
        assert_eq!(order["refundableAmount"], 0);
        assert_eq!(cart(&customer).await["totalPacks"], 0);
        let (grams, small, large) = before;
        assert_eq!(
            stock(shop, "code-free").await,
            (grams - 150, small - 1, large - 1)
        );
        let emails = shop.emails_to("code-free").await;
        assert_eq!(
            emails
                .iter()
                .filter(|email| email.kind == "confirmed")
                .count(),
            1
        );

        // A repeated request finds the same order.
        let again = customer.check_out_with_key("free-order", body).await;
        assert_eq!(PendingPayment::from_response(&again), payment);
        let orders = customer.get("/api/user/orders").await.expect_ok();
        assert_eq!(orders["orders"].as_array().unwrap().len(), 1);

        let id = order["_id"].as_str().unwrap();
        pack(&admin, &[id]).await.expect_ok();
        let stored = shop.order_of(&payment).await;
        let invoice = &invoices(shop, &stored).await[0];
        let sum = |of: fn(&mirasa_domain::invoice::InvoiceLine) -> Paise| {
            invoice.lines.iter().map(of).sum::<Paise>()
        };
        assert_eq!(invoice.total(), Paise::ZERO);
        assert_eq!(
            (sum(|line| line.gross), sum(|line| line.discount)),
            (Paise::new(185_50), Paise::new(185_50))
        );
        let pdf = customer
            .get(&format!("/api/user/orders/{id}/invoice.pdf"))
            .await;
        assert_eq!(pdf.status, 200);
        let nothing = json!({ "reason": "Torn" });
        admin
            .post(&format!("/api/admin/orders/{id}/refunds"), nothing)
            .await
            .expect_code(409, "nothing_to_refund", "");
        let cancel = json!({ "orderStatus": "cancelled", "refund": true, "restock": true });
        let cancelled = admin
            .put(&format!("/api/admin/orders/{id}/status"), cancel)
            .await
            .expect_ok();
        assert_eq!(cancelled["order"]["refunds"], json!([]));
        assert_eq!(stock(shop, "code-free").await, before);
        shop.assert_consistent_for("code-free", &[stored]).await;
    });
}

#[test]
fn packs_of_a_discounted_order_are_refunded_at_what_was_paid() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        add_code(&admin, "SEVENTH", "percent", 14.29, json!({})).await;
        let (customer, home) = customer_with_cart(shop, "code-refund", (3, 1)).await;
        customer.add("goda-masala", 1, 0).await;
        enter(&customer, "SEVENTH").await.expect_ok();
        let payment = PendingPayment::from_response(&customer.check_out(&home).await);
        pay(&customer, &payment).await;
        let order = shop.order_of(&payment).await;
        set_status(&admin, order.id.as_str(), "shipped")
            .await
            .expect_ok();
        let path = format!("/api/admin/orders/{}/refunds", order.id);
        let mut returned = 0;
        for lines in [
            json!([{ "productId": "code-refund", "qty_50g": 1 }]),
            json!([{ "productId": "code-refund", "qty_50g": 1 }, { "productId": "goda-masala", "qty_50g": 1 }]),
            json!([{ "productId": "code-refund", "qty_50g": 1, "qty_100g": 1 }]),
        ] {
            let body = json!({ "lines": lines, "reason": "Torn" });
            let refund = admin.post(&path, body).await.expect_ok();
            returned += paise(&refund["refund"]["amount"]);
            finish_refunds(shop, order.id.as_str()).await;
        }
        assert_eq!(returned, order.state.total.get());
        let invoices = invoices(shop, &order).await;
        let notes: Paise = invoices[1..].iter().map(|note| note.total()).sum();
        assert_eq!(
            (invoices.len(), invoices[0].total(), notes),
            (4, order.state.total, order.state.total)
        );
        assert_eq!(report(&admin, "SEVENTH").await["turnover"], 0);
        shop.assert_consistent_for("code-refund", &[order]).await;
    });
}
