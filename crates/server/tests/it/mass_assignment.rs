//! Fields that nobody asked for: whoever sends them along finds that the shop has not read them.

use serde_json::{Value, json};

use crate::harness::{PendingPayment, ProductFixture, TestClient, TestShop, for_each_engine};

const STOLEN_ID: &str = "00000000-0000-7000-8000-000000000bad";

/// The body, and beside it everything that its sender must not decide.
fn greedy(mut body: Value, victim: &str) -> Value {
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
fn a_purchase_is_the_buyers_at_the_shops_price() {
    for_each_engine(async |shop| {
        let fixture = shop
            .add_product(ProductFixture::new("greedy-masala", "Greedy Masala"))
            .await;
        let victim = shop.customer("greedy-victim").await;
        let victim_id = id_of(&victim).await;
        let thief = shop.customer("greedy-thief").await;
        let thief_id = id_of(&thief).await;

        let body = json!({ "productId": fixture, "qty_50g": 2 });
        let cart = thief
            .post("/api/cart/add-to-cart", greedy(body, &victim_id))
            .await
            .expect_ok();
        assert_eq!(cart["cart"]["totalAmount"], 131);
        // An older version is a conflict, so this body brings its own.
        let version = &cart["cart"]["version"];
        let body = json!({ "productId": fixture, "qty_50g": 1, "qty_100g": 0, "version": version });
        let cart = thief
            .put("/api/cart/update", greedy(body, &victim_id))
            .await
            .expect_ok();
        assert_eq!(cart["cart"]["items"][0]["price_50g"], 65.5);
        assert_eq!(cart["cart"]["totalAmount"], 65.5);
        let theirs = victim.get("/api/cart/cart").await.expect_ok();
        assert_eq!(theirs["cart"]["items"], json!([]), "not into their cart");

        let body = json!({
            "addressName": "Home", "name": "Thief", "phone": "9876543210", "addressLine1": "1 Lane",
            "city": "Pune", "state": "Maharashtra", "pincode": "411030",
        });
        let added = thief
            .post("/api/addresses", greedy(body, &victim_id))
            .await
            .expect_ok();
        let address = added["address"]["_id"].as_str().unwrap();
        assert_ne!(address, STOLEN_ID);
        let theirs = victim.get("/api/addresses").await.expect_ok();
        assert_eq!(theirs["addresses"], json!([]), "not into their addresses");

        let body = greedy(json!({ "addressId": address }), &victim_id);
        let payment = PendingPayment::from_response(&thief.post("/api/cart/checkout", body).await);
        assert_ne!(payment.number, "MINE");
        assert!(payment.page.starts_with("/sandbox/phonepe/"), "{}", payment.page);
        let order = thief.payment_result(&payment).await["order"].take();
        assert_ne!(order["_id"], STOLEN_ID);
        for (field, value) in [
            ("userId", json!(thief_id)),
            ("totalAmount", json!(65.5)),
            ("paymentStatus", json!("pending")),
            ("orderStatus", json!("pending")),
        ] {
            assert_eq!(order[field], value, "{field}");
        }
        let record = shop.gateway_record().await;
        let mut asked = record["orders"].as_array().unwrap().iter();
        let asked = asked.find(|order| order["merchantOrderId"] == payment.number.as_str());
        assert_eq!(asked.unwrap()["amount"], 65_50);
        thief.submit_payment(&payment, "fail").await;
        thief.settled_result(&payment).await;
    });
}

#[test]
fn nobody_makes_an_admin_of_themselves() {
    for_each_engine(async |shop| {
        let thief = shop.customer("greedy-climber").await;
        let before = thief.get("/api/userinfo").await.expect_ok();
        let body = greedy(json!({ "name": "Greedy Climber" }), "nobody");
        let after = thief.put("/api/user/profile", body).await.expect_ok();
        for field in ["_id", "email", "role", "profilePicture", "photo"] {
            assert_eq!(after["user"][field], before["user"][field], "{field}");
        }
        assert_eq!(thief.get("/api/admin/users").await.status, 403);

        let body = json!({ "name": "x", "email": "x@it.example", "message": "x" });
        let visitor = shop.visitor();
        let body = greedy(body, "nobody");
        assert_eq!(visitor.post("/api/api/queries", body).await.status, 201);
        let stolen = format!("update contact_queries set id = id where id = '{STOLEN_ID}'");
        assert_eq!(shop.sql(&stolen).await, 0, "it chose its own id");
    });
}

/// An admin decides much, but not everything.
#[test]
fn an_admin_chooses_no_ids_and_no_e_mail_addresses() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let person = shop.customer("greedy-person").await;
        let id = id_of(&person).await;
        let body = greedy(json!({ "name": "Renamed", "role": "customer" }), "nobody");
        let after = admin
            .put(&format!("/api/admin/users/{id}"), body)
            .await
            .expect_ok();
        assert_eq!(after["user"]["_id"], id.as_str());
        assert_eq!(
            after["user"]["email"],
            TestShop::email("greedy-person").as_str()
        );
        assert_eq!(after["user"]["name"], "Renamed");

        let body = json!({
            "product_name": "Greedy Product", "category": "Veg", "mrp": [65.5], "ingredients": ["Salt"],
            "net_wt": [{ "value": 50, "unit": "g" }], "stock": 5,
        });
        let added = admin
            .post("/api/admin/addProduct", greedy(body, "nobody"))
            .await
            .expect_ok();
        let product = &added["product"];
        assert_eq!(product["_id"], "greedy-product");
        assert_eq!(
            (&product["version"], &product["stock"]),
            (&json!(1), &json!(5))
        );
        admin
            .delete("/api/admin/deleteProduct/greedy-product")
            .await
            .expect_ok();
    });
}
