//! "Tell me": requests for an email when a sold-out product can be bought again.

use std::collections::BTreeSet;
use std::sync::Arc;

use mirasa_app::Shop;
use mirasa_app::ports::clock::Clock;
use mirasa_app::repository::emails::outbox::OutboxEmail;
use serde_json::{Value, json};

use crate::harness::crash::{ShopFolder, browser, wait_for_crash};
use crate::harness::{
    ProductFixture, TestClient, TestShop, eventually, for_each_engine, for_each_engine_fresh,
    in_runtime, now_ms, read_db,
};

const MINUTE_MS: i64 = 60_000;

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

async fn sold_out(shop: &TestShop, id: &'static str) {
    let fixture = ProductFixture {
        grams: 0,
        ..ProductFixture::new(id, id)
    };
    shop.add_product(fixture).await;
}

async fn request(visitor: &TestClient, id: &str, email: &str) -> Value {
    let path = format!("/api/products/{id}/notify");
    visitor
        .post(&path, json!({ "email": email }))
        .await
        .expect_ok()
}

/// The emails about a product, oldest first.
async fn emails(shop: &TestShop, id: &str) -> Vec<OutboxEmail> {
    let page = format!("/product/{id}\n");
    let all = read_db!(shop, db => db.recent_emails(10_000).await?);
    let is_about =
        |email: &OutboxEmail| email.kind == "back in stock" && email.text_body.contains(&page);
    all.into_iter().filter(is_about).rev().collect()
}

fn stop_token(email: &OutboxEmail) -> String {
    let (_, token) = email.text_body.split_once("/stop-emails?token=").unwrap();
    token.lines().next().unwrap().to_owned()
}

#[test]
fn request_needs_a_sold_out_product_and_an_email_address() {
    for_each_engine(async |shop| {
        sold_out(shop, "notice-input").await;
        let visitor = shop.visitor();
        let post = async |id: &str, body: Value| {
            visitor
                .post(&format!("/api/products/{id}/notify"), body)
                .await
        };
        for wrong in ["", "asha", "asha@home", "a b@c.d"] {
            let response = post("notice-input", json!({ "email": wrong })).await;
            response.expect_code(400, "invalid_input", "email");
        }
        post("goda-masala", json!({ "email": "a@it.example" }))
            .await
            .expect_error(409, "This product can be bought now.");
        for unknown in ["hidden-masala", "deleted-masala", "no-such"] {
            post(unknown, json!({ "email": "a@it.example" }))
                .await
                .expect_error(404, "Product not found.");
        }
        let first = request(&visitor, "notice-input", "Asha@IT.example").await;
        let again = request(&visitor, "notice-input", "asha@it.example").await;
        assert_eq!(
            first, again,
            "the response does not tell who has asked before"
        );
        let rows = shop
            .sql("update stock_notices set email = email where product_id = 'notice-input'")
            .await;
        assert_eq!(rows, 1);
    });
}

#[test]
fn people_are_told_in_waves_and_once() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            sold_out(shop, "notice-wave").await;
            let visitor = shop.visitor();
            for person in 1..=5 {
                request(&visitor, "notice-wave", &format!("p{person}@it.example")).await;
            }
            let server = &shop.running.shop;
            server.send_stock_notices().await.unwrap();
            assert!(
                emails(shop, "notice-wave").await.is_empty(),
                "still sold out"
            );

            shop.set_stock("notice-wave", "stock_grams", 100).await;
            server.send_stock_notices().await.unwrap();
            let notified = async || {
                let emails = emails(shop, "notice-wave").await;
                emails
                    .into_iter()
                    .map(|email| email.recipient)
                    .collect::<BTreeSet<_>>()
            };
            assert_eq!(notified().await.len(), 2, "two packs");
            assert!(
                notified().await.contains("p1@it.example"),
                "who asked first"
            );
            let begun = now_ms();
            at(server, begun + 30 * MINUTE_MS)
                .send_stock_notices()
                .await
                .unwrap();
            assert_eq!(notified().await.len(), 2, "they have an hour");
            at(server, begun + 61 * MINUTE_MS)
                .send_stock_notices()
                .await
                .unwrap();
            assert_eq!(notified().await.len(), 4, "the packs are still there");
            shop.set_stock("notice-wave", "stock_grams", 5000).await;
            server.send_stock_notices().await.unwrap();
            let all = emails(shop, "notice-wave").await;
            assert_eq!((all.len(), notified().await.len()), (5, 5), "new stock");
            let email = &all[0];
            assert_eq!(email.subject, "notice-wave is back (Mirasa)");
            assert!(
                email
                    .html_body
                    .contains(&format!("{}/product/notice-wave", shop.base))
            );
            at(server, begun + 999 * MINUTE_MS)
                .send_stock_notices()
                .await
                .unwrap();
            assert_eq!(
                emails(shop, "notice-wave").await.len(),
                5,
                "one email for each request"
            );
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn hidden_product_is_not_announced_and_a_told_person_can_ask_again() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            sold_out(shop, "notice-again").await;
            let visitor = shop.visitor();
            request(&visitor, "notice-again", "asha@it.example").await;
            let admin = shop.admin().await;
            let toggle = "/api/admin/products/notice-again/toggle-visibility";
            admin.put(toggle, json!({})).await.expect_ok();
            shop.set_stock("notice-again", "stock_grams", 500).await;
            let server = &shop.running.shop;
            server.send_stock_notices().await.unwrap();
            assert!(emails(shop, "notice-again").await.is_empty());
            admin.put(toggle, json!({})).await.expect_ok();
            shop.refresh_catalogue().await;
            server.send_stock_notices().await.unwrap();
            assert_eq!(emails(shop, "notice-again").await.len(), 1);

            shop.set_stock("notice-again", "stock_grams", 0).await;
            request(&visitor, "notice-again", "asha@it.example").await;
            shop.set_stock("notice-again", "stock_grams", 500).await;
            let later = at(server, now_ms() + 61 * MINUTE_MS);
            later.send_stock_notices().await.unwrap();
            assert_eq!(emails(shop, "notice-again").await.len(), 2);
            shop.assert_consistent().await;

            let much_later = at(server, now_ms() + 40 * 24 * 60 * MINUTE_MS);
            shop.sql("update mails set sent_at = created_at").await;
            much_later.delete_old_stock_notices().await.unwrap();
            assert!(
                emails(shop, "notice-again").await.is_empty(),
                "deleted after a month"
            );
            assert_eq!(shop.sql("update stock_notices set email = email").await, 0);
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn concurrent_workers_tell_each_person_once() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            sold_out(shop, "notice-race").await;
            let visitor = shop.visitor();
            for person in 0..20 {
                request(&visitor, "notice-race", &format!("r{person}@it.example")).await;
            }
            shop.set_stock("notice-race", "stock_grams", 12 * 50).await;
            let server = &shop.running.shop;
            let other = Shop {
                db: shop.second_instance.clone(),
                ..server.clone()
            };
            let runs = (0..8).map(|run| {
                let shop = if run % 2 == 0 {
                    server.clone()
                } else {
                    other.clone()
                };
                tokio::spawn(async move { shop.send_stock_notices().await.unwrap() })
            });
            for run in runs.collect::<Vec<_>>() {
                run.await.unwrap();
            }
            let emails = emails(shop, "notice-race").await;
            let notified: BTreeSet<_> = emails.iter().map(|email| &email.recipient).collect();
            assert_eq!(
                (emails.len(), notified.len()),
                (12, 12),
                "one for each pack"
            );
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn link_in_the_email_stops_further_emails() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            for id in ["notice-stop-a", "notice-stop-b"] {
                sold_out(shop, id).await;
            }
            let visitor = shop.visitor();
            let address = "stop@it.example";
            request(&visitor, "notice-stop-a", address).await;
            request(&visitor, "notice-stop-b", address).await;
            shop.set_stock("notice-stop-a", "stock_grams", 500).await;
            let server = &shop.running.shop;
            server.send_stock_notices().await.unwrap();
            let token = stop_token(&emails(shop, "notice-stop-a").await[0]);

            let stop = async |token: &str| {
                visitor
                    .post("/api/stock-notices/stop", json!({ "token": token }))
                    .await
            };
            let wrong = stop(&"A".repeat(43)).await.expect_ok();
            assert_eq!(stop("x").await.expect_ok(), wrong);
            assert_eq!(shop.sql("update stock_notice_stops set at = at").await, 0);
            assert_eq!(
                stop(&token).await.expect_ok(),
                wrong,
                "the response tells nothing"
            );
            assert_eq!(stop(&token).await.expect_ok(), wrong);
            let after = request(&visitor, "notice-stop-b", address).await;
            let of_another = request(&visitor, "notice-stop-b", "other@it.example").await;
            assert_eq!(after, of_another, "the response tells nothing");
            shop.set_stock("notice-stop-b", "stock_grams", 500).await;
            server.send_stock_notices().await.unwrap();
            let notified = emails(shop, "notice-stop-b").await;
            let notified: Vec<_> = notified
                .iter()
                .map(|email| email.recipient.as_str())
                .collect();
            assert_eq!(notified, ["other@it.example"]);

            // The owner of the address may change their mind.
            shop.set_stock("notice-stop-b", "stock_grams", 0).await;
            let customer = shop.customer("stop").await;
            request(&customer, "notice-stop-b", "").await;
            shop.set_stock("notice-stop-b", "stock_grams", 500).await;
            server.send_stock_notices().await.unwrap();
            assert_eq!(emails(shop, "notice-stop-b").await.len(), 2);
        },
    );
}

#[test]
fn requests_are_exported_and_erased_with_the_account() {
    for_each_engine(async |shop| {
        sold_out(shop, "notice-privacy").await;
        let customer = shop.customer("notice-owner").await;
        request(&customer, "notice-privacy", "").await;
        let data = customer.get("/api/user/export").await.expect_ok();
        let exported = &data["stockNotices"][0];
        assert_eq!(exported["productId"], "notice-privacy");
        assert!(exported["notifiedAt"].is_null() && exported["requestedAt"].is_string());
        shop.set_stock("notice-privacy", "stock_grams", 500).await;
        shop.running.shop.send_stock_notices().await.unwrap();
        assert_eq!(emails(shop, "notice-privacy").await.len(), 1);
        assert!(customer.delete("/api/user").await.status < 300);
        let rows = "update stock_notices set email = email where product_id = 'notice-privacy'";
        assert_eq!(shop.sql(rows).await, 0);
        assert!(emails(shop, "notice-privacy").await.is_empty());
        shop.assert_consistent().await;
    });
}

/// Where the server is killed while it writes the emails.
const POINTS: [&str; 2] = ["sending stock notices", "stock notices sent"];

#[test]
fn killed_while_telling_nobody_is_forgotten_or_told_twice() {
    in_runtime(async {
        for point in POINTS {
            let folder = ShopFolder::seeded();
            let served = folder.start_with_failpoint(point);
            // Both requests are stored before the worker sees that the product can be bought.
            for person in ["one", "two"] {
                let insert = format!(
                    "insert into stock_notices (id, product_id, email, stop_token, requested_at)
                     values ('{person}', 'goda-masala', '{person}@it.example', 'token-{person}', 1)"
                );
                folder.sql(&insert);
            }
            wait_for_crash(served, point).await;
            let served = folder.start();
            eventually("both emails", async || notified(&folder).len() >= 2).await;
            // Another request is notified after them, so the worker has run again.
            browser(&served).get("/healthz").await;
            folder.sql(
                "insert into stock_notices (id, product_id, email, stop_token, requested_at)
                values ('three', 'goda-masala', 'three@it.example', 'token-three', 2)",
            );
            eventually("the third email", async || {
                notified(&folder).contains(&"three@it.example".to_owned())
            })
            .await;
            let mut all = notified(&folder);
            all.sort();
            assert_eq!(
                all,
                ["one@it.example", "three@it.example", "two@it.example"],
                "{point}"
            );
        }
    });
}

fn notified(folder: &ShopFolder) -> Vec<String> {
    let connection = rusqlite::Connection::open(folder.path().join("data/mirasa.db")).unwrap();
    let query = "select recipient from mails where kind = 'back in stock' order by created_at, id";
    let mut statement = connection.prepare(query).unwrap();
    let recipients = statement.query_map([], |row| row.get(0)).unwrap();
    recipients.map(Result::unwrap).collect()
}
