//! Discount codes: in the cart, in checkouts and payments, in refunds, invoices and reports.

use http::Method;
use mirasa_domain::money::Paise;
use serde_json::{Value, json};

use crate::admin_products::audit_entries;
use crate::cancellation::{finish_refunds, refunded_at_gateway, show, stock};
use crate::harness::{
    PendingPayment, ProductFixture, TestClient, TestResponse, TestShop, for_each_engine, paise,
    read_db,
};
use crate::invoices::{documents, pack, set_status};

/// Adds a code. `more` are further fields of the request.
pub async fn add_code(
    admin: &TestClient,
    code: &str,
    kind: &str,
    value: f64,
    more: Value,
) -> Value {
    let mut body = json!({ "code": code, "kind": kind, "value": value });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    let added = admin.post("/api/admin/discounts", body).await;
    assert_eq!(added.status, 201, "{added:?}");
    added.json()["discount"].clone()
}

async fn change_code(admin: &TestClient, code: &Value, field: &str, value: Value) -> TestResponse {
    let mut body = code.clone();
    body[field] = value;
    let id = code["_id"].as_str().unwrap();
    admin.put(&format!("/api/admin/discounts/{id}"), body).await
}

pub async fn enter(customer: &TestClient, code: &str) -> TestResponse {
    customer
        .put("/api/cart/discount", json!({ "code": code }))
        .await
}

async fn cart(customer: &TestClient) -> Value {
    customer.get("/api/cart/cart").await.expect_ok()["cart"].take()
}

async fn report(admin: &TestClient, code: &str) -> Value {
    let all = admin.get("/api/admin/discounts").await.expect_ok();
    let all = all["discounts"].as_array().unwrap().clone();
    all.into_iter().find(|one| one["code"] == code).unwrap()
}

/// A customer with packs of a new product in the cart, and their address.
async fn shopper(shop: &TestShop, name: &'static str, packs: (u32, u32)) -> (TestClient, String) {
    let product = shop.add_product(ProductFixture::new(name, name)).await;
    let customer = shop.customer(name).await;
    customer.add(product, packs.0, packs.1).await;
    let home = customer.home().await;
    (customer, home)
}

async fn pay(customer: &TestClient, payment: &PendingPayment) -> Value {
    customer.submit_payment(payment, "pay").await;
    customer.settled_result(payment).await["order"].take()
}

#[test]
fn code_reduces_cart_order_invoice_and_emails() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, home) = shopper(shop, "code-basic", (2, 1)).await;
        add_code(&admin, "BASIC10", "percent", 10.0, json!({})).await;
        // 2 × 65.50 + 120
        let reduced = enter(&customer, " basic10 ").await.expect_ok()["cart"].take();
        assert_eq!(reduced["discountCode"], "BASIC10");
        assert_eq!(paise(&reduced["discountAmount"]), 25_10);
        assert_eq!(paise(&reduced["totalAmount"]), 225_90);
        assert_eq!(reduced["discountNotice"], Value::Null);
        assert_eq!(paise(&reduced["items"][0]["lineTotal"]), 251_00);
        assert_eq!(cart(&customer).await, reduced);

        let body = json!({ "addressId": home, "expectedTotal": 251 });
        let stale = customer.post("/api/cart/checkout", body).await;
        stale.expect_code(409, "total_changed", "");
        let body = json!({ "addressId": home, "expectedTotal": 225.9 });
        let payment =
            PendingPayment::from_response(&customer.post("/api/cart/checkout", body).await);
        assert_eq!(report(&admin, "BASIC10").await["held"], 1);
        let order = pay(&customer, &payment).await;
        assert_eq!(order["paymentStatus"], "completed");
        assert_eq!(order["discountCode"], "BASIC10");
        assert_eq!(paise(&order["discountAmount"]), 25_10);
        assert_eq!(paise(&order["totalAmount"]), 225_90);
        let items = order["items"].as_array().unwrap();
        let shares: Vec<_> = items.iter().map(|item| paise(&item["discount"])).collect();
        assert_eq!(shares, [13_10, 12_00]);
        let after = cart(&customer).await;
        assert_eq!(
            (&after["discountCode"], &after["totalPacks"]),
            (&Value::Null, &json!(0))
        );

        let id = order["_id"].as_str().unwrap();
        set_status(&admin, id, "shipped").await.expect_ok();
        let stored = shop.order_of(&payment).await;
        let invoice = &documents(shop, &stored).await[0];
        assert_eq!(invoice.total(), Paise::new(225_90));
        let parts: Vec<_> = invoice
            .lines
            .iter()
            .map(|line| (line.gross.get(), line.discount.get()))
            .collect();
        assert_eq!(parts, [(131_00, 13_10), (120_00, 12_00)]);
        let emails = shop.emails_to("code-basic").await;
        let confirmed = emails
            .iter()
            .find(|email| email.kind == "confirmed")
            .unwrap();
        assert!(
            confirmed
                .text_body
                .contains("Discount (BASIC10): −₹25.10\n  Total: ₹225.90")
        );
        assert!(
            confirmed
                .text_body
                .contains("code-basic (2 × 50 g, 1 × 100 g): ₹251\n")
        );

        let seen = report(&admin, "BASIC10").await;
        assert_eq!((&seen["uses"], &seen["held"]), (&json!(1), &json!(0)));
        assert_eq!(
            (paise(&seen["turnover"]), paise(&seen["cost"])),
            (225_90, 25_10)
        );
        let csv = admin
            .get(&format!("/api/admin/orders/export.csv?orderId={id}"))
            .await;
        assert!(
            csv.text().trim_end().ends_with(",BASIC10,25.10"),
            "{}",
            csv.text()
        );
        let slip = admin
            .get(&format!("/api/admin/packing.pdf?orders={id}"))
            .await;
        assert_eq!(slip.status, 200);
        shop.assert_consistent_for("code-basic", &[stored]).await;
    });
}

#[test]
fn code_that_does_not_apply_is_shown_with_its_reason() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, home) = shopper(shop, "code-reasons", (1, 0)).await;
        enter(&customer, "NO-SUCH-CODE")
            .await
            .expect_code(404, "discount_not_found", "code");
        enter(&customer, "'; --")
            .await
            .expect_code(404, "discount_not_found", "code");
        let rejected = |more: Value| {
            let (admin, customer) = (&admin, &customer);
            async move {
                let code = format!("REASON-{}", more.to_string().len());
                add_code(admin, &code, "percent", 10.0, more).await;
                let response = enter(customer, &code).await;
                response.expect_code(409, "discount_not_applicable", "code");
                response.json()["message"].as_str().unwrap().to_owned()
            }
        };
        assert_eq!(
            rejected(json!({ "active": false })).await,
            "This code is not valid at the moment."
        );
        assert_eq!(
            rejected(json!({ "to": "2020-01-31" })).await,
            "This code has expired."
        );
        assert_eq!(
            rejected(json!({ "from": "2999-12-31T18:30" })).await,
            "This code is valid from 31 Dec 2999, 6:30 PM."
        );
        assert_eq!(cart(&customer).await["discountCode"], Value::Null);

        // These depend on the cart, so the code stays in it.
        let minimum = json!({ "minTotal": 131 });
        add_code(&admin, "FROM131", "amount", 20.0, minimum).await;
        let waiting = enter(&customer, "from131").await.expect_ok()["cart"].take();
        assert_eq!(
            waiting["discountNotice"],
            "This code needs an order of ₹131 or more. Add items for ₹65.50."
        );
        assert_eq!(paise(&waiting["totalAmount"]), 65_50);
        let refused = customer.check_out(&home).await;
        refused.expect_code(409, "discount_not_applicable", "");
        refused.expect_error(
            409,
            "The code FROM131 cannot be used. This code needs an order of ₹131 or more. Add items for ₹65.50.",
        );
        customer.add("code-reasons", 1, 0).await;
        let enough = cart(&customer).await;
        assert_eq!(enough["discountNotice"], Value::Null);
        assert_eq!(paise(&enough["totalAmount"]), 111_00);

        let other = json!({ "products": ["goda-masala"], "categories": ["Beverages"] });
        add_code(&admin, "OTHERS", "percent", 50.0, other).await;
        let others = enter(&customer, "OTHERS").await.expect_ok()["cart"].take();
        assert_eq!(
            others["discountNotice"],
            "This code is not for the items in your cart."
        );
        customer.add("chai-masala", 1, 0).await;
        assert_eq!(paise(&cart(&customer).await["discountAmount"]), 40_00);

        let removed = customer.delete("/api/cart/discount").await.expect_ok();
        assert_eq!(removed["cart"]["discountCode"], Value::Null);
        enter(&customer, "OTHERS").await.expect_ok();
        customer
            .delete("/api/cart/api/cart/clear")
            .await
            .expect_ok();
        assert_eq!(cart(&customer).await["discountCode"], Value::Null);
    });
}

#[test]
fn code_that_runs_out_before_the_checkout_is_refused() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let code = add_code(&admin, "LASTONE", "percent", 10.0, json!({ "maxUses": 1 })).await;
        let (first, first_home) = shopper(shop, "code-last-a", (1, 0)).await;
        let (second, second_home) = shopper(shop, "code-last-b", (1, 0)).await;
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
        let (first, first_home) = shopper(shop, "code-late-a", (1, 0)).await;
        let (second, second_home) = shopper(shop, "code-late-b", (1, 0)).await;
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
        finish_refunds(shop, &stored.id).await;
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
        let (customer, home) = shopper(shop, "code-once", (1, 0)).await;
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
        let (customer, home) = shopper(shop, "code-free", (1, 1)).await;
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
        let invoice = &documents(shop, &stored).await[0];
        let sum = |of: fn(&mirasa_domain::invoice::DocumentLine) -> Paise| {
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
        let (customer, home) = shopper(shop, "code-refund", (3, 1)).await;
        customer.add("goda-masala", 1, 0).await;
        enter(&customer, "SEVENTH").await.expect_ok();
        let payment = PendingPayment::from_response(&customer.check_out(&home).await);
        pay(&customer, &payment).await;
        let order = shop.order_of(&payment).await;
        set_status(&admin, &order.id, "shipped").await.expect_ok();
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
            finish_refunds(shop, &order.id).await;
        }
        assert_eq!(returned, order.state.total.get());
        let documents = documents(shop, &order).await;
        let notes: Paise = documents[1..].iter().map(|note| note.total()).sum();
        assert_eq!(
            (documents.len(), documents[0].total(), notes),
            (4, order.state.total, order.state.total)
        );
        assert_eq!(report(&admin, "SEVENTH").await["turnover"], 0);
        shop.assert_consistent_for("code-refund", &[order]).await;
    });
}

#[test]
fn admin_adds_changes_and_pauses_codes() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let more = json!({
            "maxUses": 500, "oncePerCustomer": true, "firstOrderOnly": true, "minTotal": 499.5,
            "categories": ["beverages"], "products": ["goda-masala"], "from": "2026-11-20", "to": "2026-11-25"
        });
        let code = add_code(&admin, "diwali-20", "percent", 12.5, more).await;
        assert_eq!(
            (&code["code"], &code["value"]),
            (&json!("DIWALI-20"), &json!(12.5))
        );
        assert_eq!(
            (&code["from"], &code["to"]),
            (&json!("2026-11-20T00:00"), &json!("2026-11-25T23:59"))
        );
        assert_eq!(
            (&code["minTotal"], &code["active"]),
            (&json!(499.5), &json!(true))
        );
        assert_eq!(report(&admin, "DIWALI-20").await, code);
        let same = json!({ "code": "DIWALI-20", "kind": "amount", "value": 5 });
        admin.post("/api/admin/discounts", same).await.expect_code(
            409,
            "discount_code_taken",
            "code",
        );
        for (field, value) in [
            ("code", json!("ABC")),
            ("code", json!("DIWALI-21")),
            ("value", json!(0)),
            ("value", json!(100.01)),
            ("value", json!(-1)),
            ("value", json!(1.005)),
            ("maxUses", json!(0)),
            ("minTotal", json!(-1)),
            ("products", json!(["no-such-product"])),
            ("categories", json!(["No such category"])),
            ("from", json!("25.11.2026")),
            ("to", json!("2026-11-19")),
        ] {
            change_code(&admin, &code, field, value)
                .await
                .expect_code(400, "invalid_input", field);
        }
        assert_eq!(report(&admin, "DIWALI-20").await, code);
        let paused = change_code(&admin, &code, "active", json!(false))
            .await
            .expect_ok();
        assert_eq!(paused["discount"]["active"], false);
        let resumed = change_code(&admin, &code, "active", json!(true))
            .await
            .expect_ok();
        assert_eq!(resumed["discount"]["active"], true);
        let entries = audit_entries(&admin, code["_id"].as_str().unwrap()).await;
        let mut actions: Vec<_> = entries
            .iter()
            .map(|(action, detail)| format!("{action}: {detail}"))
            .collect();
        actions.sort();
        assert_eq!(
            actions,
            [
                "discount added: DIWALI-20",
                "discount changed: DIWALI-20 paused",
                "discount changed: DIWALI-20 resumed"
            ]
        );
        let unknown = json!({ "code": "DIWALI-20", "kind": "percent", "value": 5 });
        admin
            .put("/api/admin/discounts/none", unknown)
            .await
            .expect_code(404, "discount_not_found", "code");
        let visitor = shop.visitor();
        let request = visitor
            .request(Method::PUT, "/api/cart/discount")
            .json(&json!({ "code": "DIWALI-20" }));
        assert_eq!(visitor.send(request).await.status, 401);
    });
}

#[test]
fn code_in_the_cart_is_exported_and_erased() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        add_code(&admin, "PRIVACY", "percent", 10.0, json!({})).await;
        let (customer, _) = shopper(shop, "code-privacy", (1, 0)).await;
        enter(&customer, "PRIVACY").await.expect_ok();
        let data = customer.get("/api/user/export").await.expect_ok();
        assert_eq!(data["cartDiscountCode"], "PRIVACY");
        customer.delete("/api/user").await.expect_ok();
        let code = report(&admin, "PRIVACY").await["_id"]
            .as_str()
            .unwrap()
            .to_owned();
        let left = format!(
            "update users set cart_version = cart_version where cart_discount_id = '{code}'"
        );
        assert_eq!(shop.sql(&left).await, 0);
        assert!(read_db!(shop, db => db.discount(&code).await?).is_some());
    });
}
