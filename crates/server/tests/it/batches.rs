//! Batches: receiving, packing the one that ends first, nothing too old, who got it, and what comes back.

use futures::future::join_all;
use http::Method;
use mirasa_domain::ist;
use serde_json::{Value, json};

use crate::batch_packing::make_too_old;
use crate::harness::{ProductFixture, TestClient, TestShop, for_each_engine, now_ms, read_db};
use crate::invoice_files::pdf_text;
use crate::stock::{amounts, buy, move_stock, pack, stock_of};

/// The date `days` days after today, in India.
pub fn day(days: i64) -> String {
    ist::iso_date(ist::day(now_ms()) + days)
}

pub async fn receive(
    admin: &TestClient,
    product: &str,
    number: &str,
    days_left: i64,
    grams: i64,
) -> String {
    let body = json!({ "productId": product, "number": number, "bestBefore": day(days_left), "grams": grams });
    let added = admin.post("/api/admin/batches", body).await.expect_ok();
    added["batch"]["_id"].as_str().unwrap().to_owned()
}

/// The grams that are left of each batch of a product, by number.
pub async fn left(admin: &TestClient, product: &str) -> Vec<(String, i64)> {
    let path = format!("/api/admin/batches?productId={product}");
    let batches = admin.get(&path).await.expect_ok();
    let batches = batches["batches"].as_array().unwrap();
    let mut left: Vec<_> = batches
        .iter()
        .map(|batch| {
            let number = batch["number"].as_str().unwrap().to_owned();
            (number, batch["leftGrams"].as_i64().unwrap())
        })
        .collect();
    left.sort();
    left
}

pub fn of(rows: &[(&str, i64)]) -> Vec<(String, i64)> {
    let row = |(number, grams): &(&str, i64)| ((*number).to_owned(), *grams);
    rows.iter().map(row).collect()
}

pub async fn recipients(admin: &TestClient, batch: &str) -> Vec<Value> {
    let path = format!("/api/admin/batches/{batch}/recipients");
    let found = admin.get(&path).await.expect_ok();
    found["recipients"].as_array().unwrap().clone()
}

pub async fn new_product(shop: &TestShop, id: &'static str, grams: i64) -> &'static str {
    shop.add_product(ProductFixture {
        grams,
        ..ProductFixture::new(id, id)
    })
    .await
}

pub async fn set_status(
    admin: &TestClient,
    order: &str,
    body: Value,
) -> crate::harness::TestResponse {
    let path = format!("/api/admin/orders/{order}/status");
    admin.put(&path, body).await
}

#[test]
fn receiving_makes_a_batch_and_packing_takes_the_one_that_ends_first() {
    for_each_engine(async |shop| {
        let product = new_product(shop, "batch-first", 0).await;
        let admin = shop.admin().await;
        let later = receive(&admin, product, "B-2", 300, 1_000).await;
        let sooner = receive(&admin, product, "A-1", 45, 250).await;
        let row = stock_of(&admin, product).await;
        assert_eq!(amounts(&row["available"]).0, 1_250);
        assert_eq!(row["batches"][0]["number"], "A-1");
        assert_eq!(
            (
                &row["batches"][0]["daysLeft"],
                &row["batches"][0]["canBeSent"]
            ),
            (&json!(45), &json!(true))
        );
        assert_eq!(row["gramsWithoutBatch"], 0);

        let customer = shop.customer("batch-first").await;
        let order = buy(&customer, product, 1, 3).await;
        assert_eq!(
            left(&admin, product).await,
            of(&[("A-1", 250), ("B-2", 1_000)]),
            "sold is still there"
        );
        let slip = admin
            .get(&format!("/api/admin/packing.pdf?orders={order}"))
            .await;
        let text = pdf_text(&slip);
        assert!(text.contains("mark as packed, then print again"), "{text}");
        pack(&admin, std::slice::from_ref(&order)).await.expect_ok();
        assert_eq!(left(&admin, product).await, of(&[("A-1", 0), ("B-2", 900)]));
        // Packed again: nothing more is taken.
        pack(&admin, std::slice::from_ref(&order)).await.expect_ok();
        assert_eq!(left(&admin, product).await, of(&[("A-1", 0), ("B-2", 900)]));
        let slip = admin
            .get(&format!("/api/admin/packing.pdf?orders={order}"))
            .await;
        let text = pdf_text(&slip);
        for (number, days) in [("A-1", 45), ("B-2", 300)] {
            let best_before = ist::date(ist::day(now_ms()) + days);
            let expected = format!("Batch {number}, best before {best_before}");
            assert!(text.contains(&expected), "{expected}: {text}");
        }

        for (batch, small, large) in [(&sooner, 1, 2), (&later, 0, 1)] {
            let found = recipients(&admin, batch).await;
            assert_eq!(found.len(), 1);
            assert_eq!(
                (&found[0]["qty_50g"], &found[0]["qty_100g"]),
                (&json!(small), &json!(large))
            );
            assert_eq!(found[0]["orderId"], order);
            assert_eq!(found[0]["email"], "batch-first@it.example");
        }
        shop.assert_consistent_for(product, &[]).await;
    });
}

#[test]
fn nothing_with_less_than_45_days_is_sent() {
    for_each_engine(async |shop| {
        let product = new_product(shop, "batch-old", 0).await;
        let admin = shop.admin().await;
        let old = receive(&admin, product, "OLD", 45, 500).await;
        let customer = shop.customer("batch-old").await;
        let order = buy(&customer, product, 2, 0).await;
        make_too_old(shop, product).await;
        let response = pack(&admin, std::slice::from_ref(&order)).await;
        response.expect_code(409, "batch_too_old", "");
        assert!(
            response.error_text().starts_with("batch-old for order "),
            "{response:?}"
        );
        assert!(
            response.error_text().contains("at least 45 days left"),
            "{response:?}"
        );
        let shipped = json!({ "orderStatus": "shipped" });
        let response = set_status(&admin, &order, shipped.clone()).await;
        response.expect_code(409, "batch_too_old", "");
        let shown = admin
            .get(&format!("/api/admin/orders?orderId={order}"))
            .await
            .expect_ok();
        assert_eq!(
            shown["orders"][0]["packedAt"],
            Value::Null,
            "nothing was packed"
        );
        assert_eq!(shown["orders"][0]["orderStatus"], "confirmed");

        // What is sold of it cannot be written off, the rest can.
        let write_off = |grams: i64| json!({ "kind": "writeOff", "grams": grams, "batchId": old, "note": "Too old" });
        let response = move_stock(&admin, product, write_off(500)).await;
        response.expect_code(409, "insufficient_stock", "");
        receive(&admin, product, "NEW", 200, 300).await;
        move_stock(&admin, product, write_off(500))
            .await
            .expect_ok();
        pack(&admin, &[order]).await.expect_ok();
        assert_eq!(left(&admin, product).await, of(&[("NEW", 200), ("OLD", 0)]));

        // Also without packing.
        let order = buy(&customer, product, 2, 0).await;
        set_status(&admin, &order, shipped).await.expect_ok();
        assert_eq!(left(&admin, product).await, of(&[("NEW", 100), ("OLD", 0)]));
        shop.assert_consistent_for(product, &[]).await;
    });
}

#[test]
fn packs_without_a_batch_stay_possible() {
    for_each_engine(async |shop| {
        let product = new_product(shop, "batch-none", 1_000).await;
        let admin = shop.admin().await;
        let customer = shop.customer("batch-none").await;
        let order = buy(&customer, product, 1, 1).await;
        pack(&admin, &[order]).await.expect_ok();
        let row = stock_of(&admin, product).await;
        assert_eq!(
            (&row["batches"], &row["gramsWithoutBatch"]),
            (&json!([]), &json!(850))
        );

        // Some of what is in stock gets a batch: the stock does not change.
        let label = json!({
            "productId": product, "number": "L", "madeOn": day(-10), "bestBefore": day(90), "grams": 100, "inStock": true,
        });
        let path = "/api/admin/batches";
        for _ in 0..2 {
            let request = admin.request(Method::POST, path).json(&label);
            let request = request.header("idempotency-key", "label-1");
            admin.send(request).await.expect_ok();
        }
        let row = stock_of(&admin, product).await;
        assert_eq!(
            (amounts(&row["available"]).0, &row["gramsWithoutBatch"]),
            (850, &json!(750))
        );
        let taken = admin.post(path, label.clone()).await;
        taken.expect_code(409, "batch_number_taken", "number");
        let mut too_much = label.clone();
        too_much["number"] = json!("M");
        too_much["grams"] = json!(751);
        admin
            .post(path, too_much)
            .await
            .expect_code(409, "insufficient_stock", "grams");

        // The batch first, then what has none.
        let order = buy(&customer, product, 3, 0).await;
        pack(&admin, &[order]).await.expect_ok();
        let row = stock_of(&admin, product).await;
        assert_eq!(
            (&row["batches"], &row["gramsWithoutBatch"]),
            (&json!([]), &json!(700))
        );
        shop.assert_consistent_for(product, &[]).await;
    });
}

#[test]
fn batches_are_validated() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let right = json!({ "productId": "chai-masala", "number": "V", "bestBefore": day(90), "grams": 100 });
        for (field, value) in [
            ("number", json!(" ")),
            ("number", json!("x".repeat(41))),
            ("bestBefore", json!("soon")),
            ("bestBefore", json!("2026-02-30")),
            ("madeOn", json!("2026-13-01")),
            ("grams", json!(0)),
            ("grams", json!(-1)),
            ("pouches50g", json!(-1)),
        ] {
            let mut wrong = right.clone();
            wrong[field] = value;
            let response = admin.post("/api/admin/batches", wrong).await;
            response.expect_code(400, "invalid_input", field);
        }
        let mut wrong = right.clone();
        wrong["madeOn"] = json!(day(90));
        let response = admin.post("/api/admin/batches", wrong).await;
        response.expect_code(400, "invalid_input", "bestBefore");
        let mut wrong = right.clone();
        wrong["productId"] = json!("none");
        let response = admin.post("/api/admin/batches", wrong).await;
        response.expect_code(404, "product_not_found", "");
        for path in ["recipients", "recipients.csv"] {
            let response = admin.get(&format!("/api/admin/batches/none/{path}")).await;
            response.expect_code(404, "batch_not_found", "");
        }
    });
}

#[test]
fn orders_packed_at_the_same_time_share_the_batches_exactly() {
    for_each_engine(async |shop| {
        let product = new_product(shop, "batch-race", 0).await;
        let admin = shop.admin().await;
        // Ten orders of 100 g; the batches have as much, with no gram to spare.
        for (number, days, grams) in [("A", 60, 300), ("B", 90, 300), ("C", 120, 400)] {
            receive(&admin, product, number, days, grams).await;
        }
        let orders = join_all((0..10).map(async |number| {
            let customer = shop.customer(&format!("batch-race-{number}")).await;
            buy(&customer, product, 0, 1).await
        }))
        .await;
        // Each order is packed by two admins at the same time.
        let twice = orders.iter().chain(&orders);
        let packed = join_all(twice.map(|order| pack(&admin, std::slice::from_ref(order)))).await;
        for response in &packed {
            response.expect_ok();
        }
        assert_eq!(
            left(&admin, product).await,
            of(&[("A", 0), ("B", 0), ("C", 0)])
        );
        let listed = admin
            .get(&format!("/api/admin/batches?productId={product}"))
            .await
            .expect_ok();
        let orders_of: Vec<_> = listed["batches"]
            .as_array()
            .unwrap()
            .iter()
            .map(|batch| batch["orders"].as_i64().unwrap())
            .collect();
        assert_eq!(orders_of.iter().sum::<i64>(), 10);
        shop.assert_consistent_for(product, &[]).await;
    });
}

#[test]
fn recall_exports_addresses_without_formulas() {
    for_each_engine(async |shop| {
        let product = new_product(shop, "batch-recall", 0).await;
        let admin = shop.admin().await;
        let batch = receive(&admin, product, "R/1 \"x\"", 60, 1_000).await;
        let customer = shop.customer("batch-recall").await;
        let order = buy(&customer, product, 1, 1).await;
        pack(&admin, std::slice::from_ref(&order)).await.expect_ok();
        let address = format!(
            "update orders set address = replace(address, 'Asha Kulkarni', '=HYPERLINK(1)') where id = '{order}'"
        );
        shop.sql(&address).await;
        let file = admin
            .get(&format!("/api/admin/batches/{batch}/recipients.csv"))
            .await;
        assert_eq!(file.status, 200);
        assert_eq!(
            file.header("content-disposition"),
            "attachment; filename=\"batch_R-1--x-.csv\""
        );
        let text = file.text();
        let lines: Vec<_> = text.trim_start_matches('\u{feff}').lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(
            lines[0]
                .starts_with("Order ID,Status,Packed At,50 g Packs,100 g Packs,Name,Phone,Email")
        );
        assert!(
            lines[1].starts_with(&format!("{order},confirmed,")),
            "{text}"
        );
        assert!(
            lines[1].contains(",1,1,'=HYPERLINK(1),'+919876543210,batch-recall@it.example,"),
            "{text}"
        );
        assert!(lines[1].ends_with(",Pune,Maharashtra,411030"), "{text}");
        let customer = shop.customer("batch-recall-other").await;
        let path = format!("/api/admin/batches/{batch}/recipients");
        customer
            .get(&path)
            .await
            .expect_code(403, "admin_required", "");
    });
}

#[test]
fn check_finds_a_batch_that_does_not_add_up() {
    for_each_engine(async |shop| {
        let product = new_product(shop, "batch-check", 0).await;
        let admin = shop.admin().await;
        let batch = receive(&admin, product, "A", 60, 1_000).await;
        let customer = shop.customer("batch-check").await;
        let order = buy(&customer, product, 1, 1).await;
        pack(&admin, std::slice::from_ref(&order)).await.expect_ok();
        shop.assert_consistent_for(product, &[]).await;
        let wrong = async || {
            let found = read_db!(shop, db => db.wrong_batches().await?);
            let expected = format!("{product} ({batch})");
            found.contains(&expected)
        };
        for (breaking, mending) in [
            (
                format!("update batches set left_grams = left_grams + 50 where id = '{batch}'"),
                format!("update batches set left_grams = left_grams - 50 where id = '{batch}'"),
            ),
            (
                format!("update order_lines set restocked_50g = 1 where order_id = '{order}'"),
                format!("update order_lines set restocked_50g = 0 where order_id = '{order}'"),
            ),
        ] {
            assert!(!wrong().await);
            shop.sql(&breaking).await;
            let found = read_db!(shop, db => db.wrong_batches().await?);
            let twice = read_db!(shop, db => db.batch_packs_taken_twice().await?);
            assert!(
                found.iter().any(|text| text.contains(&batch))
                    || twice.iter().any(|one| one.order_id.as_str() == order),
                "{breaking}: {found:?} {twice:?}"
            );
            shop.sql(&mending).await;
        }
        assert!(!wrong().await);
    });
}
