//! The owner's products: added, changed, hidden, ranked, deleted, each deed written down.

use serde_json::{Value, json};

use crate::harness::{ProductFixture, TestClient, TestShop, for_each_engine, read_db};

fn body(name: &str) -> Value {
    json!({
        "product_name": name, "category": ["Veg", "Snacks"], "ingredients": ["Coriander seed", "Red chilli"],
        "mrp": [65.5, 120], "net_wt": [{ "value": 50, "unit": "g" }, { "value": 100, "unit": "g" }],
        "recipe": "Roast and grind.", "stock": 1000, "packaging_50gms": 10, "packaging_100gms": 5,
        "preservatives": "None", "best_before": "9 Months", "images": ["  ", "https://elsewhere.example/a.webp "],
    })
}

async fn add(admin: &TestClient, name: &str) -> Value {
    let response = admin.post("/api/admin/addProduct", body(name)).await;
    assert_eq!(response.status, 201, "{response:?}");
    response.json()["product"].take()
}

fn with(mut body: Value, field: &str, value: Value) -> Value {
    body[field] = value;
    body
}

pub async fn deeds(admin: &TestClient, about: &str) -> Vec<(String, String)> {
    let trail = admin.get(&format!("/api/admin/audit?about={about}")).await;
    let entries = trail.expect_ok()["entries"].take();
    let deed = |entry: &Value| {
        assert!(entry["at"].as_str().unwrap().ends_with('Z'));
        let text = |field: &str| entry[field].as_str().unwrap().to_owned();
        assert!(text("who").contains('@'));
        (text("action"), text("detail"))
    };
    entries.as_array().unwrap().iter().map(deed).collect()
}

#[test]
fn a_product_lives_from_form_to_trail() {
    for_each_engine(async |shop| {
        let (admin, visitor) = (shop.admin().await, shop.visitor());
        let product = add(&admin, "Desk Masala").await;
        assert_eq!(product["_id"], "desk-masala");
        assert_eq!(product["mrp"], json!([65.5, 120]));
        assert_eq!(product["recipe"], json!(["Roast and grind."]));
        assert_eq!(product["isVisible"], true);
        assert_eq!(product["stock"], 1000);
        assert_eq!(
            product["images"].as_array().unwrap().len(),
            1,
            "empty addresses are ignored"
        );
        assert_eq!(add(&admin, "Desk Masala").await["_id"], "desk-masala-2");
        let path = "/api/products/api/productInfo/desk-masala";
        assert_eq!(
            visitor.get(path).await.expect_ok()["product"]["product_name"],
            "Desk Masala"
        );

        let change = json!({ "version": 1, "product_name": "Table Masala", "mrp": [70], "category": "Soups" });
        let changed = admin
            .put("/api/admin/updateProduct/desk-masala", change)
            .await
            .expect_ok();
        assert_eq!(
            changed["product"]["_id"], "desk-masala",
            "an address outlives a new name"
        );
        let seen = visitor.get(path).await.expect_ok()["product"].take();
        assert_eq!(seen["product_name"], "Table Masala");
        assert_eq!(
            (&seen["mrp"], &seen["category"]),
            (&json!([70]), &json!(["Soups"]))
        );
        assert_eq!(
            seen["ingredients"], product["ingredients"],
            "what is left out stays"
        );
        assert_eq!(seen["stock"], 1000);

        let rank = "/api/admin/products/desk-masala/trending-rank";
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
                .any(|product| product["_id"] == "desk-masala")
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

        let toggle = "/api/admin/products/desk-masala/toggle-visibility";
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
        assert!(has_it(&all), "its owner still sees it");
        assert_eq!(
            admin.put(toggle, json!({})).await.expect_ok()["isVisible"],
            true
        );
        assert_eq!(visitor.get(path).await.status, 200);

        admin
            .delete("/api/admin/deleteProduct/desk-masala")
            .await
            .expect_ok();
        visitor
            .get(path)
            .await
            .expect_error(404, "Product not found.");
        let gone = admin.delete("/api/admin/deleteProduct/desk-masala").await;
        gone.expect_error(404, "Product not found.");
        assert!(!has_it(
            &admin
                .get("/api/admin/products?search=table")
                .await
                .expect_ok()
        ));
        assert_eq!(
            add(&admin, "Desk Masala").await["_id"],
            "desk-masala-3",
            "no address is used twice"
        );

        let trail = deeds(&admin, "desk-masala").await;
        let actions: Vec<_> = trail.iter().map(|(action, _)| action.as_str()).collect();
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
        let (_, detail) = &trail[5];
        for field in ["product_name", "mrp", "category"] {
            assert!(detail.contains(field), "{detail}");
        }
    });
}

#[test]
fn a_form_that_is_not_filled_as_it_should_be_is_refused_by_field() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let whole = || body("Refused Masala");
        let most = "must be from 0 to 1000000000";
        let net_wt = |value: Value, unit: &str| json!([{ "value": value, "unit": unit }]);
        let rank = "trendingRank must be a whole number from 1 to 10, or empty";
        for (field, value, says) in [
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
            response.expect_error(400, says);
        }
        // What is not even of the right kind is named, too.
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
        assert_eq!(found["total"], 0, "none of them left anything behind");

        let id = add(&admin, "Refused Changes").await["_id"]
            .as_str()
            .unwrap()
            .to_owned();
        let path = format!("/api/admin/updateProduct/{id}");
        for (change, says) in [
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
            admin.put(&path, change).await.expect_error(400, says);
        }
        let rank_path = format!("/api/admin/products/{id}/trending-rank");
        for bad in [0, 11, -1] {
            admin
                .put(&rank_path, json!({ "trendingRank": bad }))
                .await
                .expect_error(400, rank);
        }
        assert_eq!(
            deeds(&admin, &id).await.len(),
            1,
            "what is refused is no deed"
        );
        let nothing = "/api/admin/updateProduct/no-such-masala";
        admin
            .put(nothing, json!({ "version": 1 }))
            .await
            .expect_error(404, "Product not found.");
    });
}

async fn is_explained(shop: &TestShop, id: &str) -> bool {
    let unexplained = read_db!(shop, db => db.products_not_matching_ledger().await?);
    !unexplained.iter().any(|product| product.0 == id)
}

#[test]
fn what_arrives_and_what_is_bought_meanwhile_add_up() {
    for_each_engine(async |shop| {
        let id = shop
            .add_product(ProductFixture {
                grams: 1000,
                pouches_50g: 10,
                pouches_100g: 10,
                ..ProductFixture::new("restocked-masala", "Restocked Masala")
            })
            .await;
        let admin = shop.admin().await;
        let customer = shop.customer("admin-restock").await;
        // The form shows 1000 g; before it is saved somebody buys two packs of 50 g.
        customer.add(id, 2, 0).await;
        let home = customer.home().await;
        customer.check_out(&home).await.expect_ok();
        let form = json!({
            "version": 1, "stock": 1500, "stock_seen": 1000,
            "packaging_50gms": 30, "packaging_50gms_seen": 10, "packaging_100gms_change": -4,
        });
        let path = format!("/api/admin/updateProduct/{id}");
        let product = admin.put(&path, form).await.expect_ok()["product"].take();
        assert_eq!(product["stock"], 1400);
        assert_eq!(product["packaging_50gms"], 28);
        assert_eq!(product["packaging_100gms"], 6);
        assert!(is_explained(shop, id).await);
        let trail = deeds(&admin, id).await;
        assert!(
            trail[0].1.contains("stock +500 g, +20 and -4 pouches"),
            "{trail:?}"
        );

        let too_much = json!({ "version": 2, "stock_change": -1401 });
        admin
            .put(&path, too_much)
            .await
            .expect_error(409, "There is not that much left to take away");
        assert!(is_explained(shop, id).await);
    });
}

#[test]
fn the_second_of_two_who_edit_at_once_is_told() {
    for_each_engine(async |shop| {
        let first = shop.admin().await;
        let second = shop.visitor();
        second.sign_in("admin@mirasa.example").await;
        let id = add(&first, "Contested Masala").await["_id"]
            .as_str()
            .unwrap()
            .to_owned();
        let path = format!("/api/admin/updateProduct/{id}");
        let change = |name: &str| json!({ "version": 1, "product_name": name, "stock_change": 5 });
        first.put(&path, change("Ours")).await.expect_ok();
        second.put(&path, change("Theirs")).await.expect_error(
            409,
            "Somebody else changed this product meanwhile. Please reload and try again.",
        );
        let (first_again, second_again) = (
            json!({ "version": 2, "product_name": "A" }),
            json!({ "version": 2, "product_name": "B" }),
        );
        let (one, two) = tokio::join!(
            first.put(&path, first_again),
            second.put(&path, second_again)
        );
        let mut both = [one.status, two.status];
        both.sort_unstable();
        assert_eq!(both, [200, 409], "of two at the same moment one wins");
        let product = first.get(&format!("/api/products/{id}")).await.expect_ok()["product"].take();
        assert_eq!(
            product["stock"], 1005,
            "a refused change moves no stock either"
        );
    });
}

#[test]
fn update_product_spec_body_without_version_is_accepted() {
    for_each_engine(async |shop| {
        let id = shop
            .add_product(ProductFixture {
                grams: 1000,
                pouches_50g: 10,
                pouches_100g: 10,
                ..ProductFixture::new("plain-body-masala", "Plain Body Masala")
            })
            .await;
        let admin = shop.admin().await;
        let path = format!("/api/admin/updateProduct/{id}");
        let customer = shop.customer("plain-body").await;
        customer.add(id, 2, 0).await;
        let home = customer.home().await;
        customer.check_out(&home).await.expect_ok();

        // Every field of the specification, and none of ours.
        let counted = body("Plain Body Masala");
        let product = admin.put(&path, counted).await.expect_ok()["product"].take();
        assert_eq!(product["product_name"], "Plain Body Masala");
        assert_eq!(
            (
                &product["stock"],
                &product["packaging_50gms"],
                &product["packaging_100gms"]
            ),
            (&json!(1000), &json!(10), &json!(5)),
            "the counts are what was sent, not added to what was there"
        );
        assert!(is_explained(shop, id).await);

        // Somebody else saved in between: the last one wins.
        admin
            .put(&path, json!({ "best_before": "6 Months", "version": 2 }))
            .await
            .expect_ok();
        let product = admin
            .put(&path, json!({ "preservatives": "Salt", "stock": 40 }))
            .await
            .expect_ok()["product"]
            .take();
        assert_eq!(product["preservatives"], "Salt");
        assert_eq!(product["best_before"], "6 Months", "what is left out stays");
        assert_eq!(
            (&product["stock"], &product["packaging_50gms"]),
            (&json!(40), &json!(10))
        );
        assert_eq!(product["version"], 4);
        let stale = json!({ "version": 3, "preservatives": "None" });
        let refused = admin.put(&path, stale).await;
        assert_eq!(refused.status, 409, "with a version conflicts are detected");
        assert!(is_explained(shop, id).await);
    });
}

#[test]
fn update_product_many_at_once_without_version_all_win() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let id = shop
            .add_product(ProductFixture {
                grams: 1000,
                pouches_50g: 100,
                pouches_100g: 100,
                ..ProductFixture::new("rushed-masala", "Rushed Masala")
            })
            .await;
        let path = format!("/api/admin/updateProduct/{id}");
        // Another instance's edit that this one has not seen yet.
        let now = crate::harness::now_ms();
        shop.sql(&format!(
            "update products set version = version + 1, touched_at = {now},
             about = replace(about, 'All about', 'More about') where id = 'rushed-masala'"
        ))
        .await;
        let product = admin.put(&path, json!({ "stock": 500 })).await.expect_ok()["product"].take();
        assert_eq!(product["description"], "More about Rushed Masala.");

        let customer = shop.customer("rushed").await;
        let home = customer.home().await;
        customer.add(id, 2, 0).await;
        let puts = [600, 700, 800].map(|stock| admin.put(&path, json!({ "stock": stock })));
        let [one, two, three] = puts;
        let (bought, one, two, three) = tokio::join!(customer.check_out(&home), one, two, three);
        bought.expect_ok();
        for put in [one, two, three] {
            put.expect_ok();
        }
        assert!(
            is_explained(shop, id).await,
            "every sale and every count is in the ledger"
        );
        let stock =
            admin.get(&format!("/api/products/{id}")).await.expect_ok()["product"]["stock"].take();
        let possible = [600, 700, 800].map(|stock| [stock, stock - 100]).concat();
        assert!(possible.contains(&stock.as_i64().unwrap()), "{stock}");
    });
}
