//! Edits of a product while it is sold, or while another admin edits it.

use serde_json::json;

use crate::admin_products::{add, audit_entries, body};
use crate::harness::{ProductFixture, TestShop, for_each_engine, read_db};

async fn matches_ledger(shop: &TestShop, id: &str) -> bool {
    let mismatches = read_db!(shop, db => db.products_not_matching_ledger().await?);
    !mismatches.iter().any(|product| product.0 == id)
}

#[test]
fn stock_edit_and_concurrent_sale_add_up() {
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
        // The form shows 1000 g. Before it is saved, a customer buys two packs of 50 g.
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
        assert!(matches_ledger(shop, id).await);
        let entries = audit_entries(&admin, id).await;
        assert!(
            entries[0].1.contains("stock +500 g, +20 and -4 pouches"),
            "{entries:?}"
        );

        let more_than_stock = json!({ "version": 2, "stock_change": -1401 });
        admin
            .put(&path, more_than_stock)
            .await
            .expect_error(409, "There is not that much left to take away");
        assert!(matches_ledger(shop, id).await);
    });
}

#[test]
fn second_of_two_concurrent_edits_gets_a_conflict() {
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
        assert_eq!(both, [200, 409], "one of two concurrent edits succeeds");
        let product = first.get(&format!("/api/products/{id}")).await.expect_ok()["product"].take();
        assert_eq!(
            product["stock"], 1005,
            "a rejected edit does not change the stock"
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

        // The body of the specification, without our additional fields.
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
            "the request sets the counts; it does not add to them"
        );
        assert!(matches_ledger(shop, id).await);

        // Another admin saved in between: the last write wins.
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
        assert_eq!(
            product["best_before"], "6 Months",
            "omitted fields stay unchanged"
        );
        assert_eq!(
            (&product["stock"], &product["packaging_50gms"]),
            (&json!(40), &json!(10))
        );
        assert_eq!(product["version"], 4);
        let stale = json!({ "version": 3, "preservatives": "None" });
        let conflict = admin.put(&path, stale).await;
        assert_eq!(conflict.status, 409, "a version detects conflicts");
        assert!(matches_ledger(shop, id).await);
    });
}

#[test]
fn update_product_concurrent_without_version_all_succeed() {
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
        // An edit by another instance that this instance has not loaded yet.
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
            matches_ledger(shop, id).await,
            "the ledger has every sale and every count"
        );
        let stock =
            admin.get(&format!("/api/products/{id}")).await.expect_ok()["product"]["stock"].take();
        let possible = [600, 700, 800].map(|stock| [stock, stock - 100]).concat();
        assert!(possible.contains(&stock.as_i64().unwrap()), "{stock}");
    });
}
