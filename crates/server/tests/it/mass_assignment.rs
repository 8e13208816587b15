//! Mass assignment: additional fields in a request body are ignored.

use serde_json::{Value, json};

use crate::harness::{PendingPayment, ProductFixture, TestClient, TestShop, for_each_engine};

const STOLEN_ID: &str = "00000000-0000-7000-8000-000000000bad";

/// The body with additional fields that the client must not set.
fn with_extra_fields(mut body: Value, victim: &str) -> Value {
    let more = json!({
        "_id": STOLEN_ID, "id": STOLEN_ID, "userId": victim, "user_id": victim, "user": { "_id": victim },
        "role": "admin", "isAdmin": true, "admin": true, "email": "owner@it.example",
        "email_verified": true, "deleted_at": null, "price": 0.01, "mrp": [0.01], "price_50g": 0.01,
        "lineTotal": 0.01, "total": 0.01, "totalAmount": 0.01, "amount": 1, "discount": 100,
        "paymentStatus": "completed", "orderStatus": "delivered", "status": "completed",
        "merchantOrderId": "MINE", "version": 99, "stock": 1_000_000, "isVisible": true,
        "profilePicture": "/images/people/other.webp", "photo": "https://evil.example/x.png",
        "createdAt": "1970-01-01T00:00:00Z", "redirectUrl": "https://evil.example",
        "__proto__": { "role": "admin" }, "constructor": { "prototype": { "role": "admin" } },
    });
    let fields = body.as_object_mut().unwrap();
    for (name, value) in more.as_object().unwrap() {
        fields.entry(name).or_insert(value.clone());
    }
    body
}

async fn id_of(browser: &TestClient) -> String {
    let user = browser.get("/api/userinfo").await.expect_ok();
    user["user"]["_id"].as_str().unwrap().to_owned()
}

#[test]
fn purchase_ignores_user_ids_and_prices_in_the_body() {
    for_each_engine(async |shop| {
        let fixture = shop
            .add_product(ProductFixture::new(
                "extra-fields-masala",
                "Extra Fields Masala",
            ))
            .await;
        let victim = shop.customer("extra-fields-victim").await;
        let victim_id = id_of(&victim).await;
        let attacker = shop.customer("extra-fields-attacker").await;
        let attacker_id = id_of(&attacker).await;

        let body = json!({ "productId": fixture, "qty_50g": 2 });
        let cart = attacker
            .post("/api/cart/add-to-cart", with_extra_fields(body, &victim_id))
            .await
            .expect_ok();
        assert_eq!(cart["cart"]["totalAmount"], 131);
        // Another version would be a conflict, so this body has the current one.
        let version = &cart["cart"]["version"];
        let body = json!({ "productId": fixture, "qty_50g": 1, "qty_100g": 0, "version": version });
        let cart = attacker
            .put("/api/cart/update", with_extra_fields(body, &victim_id))
            .await
            .expect_ok();
        assert_eq!(cart["cart"]["items"][0]["price_50g"], 65.5);
        assert_eq!(cart["cart"]["totalAmount"], 65.5);
        let victims = victim.get("/api/cart/cart").await.expect_ok();
        assert_eq!(
            victims["cart"]["items"],
            json!([]),
            "the victim's cart is unchanged"
        );

        let body = json!({
            "addressName": "Home", "name": "Attacker", "phone": "9876543210", "addressLine1": "1 Lane",
            "city": "Pune", "state": "Maharashtra", "pincode": "411030",
        });
        let added = attacker
            .post("/api/addresses", with_extra_fields(body, &victim_id))
            .await
            .expect_ok();
        let address = added["address"]["_id"].as_str().unwrap();
        assert_ne!(address, STOLEN_ID);
        let victims = victim.get("/api/addresses").await.expect_ok();
        assert_eq!(
            victims["addresses"],
            json!([]),
            "the victim's addresses are unchanged"
        );

        let body = with_extra_fields(json!({ "addressId": address }), &victim_id);
        let payment =
            PendingPayment::from_response(&attacker.post("/api/cart/checkout", body).await);
        assert_ne!(payment.number, "MINE");
        assert!(
            payment.page.starts_with("/sandbox/phonepe/"),
            "{}",
            payment.page
        );
        let order = attacker.payment_result(&payment).await["order"].take();
        assert_ne!(order["_id"], STOLEN_ID);
        for (field, value) in [
            ("userId", json!(attacker_id)),
            ("totalAmount", json!(65.5)),
            ("paymentStatus", json!("pending")),
            ("orderStatus", json!("pending")),
        ] {
            assert_eq!(order[field], value, "{field}");
        }
        let record = shop.gateway_record().await;
        let mut gateway_order = record["orders"].as_array().unwrap().iter();
        let gateway_order =
            gateway_order.find(|order| order["merchantOrderId"] == payment.number.as_str());
        assert_eq!(gateway_order.unwrap()["amount"], 65_50);
        attacker.submit_payment(&payment, "fail").await;
        attacker.settled_result(&payment).await;
    });
}

#[test]
fn customer_cannot_set_their_own_role() {
    for_each_engine(async |shop| {
        let attacker = shop.customer("extra-fields-role").await;
        let before = attacker.get("/api/userinfo").await.expect_ok();
        let body = with_extra_fields(json!({ "name": "Extra Fields" }), "no-such-user");
        let after = attacker.put("/api/user/profile", body).await.expect_ok();
        for field in ["_id", "email", "role", "profilePicture", "photo"] {
            assert_eq!(after["user"][field], before["user"][field], "{field}");
        }
        assert_eq!(attacker.get("/api/admin/users").await.status, 403);

        let body = json!({ "name": "x", "email": "x@it.example", "message": "x" });
        let visitor = shop.visitor();
        let body = with_extra_fields(body, "no-such-user");
        assert_eq!(visitor.post("/api/api/queries", body).await.status, 201);
        let stolen = format!("update contact_queries set id = id where id = '{STOLEN_ID}'");
        assert_eq!(shop.sql(&stolen).await, 0, "the body must not set the id");
    });
}

/// Admins cannot set ids and e-mail addresses either.
#[test]
fn admin_cannot_set_ids_and_email_addresses() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let customer = shop.customer("extra-fields-renamed").await;
        let id = id_of(&customer).await;
        let body = with_extra_fields(
            json!({ "name": "Renamed", "role": "customer" }),
            "no-such-user",
        );
        let after = admin
            .put(&format!("/api/admin/users/{id}"), body)
            .await
            .expect_ok();
        assert_eq!(after["user"]["_id"], id.as_str());
        assert_eq!(
            after["user"]["email"],
            TestShop::email("extra-fields-renamed").as_str()
        );
        assert_eq!(after["user"]["name"], "Renamed");

        let body = json!({
            "product_name": "Extra Fields Product", "category": "Veg", "mrp": [65.5], "ingredients": ["Salt"],
            "net_wt": [{ "value": 50, "unit": "g" }], "stock": 5,
        });
        let added = admin
            .post(
                "/api/admin/addProduct",
                with_extra_fields(body, "no-such-user"),
            )
            .await
            .expect_ok();
        let product = &added["product"];
        assert_eq!(product["_id"], "extra-fields-product");
        assert_eq!(
            (&product["version"], &product["stock"]),
            (&json!(1), &json!(5))
        );
        admin
            .delete("/api/admin/deleteProduct/extra-fields-product")
            .await
            .expect_ok();
    });
}
