//! Discount codes: in the cart, in the order that is placed with one, in exports, and what an admin does with them.

use http::Method;
use mirasa_domain::money::Paise;
use serde_json::{Value, json};

use crate::admin_products::audit_entries;

use crate::admin_orders_csv::{export, rows};
use crate::harness::{
    PendingPayment, ProductFixture, TestClient, TestResponse, TestShop, for_each_engine, paise,
    read_db,
};
use crate::invoices::{invoices, set_status};

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

pub async fn change_code(
    admin: &TestClient,
    code: &Value,
    field: &str,
    value: Value,
) -> TestResponse {
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

pub async fn cart(customer: &TestClient) -> Value {
    customer.get("/api/cart/cart").await.expect_ok()["cart"].take()
}

pub async fn report(admin: &TestClient, code: &str) -> Value {
    let all = admin.get("/api/admin/discounts").await.expect_ok();
    let all = all["discounts"].as_array().unwrap().clone();
    all.into_iter().find(|one| one["code"] == code).unwrap()
}

/// A customer with packs of a new product in the cart, and their address.
pub async fn customer_with_cart(
    shop: &TestShop,
    name: &'static str,
    packs: (u32, u32),
) -> (TestClient, String) {
    let product = shop.add_product(ProductFixture::new(name, name)).await;
    let customer = shop.customer(name).await;
    customer.add(product, packs.0, packs.1).await;
    let home = customer.home().await;
    (customer, home)
}

pub async fn pay(customer: &TestClient, payment: &PendingPayment) -> Value {
    customer.submit_payment(payment, "pay").await;
    customer.settled_result(payment).await["order"].take()
}

#[test]
fn code_reduces_cart_order_invoice_and_emails() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, home) = customer_with_cart(shop, "code-basic", (2, 1)).await;
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
        let invoice = &invoices(shop, &stored).await[0];
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
                .contains("code-basic (2 × 50 g, 1 × 100 g): ₹251.00\n")
        );

        let seen = report(&admin, "BASIC10").await;
        assert_eq!((&seen["uses"], &seen["held"]), (&json!(1), &json!(0)));
        assert_eq!(
            (paise(&seen["turnover"]), paise(&seen["cost"])),
            (225_90, 25_10)
        );
        // The columns of this file are given; the total is what was paid.
        let csv = export(&admin, &format!("orderId={id}")).await;
        assert_eq!(&rows(&csv)[0][2], "225.90");
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
        let (customer, home) = customer_with_cart(shop, "code-reasons", (1, 0)).await;
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
        let (customer, _) = customer_with_cart(shop, "code-privacy", (1, 0)).await;
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
        assert!(read_db!(shop, db => db.discount(&code.as_str().into()).await?).is_some());
    });
}
