//! The wishlist: what one remembers, and the way from there into the cart.

use serde_json::{Value, json};

use crate::cart::{cart, packs};
use crate::harness::{ProductFixture, for_each_engine, now_ms};

fn wishes(response: &Value) -> Vec<&str> {
    assert_eq!(response["success"], true);
    let list = response["wishlist"].as_array().unwrap().iter();
    list.map(|wish| wish["_id"].as_str().unwrap()).collect()
}

#[test]
fn wishes_are_kept_newest_first_and_once() {
    for_each_engine(async |shop| {
        let browser = shop.customer("wish-keep").await;
        assert_eq!(
            wishes(&browser.get("/api/user/wishlist").await.expect_ok()),
            [""; 0]
        );
        for id in ["goda-masala", "chai-masala", "goda-masala"] {
            browser
                .post(&format!("/api/user/wishlist/{id}"), json!({}))
                .await
                .expect_ok();
            // The order is that of time, which is kept in milliseconds.
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
        let response = browser.get("/api/user/wishlist").await.expect_ok();
        assert_eq!(wishes(&response), ["chai-masala", "goda-masala"]);
        let wish = &response["wishlist"][1];
        for (field, value) in [
            ("id", json!("goda-masala")),
            ("name", json!("Goda Masala")),
            ("product_name", json!("Goda Masala")),
            ("price", json!(65.5)),
            ("mrp", json!([65.5, 120])),
            ("images", json!([])),
        ] {
            assert_eq!(wish[field], value, "{field}");
        }
        let response = browser
            .delete("/api/user/wishlist/goda-masala")
            .await
            .expect_ok();
        assert_eq!(wishes(&response), ["chai-masala"]);
        browser
            .delete("/api/user/wishlist/goda-masala")
            .await
            .expect_ok();
    });
}

#[test]
fn only_what_can_be_seen_can_be_wished_for() {
    for_each_engine(async |shop| {
        let browser = shop.customer("wish-hidden").await;
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
            .add_product(ProductFixture::new("wish-later-hidden", "Later Hidden"))
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
            wishes(&browser.get("/api/user/wishlist").await.expect_ok()),
            [""; 0]
        );
        let response = browser
            .post(&format!("/api/user/wishlist/move-to-cart/{id}"), json!({}))
            .await;
        response.expect_error(404, "Product not found.");
    });
}

#[test]
fn a_wish_moves_into_the_cart_or_stays() {
    for_each_engine(async |shop| {
        let browser = shop.customer("wish-move").await;
        let large_only = ProductFixture {
            pouches_50g: 0,
            ..ProductFixture::new("wish-large-only", "Large Only")
        };
        let sold_out = ProductFixture {
            grams: 0,
            ..ProductFixture::new("wish-sold-out", "Sold Out")
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
        let move_it = async |id: &str| {
            browser
                .post(&format!("/api/user/wishlist/move-to-cart/{id}"), json!({}))
                .await
        };
        move_it("goda-masala").await.expect_ok();
        move_it(large_only).await.expect_ok();
        move_it(sold_out)
            .await
            .expect_error(409, "Not enough spice stock available");
        move_it("goda-masala")
            .await
            .expect_error(404, "Product not found.");
        assert_eq!(
            packs(&cart(&browser).await),
            [("goda-masala", 1, 0), (large_only, 0, 1)]
        );
        assert_eq!(
            wishes(&browser.get("/api/user/wishlist").await.expect_ok()),
            [sold_out]
        );
    });
}

#[test]
fn a_wishlist_is_its_owners_alone() {
    for_each_engine(async |shop| {
        let asha = shop.customer("wish-asha").await;
        let rohan = shop.customer("wish-rohan").await;
        asha.post("/api/user/wishlist/goda-masala", json!({}))
            .await
            .expect_ok();
        assert_eq!(
            wishes(&rohan.get("/api/user/wishlist").await.expect_ok()),
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
            wishes(&asha.get("/api/user/wishlist").await.expect_ok()),
            ["goda-masala"]
        );
    });
}
