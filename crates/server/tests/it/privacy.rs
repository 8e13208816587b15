//! What a person may ask of the shop: all that it knows of them, and to be forgotten.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::harness::{PendingPayment, ProductFixture, TestClient, TestShop, for_each_engine, png};

/// Somebody who has left traces everywhere, with one order paid.
async fn regular(shop: &TestShop, name: &'static str, seed: u8) -> (TestClient, PendingPayment) {
    let fixture = shop.add_product(ProductFixture::new(name, name)).await;
    let customer = shop.customer(name).await;
    let profile = json!({ "name": "Asha Kulkarni", "phone": "9876543210", "dateOfBirth": "1990-02-28", "gender": "female" });
    customer.put("/api/user/profile", profile).await.expect_ok();
    let picture = format!(
        "data:image/png;base64,{}",
        STANDARD.encode(png(80, 80, seed))
    );
    customer
        .put(
            "/api/user/profile-picture",
            json!({ "profilePicture": picture }),
        )
        .await
        .expect_ok();
    let home = customer.home().await;
    customer.add(fixture, 1, 0).await;
    let payment = PendingPayment::from_response(&customer.check_out(&home).await);
    customer.submit_payment(&payment, "pay").await;
    customer.settled_result(&payment).await;
    customer.add("rasam-powder", 2, 1).await;
    customer
        .post("/api/user/wishlist/goda-masala", json!({}))
        .await
        .expect_ok();
    let email = TestShop::email(name).to_uppercase();
    let query = json!({ "name": "Asha", "email": email, "message": "Where is my parcel?" });
    customer.post("/api/api/queries", query).await.expect_ok();
    (customer, payment)
}

#[test]
fn everything_known_of_a_person_is_in_one_file() {
    for_each_engine(async |shop| {
        let (customer, payment) = regular(shop, "exporter", 31).await;
        let other = shop.customer("exporter-other").await;
        let response = customer.get("/api/user/export").await;
        let data = response.expect_ok();
        let name = response.header("content-disposition");
        assert!(
            name.starts_with("attachment; filename=\"my-data_20") && name.ends_with(".json\""),
            "{name}"
        );
        assert_eq!(response.header("cache-control"), "no-store");

        assert_eq!(data["user"]["email"], "exporter@it.example");
        assert_eq!(data["user"]["dateOfBirth"], "1990-02-28");
        assert!(
            data["user"]["profilePicture"]
                .as_str()
                .unwrap()
                .starts_with("/images/people/")
        );
        assert_eq!(data["addresses"][0]["addressLine1"], "12 Laxmi Road");
        assert_eq!(
            data["cart"],
            json!([{ "productId": "rasam-powder", "productName": "Rasam Powder", "qty_50g": 2, "qty_100g": 1 }])
        );
        assert_eq!(
            data["wishlist"],
            json!([{ "productId": "goda-masala", "productName": "Goda Masala" }])
        );
        let orders = data["orders"].as_array().unwrap();
        assert_eq!(orders.len(), 1);
        assert_eq!(orders[0]["merchantOrderId"], payment.number.as_str());
        assert_eq!(orders[0]["deliveryAddress"]["city"], "Pune");
        assert_eq!(data["queries"][0]["message"], "Where is my parcel?");

        let nothing = other.get("/api/user/export").await.expect_ok();
        for list in ["addresses", "cart", "wishlist", "orders", "queries"] {
            assert_eq!(nothing[list], json!([]), "{list} of somebody else");
        }
        shop.visitor()
            .get("/api/user/export")
            .await
            .expect_error(401, "not authenticated");
    });
}

#[test]
fn a_person_who_wants_to_be_forgotten_is() {
    for_each_engine(async |shop| {
        let (customer, payment) = regular(shop, "forgotten", 32).await;
        let phone = shop.customer("forgotten").await;
        let user = customer.get("/api/userinfo").await.expect_ok()["user"].take();
        let (id, picture) = (
            user["_id"].as_str().unwrap(),
            user["profilePicture"].as_str().unwrap(),
        );
        assert_eq!(shop.visitor().get(picture).await.status, 200);

        let response = customer.delete("/api/user").await;
        assert_eq!(response.expect_ok(), json!({ "success": true }));
        assert!(customer.session().is_none(), "the cookie is taken back");
        phone
            .get("/api/cart/cart")
            .await
            .expect_error(401, "not authenticated");
        assert_eq!(
            shop.visitor().get(picture).await.status,
            404,
            "the picture is gone"
        );
        for (table, rows) in [
            ("sessions", 0),
            ("addresses", 0),
            ("cart_lines", 0),
            ("wishes", 0),
            ("idempotency_keys", 0),
            ("orders", 1),
        ] {
            let found = shop
                .sql(&format!(
                    "update {table} set user_id = user_id where user_id = '{id}'"
                ))
                .await;
            assert_eq!(found, rows, "{table}");
        }
        let row = format!(
            "update users set id = id where id = '{id}' and email = '' and name = '' and phone is null and date_of_birth is null and gender is null and profile_picture is null and deleted_at is not null"
        );
        assert_eq!(shop.sql(&row).await, 1);
        assert_eq!(
            shop.sql(
                "update contact_queries set id = id where lower(email) = 'forgotten@it.example'"
            )
            .await,
            0
        );

        // The order is as it was, and its owner can still send it.
        let order = shop.order_of(&payment).await;
        assert_eq!(order.address.name, "Asha Kulkarni");
        let admin = shop.admin().await;
        let path = format!("/api/admin/orders/{}/status", order.id);
        admin
            .put(&path, json!({ "orderStatus": "shipped" }))
            .await
            .expect_ok();
        let people = admin
            .get("/api/admin/users?search=forgotten")
            .await
            .expect_ok();
        assert_eq!(people["users"], json!([]));

        // Who comes back is somebody new.
        customer.sign_in(&TestShop::email("forgotten")).await;
        let again = customer.get("/api/user/export").await.expect_ok();
        assert_ne!(again["user"]["_id"], id);
        assert_eq!(
            (&again["orders"], &again["user"]["phone"]),
            (&json!([]), &Value::Null)
        );
    });
}

#[test]
fn an_order_that_an_admin_deleted_is_in_the_file_and_marked() {
    for_each_engine(async |shop| {
        let (customer, payment) = regular(shop, "exporter-deleted", 35).await;
        let id = shop.order_of(&payment).await.id;
        let before = customer.get("/api/user/export").await.expect_ok();
        assert_eq!(before["orders"][0]["deletedAt"], Value::Null);
        let home = customer.home().await;
        let newer = PendingPayment::from_response(&customer.check_out(&home).await);
        let admin = shop.admin().await;
        admin
            .delete(&format!("/api/admin/orders/{id}"))
            .await
            .expect_ok();

        let data = customer.get("/api/user/export").await.expect_ok();
        let orders = data["orders"].as_array().unwrap();
        assert_eq!(orders.len(), 2);
        assert_eq!(orders[0]["merchantOrderId"], newer.number.as_str());
        assert_eq!(orders[0]["deletedAt"], Value::Null);
        assert_eq!(orders[1]["_id"], id.as_str());
        assert_eq!(orders[1]["deliveryAddress"]["city"], "Pune");
        assert!(orders[1]["deletedAt"].as_str().unwrap().starts_with("20"));
        let listed = customer.get("/api/user/orders").await.expect_ok();
        assert_eq!(listed["orders"].as_array().unwrap().len(), 1);
    });
}

#[test]
fn a_picture_that_somebody_else_has_too_stays() {
    for_each_engine(async |shop| {
        let same = format!("data:image/png;base64,{}", STANDARD.encode(png(70, 70, 33)));
        let own = format!("data:image/png;base64,{}", STANDARD.encode(png(70, 70, 34)));
        let (one, two) = (
            shop.customer("twin-one").await,
            shop.customer("twin-two").await,
        );
        let set = async |browser: &TestClient, picture: &str| {
            let body = json!({ "profilePicture": picture });
            let user = browser
                .put("/api/user/profile-picture", body)
                .await
                .expect_ok();
            user["user"]["profilePicture"].as_str().unwrap().to_owned()
        };
        let first = set(&one, &own).await;
        let shared = set(&one, &same).await;
        assert_eq!(
            shop.visitor().get(&first).await.status,
            404,
            "a replaced picture goes"
        );
        assert_eq!(set(&two, &same).await, shared);
        one.delete("/api/user").await.expect_ok();
        assert_eq!(shop.visitor().get(&shared).await.status, 200);
        two.delete("/api/user").await.expect_ok();
        assert_eq!(shop.visitor().get(&shared).await.status, 404);
    });
}
