//! Admin products: add, change, hide, rank and delete, each recorded in the audit log.

use serde_json::{Value, json};

use crate::harness::{TestClient, for_each_engine};

pub fn body(name: &str) -> Value {
    json!({
        "product_name": name, "category": ["Veg", "Snacks"], "ingredients": ["Coriander seed", "Red chilli"],
        "mrp": [65.5, 120], "net_wt": [{ "value": 50, "unit": "g" }, { "value": 100, "unit": "g" }],
        "recipe": "Roast and grind.", "stock": 1000, "packaging_50gms": 10, "packaging_100gms": 5,
        "preservatives": "None", "best_before": "9 Months", "images": ["  ", "https://elsewhere.example/a.webp "],
    })
}

pub async fn add(admin: &TestClient, name: &str) -> Value {
    let response = admin.post("/api/admin/addProduct", body(name)).await;
    assert_eq!(response.status, 201, "{response:?}");
    response.json()["product"].take()
}

fn with(mut body: Value, field: &str, value: Value) -> Value {
    body[field] = value;
    body
}

/// The audit log entries (action, detail) about this id, newest first.
pub async fn audit_entries(admin: &TestClient, subject_id: &str) -> Vec<(String, String)> {
    let response = admin
        .get(&format!("/api/admin/audit?about={subject_id}"))
        .await;
    let entries = response.expect_ok()["entries"].take();
    let action_and_detail = |entry: &Value| {
        assert!(entry["at"].as_str().unwrap().ends_with('Z'));
        let text = |field: &str| entry[field].as_str().unwrap().to_owned();
        assert!(text("who").contains('@'));
        (text("action"), text("detail"))
    };
    entries
        .as_array()
        .unwrap()
        .iter()
        .map(action_and_detail)
        .collect()
}

#[test]
fn each_picture_has_a_text_for_those_who_cannot_see_it() {
    for_each_engine(async |shop| {
        let (admin, visitor) = (shop.admin().await, shop.visitor());
        let mut new = body("Described Masala");
        new["images"] = json!(["front.webp", "", "back.webp"]);
        new["image_alts"] = json!(["A red pouch", "", " Its back "]);
        let response = admin.post("/api/admin/addProduct", new).await;
        assert_eq!(response.status, 201, "{response:?}");
        let alts = async || {
            let path = "/api/products/api/productInfo/described-masala";
            let product = visitor.get(path).await.expect_ok()["product"].take();
            let details = product["image_details"].as_array().unwrap().clone();
            let text = |image: &Value, field: &str| image[field].as_str().unwrap().to_owned();
            details
                .iter()
                .map(|image| (text(image, "file"), text(image, "alt")))
                .collect::<Vec<_>>()
        };
        let pairs = |pairs: &[(&str, &str)]| {
            let owned = pairs.iter();
            owned
                .map(|(file, alt)| ((*file).to_owned(), (*alt).to_owned()))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            alts().await,
            pairs(&[("front.webp", "A red pouch"), ("back.webp", "Its back")])
        );
        for (change, expected) in [
            // Another order, as clients without texts send it: each picture keeps its text.
            (
                json!({ "images": ["back.webp", "front.webp", "side.webp"] }),
                pairs(&[
                    ("back.webp", "Its back"),
                    ("front.webp", "A red pouch"),
                    ("side.webp", ""),
                ]),
            ),
            (
                json!({ "images": ["front.webp", "back.webp"], "image_alts": ["", "Recipe"] }),
                pairs(&[("front.webp", ""), ("back.webp", "Recipe")]),
            ),
        ] {
            admin
                .put("/api/admin/updateProduct/described-masala", change)
                .await
                .expect_ok();
            assert_eq!(alts().await, expected);
        }
        for (texts, field) in [
            (json!(["a", "b", "c"]), "image_alts"),
            (json!(["a".repeat(301)]), "images"),
        ] {
            admin
                .put(
                    "/api/admin/updateProduct/described-masala",
                    json!({ "image_alts": texts }),
                )
                .await
                .expect_code(400, "invalid_input", field);
        }
    });
}

#[test]
fn product_changes_are_visible_and_audited() {
    for_each_engine(async |shop| {
        let (admin, visitor) = (shop.admin().await, shop.visitor());
        let product = add(&admin, "Audited Masala").await;
        assert_eq!(product["_id"], "audited-masala");
        assert_eq!(product["mrp"], json!([65.5, 120]));
        assert_eq!(product["recipe"], json!(["Roast and grind."]));
        assert_eq!(product["isVisible"], true);
        assert_eq!(product["stock"], 1000);
        assert_eq!(
            product["images"].as_array().unwrap().len(),
            1,
            "empty image URLs are ignored"
        );
        assert_eq!(
            add(&admin, "Audited Masala").await["_id"],
            "audited-masala-2"
        );
        let path = "/api/products/api/productInfo/audited-masala";
        assert_eq!(
            visitor.get(path).await.expect_ok()["product"]["product_name"],
            "Audited Masala"
        );

        let change = json!({ "version": 1, "product_name": "Table Masala", "mrp": [70], "category": "Soups" });
        let changed = admin
            .put("/api/admin/updateProduct/audited-masala", change)
            .await
            .expect_ok();
        assert_eq!(
            changed["product"]["_id"], "audited-masala",
            "the id does not change with the name"
        );
        let seen = visitor.get(path).await.expect_ok()["product"].take();
        assert_eq!(seen["product_name"], "Table Masala");
        assert_eq!(
            (&seen["mrp"], &seen["category"]),
            (&json!([70]), &json!(["Soups"]))
        );
        assert_eq!(
            seen["ingredients"], product["ingredients"],
            "omitted fields stay unchanged"
        );
        assert_eq!(seen["stock"], 1000);

        let rank = "/api/admin/products/audited-masala/trending-rank";
        let set = admin
            .put(rank, json!({ "trendingRank": 9 }))
            .await
            .expect_ok();
        assert_eq!(set["trendingRank"], 9);
        let ranks = visitor.get("/api/products/api/trending").await.expect_ok();
        let has_it = |response: &Value| {
            let products = response["products"].as_array().unwrap();
            products
                .iter()
                .any(|product| product["_id"] == "audited-masala")
        };
        assert!(has_it(&ranks));
        let cleared = admin
            .put(rank, json!({ "trendingRank": null }))
            .await
            .expect_ok();
        assert_eq!(cleared["trendingRank"], Value::Null);
        assert!(!has_it(
            &visitor.get("/api/products/api/trending").await.expect_ok()
        ));

        let toggle = "/api/admin/products/audited-masala/toggle-visibility";
        assert_eq!(
            admin.put(toggle, json!({})).await.expect_ok()["isVisible"],
            false
        );
        visitor
            .get(path)
            .await
            .expect_error(404, "Product not found.");
        let all = admin
            .get("/api/admin/products?search=table")
            .await
            .expect_ok();
        assert!(has_it(&all), "admins still see it");
        let one = "/api/admin/products/audited-masala";
        let shown = admin.get(one).await.expect_ok()["product"].take();
        let mut listed = all["products"].as_array().unwrap().iter();
        assert_eq!(
            Some(&shown),
            listed.find(|it| it["_id"] == "audited-masala")
        );
        assert_eq!(shown["isVisible"], false);
        assert_eq!(
            admin.put(toggle, json!({})).await.expect_ok()["isVisible"],
            true
        );
        assert_eq!(visitor.get(path).await.status, 200);

        admin
            .delete("/api/admin/deleteProduct/audited-masala")
            .await
            .expect_ok();
        visitor
            .get(path)
            .await
            .expect_error(404, "Product not found.");
        let second_delete = admin
            .delete("/api/admin/deleteProduct/audited-masala")
            .await;
        second_delete.expect_error(404, "Product not found.");
        let gone = admin.get(one).await;
        gone.expect_error(404, "Product not found.");
        assert_eq!(gone.json()["code"], "product_not_found");
        let part_of_an_id = admin.get("/api/admin/products/audited").await;
        part_of_an_id.expect_error(404, "Product not found.");
        assert!(!has_it(
            &admin
                .get("/api/admin/products?search=table")
                .await
                .expect_ok()
        ));
        assert_eq!(
            add(&admin, "Audited Masala").await["_id"],
            "audited-masala-3",
            "an id is never reused"
        );

        let entries = audit_entries(&admin, "audited-masala").await;
        let actions: Vec<_> = entries.iter().map(|(action, _)| action.as_str()).collect();
        assert_eq!(
            actions,
            [
                "product deleted",
                "product shown",
                "product hidden",
                "trending rank set",
                "trending rank set",
                "product changed",
                "product added"
            ]
        );
        let (_, detail) = &entries[5];
        for field in ["product_name", "mrp", "category"] {
            assert!(detail.contains(field), "{detail}");
        }
    });
}

#[test]
fn invalid_product_fields_are_named_in_the_error() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let whole = || body("Refused Masala");
        let most = "must be from 0 to 1000000000";
        let net_wt = |value: Value, unit: &str| json!([{ "value": value, "unit": unit }]);
        let rank = "trendingRank must be a whole number from 1 to 10, or empty";
        for (field, value, message) in [
            ("product_name", json!("  "), "product_name is required"),
            ("product_name", json!(null), "product_name is required"),
            (
                "product_name",
                json!("x".repeat(121)),
                "product_name must be at most 120 characters",
            ),
            (
                "product_name",
                json!("a\u{202e}b"),
                "product_name contains characters that cannot be used",
            ),
            ("category", json!([]), "category is required"),
            ("category", json!([" "]), "category is required"),
            ("category", json!(""), "category is required"),
            ("mrp", json!([]), "mrp is required"),
            ("net_wt", json!([]), "net_wt is required"),
            (
                "net_wt",
                net_wt(json!(-1), "g"),
                "net_wt must have a value of 0 or more",
            ),
            ("net_wt", net_wt(json!(50), " "), "net_wt is required"),
            ("ingredients", json!([]), "ingredients is required"),
            ("ingredients", json!(["", " "]), "ingredients is required"),
            ("stock", json!(-1), &format!("stock {most}")),
            (
                "packaging_50gms",
                json!(-1),
                &format!("packaging_50gms {most}"),
            ),
            (
                "packaging_100gms",
                json!(2_000_000_000),
                &format!("packaging_100gms {most}"),
            ),
            ("trendingRank", json!(0), rank),
            ("trendingRank", json!(11), rank),
            ("diet", json!("fish"), "diet must be veg or non-veg"),
            (
                "heat",
                json!("boiling"),
                "heat must be none, mild, medium or hot",
            ),
            (
                "gst_rate_percent",
                json!(101),
                "gst_rate_percent must be from 0 to 100",
            ),
        ] {
            let response = admin
                .post("/api/admin/addProduct", with(whole(), field, value))
                .await;
            response.expect_error(400, message);
        }
        // A value of the wrong type is named, too.
        for (field, value) in [
            ("mrp", json!([-1])),
            ("mrp", json!([1.005])),
            ("mrp", json!(["65"])),
            ("trendingRank", json!(1.5)),
            ("stock", json!("many")),
            ("net_wt", json!([{ "value": "much", "unit": "g" }])),
        ] {
            let response = admin
                .post("/api/admin/addProduct", with(whole(), field, value.clone()))
                .await;
            assert_eq!(response.status, 400, "{field} {value}: {response:?}");
            assert!(response.error_text().contains(field), "{response:?}");
        }
        let found = admin
            .get("/api/admin/products?search=refused")
            .await
            .expect_ok();
        assert_eq!(found["total"], 0, "no rejected product is saved");

        let id = add(&admin, "Refused Changes").await["_id"]
            .as_str()
            .unwrap()
            .to_owned();
        let path = format!("/api/admin/updateProduct/{id}");
        for (change, message) in [
            (
                json!({ "version": 1, "product_name": " " }),
                "product_name is required",
            ),
            (json!({ "version": 1, "mrp": [] }), "mrp is required"),
            (json!({ "stock": -1 }), "stock must be 0 or more"),
            (
                json!({ "packaging_100gms": 2_000_000_000 }),
                "packaging_100gms must be from 0 to 1000000000",
            ),
            (
                json!({ "version": 1, "stock": -1, "stock_seen": 10 }),
                "stock must be 0 or more",
            ),
            (
                json!({ "version": 1, "packaging_50gms": -1, "packaging_50gms_seen": 1 }),
                "packaging_50gms must be 0 or more",
            ),
            (
                json!({ "version": 1, "stock_change": i64::MAX }),
                "stock must change by at most 1000000000",
            ),
            (json!({ "version": 1, "trendingRank": 11 }), rank),
        ] {
            admin.put(&path, change).await.expect_error(400, message);
        }
        let rank_path = format!("/api/admin/products/{id}/trending-rank");
        for bad in [0, 11, -1] {
            admin
                .put(&rank_path, json!({ "trendingRank": bad }))
                .await
                .expect_error(400, rank);
        }
        assert_eq!(
            audit_entries(&admin, &id).await.len(),
            1,
            "a rejected change is not recorded"
        );
        let unknown = "/api/admin/updateProduct/no-such-masala";
        admin
            .put(unknown, json!({ "version": 1 }))
            .await
            .expect_error(404, "Product not found.");
    });
}
