//! Batches never have more than lies in the shop: edits without a batch are taken from the one that ends first, `mirasa check`
//! tells what is wrong, and `mirasa repair-batches` mends what earlier versions left.

use futures::future::join_all;
use mirasa_app::ports::clock::{SystemClock, SystemIdGenerator};
use mirasa_app::stock::batches::repair::{BatchRepairs, repair_batches};
use mirasa_server::commands::check_data::check_consistency;
use serde_json::{Value, json};

use crate::admin_products_csv::{export, import, with_cells};
use crate::batches::{day, left, new_product, of, receive};
use crate::cli::expect_success;
use crate::harness::crash::{ShopFolder, admin};
use crate::harness::{TestClient, TestShop, for_each_engine_fresh, in_runtime};
use crate::stock::{amounts, buy, pack, stock_of};

async fn labels(admin: &TestClient, product: &str) -> Vec<(Value, Value)> {
    let path = format!("/api/admin/stock/{product}/movements");
    let ledger = admin.get(&path).await.expect_ok();
    let rows = ledger["movements"].as_array().unwrap().iter();
    let rows = rows.filter(|row| row["note"] == "The stock was edited without a batch");
    rows.map(|row| (row["batch"].clone(), row["change"]["grams"].clone()))
        .collect()
}

async fn edit_stock(admin: &TestClient, product: &str, grams: i64) {
    let path = format!("/api/admin/updateProduct/{product}");
    let body = json!({ "stock": grams });
    admin.put(&path, body).await.expect_ok();
}

#[test]
fn edit_without_a_batch_is_taken_from_the_batch_that_ends_first() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let product = new_product(shop, "edit-batch", 200).await;
            let admin = shop.admin().await;
            receive(&admin, product, "A", 60, 300).await;
            receive(&admin, product, "B", 90, 500).await;
            let customer = shop.customer("edit-batch").await;
            // 100 g are to pack: they lie in the shop as well.
            buy(&customer, product, 2, 0).await;
            edit_stock(&admin, product, 700).await;
            assert_eq!(left(&admin, product).await, of(&[("A", 300), ("B", 500)]));
            edit_stock(&admin, product, 650).await;
            assert_eq!(left(&admin, product).await, of(&[("A", 250), ("B", 500)]));
            edit_stock(&admin, product, 800).await;
            assert_eq!(left(&admin, product).await, of(&[("A", 250), ("B", 500)]));

            let file = export(&admin, "mirasa").await;
            let file = with_cells(&file, product, &[("stock", "300")]);
            import(&admin, &file, false).await.expect_ok();
            assert_eq!(left(&admin, product).await, of(&[("A", 0), ("B", 400)]));
            let row = stock_of(&admin, product).await;
            assert_eq!(amounts(&row["inShop"]).0, 400);
            assert_eq!(row["gramsWithoutBatch"], 0);
            let mut rows = labels(&admin, product).await;
            rows.retain(|(batch, _)| !batch.is_null());
            rows.sort_by_key(|(batch, grams)| (batch.to_string(), grams.as_i64()));
            let expected = [("A", -250), ("A", -50), ("B", -100)];
            let expected: Vec<_> = expected
                .map(|(batch, grams)| (json!(batch), json!(grams)))
                .into();
            assert_eq!(rows, expected);
            shop.assert_consistent().await;
        },
    );
}

/// What the check says about a product or an order.
async fn problems(shop: &TestShop, about: &str) -> Vec<String> {
    let report = check_consistency(&shop.second_instance).await.unwrap();
    let lines = report.to_string();
    lines
        .lines()
        .filter(|line| line.starts_with("WRONG") && line.contains(about))
        .map(str::to_owned)
        .collect()
}

async fn repair(shop: &TestShop) -> BatchRepairs {
    let db = &shop.second_instance;
    repair_batches(db, &SystemClock, &SystemIdGenerator)
        .await
        .unwrap()
}

/// As an earlier version left it: the order was shipped, set to confirmed and shipped again.
fn taken_twice(order: &str) -> [String; 2] {
    [
        format!(
            "update batches set left_grams = left_grams - (select sum(quantity * pack_grams) from batch_packs
             where batch_id = batches.id and order_id = '{order}')
             where id in (select batch_id from batch_packs where order_id = '{order}')"
        ),
        format!("update batch_packs set quantity = 2 * quantity where order_id = '{order}'"),
    ]
}

#[test]
fn repair_returns_what_was_taken_twice_and_takes_what_is_not_there() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let twice = new_product(shop, "repair-twice", 0).await;
            let less = new_product(shop, "repair-less", 0).await;
            let admin = shop.admin().await;
            receive(&admin, twice, "A", 60, 150).await;
            receive(&admin, twice, "B", 90, 1_000).await;
            receive(&admin, less, "A", 60, 300).await;
            receive(&admin, less, "B", 90, 700).await;
            let customer = shop.customer("repair").await;
            let order = buy(&customer, twice, 1, 2).await;
            pack(&admin, std::slice::from_ref(&order)).await.expect_ok();
            assert_eq!(left(&admin, twice).await, of(&[("A", 0), ("B", 900)]));
            assert_eq!(repair(shop).await, BatchRepairs::default());

            shop.sql("update batches set received_grams = 1150, left_grams = 150 where product_id = 'repair-twice' and number = 'A'").await;
            shop.sql("update stock_ledger set grams = grams + 150 where product_id = 'repair-twice' and batch_id is not null and grams = 150").await;
            shop.sql(
                "update products set stock_grams = stock_grams + 150 where id = 'repair-twice'",
            )
            .await;
            for statement in taken_twice(&order) {
                shop.sql(&statement).await;
            }
            shop.sql("update products set stock_grams = 600 where id = 'repair-less'")
                .await;
            shop.sql("insert into stock_ledger (id, product_id, reason, grams, pouches_50g, pouches_100g, at) values ('less', 'repair-less', 'edit', -400, 0, 0, 1)").await;
            assert_eq!(problems(shop, &order).await.len(), 1);
            let found = problems(shop, less).await;
            assert!(
                found[0].contains("400 g more than lie in the shop"),
                "{found:?}"
            );

            let repairs = repair(shop).await;
            assert_eq!((repairs.packs.len(), repairs.grams.len()), (1, 1));
            assert_eq!(
                (
                    repairs.packs[0].packs.of_50g,
                    repairs.packs[0].packs.of_100g
                ),
                (1, 2)
            );
            assert_eq!(left(&admin, less).await, of(&[("A", 0), ("B", 600)]));
            let sum: i64 = left(&admin, twice)
                .await
                .iter()
                .map(|(_, grams)| grams)
                .sum();
            assert_eq!(sum, 1_050);
            shop.assert_consistent().await;
            assert_eq!(
                repair(shop).await,
                BatchRepairs::default(),
                "safe to repeat"
            );
        },
    );
}

#[test]
fn repair_while_the_shop_sells_and_packs() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let product = new_product(shop, "repair-race", 0).await;
            let admin = shop.admin().await;
            receive(&admin, product, "A", 60, 5_000).await;
            let customers = join_all((0..6).map(|number| {
                let name = format!("repair-race-{number}");
                async move { shop.customer(&name).await }
            }))
            .await;
            let first = buy(&customers[0], product, 1, 0).await;
            pack(&admin, std::slice::from_ref(&first)).await.expect_ok();
            for statement in taken_twice(&first) {
                shop.sql(&statement).await;
            }
            let sales = join_all(customers.iter().map(async |customer| {
                let order = buy(customer, product, 0, 1).await;
                pack(&admin, &[order]).await.expect_ok();
            }));
            let repairs = join_all((0..3).map(|_| repair(shop)));
            let (_, repairs) = futures::join!(sales, repairs);
            let returned: u32 = repairs
                .iter()
                .flat_map(|one| &one.packs)
                .map(|one| one.packs.of_50g)
                .sum();
            assert_eq!(returned, 1, "once");
            assert_eq!(left(&admin, product).await, of(&[("A", 4_350)]));
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn command_prints_what_it_repairs() {
    in_runtime(async {
        let folder = ShopFolder::seeded();
        let served = folder.start();
        let admin = admin(&served).await;
        let grams = amounts(&stock_of(&admin, "goda-masala").await["available"]).0;
        let label = json!({
            "productId": "goda-masala", "number": "A", "bestBefore": day(90), "grams": grams, "inStock": true,
        });
        admin.post("/api/admin/batches", label).await.expect_ok();
        let repair = || folder.run("repair-batches", &[]);
        assert_eq!(expect_success(&repair()), "nothing to repair\n");
        folder.sql("update products set stock_grams = stock_grams - 70 where id = 'goda-masala'");
        folder.sql(
            "update stock_ledger set grams = grams - 70 where product_id = 'goda-masala' and reason = 'opening'",
        );
        assert!(!folder.run("check", &[]).status.success());
        assert_eq!(
            expect_success(&repair()),
            "goda-masala: its batches had 70 g more than lie in the shop; taken from the batch that ends first\n1 repaired\n"
        );
        folder.assert_consistent("repaired");
        drop(served);
    });
}
