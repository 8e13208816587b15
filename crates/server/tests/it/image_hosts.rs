//! Product images that stand on other hosts: shown from those that the configuration names, and from no other.

use serde_json::{Value, json};

use crate::harness::{TestShop, on_sqlite_fresh, tags};

const ALLOWED: &str = "https://images.example.com/goda, pouch.webp?size=large&x=1";
const OTHERS: [&str; 4] = [
    "https://elsewhere.example/a.webp",
    "http://images.example.com/a.webp",
    "//images.example.com/a.webp",
    "https://images.example.com@elsewhere.example/a.webp",
];

async fn page(shop: &TestShop, path: &str) -> (String, String) {
    let response = shop.visitor().get(path).await;
    assert_eq!(response.status, 200, "{path}");
    let policy = response.header("content-security-policy").to_owned();
    (response.text().to_owned(), policy)
}

fn img_src(policy: &str) -> &str {
    let mut parts = policy.split("; ");
    parts.find(|part| part.starts_with("img-src")).unwrap()
}

async fn sell(shop: &TestShop, name: &str, image: &str) -> String {
    let body = json!({
        "product_name": name, "category": "Veg", "ingredients": ["Salt"], "mrp": [65],
        "net_wt": [{ "value": 50, "unit": "g" }], "images": [image], "stock": 5000, "packaging_50gms": 50,
    });
    let admin = shop.admin().await;
    let added = admin.post("/api/admin/addProduct", body).await;
    assert_eq!(added.status, 201, "any URL is saved");
    let product = added.json()["product"].take();
    assert_eq!(product["images"], json!([image]));
    product["_id"].as_str().unwrap().to_owned()
}

#[test]
fn image_hosts_are_shown_and_others_are_not() {
    let configure = |config: &mut mirasa_server::config::Config| {
        config.pictures.image_hosts = vec!["Images.Example.com".into(), "cdn.example.net".into()];
    };
    on_sqlite_fresh(configure, async |shop| {
        let shop_data = shop.visitor().get("/api/shop").await.expect_ok();
        let hosts = json!(["images.example.com", "cdn.example.net"]);
        assert_eq!(shop_data["shop"]["imageHosts"], hosts);
        for path in ["/", "/admins", "/sub-products"] {
            let (_, policy) = page(shop, path).await;
            assert_eq!(
                img_src(&policy),
                "img-src 'self' data: blob: https://images.example.com https://cdn.example.net"
            );
        }

        let id = sell(shop, "Shown Masala", ALLOWED).await;
        let (html, _) = page(shop, &format!("/product/{id}")).await;
        let all = tags(&html);
        let image = all.iter().find(|tag| tag.name == "img").unwrap();
        assert_eq!(
            image.attribute("src"),
            Some("https://images.example.com/goda, pouch.webp?size=large&amp;x=1")
        );
        assert_eq!(
            image.attribute("srcset"),
            None,
            "a comma would end its URL there"
        );
        let meta = all
            .iter()
            .find(|tag| tag.attribute("property") == Some("og:image"));
        assert!(
            meta.unwrap()
                .attribute("content")
                .unwrap()
                .starts_with("https://images.example.com/goda")
        );
        let data = all
            .iter()
            .filter(|tag| tag.attribute("type") == Some("application/ld+json"));
        let data: Vec<Value> = data
            .map(|tag| serde_json::from_str(&tag.raw).unwrap())
            .collect();
        let product = data.iter().find(|data| data["@type"] == "Product").unwrap();
        assert_eq!(product["image"], json!([ALLOWED]));
        let (list, _) = page(shop, "/sub-products").await;
        assert!(tags(&list).iter().any(|tag| {
            tag.name == "img"
                && tag
                    .attribute("src")
                    .is_some_and(|src| src.starts_with("https://images.example.com/"))
        }));

        for (at, url) in OTHERS.into_iter().enumerate() {
            let id = sell(shop, &format!("Unshown Masala {at}"), url).await;
            for path in [
                format!("/product/{id}"),
                "/sub-products".into(),
                "/products".into(),
            ] {
                let (html, _) = page(shop, &path).await;
                let asks = |tag: &crate::harness::Tag| {
                    let named =
                        ["src", "srcset", "imagesrcset", "content"].map(|name| tag.attribute(name));
                    named.into_iter().flatten().any(|value| value.contains(url))
                };
                assert!(!tags(&html).iter().any(asks), "{path} asks for {url}");
            }
        }
    });
}

#[test]
fn image_hosts_default_allows_only_the_shop() {
    on_sqlite_fresh(
        |_| {},
        async |shop| {
            let (_, policy) = page(shop, "/").await;
            assert_eq!(img_src(&policy), "img-src 'self' data: blob:");
            let id = sell(shop, "Unshown Masala", ALLOWED).await;
            let (html, _) = page(shop, &format!("/product/{id}")).await;
            let is_image = |tag: &crate::harness::Tag| {
                tag.name == "img"
                    && tag
                        .attribute("src")
                        .is_some_and(|src| src.contains("images.example"))
            };
            assert!(!tags(&html).iter().any(is_image));
        },
    );
}
