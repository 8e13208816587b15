//! What the import of a CSV file does to the stock: a change is added once, however often the file is imported.

use serde_json::json;

use crate::admin_products_csv::{assert_ledger_matches, export, import, product, with_cells};
use crate::harness::{ProductFixture, for_each_engine_fresh};

#[test]
fn file_adds_its_change_of_the_stock_once() {
    const IMPORTS: usize = 8;
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let fixture = ProductFixture::new("counted-masala", "Counted Masala");
            let before = fixture.grams;
            let id = shop.add_product(fixture).await;
            let exported = export(&admin, "mirasa").await;
            let more = (before + 100).to_string();
            let file = with_cells(&exported, id, &[("stock", more.as_str())]);
            let dry = import(&admin, &file, true).await.expect_ok();
            assert_eq!(dry["changed"], 1, "a change of the stock counts: {dry}");
            let imports = (0..IMPORTS).map(|_| import(&admin, &file, false));
            let mut applied = 0;
            for response in futures::future::join_all(imports).await {
                let report = response.expect_ok();
                applied += usize::from(report["applied"] == true);
                let error = &report["rows"][0]["error"];
                let is_refused = error
                    .as_str()
                    .is_some_and(|error| error.contains("was changed since the file was exported"));
                assert_eq!(is_refused, report["applied"] == false, "{report}");
            }
            assert_eq!(applied, 1);
            assert_eq!(product(&admin, id).await["stock"], before + 100);

            // Without the version nobody could tell that it is the same file.
            let bare = format!("id,stock,stock_at_export\n{id},{},{before}\n", before + 100);
            let report = import(&admin, bare, false).await.expect_ok();
            let error = &report["rows"][0]["error"];
            assert_eq!(
                error,
                "version is required with stock_at_export: export the file again"
            );
            // A count that is no change of an earlier one can be imported at any time.
            let absolute = format!("id,stock\n{id},700\n");
            for changed in [1, 0] {
                let report = import(&admin, &absolute, false).await.expect_ok();
                assert_eq!(report["changed"], changed, "{report}");
                assert_eq!(product(&admin, id).await["stock"], 700);
            }
            assert_ledger_matches(shop).await;
        },
    );
}

/// The owner copies a row of an export for a new product. It keeps the version and the counts of the other one.
#[test]
fn copied_row_adds_its_stock_once() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let fixture = ProductFixture::new("first-masala", "First Masala");
            let grams = fixture.grams + 1500;
            let copied = shop.add_product(fixture).await;
            let exported = export(&admin, "mirasa").await;
            let more = grams.to_string();
            let cells = [
                ("id", "second-masala"),
                ("product_name", "Second Masala"),
                ("stock", more.as_str()),
            ];
            let file = with_cells(&exported, copied, &cells);
            let report = import(&admin, &file, false).await.expect_ok();
            assert_eq!(
                (&report["applied"], &report["added"]),
                (&json!(true), &json!(1)),
                "{report}"
            );
            assert_eq!(product(&admin, "second-masala").await["stock"], grams);
            for dry_run in [true, false] {
                let report = import(&admin, &file, dry_run).await.expect_ok();
                assert_eq!(report["applied"], false, "{report}");
                let error = report["rows"][0]["error"].as_str().unwrap();
                assert!(error.contains("was changed since the file was exported"));
            }
            assert_eq!(product(&admin, "second-masala").await["stock"], grams);

            // Without a change of the counts the same file can be imported again, as after a move to another shop.
            let cells = [("id", "third-masala"), ("product_name", "Third Masala")];
            let file = with_cells(&exported, copied, &cells);
            for (added, unchanged) in [(1, 0), (0, 1)] {
                let report = import(&admin, &file, false).await.expect_ok();
                assert_eq!(report["applied"], true, "{report}");
                assert_eq!(report["added"], added, "{report}");
                assert!(report["unchanged"].as_i64() >= Some(unchanged), "{report}");
            }
            assert_ledger_matches(shop).await;
        },
    );
}
