//! The product feed and the sitemap, against the rules that Google publishes.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use http::Method;
use mirasa_domain::product::{Image, ProductId};

use crate::harness::{ProductFixture, TestShop, for_each_engine_fresh, write_db};

/// The elements of each item, in order.
pub fn items(xml: &str) -> Vec<Vec<(String, String)>> {
    let parts = xml.split("<item>").skip(1);
    parts
        .map(|part| {
            let (item, _) = part.split_once("</item>").unwrap();
            let lines = item.trim().lines();
            lines
                .map(|line| {
                    let (name, rest) = line.strip_prefix("<g:").unwrap().split_once('>').unwrap();
                    let value = rest.strip_suffix(&format!("</g:{name}>")).unwrap();
                    (name.to_owned(), value.to_owned())
                })
                .collect()
        })
        .collect()
}

fn unescape(text: &str) -> String {
    let text = text
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"");
    text.replace("&amp;", "&")
}

/// Gives the product two images, one of them on another host.
pub async fn with_images(shop: &TestShop, id: &'static str, description: &'static str) {
    let id = ProductId(id.into());
    write_db!(shop, tx => {
        let product = tx.product(&id).await?.unwrap();
        let mut details = Arc::unwrap_or_clone(product.details);
        let image = |file: &str| Image { file: file.into(), ..Image::default() };
        details.images = vec![image("front & back.webp"), image("https://elsewhere.example/x.jpg")];
        details.description = description.into();
        let now_ms = product.updated_at_ms + 1;
        tx.update_details(&id, &details, product.version, now_ms).await?
    });
    shop.sql(&format!(
        "update products set touched_at = {} where id = '{}'",
        shop.running.shop.now_ms(),
        "goda-masala"
    ))
    .await;
    shop.running
        .shop
        .catalogue
        .load(&shop.second_instance, shop.running.shop.now_ms())
        .await
        .unwrap();
}

#[test]
fn google_feed_follows_the_rules_of_merchant_center() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            with_images(shop, "goda-masala", "Salt & <b>pepper</b> \"mix\"").await;
            with_images(shop, "chai-masala", "").await;
            let visitor = shop.visitor();
            let response = visitor.get("/feeds/google.xml").await;
            assert_eq!(response.status, 200);
            assert_eq!(
                response.header("content-type"),
                "application/xml; charset=utf-8"
            );
            let xml = response.text().to_owned();
            assert!(xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" xmlns:g=\"http://base.google.com/ns/1.0\">"));
            assert!(!xml.contains("hidden-masala") && !xml.contains("deleted-masala"));
            assert!(!xml.contains("rasam-powder"), "an item needs an image");
            assert!(
                !xml.contains("elsewhere.example"),
                "pages do not show this host"
            );

            let items = items(&xml);
            assert_eq!(
                items.len(),
                3,
                "two sizes of goda masala, one of chai masala"
            );
            let mut ids = HashSet::new();
            for item in &items {
                let mut fields = BTreeMap::new();
                for (name, value) in item {
                    let known = fields.insert(name.as_str(), unescape(value));
                    assert!(
                        known.is_none() || name == "additional_image_link",
                        "{name} twice"
                    );
                    assert!(!value.contains(['<']) || name == "shipping", "{value}");
                }
                let field = |name: &str| fields.get(name).cloned().unwrap_or_default();
                for required in [
                    "id",
                    "title",
                    "description",
                    "link",
                    "image_link",
                    "availability",
                    "price",
                    "brand",
                    "condition",
                    "shipping",
                ] {
                    assert!(!field(required).is_empty(), "{required} of {item:?}");
                }
                assert!(field("id").len() <= 50 && ids.insert(field("id")));
                assert!(field("title").chars().count() <= 150);
                assert!(field("description").chars().count() <= 5000);
                assert!(field("link").starts_with(&format!("{}/product/", shop.base)));
                assert!(field("image_link").starts_with(&format!(
                    "{}/images/products/front%20%26%20back.webp",
                    shop.base
                )));
                assert!(["in_stock", "out_of_stock"].contains(&field("availability").as_str()));
                let (amount, currency) = field("price")
                    .split_once(' ')
                    .map(|(a, c)| (a.to_owned(), c.to_owned()))
                    .unwrap();
                assert!(
                    currency == "INR"
                        && amount
                            .split_once('.')
                            .is_some_and(|(_, paise)| paise.len() == 2)
                );
                assert_eq!(
                    (field("condition"), field("identifier_exists")),
                    ("new".into(), "no".into())
                );
                assert!(!fields.contains_key("gtin") && !fields.contains_key("mpn"));
                assert_eq!(field("unit_pricing_measure"), field("size"));
                assert_eq!(field("unit_pricing_base_measure"), "100 g");
                assert!(
                    field("shipping")
                        .contains("<g:country>IN</g:country><g:price>0.00 INR</g:price>")
                );
            }
            let field = |at: usize, name: &str| {
                let found = items[at].iter().find(|(one, _)| one == name);
                found.map(|(_, value)| unescape(value))
            };
            assert_eq!(field(0, "id").unwrap(), "goda-masala-50g");
            assert_eq!(field(0, "title").unwrap(), "Goda Masala 50 g");
            assert_eq!(field(0, "price").unwrap(), "65.50 INR");
            assert_eq!(field(1, "price").unwrap(), "120.00 INR");
            assert_eq!(field(0, "item_group_id"), field(1, "item_group_id"));
            assert_eq!(field(2, "item_group_id"), None, "chai masala has one size");
            assert_eq!(
                field(0, "description").unwrap(),
                "Salt & <b>pepper</b> \"mix\""
            );
            assert_eq!(field(2, "description").unwrap(), "Chai Masala");
        },
    );
}

#[test]
fn feed_has_the_prices_and_the_stock_of_the_product_page() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            shop.add_product(ProductFixture {
                pouches_100g: 0,
                ..ProductFixture::new("few", "Few")
            })
            .await;
            with_images(shop, "goda-masala", "Text").await;
            let visitor = shop.visitor();
            let availability = async || {
                let response = visitor.get("/feeds/google.xml").await;
                let all: Vec<_> = items(response.text())
                    .into_iter()
                    .flatten()
                    .filter(|(name, _)| name == "availability")
                    .map(|(_, value)| value)
                    .collect();
                (all, response.header("etag").to_owned())
            };
            let (all, etag) = availability().await;
            assert_eq!(all, ["in_stock", "in_stock"]);
            let known = visitor
                .request(Method::GET, "/feeds/google.xml")
                .header("if-none-match", &etag);
            assert_eq!(visitor.send(known).await.status, 304);

            shop.set_stock("goda-masala", "stock_grams", 9_000).await;
            assert_eq!(availability().await.1, etag, "a sale changes nothing");
            shop.set_stock("goda-masala", "pouches_100g", 0).await;
            let (all, sold_out) = availability().await;
            assert_eq!(all, ["in_stock", "out_of_stock"]);
            assert_ne!(sold_out, etag);
        },
    );
}

#[test]
fn sitemap_lists_the_images_of_products() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            with_images(shop, "goda-masala", "Text").await;
            let visitor = shop.visitor();
            let map = visitor.get("/sitemap.xml").await;
            let text = map.text();
            assert!(
                text.contains("xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"")
            );
            let image = format!(
                "<image:image><image:loc>{}/images/products/front%20%26%20back.webp?w=1280</image:loc></image:image></url>",
                shop.base
            );
            assert!(text.contains(&image), "{text}");
            assert!(!text.contains("elsewhere.example"));
            assert_eq!(
                text.matches("<url>").count(),
                text.matches("</url>").count()
            );
            let etag = map.header("etag").to_owned();
            let known = visitor
                .request(Method::GET, "/sitemap.xml")
                .header("if-none-match", etag);
            assert_eq!(visitor.send(known).await.status, 304);
        },
    );
}
