//! The wishlist: add, remove, order, visibility and move to cart.

use serde_json::{Value, json};

use crate::cart::{cart, packs};
use crate::harness::{ProductFixture, for_each_engine, now_ms};

fn item_ids(response: &Value) -> Vec<&str> {
    assert_eq!(response["success"], true);
    let list = response["wishlist"].as_array().unwrap().iter();
    list.map(|item| item["_id"].as_str().unwrap()).collect()
}

#[test]
fn wishlist_is_newest_first_without_duplicates() {
    for_each_engine(async |shop| {
        let browser = shop.customer("wishlist-order").await;
        assert_eq!(
            item_ids(&browser.get("/api/user/wishlist").await.expect_ok()),
            [""; 0]
        );
        for id in ["goda-masala", "chai-masala", "goda-masala"] {
            browser
                .post(&format!("/api/user/wishlist/{id}"), json!({}))
                .await
                .expect_ok();
            // Items are sorted by a timestamp in milliseconds, so each needs its own millisecond.
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
        let response = browser.get("/api/user/wishlist").await.expect_ok();
        assert_eq!(item_ids(&response), ["chai-masala", "goda-masala"]);
        let item = &response["wishlist"][1];
        for (field, value) in [
            ("id", json!("goda-masala")),
            ("name", json!("Goda Masala")),
            ("product_name", json!("Goda Masala")),
            ("price", json!(65.5)),
            ("mrp", json!([65.5, 120])),
            ("images", json!([])),
        ] {
            assert_eq!(item[field], value, "{field}");
        }
        let response = browser
            .delete("/api/user/wishlist/goda-masala")
            .await
            .expect_ok();
        assert_eq!(item_ids(&response), ["chai-masala"]);
        browser
            .delete("/api/user/wishlist/goda-masala")
            .await
            .expect_ok();
    });
}

#[test]
fn only_visible_products_can_be_on_the_wishlist() {
    for_each_engine(async |shop| {
        let browser = shop.customer("wishlist-hidden").await;
        for id in [
            "hidden-masala",
            "deleted-masala",
            "no-such-masala",
            "%F0%9F%8C%B6",
        ] {
            let response = browser
                .post(&format!("/api/user/wishlist/{id}"), json!({}))
                .await;
            response.expect_error(404, "Product not found.");
        }
        let id = shop
            .add_product(ProductFixture::new("wishlist-later-hidden", "Later Hidden"))
            .await;
        browser
            .post(&format!("/api/user/wishlist/{id}"), json!({}))
            .await
            .expect_ok();
        let touched = now_ms();
        shop.sql(&format!(
            "update products set is_visible = false, touched_at = {touched} where id = '{id}'"
        ))
        .await;
        shop.refresh_catalogue().await;
        assert_eq!(
            item_ids(&browser.get("/api/user/wishlist").await.expect_ok()),
            [""; 0]
        );
        let response = browser
            .post(&format!("/api/user/wishlist/move-to-cart/{id}"), json!({}))
            .await;
        response.expect_error(404, "Product not found.");
    });
}

#[test]
fn item_moves_to_the_cart_or_stays_if_out_of_stock() {
    for_each_engine(async |shop| {
        let browser = shop.customer("wishlist-move").await;
        let large_only = ProductFixture {
            pouches_50g: 0,
            ..ProductFixture::new("wishlist-large-only", "Large Only")
        };
        let sold_out = ProductFixture {
            grams: 0,
            ..ProductFixture::new("wishlist-sold-out", "Sold Out")
        };
        let (large_only, sold_out) = (
            shop.add_product(large_only).await,
            shop.add_product(sold_out).await,
        );
        for id in ["goda-masala", large_only, sold_out] {
            browser
                .post(&format!("/api/user/wishlist/{id}"), json!({}))
                .await
                .expect_ok();
        }
        let move_to_cart = async |id: &str| {
            browser
                .post(&format!("/api/user/wishlist/move-to-cart/{id}"), json!({}))
                .await
        };
        move_to_cart("goda-masala").await.expect_ok();
        move_to_cart(large_only).await.expect_ok();
        move_to_cart(sold_out)
            .await
            .expect_error(409, "Not enough spice stock available");
        move_to_cart("goda-masala")
            .await
            .expect_error(404, "Product not found.");
        assert_eq!(
            packs(&cart(&browser).await),
            [("goda-masala", 1, 0), (large_only, 0, 1)]
        );
        assert_eq!(
            item_ids(&browser.get("/api/user/wishlist").await.expect_ok()),
            [sold_out]
        );
    });
}

#[test]
fn customer_cannot_see_or_change_another_wishlist() {
    for_each_engine(async |shop| {
        let asha = shop.customer("wishlist-asha").await;
        let rohan = shop.customer("wishlist-rohan").await;
        asha.post("/api/user/wishlist/goda-masala", json!({}))
            .await
            .expect_ok();
        assert_eq!(
            item_ids(&rohan.get("/api/user/wishlist").await.expect_ok()),
            [""; 0]
        );
        rohan
            .delete("/api/user/wishlist/goda-masala")
            .await
            .expect_ok();
        let response = rohan
            .post("/api/user/wishlist/move-to-cart/goda-masala", json!({}))
            .await;
        response.expect_error(404, "Product not found.");
        assert_eq!(
            item_ids(&asha.get("/api/user/wishlist").await.expect_ok()),
            ["goda-masala"]
        );
    });
}
