//! The cart: exact totals in paise, limited by stock, separate for each customer.

use mirasa_domain::money::Paise;
use mirasa_domain::product::ProductId;
use serde_json::{Value, json};

use crate::harness::{ProductFixture, TestClient, for_each_engine, now_ms, write_db};

pub async fn add(
    browser: &TestClient,
    product: &str,
    of_50g: u32,
    of_100g: u32,
) -> crate::harness::TestResponse {
    let body = json!({ "productId": product, "qty_50g": of_50g, "qty_100g": of_100g });
    browser.post("/api/cart/add-to-cart", body).await
}

pub async fn cart(browser: &TestClient) -> Value {
    browser.get("/api/cart/cart").await.expect_ok()["cart"].take()
}

/// (packs of 50 g, packs of 100 g) of each product.
pub fn packs(cart: &Value) -> Vec<(&str, u64, u64)> {
    let items = cart["items"].as_array().unwrap().iter();
    let lines = items.map(|item| {
        let count = |field: &str| item[field].as_u64().unwrap();
        (
            item["productId"].as_str().unwrap(),
            count("qty_50g"),
            count("qty_100g"),
        )
    });
    lines.collect()
}

#[test]
fn both_add_to_cart_bodies_add_to_the_cart() {
    for_each_engine(async |shop| {
        let browser = shop.customer("cart-bodies").await;
        assert_eq!(cart(&browser).await["items"], json!([]));
        let response = add(&browser, "goda-masala", 2, 1).await.expect_ok();
        assert_eq!(packs(&response["cart"]), [("goda-masala", 2, 1)]);
        let body = json!({ "productId": "goda-masala", "quantity": 3 });
        let response = browser
            .post("/api/cart/add-to-cart", body)
            .await
            .expect_ok();
        assert_eq!(
            packs(&response["cart"]),
            [("goda-masala", 5, 1)],
            "`quantity` means packs of 50 g"
        );
        let response = add(&browser, "chai-masala", 1, 0).await.expect_ok();
        assert_eq!(
            packs(&response["cart"]),
            [("goda-masala", 5, 1), ("chai-masala", 1, 0)]
        );
        assert_eq!(
            response["cart"],
            cart(&browser).await,
            "the response equals the saved cart"
        );
    });
}

#[test]
fn update_with_an_old_version_is_rejected_and_changes_nothing() {
    for_each_engine(async |shop| {
        let browser = shop.customer("cart-version").await;
        let first = add(&browser, "goda-masala", 1, 0).await.expect_ok()["cart"]["version"].take();
        let second = add(&browser, "goda-masala", 1, 0).await.expect_ok()["cart"]["version"].take();
        let update = async |version: Option<&Value>, of_50g: u32| {
            let mut body = json!({ "productId": "goda-masala", "qty_50g": of_50g, "qty_100g": 0 });
            if let Some(version) = version {
                body["version"] = version.clone();
            }
            browser.put("/api/cart/update", body).await
        };
        assert_eq!(update(Some(&first), 5).await.status, 409);
        assert_eq!(
            update(Some(&first), 0).await.status,
            409,
            "a removal is rejected, too"
        );
        let saved = cart(&browser).await;
        assert_eq!(packs(&saved), [("goda-masala", 2, 0)]);
        assert_eq!(
            saved["version"], second,
            "a rejected update does not change the version"
        );
        let response = update(Some(&second), 3).await.expect_ok();
        assert_eq!(packs(&response["cart"]), [("goda-masala", 3, 0)]);
        let response = update(None, 4).await.expect_ok();
        assert_eq!(
            packs(&response["cart"]),
            [("goda-masala", 4, 0)],
            "the version is optional"
        );
    });
}

#[test]
fn totals_are_exact() {
    for_each_engine(async |shop| {
        let browser = shop.customer("cart-totals").await;
        let tenth = ProductFixture {
            mrp: &[10, 19_99],
            ..ProductFixture::new("cart-tenth", "Ten Paise")
        };
        let tenth = shop.add_product(tenth).await;
        add(&browser, "goda-masala", 3, 1).await.expect_ok();
        add(&browser, tenth, 3, 3).await.expect_ok();
        let cart = cart(&browser).await;
        let item = &cart["items"][0];
        assert_eq!(
            (&item["price_50g"], &item["price_100g"]),
            (&json!(65.5), &json!(120))
        );
        assert_eq!(item["lineTotal"], json!(316.5), "3 × 65.50 + 120");
        assert_eq!(
            cart["items"][1]["lineTotal"],
            json!(60.27),
            "3 × 0.10 + 3 × 19.99"
        );
        assert_eq!(cart["totalAmount"], json!(376.77));
        assert_eq!(cart["totalPacks"], 10);
    });
}

#[test]
fn stock_limits_the_sum_of_cart_and_added_packs() {
    for_each_engine(async |shop| {
        let browser = shop.customer("cart-stock").await;
        let scarce = ProductFixture {
            grams: 500,
            pouches_50g: 6,
            pouches_100g: 3,
            ..ProductFixture::new("cart-scarce", "Scarce")
        };
        let scarce = shop.add_product(scarce).await;
        for (of_50g, of_100g, message) in [
            (7, 0, "Not enough 50g packaging available"),
            (0, 4, "Not enough 100g packaging available"),
            (6, 3, "Not enough spice stock available"),
        ] {
            add(&browser, scarce, of_50g, of_100g)
                .await
                .expect_error(409, message);
        }
        add(&browser, scarce, 4, 2).await.expect_ok();
        add(&browser, scarce, 3, 0)
            .await
            .expect_error(409, "Not enough 50g packaging available");
        add(&browser, scarce, 0, 2)
            .await
            .expect_error(409, "Not enough 100g packaging available");
        add(&browser, scarce, 2, 1)
            .await
            .expect_error(409, "Not enough spice stock available");
        let response = add(&browser, scarce, 2, 0).await.expect_ok();
        assert_eq!(packs(&response["cart"]), [(scarce, 6, 2)], "all 500 g");
        let item = &response["cart"]["items"][0];
        assert_eq!(
            (&item["max_50g"], &item["max_100g"]),
            (&json!(6), &json!(3))
        );

        let body = json!({ "productId": scarce, "qty_50g": 6, "qty_100g": 3 });
        let response = browser.put("/api/cart/update", body).await;
        response.expect_error(409, "Not enough spice stock available");
        assert_eq!(
            packs(&cart(&browser).await),
            [(scarce, 6, 2)],
            "a rejected request changes nothing"
        );
    });
}

#[test]
fn update_sets_quantities_and_zero_removes() {
    for_each_engine(async |shop| {
        let browser = shop.customer("cart-update").await;
        let set = async |of_50g: i64, of_100g: i64| {
            let body =
                json!({ "productId": "goda-masala", "qty_50g": of_50g, "qty_100g": of_100g });
            browser.put("/api/cart/update", body).await.expect_ok()["cart"].take()
        };
        assert_eq!(packs(&set(3, 2).await), [("goda-masala", 3, 2)]);
        assert_eq!(packs(&set(0, 2).await), [("goda-masala", 0, 2)]);
        assert_eq!(
            packs(&set(-1, 1).await),
            [("goda-masala", 0, 1)],
            "below 0 counts as 0"
        );
        assert_eq!(packs(&set(0, 0).await), []);
        set(1, 1).await;
        assert_eq!(packs(&set(-5, -1).await), []);
        assert_eq!(
            packs(&set(0, 0).await),
            [],
            "removing a product that is not in the cart succeeds"
        );
    });
}

#[test]
fn remove_and_clear_empty_the_cart() {
    for_each_engine(async |shop| {
        let browser = shop.customer("cart-remove").await;
        add(&browser, "goda-masala", 1, 0).await.expect_ok();
        add(&browser, "chai-masala", 1, 0).await.expect_ok();
        let response = browser
            .delete("/api/cart/remove/goda-masala")
            .await
            .expect_ok();
        assert_eq!(packs(&response["cart"]), [("chai-masala", 1, 0)]);
        browser
            .delete("/api/cart/remove/no-such-thing")
            .await
            .expect_ok();
        let response = browser.delete("/api/cart/remove/%20").await;
        response.expect_error(400, "Product ID is required to remove item from cart");
        let response = browser.delete("/api/cart/api/cart/clear").await.expect_ok();
        assert_eq!(response["cart"]["items"], json!([]));
        assert_eq!(response["cart"]["totalAmount"], 0);
        browser.delete("/api/cart/api/cart/clear").await.expect_ok();
    });
}

#[test]
fn changed_price_is_charged_and_shown() {
    for_each_engine(async |shop| {
        let browser = shop.customer("cart-prices").await;
        let fixture = ProductFixture::new("cart-dearer", "Dearer");
        let id = shop.add_product(fixture).await;
        add(&browser, id, 2, 0).await.expect_ok();
        let mut details = fixture.product_details();
        details.mrp[0] = Paise::new(70_25);
        let product = ProductId(id.into());
        write_db!(shop, tx => {
            assert!(tx.update_details(&product, &details, 1, now_ms()).await?);
        });
        shop.refresh_catalogue().await;
        let cart = cart(&browser).await;
        let item = &cart["items"][0];
        assert_eq!(item["notice"], "Price changed from ₹65.50 to ₹70.25");
        assert_eq!(item["blocked"], false);
        assert_eq!(
            cart["totalAmount"],
            json!(140.5),
            "the current price, not the last seen one"
        );

        // Adding the product again acknowledges the new price.
        let response = add(&browser, id, 1, 0).await.expect_ok();
        assert_eq!(response["cart"]["items"][0]["notice"], json!(null));
    });
}

#[test]
fn unavailable_items_stay_in_the_cart_with_a_notice() {
    for_each_engine(async |shop| {
        let browser = shop.customer("cart-unavailable").await;
        let (hidden, sold_out, short) = (
            shop.add_product(ProductFixture::new("cart-hidden", "Hidden Later"))
                .await,
            shop.add_product(ProductFixture::new("cart-sold-out", "Sold Out Later"))
                .await,
            shop.add_product(ProductFixture::new("cart-short", "Short Later"))
                .await,
        );
        for id in [hidden, sold_out, short] {
            add(&browser, id, 2, 2).await.expect_ok();
        }
        shop.sql(&format!(
            "update products set is_visible = false, touched_at = {} where id = '{hidden}'",
            now_ms()
        ))
        .await;
        for (id, grams) in [(sold_out, 0), (short, 150)] {
            shop.set_stock(id, "stock_grams", grams).await;
        }
        shop.refresh_catalogue().await;

        let cart = cart(&browser).await;
        let notices: Vec<_> = cart["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| {
                assert_eq!(item["blocked"], true);
                item["notice"].as_str().unwrap()
            })
            .collect();
        assert_eq!(
            notices,
            [
                "No longer available",
                "Sold out",
                "Not enough spice stock available"
            ]
        );
        assert_eq!(cart["items"][0]["lineTotal"], 0);

        add(&browser, hidden, 1, 0)
            .await
            .expect_error(404, "Product not found.");
        // Reducing and removing are always allowed.
        let body = json!({ "productId": short, "qty_50g": 1, "qty_100g": 1 });
        let response = browser.put("/api/cart/update", body).await.expect_ok();
        assert_eq!(response["cart"]["items"][2]["notice"], json!(null));
        browser
            .delete(&format!("/api/cart/remove/{hidden}"))
            .await
            .expect_ok();
    });
}

#[test]
fn concurrent_changes_are_all_saved() {
    for_each_engine(async |shop| {
        let one = shop.customer("cart-tabs").await;
        let two = shop.visitor();
        two.set_cookie("mirasa_session", &one.session().unwrap());
        let add_one = async |browser: &TestClient| {
            for _ in 0..10 {
                add(browser, "goda-masala", 1, 0).await.expect_ok();
            }
        };
        tokio::join!(add_one(&one), add_one(&two), add_one(&one), add_one(&two));
        let cart = cart(&one).await;
        assert_eq!(packs(&cart), [("goda-masala", 40, 0)]);
        assert_eq!(cart["version"], 40, "every change increments the version");
    });
}

#[test]
fn concurrent_adds_do_not_exceed_stock() {
    for_each_engine(async |shop| {
        let browser = shop.customer("cart-race").await;
        let last = ProductFixture {
            pouches_50g: 5,
            ..ProductFixture::new("cart-last", "Last Five")
        };
        let last = shop.add_product(last).await;
        let tries = (0..12).map(|_| add(&browser, last, 1, 0));
        let responses = futures::future::join_all(tries).await;
        let won = responses
            .iter()
            .filter(|response| response.status == 200)
            .count();
        assert_eq!(won, 5);
        assert!(
            responses
                .iter()
                .all(|response| matches!(response.status, 200 | 409))
        );
        assert_eq!(packs(&cart(&browser).await), [(last, 5, 0)]);
    });
}

#[test]
fn customer_cannot_see_or_change_another_cart() {
    for_each_engine(async |shop| {
        let asha = shop.customer("cart-asha").await;
        let rohan = shop.customer("cart-rohan").await;
        add(&asha, "goda-masala", 2, 0).await.expect_ok();
        assert_eq!(packs(&cart(&rohan).await), []);
        rohan
            .delete("/api/cart/remove/goda-masala")
            .await
            .expect_ok();
        rohan.delete("/api/cart/api/cart/clear").await.expect_ok();
        assert_eq!(packs(&cart(&asha).await), [("goda-masala", 2, 0)]);
        let response = asha.get("/api/cart/cart").await;
        assert_eq!(response.header("cache-control"), "no-store");
    });
}
