//! Emails to the owner: what they report, at most one an hour for each kind, whichever instance sends them.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mirasa_app::Shop;
use mirasa_app::ports::clock::Clock;
use mirasa_app::repository::emails::outbox::OutboxEmail;
use mirasa_domain::issue::{IssueKind, OrderIssue};
use mirasa_domain::order::short_id;
use mirasa_server::config::Config;
use mirasa_server::serve;
use serde_json::json;

use crate::cli::{Served, expect_success, run, small_catalogue};
use crate::harness::{
    PendingPayment, TestClient, TestShop, client, for_each_engine_fresh, in_runtime, now_ms,
    read_db, temporary_folder, write_db,
};

const OWNER: &str = "boss@it.example";
const PARTNER: &str = "partner@it.example";
/// What is new is reported when it is a minute old.
const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;

struct FixedClock(i64);

impl Clock for FixedClock {
    fn now_ms(&self) -> i64 {
        self.0
    }
}

/// The same shop at another time.
fn at(shop: &Shop, ms: i64) -> Shop {
    Shop {
        clock: Arc::new(FixedClock(ms)),
        ..shop.clone()
    }
}

fn with_owner(config: &mut Config) {
    config.mail.notify_emails = vec![OWNER.into()];
}

async fn send_message(shop: &TestShop, name: &str, message: &str) {
    let body = json!({ "name": name, "email": "asha@it.example", "message": message });
    shop.visitor()
        .post("/api/api/queries", body)
        .await
        .expect_ok();
}

/// What comes in the millisecond of the last report, or of the start, counts as reported.
async fn next_millisecond() {
    tokio::time::sleep(Duration::from_millis(5)).await;
}

/// Oldest first.
async fn emails_to(shop: &TestShop, recipient: &'static str) -> Vec<OutboxEmail> {
    let emails = read_db!(shop, db => db.recent_emails(10_000).await?);
    let is_to = |email: &OutboxEmail| email.recipient == recipient;
    emails.into_iter().filter(is_to).rev().collect()
}

async fn subjects(shop: &TestShop) -> Vec<String> {
    let emails = emails_to(shop, OWNER).await;
    emails.into_iter().map(|email| email.subject).collect()
}

#[test]
fn new_messages_are_reported_at_most_once_an_hour() {
    for_each_engine_fresh(
        |config| config.mail.notify_emails = vec![OWNER.into(), PARTNER.into()],
        async |shop| {
            let server = &shop.running.shop;
            for number in 1..=12 {
                let text = format!("Question <{number}>\nSecond line");
                send_message(shop, &format!("Person {number}"), &text).await;
            }
            server.notify_owner().await.unwrap();
            assert!(subjects(shop).await.is_empty(), "not old enough");
            let first = now_ms() + MINUTE_MS;
            at(server, first).notify_owner().await.unwrap();
            let emails = emails_to(shop, OWNER).await;
            assert_eq!(emails.len(), 1);
            assert_eq!(emails[0].subject, "12 new messages (Mirasa)");
            let (text, html) = (&emails[0].text_body, &emails[0].html_body);
            for number in 1..=10 {
                let line = format!("\n  Person {number}: Question <{number}>\n");
                assert!(text.contains(&line), "{text}");
            }
            assert!(text.contains("\n  and 2 more\n"), "{text}");
            assert!(!text.contains("Person 11") && !text.contains("Second line"));
            let console = format!("{}/admins?section=messages", shop.base);
            assert!(text.contains(&format!("\n{console}\n")), "{text}");
            assert!(html.contains("Question &#60;1&#62;"), "{html}");
            assert_eq!(emails_to(shop, PARTNER).await.len(), 1);

            next_millisecond().await;
            send_message(shop, "Ravi", "One more").await;
            for later in [1, MINUTE_MS, HOUR_MS - 1] {
                at(server, first + later).notify_owner().await.unwrap();
            }
            assert_eq!(subjects(shop).await.len(), 1, "within the hour");
            at(server, first + HOUR_MS).notify_owner().await.unwrap();
            assert_eq!(
                subjects(shop).await,
                ["12 new messages (Mirasa)", "1 new message (Mirasa)"]
            );
            at(server, first + 9 * HOUR_MS)
                .notify_owner()
                .await
                .unwrap();
            assert_eq!(subjects(shop).await.len(), 2, "nothing is new");
        },
    );
}

#[test]
fn message_that_an_admin_has_read_is_not_reported() {
    for_each_engine_fresh(with_owner, async |shop| {
        let admin = shop.admin().await;
        send_message(shop, "Asha", "Read").await;
        send_message(shop, "Ravi", "Unread").await;
        let listed = admin.get("/api/admin/messages").await.expect_ok();
        let id = listed["messages"][1]["_id"].as_str().unwrap();
        let path = format!("/api/admin/messages/{id}");
        admin.put(&path, json!({ "read": true })).await.expect_ok();
        let later = now_ms() + MINUTE_MS;
        at(&shop.running.shop, later).notify_owner().await.unwrap();
        let emails = emails_to(shop, OWNER).await;
        assert_eq!(emails.len(), 1);
        assert_eq!(emails[0].subject, "1 new message (Mirasa)");
        assert!(emails[0].text_body.contains("Ravi: Unread"));
    });
}

#[test]
fn each_kind_has_its_own_email() {
    for_each_engine_fresh(with_owner, async |shop| {
        let customer = shop.customer("notified").await;
        let home = customer.home().await;
        customer.add("goda-masala", 1, 1).await;
        let payment = PendingPayment::from_response(&customer.check_out(&home).await);
        customer.submit_payment(&payment, "pay").await;
        customer.settled_result(&payment).await;
        // Another one is not paid.
        customer.add("goda-masala", 1, 0).await;
        PendingPayment::from_response(&customer.check_out(&home).await);
        let order = shop.order_of(&payment).await;
        for (id, kind, detail) in [
            (
                "c1",
                IssueKind::RefundFailed,
                "The gateway could not return ₹65.",
            ),
            ("c2", IssueKind::LatePayment, "Paid late."),
        ] {
            let issue = OrderIssue {
                id: id.into(),
                order_id: order.id.clone(),
                kind,
                subject_id: id.into(),
                detail: detail.into(),
                created_at_ms: now_ms(),
                order_is_deleted: false,
            };
            write_db!(shop, tx => tx.open_issue(&issue).await?);
        }
        send_message(shop, "", "").await;
        let later = now_ms() + MINUTE_MS;
        at(&shop.running.shop, later).notify_owner().await.unwrap();
        let mut emails = emails_to(shop, OWNER).await;
        emails.sort_by(|one, other| one.subject.cmp(&other.subject));
        let number = short_id(&order.id);
        let expected = [
            ("1 new message (Mirasa)", "\n  asha@it.example\n".to_owned()),
            (
                "1 new paid order (Mirasa)",
                format!("\n  Order {number}: {}, Asha Kulkarni\n", order.state.total),
            ),
            (
                "1 order issue needs a person (Mirasa)",
                format!("\n  Order {number}: late payment: Paid late.\n"),
            ),
            (
                "1 refund failed (Mirasa)",
                format!("\n  Order {number}: refund failed: The gateway could not return ₹65.\n"),
            ),
        ];
        assert_eq!(emails.len(), expected.len());
        for (email, (subject, line)) in emails.iter().zip(expected) {
            assert_eq!(email.subject, subject);
            assert!(email.text_body.contains(&line), "{}", email.text_body);
        }
    });
}

#[test]
fn two_instances_send_one_email() {
    for_each_engine_fresh(with_owner, async |shop| {
        let second = serve::start(&shop.config, None).await.unwrap();
        send_message(shop, "Asha", "Hello").await;
        let later = now_ms() + MINUTE_MS;
        let shops = [&shop.running.shop, &second.shop];
        let runs = (0..8).map(|run| {
            let shop = at(shops[run % 2], later + run as i64);
            async move { shop.notify_owner().await.unwrap() }
        });
        futures::future::join_all(runs).await;
        assert_eq!(subjects(shop).await, ["1 new message (Mirasa)"]);
        second.stop().await;

        // A restart does not shorten the hour.
        next_millisecond().await;
        send_message(shop, "Ravi", "Hello").await;
        let third = serve::start(&shop.config, None).await.unwrap();
        at(&third.shop, later + HOUR_MS - 1)
            .notify_owner()
            .await
            .unwrap();
        assert_eq!(subjects(shop).await.len(), 1);
        at(&third.shop, later + HOUR_MS + 7)
            .notify_owner()
            .await
            .unwrap();
        assert_eq!(subjects(shop).await.len(), 2);
        third.stop().await;
    });
}

#[test]
fn history_from_before_the_address_is_not_reported() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let mut with_address = shop.config.clone();
            with_owner(&mut with_address);
            for round in 1..=2 {
                send_message(shop, "Asha", "Nobody is notified").await;
                let server = serve::start(&with_address, None).await.unwrap();
                next_millisecond().await;
                send_message(shop, "Ravi", "The owner is").await;
                let later = now_ms() + MINUTE_MS;
                at(&server.shop, later).notify_owner().await.unwrap();
                assert_eq!(subjects(shop).await.len(), round, "round {round}");
                let emails = emails_to(shop, OWNER).await;
                assert_eq!(emails[round - 1].subject, "1 new message (Mirasa)");
                server.stop().await;
                // Without an address the state is forgotten: the next one begins anew.
                let without = serve::start(&shop.config, None).await.unwrap();
                assert_eq!(shop.sql("update notifications set kind = kind").await, 0);
                without.stop().await;
            }
        },
    );
}

/// Where the server is killed while it notifies the owner.
const POINTS: [&str; 2] = ["notifying the owner", "owner notified"];

#[test]
fn killed_while_notifying_nothing_is_lost_or_reported_twice() {
    in_runtime(async {
        for point in POINTS {
            let folder = temporary_folder();
            let folder = folder.path();
            small_catalogue(folder);
            expect_success(&run(folder, &["seed", "catalogue", "--data", "data"]));
            let owner = ("MIRASA_MAIL_NOTIFY_EMAILS", OWNER);
            let environment = [owner, ("MIRASA_FAILPOINT", point)];
            let mut served = Served::start_with(folder, &[], &environment);
            write_old_message(folder, &served, "First").await;
            wait_for(point, || served.child.try_wait().unwrap().is_some());

            let served = Served::start_with(folder, &[], &[owner]);
            wait_for("the email", || notified(folder).len() == 1);
            // The next run would report the message again if the state were not stored with the email.
            sql(folder, "update notifications set last_sent_at = 0");
            write_old_message(folder, &served, "Second").await;
            wait_for("the second email", || notified(folder).len() == 2);
            let bodies = notified(folder);
            for (body, name) in bodies.iter().zip(["First", "Second"]) {
                assert!(body.starts_with("1 new message\n"), "{point}: {body}");
                assert!(body.contains(name), "{point}: {body}");
            }
        }
    });
}

/// A message that is old enough to be reported, and newer than all that was.
async fn write_old_message(folder: &Path, served: &Served, name: &str) {
    let begin_earlier =
        "update notifications set seen_until = seen_until - 600000 where last_sent_at is null";
    sql(folder, begin_earlier);
    let visitor = TestClient::new(client(None), &format!("http://{}", served.base));
    let body = json!({ "name": name, "email": "asha@it.example", "message": "Hello" });
    visitor.post("/api/api/queries", body).await.expect_ok();
    let write_earlier = format!(
        "update contact_queries set at = (select seen_until + 1 from notifications where kind = 'messages')
         where name = '{name}'"
    );
    sql(folder, &write_earlier);
}

fn sql(folder: &Path, text: &str) {
    let connection = rusqlite::Connection::open(folder.join("data/mirasa.db")).unwrap();
    connection.busy_timeout(Duration::from_secs(5)).unwrap();
    connection.execute(text, []).unwrap();
}

/// The texts of the emails to the owner, oldest first.
fn notified(folder: &Path) -> Vec<String> {
    let connection = rusqlite::Connection::open(folder.join("data/mirasa.db")).unwrap();
    let query = "select text_body from mails where kind = 'notification' order by created_at, id";
    let mut statement = connection.prepare(query).unwrap();
    let bodies = statement.query_map([], |row| row.get(0)).unwrap();
    bodies.map(Result::unwrap).collect()
}

fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_mins(1), "never: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
