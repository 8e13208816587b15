//! Products as CSV files: what is exported can be imported without a change; an import is all or nothing.

use serde_json::{Value, json};

use crate::admin_products::audit_entries;
use crate::harness::{
    ProductFixture, TestClient, TestResponse, TestShop, for_each_engine_fresh, read_db,
};

pub async fn export(admin: &TestClient, format: &str) -> String {
    let path = format!("/api/admin/products/export.csv?format={format}");
    let response = admin.get(&path).await;
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(response.header("content-type"), "text/csv; charset=utf-8");
    response.text().to_owned()
}

pub async fn import(admin: &TestClient, file: impl AsRef<[u8]>, dry_run: bool) -> TestResponse {
    let path = format!("/api/admin/products/import?dryRun={dry_run}");
    admin
        .upload_to(&path, "file", &[("products.csv", file.as_ref())])
        .await
}

pub async fn product(admin: &TestClient, id: &str) -> Value {
    let found = admin.get("/api/admin/products").await.expect_ok();
    let mut products = found["products"].as_array().unwrap().iter();
    let product = products.find(|product| product["_id"] == id);
    product
        .unwrap_or_else(|| panic!("no {id} in {found}"))
        .clone()
}

pub async fn assert_ledger_matches(shop: &TestShop) {
    let mismatches = read_db!(shop, db => db.products_not_matching_ledger().await?);
    assert!(mismatches.is_empty(), "{mismatches:?}");
}

/// The exported file with some cells of one product replaced.
pub fn with_cells(file: &str, id: &str, cells: &[(&str, &str)]) -> String {
    let mut reader = csv::Reader::from_reader(file.trim_start_matches('\u{feff}').as_bytes());
    let headers = reader.headers().unwrap().clone();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&headers).unwrap();
    for record in reader.records().map(Result::unwrap) {
        let is_it = &record[0] == id;
        writer
            .write_record(headers.iter().zip(&record).map(|(header, cell)| {
                let replaced = cells.iter().find(|(name, _)| is_it && *name == header);
                replaced.map_or(cell, |(_, cell)| cell)
            }))
            .unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

#[test]
fn importing_an_export_changes_nothing() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            // Texts that spreadsheets and lists treat in a special way.
            let odd = json!({
                "product_name": "=Odd, \"Masala\"", "category": ["A, B", "C"], "ingredients": ["one\ntwo", "back\\slash"],
                "mrp": [65.5, 0], "net_wt": [{ "value": 50, "unit": "g" }], "description": "5 < 6 & 'seven' <b>",
                "images": ["https://images.example.com/a.webp"], "isVisible": false, "trendingRank": 3,
            });
            assert_eq!(admin.post("/api/admin/addProduct", odd).await.status, 201);
            for format in ["mirasa", "shopify"] {
                let file = export(&admin, format).await;
                let report = import(&admin, &file, false).await.expect_ok();
                assert_eq!(report["rows"], json!([]), "{format}: {report}\n{file}");
                let total = admin.get("/api/admin/products").await.expect_ok()["total"].take();
                assert_eq!(report["unchanged"], total, "{format}: {report}");
                assert_eq!(export(&admin, format).await, file);
            }
            assert!(
                export(&admin, "mirasa").await.contains("'=Odd"),
                "no formula"
            );
            admin
                .get("/api/admin/products/export.csv?format=xml")
                .await
                .expect_code(400, "invalid_input", "format");
        },
    );
}

#[test]
fn dry_run_reports_and_import_changes_all_rows_once() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let id = shop
                .add_product(ProductFixture {
                    grams: 1000,
                    pouches_50g: 10,
                    pouches_100g: 10,
                    ..ProductFixture::new("filed-masala", "Filed Masala")
                })
                .await;
            let exported = export(&admin, "mirasa").await;
            let file = with_cells(
                &exported,
                id,
                &[("mrp_50g", "70.25"), ("stock", "1500"), ("isVisible", "no")],
            );
            // Two packs of 50 g are sold between the export and the import.
            let customer = shop.customer("csv-buyer").await;
            customer.add(id, 2, 0).await;
            let home = customer.home().await;
            customer.check_out(&home).await.expect_ok();

            let dry = import(&admin, &file, true).await.expect_ok();
            assert_eq!(
                (&dry["applied"], &dry["changed"]),
                (&json!(false), &json!(1))
            );
            let row = &dry["rows"][0];
            assert_eq!(row["_id"], id);
            assert_eq!(
                row["changes"],
                json!([
                    { "field": "mrp_50g", "from": "65.50", "to": "70.25" },
                    { "field": "isVisible", "from": "yes", "to": "no" },
                    { "field": "stock", "from": "900", "to": "1400" },
                ])
            );
            assert_eq!(
                product(&admin, id).await["stock"],
                900,
                "nothing has changed"
            );

            let report = import(&admin, &file, false).await.expect_ok();
            assert_eq!(
                (&report["applied"], &report["rows"]),
                (&json!(true), &dry["rows"])
            );
            let now = product(&admin, id).await;
            assert_eq!(
                (&now["stock"], &now["isVisible"]),
                (&json!(1400), &json!(false))
            );
            assert_eq!(now["mrp"][0], 70.25);
            assert_ledger_matches(shop).await;
            let entries = audit_entries(&admin, id).await;
            assert!(
                entries[0]
                    .1
                    .contains("from a file: mrp_50g; isVisible; stock"),
                "{entries:?}"
            );

            // The same file again: its version is no longer the newest.
            let again = import(&admin, file, false).await.expect_ok();
            assert_eq!(again["invalid"], 1, "{again}");
            assert_eq!(product(&admin, id).await["stock"], 1400);
        },
    );
}

#[test]
fn one_invalid_row_keeps_all_rows_from_being_imported() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let deleted = shop
                .add_product(ProductFixture::new("gone-masala", "Gone Masala"))
                .await;
            admin
                .delete(&format!("/api/admin/deleteProduct/{deleted}"))
                .await
                .expect_ok();
            shop.add_product(ProductFixture::new("kept-masala", "Kept Masala"))
                .await;
            let file = "id,product_name,mrp_50g,stock,shelf\n\
            kept-masala,Renamed Masala,70,5,x\n\
            kept-masala,Twice,70,5,\n\
            gone-masala,Gone,70,5,\n\
            Not A Slug,New,70,5,\n\
            new-one,New,70,5,\n\
            ,Kept Masala,70,5,\n\
            x,y,z,5,,too many\n";
            let report = import(&admin, file, false).await.expect_ok();
            assert_eq!(
                (&report["applied"], &report["invalid"]),
                (&json!(false), &json!(6))
            );
            assert_eq!(report["ignoredColumns"], json!(["shelf"]));
            let errors: Vec<(u64, &str)> = report["rows"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|row| Some((row["line"].as_u64()?, row["error"].as_str()?)))
                .collect();
            assert_eq!(
                errors,
                [
                    (3, "this product is in the file twice"),
                    (4, "a deleted product had this id"),
                    (5, "id must have small letters, digits and dashes only"),
                    (6, "category is required"),
                    (7, "this product is in the file twice"),
                    (8, "has more cells than the header"),
                ]
            );
            assert_eq!(
                product(&admin, "kept-masala").await["product_name"],
                "Kept Masala"
            );

            let cell = |column: &str, cell: &str| format!("id,{column}\nkept-masala,{cell}\n");
            for (file, error) in [
                (
                    cell("mrp_50g", "₹65"),
                    "mrp_50g must be an amount such as 65.50",
                ),
                (
                    cell("stock", "-1"),
                    "stock must be a whole number from 0 to 1000000000",
                ),
                (cell("isVisible", "maybe"), "isVisible must be yes or no"),
                (
                    cell("heat", "fiery"),
                    "heat must be none, mild, medium, hot or empty",
                ),
                (
                    cell("trendingRank", "11"),
                    "trendingRank must be a whole number from 1 to 10, or empty",
                ),
                (cell("product_name", ""), "product_name is required"),
            ] {
                let report = import(&admin, file, true).await.expect_ok();
                assert_eq!(report["rows"][0]["error"], error, "{report}");
            }
            for (file, error) in [
                (
                    b"id,product_name\nx,caf\xe9\n".to_vec(),
                    "The file is not UTF-8. Please save it as “CSV UTF-8”",
                ),
                (b"id,id\nx,y\n".to_vec(), "The column “id” is there twice"),
                (
                    b"nothing\nx\n".to_vec(),
                    "The first row must name the columns; one of them must be id or product_name",
                ),
            ] {
                let response = import(&admin, file, true).await;
                response.expect_code(400, "invalid_input", "file");
                assert_eq!(response.error_text(), error);
            }
        },
    );
}

#[test]
fn shopify_file_adds_products() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let file = "Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Variant Grams,Variant Inventory Qty,Variant Price,Image Src,Image Alt Text\n\
            kala-masala,Kala Masala,<p>Dark &amp; roasted</p>,Us,Blends,Maharashtrian,TRUE,Pack,50 g,50,10,75.00,https://images.example.com/kala.jpg,A pouch\n\
            kala-masala,,,,,,,,100 g,100,4,140.00,,\n";
            let report = import(&admin, file, false).await.expect_ok();
            assert_eq!(
                (&report["applied"], &report["added"]),
                (&json!(true), &json!(1)),
                "{report}"
            );
            let added = product(&admin, "kala-masala").await;
            assert_eq!(added["description"], "Dark & roasted");
            assert_eq!(added["category"], json!(["Blends", "Maharashtrian"]));
            assert_eq!(added["mrp"], json!([75, 140]));
            assert_eq!(
                (
                    &added["stock"],
                    &added["packaging_50gms"],
                    &added["packaging_100gms"]
                ),
                (&json!(900), &json!(10), &json!(4))
            );
            assert_eq!(
                added["isVisible"], false,
                "hidden until its ingredients are known"
            );
            assert_ledger_matches(shop).await;
            // Again: nothing changes, also not the stock.
            let again = import(&admin, file, false).await.expect_ok();
            assert_eq!(again["changed"], 1, "published, but hidden here: {again}");
            assert_eq!(again["rows"][0]["changes"][0]["field"], "isVisible");
        },
    );
}

/// A transaction has five seconds on PostgreSQL. A test build on a busy machine needs a second for these, a release build
/// less for the 10,000 that a file may have.
const ROWS: usize = 2_000;

#[test]
fn many_rows_are_imported_in_one_transaction() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let row = |number: usize| {
                format!("bulk-{number},Bulk {number},Bulk,Coriander,65,50 g,1000,20,0\n")
            };
            let header = "id,product_name,category,ingredients,mrp_50g,net_wt,stock,packaging_50gms,packaging_100gms\n";
            let file: String = std::iter::once(header.to_owned())
                .chain((0..ROWS).map(row))
                .collect();
            let began = std::time::Instant::now();
            let report = import(&admin, &file, false).await.expect_ok();
            println!("{ROWS} rows in {} ms", began.elapsed().as_millis());
            assert_eq!(
                (&report["applied"], &report["added"]),
                (&json!(true), &json!(ROWS))
            );
            let again = import(&admin, &file, true).await.expect_ok();
            assert_eq!(again["unchanged"], ROWS);
            let dearer = file.replace(",65,50 g,1000,", ",70,50 g,1250,");
            let began = std::time::Instant::now();
            let report = import(&admin, &dearer, false).await.expect_ok();
            println!("changed in {} ms", began.elapsed().as_millis());
            assert_eq!(
                (&report["applied"], &report["changed"]),
                (&json!(true), &json!(ROWS))
            );
            let again = import(&admin, &dearer, true).await.expect_ok();
            assert_eq!(again["unchanged"], ROWS);
            assert_ledger_matches(shop).await;
        },
    );
}

#[test]
fn prices_are_read_by_the_marks_of_the_file() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let id = shop
                .add_product(ProductFixture::new("marked-masala", "Marked Masala"))
                .await;
            for (file, price, error) in [
                (format!("id;mrp_50g\n{id};65,50\n"), 65.5, ""),
                (format!("id;mrp_50g\n{id};66.50\n"), 66.5, ""),
                (format!("id;mrp_50g\n{id};1.234,50\n"), 1234.5, ""),
                (format!("id;mrp_50g\n{id};1,23,456.00\n"), 123_456.0, ""),
                (format!("id,mrp_50g\n{id},\"1,23,457.00\"\n"), 123_457.0, ""),
                (format!("id,mrp_50g\n{id},\"1,234\"\n"), 1234.0, ""),
                (
                    format!("id;mrp_50g\n{id};1,235\n"),
                    1234.0,
                    "mrp_50g can be read in two ways: write it without separators of thousands, such as 1234.50",
                ),
                (
                    format!("id,mrp_50g\n{id},\"65,50\"\n"),
                    1234.0,
                    "mrp_50g must have a point as decimal mark, as the file has commas between its cells",
                ),
            ] {
                let report = import(&admin, &file, false).await.expect_ok();
                let found = report["rows"][0]["error"].as_str().unwrap_or_default();
                assert_eq!(found, error, "{file}");
                if !error.is_empty() {
                    assert_eq!(report["rows"][0]["line"], 2);
                }
                let now = product(&admin, id).await["mrp"][0].as_f64();
                assert_eq!(now, Some(price), "{file}");
            }
        },
    );
}

#[test]
fn concurrent_imports_of_different_columns_keep_both_changes() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let fixture = ProductFixture::new("shared-masala", "Shared Masala");
            let id = shop.add_product(fixture).await;
            for round in 70..80 {
                let price = format!("id,mrp_50g\n{id},{round}\n");
                let text = format!("id,description\n{id},Round {round}\n");
                let imports = [price, text].map(|file| import(&admin, file, false));
                for response in futures::future::join_all(imports).await {
                    assert_eq!(response.expect_ok()["applied"], true);
                }
                let now = product(&admin, id).await;
                assert_eq!(now["mrp"][0], round);
                assert_eq!(now["description"], format!("Round {round}"));
            }
        },
    );
}
