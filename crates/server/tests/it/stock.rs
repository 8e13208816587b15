//! Stock in the console: what is available, held and in the shop; counting, receiving, writing off; the daily email.

use std::sync::Arc;

use futures::future::join_all;
use http::Method;
use mirasa_app::Shop;
use mirasa_app::ports::clock::Clock;
use mirasa_domain::ist;
use serde_json::{Value, json};

use crate::admin_products::audit_entries;
use crate::harness::{
    ADMIN, PendingPayment, ProductFixture, TestClient, TestResponse, TestShop, for_each_engine,
    for_each_engine_fresh, read_db,
};

/// Checks out packs of a product and pays. Returns the order's id.
pub async fn buy(customer: &TestClient, product: &str, of_50g: u32, of_100g: u32) -> String {
    let home = customer.home().await;
    customer.add(product, of_50g, of_100g).await;
    let payment = PendingPayment::from_response(&customer.check_out(&home).await);
    customer.submit_payment(&payment, "pay").await;
    let settled = customer.settled_result(&payment).await;
    settled["order"]["_id"].as_str().unwrap().to_owned()
}

pub async fn pack(admin: &TestClient, orders: &[String]) -> TestResponse {
    let body = json!({ "orders": orders });
    admin.put("/api/admin/orders/packed", body).await
}

/// The row of a product.
pub async fn stock_of(admin: &TestClient, product: &str) -> Value {
    let stock = admin.get("/api/admin/stock").await.expect_ok();
    let rows = stock["products"].as_array().unwrap();
    let row = rows.iter().find(|row| row["productId"] == product);
    row.unwrap_or_else(|| panic!("{product} is missing"))
        .clone()
}

pub fn amounts(row: &Value) -> (i64, i64, i64) {
    let count = |name: &str| row[name].as_i64().unwrap();
    (count("grams"), count("pouches50g"), count("pouches100g"))
}

pub async fn move_stock(admin: &TestClient, product: &str, body: Value) -> TestResponse {
    let path = format!("/api/admin/stock/{product}/movements");
    admin.post(&path, body).await
}

async fn count(admin: &TestClient, product: &str, seen: &Value, grams: i64) -> TestResponse {
    let body = json!({
        "kind": "count", "grams": grams, "pouches50g": seen["pouches50g"], "pouches100g": seen["pouches100g"],
        "seen": seen, "note": "Counted",
    });
    move_stock(admin, product, body).await
}

#[test]
fn stock_shows_what_is_available_held_and_in_the_shop() {
    for_each_engine(async |shop| {
        let product = shop
            .add_product(ProductFixture {
                grams: 10_000,
                pouches_50g: 100,
                pouches_100g: 80,
                ..ProductFixture::new("stock-shown", "Stock Shown")
            })
            .await;
        let admin = shop.admin().await;
        let row = stock_of(&admin, product).await;
        assert_eq!(amounts(&row["available"]), (10_000, 100, 80));
        assert_eq!(row["daysLeft"], Value::Null, "nothing was sold");

        // 14 packs of 50 g are paid, two of 100 g are not.
        let customer = shop.customer("stock-shown").await;
        let order = buy(&customer, product, 14, 0).await;
        let other = shop.customer("stock-shown-unpaid").await;
        let home = other.home().await;
        other.add(product, 0, 2).await;
        PendingPayment::from_response(&other.check_out(&home).await);
        let row = stock_of(&admin, product).await;
        assert_eq!(amounts(&row["available"]), (9_100, 86, 78));
        assert_eq!(amounts(&row["unpaid"]), (200, 0, 2));
        assert_eq!(amounts(&row["toPack"]), (700, 14, 0));
        assert_eq!(amounts(&row["inShop"]), (10_000, 100, 80));
        assert_eq!(amounts(&row["sold"]), (700, 14, 0));
        // 86 pouches at 1 a day; 9100 g at 50 g a day would last 182 days.
        assert_eq!(
            (&row["daysLeft"], &row["shortest"]),
            (&json!(86), &json!("pouches50g"))
        );
        assert_eq!(row["isLow"], false);

        // Packing takes it out of the shop, not out of what is available.
        pack(&admin, &[order]).await.expect_ok();
        let row = stock_of(&admin, product).await;
        assert_eq!(amounts(&row["toPack"]), (0, 0, 0));
        assert_eq!(amounts(&row["inShop"]), (9_300, 86, 80));
        assert_eq!(amounts(&row["available"]), (9_100, 86, 78));
    });
}

#[test]
fn receiving_and_writing_off_move_stock_once_and_fill_the_ledger() {
    for_each_engine(async |shop| {
        let product = shop
            .add_product(ProductFixture {
                grams: 1_000,
                pouches_50g: 10,
                pouches_100g: 10,
                ..ProductFixture::new("stock-moves", "Stock Moves")
            })
            .await;
        let admin = shop.admin().await;
        let receive =
            json!({ "kind": "receive", "grams": 5_000, "pouches50g": 50, "note": "From Nashik" });
        let path = format!("/api/admin/stock/{product}/movements");
        for _ in 0..2 {
            let request = admin.request(Method::POST, &path).json(&receive);
            let request = request.header("idempotency-key", "delivery-1");
            let row = admin.send(request).await.expect_ok();
            assert_eq!(amounts(&row["product"]["available"]), (6_000, 60, 10));
        }
        let lose = json!({ "kind": "writeOff", "grams": 250, "note": "Spilled" });
        let row = move_stock(&admin, product, lose).await.expect_ok();
        assert_eq!(amounts(&row["product"]["available"]), (5_750, 60, 10));
        let shown = shop
            .visitor()
            .get(&format!("/api/products/{product}"))
            .await;
        assert_eq!(
            shown.expect_ok()["product"]["stock"],
            5_750,
            "customers see it at once"
        );

        for (body, code, field) in [
            (
                json!({ "kind": "writeOff", "grams": 1 }),
                "invalid_input",
                "note",
            ),
            (json!({ "kind": "receive" }), "invalid_input", "grams"),
            (
                json!({ "kind": "receive", "grams": -5 }),
                "invalid_input",
                "grams",
            ),
            (
                json!({ "kind": "receive", "pouches100g": 1_000_000_001 }),
                "invalid_input",
                "pouches100g",
            ),
            (
                json!({ "kind": "count", "grams": 5 }),
                "invalid_input",
                "seen",
            ),
            (
                json!({ "kind": "receive", "grams": 1, "note": "x".repeat(201) }),
                "invalid_input",
                "note",
            ),
        ] {
            let response = move_stock(&admin, product, body.clone()).await;
            response.expect_code(400, code, field);
        }
        let too_much = json!({ "kind": "writeOff", "grams": 5_751, "note": "All" });
        let response = move_stock(&admin, product, too_much).await;
        response.expect_code(409, "insufficient_stock", "");
        let response = move_stock(
            &admin,
            "no-such-product",
            json!({ "kind": "receive", "grams": 1 }),
        )
        .await;
        response.expect_code(404, "product_not_found", "");

        let ledger = admin.get(&format!("{path}?limit=2")).await.expect_ok();
        assert_eq!((&ledger["total"], &ledger["pages"]), (&json!(3), &json!(2)));
        let rows = ledger["movements"].as_array().unwrap();
        assert_eq!(rows[0]["reason"], "write off");
        assert_eq!(amounts(&rows[0]["change"]), (-250, 0, 0));
        assert_eq!(
            (&rows[0]["note"], &rows[0]["by"]),
            (&json!("Spilled"), &json!(ADMIN))
        );
        assert_eq!(rows[1]["reason"], "receive");
        let rest = admin
            .get(&format!("{path}?limit=2&page=2"))
            .await
            .expect_ok();
        assert_eq!(rest["movements"][0]["reason"], "opening");
        let audit = audit_entries(&admin, product).await;
        let detail = "stock -250 g, +0 and +0 pouches: Spilled";
        assert!(audit.iter().any(|(_, text)| text == detail), "{audit:?}");
        shop.assert_consistent_for(product, &[]).await;
    });
}

#[test]
fn count_is_compared_with_the_shop_and_never_overwrites_a_sale() {
    for_each_engine(async |shop| {
        let product = shop
            .add_product(ProductFixture {
                grams: 5_000,
                pouches_50g: 50,
                pouches_100g: 50,
                ..ProductFixture::new("stock-count", "Stock Count")
            })
            .await;
        let admin = shop.admin().await;
        let seen = stock_of(&admin, product).await["inShop"].take();
        // Packs are sold while the admin counts: they are still there.
        let customer = shop.customer("stock-count").await;
        let order = buy(&customer, product, 4, 1).await;
        let row = count(&admin, product, &seen, 4_900).await.expect_ok();
        assert_eq!(amounts(&row["product"]["inShop"]), (4_900, 50, 50));
        assert_eq!(
            amounts(&row["product"]["available"]),
            (4_600, 46, 49),
            "the sale stays"
        );

        // An order that is packed meanwhile is not there any more, so the count must be compared again.
        let seen = stock_of(&admin, product).await["inShop"].take();
        pack(&admin, &[order]).await.expect_ok();
        let response = count(&admin, product, &seen, 4_900).await;
        response.expect_code(409, "stock_changed", "");
        let seen = stock_of(&admin, product).await["inShop"].take();
        assert_eq!(amounts(&seen), (4_600, 46, 49));
        count(&admin, product, &seen, 4_600).await.expect_ok();
        let differs = json!({ "kind": "count", "grams": 1, "seen": seen });
        let response = move_stock(&admin, product, differs).await;
        response.expect_code(400, "invalid_input", "note");

        // What orders need cannot be counted away.
        let order = buy(&customer, product, 0, 10).await;
        let seen = stock_of(&admin, product).await["inShop"].take();
        let response = count(&admin, product, &seen, 999).await;
        response.expect_code(409, "insufficient_stock", "");
        count(&admin, product, &seen, 1_000).await.expect_ok();
        let row = stock_of(&admin, product).await;
        assert_eq!(amounts(&row["available"]).0, 0);
        pack(&admin, &[order]).await.expect_ok();
        shop.assert_consistent_for(product, &[]).await;
    });
}

#[test]
fn two_counts_at_the_same_time_correct_the_stock_once() {
    for_each_engine(async |shop| {
        let product = shop
            .add_product(ProductFixture {
                grams: 5_000,
                ..ProductFixture::new("stock-count-race", "Stock Count Race")
            })
            .await;
        let admin = shop.admin().await;
        let seen = stock_of(&admin, product).await["inShop"].take();
        let customers = join_all(
            (0..4).map(async |number| shop.customer(&format!("stock-count-race-{number}")).await),
        )
        .await;
        let counts = join_all((0..6).map(|_| count(&admin, product, &seen, 4_000)));
        let sales = join_all(
            customers
                .iter()
                .map(|customer| buy(customer, product, 2, 0)),
        );
        let (counts, sales) = futures::future::join(counts, sales).await;
        let done = counts.iter().filter(|response| response.status == 200);
        assert_eq!(done.count(), 1, "the others saw another stock");
        for response in counts.iter().filter(|response| response.status != 200) {
            response.expect_code(409, "stock_changed", "");
        }
        assert_eq!(sales.len(), 4);
        let row = stock_of(&admin, product).await;
        assert_eq!(amounts(&row["inShop"]).0, 4_000);
        assert_eq!(amounts(&row["available"]).0, 3_600);
        shop.assert_consistent_for(product, &[]).await;
    });
}

struct FixedClock(i64);

impl Clock for FixedClock {
    fn now_ms(&self) -> i64 {
        self.0
    }
}

fn at(shop: &Shop, ms: i64) -> Shop {
    Shop {
        clock: Arc::new(FixedClock(ms)),
        ..shop.clone()
    }
}

const OWNER: &str = "boss@it.example";

async fn low_stock_emails(shop: &TestShop) -> Vec<(String, String)> {
    let emails = read_db!(shop, db => db.recent_emails(10_000).await?);
    let is_about = |subject: &str| subject.contains("run out") || subject.contains("runs out");
    let emails = emails
        .into_iter()
        .filter(|email| email.recipient == OWNER && is_about(&email.subject));
    emails
        .map(|email| (email.subject, email.text_body))
        .collect()
}

#[test]
fn low_stock_is_reported_once_a_day_by_one_instance() {
    for_each_engine_fresh(
        |config| config.mail.notify_emails = vec![OWNER.into()],
        async |shop| {
            let server = &shop.running.shop;
            let today = ist::day(server.now_ms());
            let eight = |day: i64| ist::day_start_ms(day) + 8 * 60 * 60_000;
            server.begin_notifications().await.unwrap();
            at(server, eight(today + 1)).notify_owner().await.unwrap();
            assert!(low_stock_emails(shop).await.is_empty(), "nothing is low");

            shop.set_stock("rasam-powder", "stock_grams", 30).await;
            shop.set_stock("goda-masala", "stock_grams", 500).await;
            let customer = shop.customer("low-stock").await;
            buy(&customer, "goda-masala", 4, 0).await;
            at(server, eight(today + 1) + 60_000)
                .notify_owner()
                .await
                .unwrap();
            assert!(low_stock_emails(shop).await.is_empty(), "today was checked");
            at(server, eight(today + 2) - 1)
                .notify_owner()
                .await
                .unwrap();
            assert!(low_stock_emails(shop).await.is_empty(), "not eight yet");
            // Instances that have all seen that it is due take turns.
            let instances = (0..16).map(|_| {
                let instance = at(server, eight(today + 2));
                tokio::spawn(async move { instance.notify_owner().await.unwrap() })
            });
            for done in join_all(instances.collect::<Vec<_>>()).await {
                done.unwrap();
            }
            let emails = low_stock_emails(shop).await;
            assert_eq!(emails.len(), 1, "{emails:?}");
            let (subject, text) = &emails[0];
            assert_eq!(subject, "1 product runs out (Mirasa)");
            assert!(text.contains("Rasam Powder: Sold out"), "{text}");
            assert!(
                !text.contains("Goda Masala"),
                "300 g at 200 g in 14 days last 21: {text}"
            );
            assert!(text.contains("/admins?section=stock&show=low"), "{text}");

            shop.set_stock("goda-masala", "stock_grams", 50).await;
            at(server, eight(today + 3)).notify_owner().await.unwrap();
            let emails = low_stock_emails(shop).await;
            assert_eq!(emails.len(), 2);
            let texts: Vec<_> = emails.iter().map(|(_, text)| text.as_str()).collect();
            assert!(
                texts
                    .iter()
                    .any(|text| text.contains("Goda Masala: 3 days left: 50 g")),
                "{texts:?}"
            );
        },
    );
}
