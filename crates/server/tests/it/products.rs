//! Product endpoints: visibility, caching, compression and updates by other instances.

use std::io::Read as _;
use std::time::{Duration, Instant};

use http::{Method, header};
use mirasa_domain::money::Paise;
use mirasa_domain::product::ProductId;
use serde_json::{Value, json};

use crate::harness::{
    ProductFixture, TestClient, TestShop, for_each_engine, for_each_engine_fresh, now_ms, write_db,
};

pub(crate) fn ids(products: &Value) -> Vec<&str> {
    let ids = products
        .as_array()
        .unwrap()
        .iter()
        .map(|product| product["_id"].as_str().unwrap());
    ids.collect()
}

#[test]
fn lists_contain_only_visible_products() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let browser = shop.visitor();
            for path in ["/api/products", "/api/products/api/productInfo"] {
                let all = browser.get(path).await.expect_ok();
                assert_eq!(
                    ids(&all["products"]),
                    ["goda-masala", "chai-masala", "rasam-powder"],
                    "{path}"
                );
                let part = async |query| browser.get(&format!("{path}?{query}")).await;
                let second = part("limit=2&page=2").await.expect_ok();
                assert_eq!(ids(&second["products"]), ["rasam-powder"]);
                assert_eq!(second["total"], 3);
                let found = part("search=MASALA&category=beverages&category=Soups&limit=5").await;
                let found = found.expect_ok();
                assert_eq!(ids(&found["products"]), ["chai-masala"]);
                assert_eq!(found["total"], 1);
                assert_eq!(part("limit=0").await.status, 400);
                let by_name = part("sort=name&limit=2").await.expect_ok();
                assert_eq!(ids(&by_name["products"]), ["chai-masala", "goda-masala"]);
                assert_eq!(part("sort=cheapest").await.status, 400);
            }
            let trending = browser.get("/api/products/api/trending").await.expect_ok();
            assert_eq!(
                ids(&trending["products"]),
                ["chai-masala", "goda-masala"],
                "sorted by rank"
            );
            let filters = browser.get("/api/products/api/filters").await.expect_ok();
            assert_eq!(
                filters,
                json!({
                    "categories": ["Veg", "Beverages", "Maharashtrian", "South Indian"],
                    "counts": [2, 1, 1, 1],
                    "quantities": ["50g", "100g"],
                })
            );
        },
    );
}

#[test]
fn product_has_the_fields_of_the_specification() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        for path in [
            "/api/products/goda-masala",
            "/api/products/api/productInfo/goda-masala",
        ] {
            let product = browser.get(path).await.expect_ok()["product"].take();
            assert_eq!(product["product_name"], "Goda Masala");
            assert_eq!(product["mrp"], json!([65.5, 120]));
            assert_eq!(product["net_wt"], json!([{ "value": 50.0, "unit": "g" }]));
            assert_eq!(
                product["best_before"], "12 Months",
                "the default for an empty field"
            );
            assert_eq!(product["trendingRank"], 2);
            for field in [
                "ingredients",
                "preservatives",
                "nutrition_facts",
                "fssai_reg_no",
                "recipe",
                "manufactured_marketed_by",
                "address",
                "email",
                "customer_care_no",
                "category",
                "why_you_will_love_it",
                "images",
                "stock",
                "packaging_50gms",
                "packaging_100gms",
                "isVisible",
            ] {
                assert!(!product[field].is_null(), "{field}");
            }
        }
        for hidden in [
            "hidden-masala",
            "deleted-masala",
            "no-such-masala",
            "Goda-Masala",
            "..%2f",
        ] {
            for family in ["/api/products", "/api/products/api/productInfo"] {
                let response = browser.get(&format!("{family}/{hidden}")).await;
                response.expect_error(404, "Product not found.");
            }
        }
    });
}

#[test]
fn matching_etag_returns_304() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let browser = shop.visitor();
            for path in [
                "/api/products",
                "/api/products/api/trending",
                "/api/products/api/filters",
                "/api/products/goda-masala",
                "/api/shop",
                "/",
            ] {
                let first = browser.get(path).await;
                let etag = first.header("etag");
                assert!(etag.len() > 10 && first.status == 200, "{path}: {first:?}");
                for etag_header in [
                    etag.to_owned(),
                    format!("\"x\", {etag}"),
                    format!("W/{etag}"),
                ] {
                    let request = browser
                        .request(Method::GET, path)
                        .header(header::IF_NONE_MATCH, etag_header);
                    let again = browser.send(request).await;
                    assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
                    assert_eq!(again.header("etag"), etag);
                }
                let request = browser
                    .request(Method::GET, path)
                    .header(header::IF_NONE_MATCH, "\"old\"");
                assert_eq!(browser.send(request).await.status, 200, "{path}");
            }
        },
    );
}

#[test]
fn every_encoding_has_the_same_content() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let browser = shop.visitor();
            for path in ["/api/products", "/api/products/goda-masala", "/products"] {
                let fetch = async |accept: &'static str| {
                    let request = browser
                        .request(Method::GET, path)
                        .header(header::ACCEPT_ENCODING, accept);
                    browser.send(request).await
                };
                let plain = fetch("identity").await;
                assert_eq!(plain.header("content-encoding"), "");
                assert_eq!(plain.header("vary"), "accept-encoding");

                let gzip = fetch("gzip").await;
                assert_eq!(gzip.header("content-encoding"), "gzip");
                let mut text = Vec::new();
                flate2::read::GzDecoder::new(&*gzip.body)
                    .read_to_end(&mut text)
                    .unwrap();
                assert_eq!(text, plain.body, "{path}");

                let brotli = fetch("gzip, deflate, br").await;
                assert_eq!(brotli.header("content-encoding"), "br");
                let mut text = Vec::new();
                brotli::Decompressor::new(&*brotli.body, 4096)
                    .read_to_end(&mut text)
                    .unwrap();
                assert_eq!(text, plain.body, "{path}");
            }
        },
    );
}

/// Polls the path for up to two seconds until the response matches.
async fn wait_for(
    what: &str,
    browser: &TestClient,
    path: &str,
    matches: impl Fn(&str, u16) -> bool,
) {
    let began = Instant::now();
    loop {
        let response = browser.get(path).await;
        if matches(response.text(), response.status) {
            return;
        }
        assert!(
            began.elapsed() < Duration::from_secs(10),
            "{what} was not seen within 10 s: {response:?}"
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[test]
fn change_by_another_instance_is_visible_within_two_seconds() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        let path = "/api/products/seen-elsewhere";
        let page = "/product/seen-elsewhere";
        // Inserted by a second instance.
        let fixture = ProductFixture::new("seen-elsewhere", "Seen Elsewhere");
        crate::harness::insert_product(&shop.second_instance, fixture).await;
        wait_for("a new product", &browser, path, |_, status| status == 200).await;
        wait_for("its page", &browser, page, |text, _| {
            text.contains("Seen Elsewhere")
        })
        .await;

        let mut details = fixture.product_details();
        details.product_name = "Renamed Elsewhere".into();
        details.mrp[0] = Paise::new(99_99);
        let id = ProductId(fixture.id.into());
        write_db!(shop, tx => {
            assert!(tx.update_details(&id, &details, 1, now_ms()).await?);
        });
        wait_for("a new price", &browser, path, |text, _| {
            text.contains("99.99")
        })
        .await;
        wait_for("a new name", &browser, "/api/products", |text, _| {
            text.contains("Renamed Elsewhere")
        })
        .await;
        wait_for("its page", &browser, page, |text, _| {
            text.contains("Renamed Elsewhere")
        })
        .await;

        hide_product(shop, fixture.id).await;
        wait_for("a hidden product", &browser, path, |_, status| {
            status == 404
        })
        .await;
        wait_for("its page", &browser, page, |_, status| status == 404).await;
        let list = browser.get("/api/products").await;
        assert!(!list.text().contains("Renamed Elsewhere"));
    });
}

async fn hide_product(shop: &TestShop, id: &str) {
    let id = ProductId(id.into());
    write_db!(shop, tx => tx.set_visibility(&id, false, now_ms()).await?);
}

#[test]
fn edit_is_visible_after_the_clock_was_set_back() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let app = &shop.running.shop;
            let tomorrow = app.now_ms() + 86_400_000;
            let refreshed = app.catalogue.refresh(&app.db, tomorrow).await;
            refreshed.unwrap();
            hide_product(shop, "goda-masala").await;
            shop.refresh_catalogue().await;
            let response = shop.visitor().get("/api/products/goda-masala").await;
            assert_eq!(response.status, 404);
        },
    );
}
