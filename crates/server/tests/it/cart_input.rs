//! What a hostile or clumsy page might send to the cart.

use serde_json::{Value, json};

use crate::cart::{cart, packs};
use crate::harness::{ProductFixture, for_each_engine};

#[test]
fn a_quantity_is_a_whole_number_within_reason() {
    for_each_engine(async |shop| {
        let browser = shop.customer("input-quantities").await;
        for (field, value, status) in [
            ("qty_50g", json!(-1), 400),
            ("qty_50g", json!(1.5), 400),
            ("qty_50g", json!("1"), 400),
            ("qty_50g", json!(true), 400),
            ("qty_50g", json!([1]), 400),
            ("qty_50g", json!({}), 400),
            ("qty_50g", json!(10_001), 400),
            ("qty_50g", json!(i64::MAX), 400),
            ("qty_50g", json!(u64::MAX), 400),
            ("qty_50g", json!(1e300), 400),
            ("qty_100g", json!(-1), 400),
            ("qty_100g", json!(0.1), 400),
            ("qty_100g", json!(4_294_967_297_i64), 400),
            ("quantity", json!(-3), 400),
            ("quantity", json!("three"), 400),
            ("quantity", json!(2.000_1), 400),
            ("quantity", json!(0), 400),
            ("qty_50g", json!(0), 400),
            ("qty_50g", json!(null), 400),
            ("qty_50g", json!(9_999), 409),
        ] {
            let body = json!({ "productId": "goda-masala", field: value });
            let response = browser.post("/api/cart/add-to-cart", body.clone()).await;
            assert_eq!(response.status, status, "{body}: {response:?}");
            let text = response.error_text();
            let nothing = text == "Choose at least one pack";
            assert!(
                status == 409 || nothing || text.contains(field),
                "{body} does not name the field: {text}"
            );
        }
        let missing = json!({ "productId": "goda-masala" });
        let response = browser.post("/api/cart/add-to-cart", missing).await;
        response.expect_error(400, "Choose at least one pack");
        assert_eq!(
            packs(&cart(&browser).await),
            [],
            "none of them changed the cart"
        );
    });
}

#[test]
fn an_update_needs_both_quantities_as_numbers() {
    for_each_engine(async |shop| {
        let browser = shop.customer("input-update").await;
        for (body, field) in [
            (
                json!({ "productId": "goda-masala", "qty_50g": 1 }),
                "qty_100g",
            ),
            (
                json!({ "productId": "goda-masala", "qty_100g": 1 }),
                "qty_50g",
            ),
            (json!({ "qty_50g": 1, "qty_100g": 1 }), "productId"),
            (
                json!({ "productId": "goda-masala", "qty_50g": 1, "qty_100g": "1" }),
                "qty_100g",
            ),
            (
                json!({ "productId": "goda-masala", "qty_50g": 1.2, "qty_100g": 1 }),
                "qty_50g",
            ),
            (
                json!({ "productId": "goda-masala", "qty_50g": 1, "qty_100g": 10_001 }),
                "qty_100g",
            ),
            (
                json!({ "productId": " ", "qty_50g": 1, "qty_100g": 1 }),
                "Product ID",
            ),
        ] {
            let response = browser.put("/api/cart/update", body.clone()).await;
            assert_eq!(response.status, 400, "{body}");
            let text = response.error_text();
            assert!(text.contains(field), "{body} does not name {field}: {text}");
        }
    });
}

#[test]
fn only_what_is_on_sale_can_be_added() {
    for_each_engine(async |shop| {
        let browser = shop.customer("input-products").await;
        let long = "x".repeat(10_000);
        for id in [
            "hidden-masala",
            "deleted-masala",
            "no-such-masala",
            "GODA-MASALA",
            "' or 1=1 --",
            "🌶️",
            &long,
        ] {
            let add = json!({ "productId": id, "qty_50g": 1, "qty_100g": 0 });
            let response = browser.post("/api/cart/add-to-cart", add.clone()).await;
            response.expect_error(404, "Product not found.");
            browser
                .put("/api/cart/update", add)
                .await
                .expect_error(404, "Product not found.");
        }
        for id in ["", "   "] {
            let response = browser
                .post(
                    "/api/cart/add-to-cart",
                    json!({ "productId": id, "qty_50g": 1 }),
                )
                .await;
            response.expect_error(400, "Product ID is required to add item to cart");
        }
        assert_eq!(packs(&cart(&browser).await), []);
    });
}

#[test]
fn a_size_without_a_price_is_not_sold() {
    for_each_engine(async |shop| {
        let browser = shop.customer("input-sizes").await;
        let body = json!({ "productId": "chai-masala", "qty_50g": 0, "qty_100g": 1 });
        let response = browser.post("/api/cart/add-to-cart", body).await;
        response.expect_error(400, "This product is not sold in that pack size");
    });
}

#[test]
fn what_the_page_says_about_prices_and_people_is_not_believed() {
    for_each_engine(async |shop| {
        let browser = shop.customer("input-trust").await;
        let free = shop
            .add_product(ProductFixture::new("input-trusted", "Trusted"))
            .await;
        let body = json!({
            "productId": free, "qty_50g": 1, "qty_100g": 0,
            "price_50g": 0, "lineTotal": 0, "userId": "somebody-else", "role": "admin",
        });
        let response: Value = browser
            .post("/api/cart/add-to-cart", body)
            .await
            .expect_ok();
        assert_eq!(response["cart"]["totalAmount"], json!(65.5));
        let me = browser.get("/api/userinfo").await.expect_ok();
        assert_eq!(me["user"]["role"], "customer");
    });
}
