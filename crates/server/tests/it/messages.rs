//! Contact messages in the admin area: list, read, reply by email, mark as done.

use mirasa_app::repository::emails::outbox::OutboxEmail;
use serde_json::{Value, json};

use crate::harness::{
    MailServer, TestClient, TestShop, eventually, for_each_engine, for_each_engine_fresh, read_db,
};

pub const MESSAGES: &str = "/api/admin/messages";
pub const SECOND_ADMIN: &str = "admin@mirasa.example";

/// Sends the contact form. Returns the id of the message.
pub async fn send_message(admin: &TestClient, email: &str, text: &str) -> String {
    let body = json!({ "name": "Asha", "email": email, "message": text });
    admin.post("/api/api/queries", body).await.expect_ok();
    let listed = admin
        .get(&format!("{MESSAGES}?state=all"))
        .await
        .expect_ok();
    let mut messages = listed["messages"].as_array().unwrap().iter();
    let own = messages.find(|message| message["message"] == text).unwrap();
    own["_id"].as_str().unwrap().to_owned()
}

pub async fn reply(admin: &TestClient, id: &str, text: &str) -> Value {
    let path = format!("{MESSAGES}/{id}/reply");
    let response = admin.post(&path, json!({ "text": text })).await;
    response.expect_ok()["message"].take()
}

async fn list(admin: &TestClient, query: &str) -> Value {
    admin.get(&format!("{MESSAGES}?{query}")).await.expect_ok()
}

/// What the messages of a list say, in their order.
fn texts(list: &Value) -> Vec<&str> {
    let messages = list["messages"].as_array().unwrap().iter();
    messages
        .map(|message| message["message"].as_str().unwrap())
        .collect()
}

async fn emails_about(shop: &TestShop, recipient: &'static str) -> Vec<OutboxEmail> {
    let emails = read_db!(shop, db => db.recent_emails(10_000).await?);
    let is_to = |email: &OutboxEmail| email.recipient == recipient;
    emails.into_iter().filter(is_to).collect()
}

async fn actions(admin: &TestClient, id: &str) -> Vec<String> {
    let log = admin.get(&format!("/api/admin/audit?about={id}")).await;
    let log = log.expect_ok();
    let entries = log["entries"].as_array().unwrap().iter();
    entries
        .map(|entry| entry["action"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn messages_are_paged_newest_first_and_unread_ones_are_counted() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let empty = list(&admin, "").await;
            let nothing = json!({ "messages": [], "total": 0, "unread": 0, "page": 1, "pages": 1 });
            assert_eq!(empty, nothing);

            let mut ids = Vec::new();
            for text in ["one", "two", "three", "four", "five"] {
                ids.push(send_message(&admin, "asha@it.example", text).await);
            }
            let first = list(&admin, "limit=2").await;
            assert_eq!(texts(&first), ["five", "four"]);
            let numbers = |list: &Value| {
                ["total", "unread", "page", "pages"].map(|name| list[name].as_i64().unwrap())
            };
            assert_eq!(numbers(&first), [5, 5, 1, 3]);
            let last = list(&admin, "limit=2&page=3").await;
            assert_eq!((texts(&last), numbers(&last)), (vec!["one"], [5, 5, 3, 3]));
            assert_eq!(texts(&list(&admin, "limit=2&page=4").await), [""; 0]);

            let set = async |index: usize, change: Value| {
                let path = format!("{MESSAGES}/{}", ids[index]);
                admin.put(&path, change).await.expect_ok()["message"].take()
            };
            let read = set(0, json!({ "read": true })).await;
            assert!(read["readAt"].as_str().unwrap().starts_with("20"));
            assert_eq!(
                (&read["doneAt"], &read["replies"]),
                (&Value::Null, &json!([]))
            );
            // A message that is done counts as read.
            let done = set(1, json!({ "done": true })).await;
            assert!(done["doneAt"].is_string() && done["readAt"].is_string());
            for (query, expected, unread) in [
                ("", vec!["five", "four", "three", "one"], 3),
                ("state=open", vec!["five", "four", "three", "one"], 3),
                ("state=unread", vec!["five", "four", "three"], 3),
                ("state=done", vec!["two"], 3),
                ("state=all", vec!["five", "four", "three", "two", "one"], 3),
            ] {
                let found = list(&admin, query).await;
                assert_eq!(texts(&found), expected, "{query}");
                assert_eq!(numbers(&found)[..2], [expected.len() as i64, unread]);
            }
            let again = set(0, json!({ "read": true })).await;
            assert_eq!(again["readAt"], read["readAt"], "the first time stays");
            assert_eq!(set(0, json!({})).await, again, "nothing to change");
            let unread = set(0, json!({ "read": false })).await;
            assert_eq!(unread["readAt"], Value::Null);
            let open = set(1, json!({ "done": false })).await;
            assert_eq!(
                (&open["doneAt"], &open["readAt"]),
                (&Value::Null, &done["readAt"])
            );
            assert_eq!(list(&admin, "state=unread").await["unread"], 4);
            assert_eq!(
                actions(&admin, &ids[1]).await,
                ["message reopened", "message done"]
            );
            assert_eq!(actions(&admin, &ids[0]).await, [""; 0]);

            for (query, field) in [
                ("state=new", "state"),
                ("limit=0", "limit"),
                ("page=0", "page"),
            ] {
                let response = admin.get(&format!("{MESSAGES}?{query}")).await;
                response.expect_code(400, "invalid_input", field);
            }
        },
    );
}

#[test]
fn replies_are_emails_in_one_thread_that_quote_the_message() {
    let mail = MailServer::start();
    for_each_engine_fresh(
        |config| {
            config.mail.smtp_url = mail.url.as_str().into();
            config.mail.from = "Mirasa <orders@mirasa.example>".into();
            config.shop.support_email = "care@mirasa.example".into();
        },
        async |shop| {
            let before = mail.emails_to("asha@it.example").len();
            let received = || mail.emails_to("asha@it.example")[before..].to_vec();
            let admin = shop.admin().await;
            let text = "Is it <b>vegan</b>?\nThank you";
            let id = send_message(&admin, "asha@it.example", text).await;
            let message = reply(&admin, &id, "Yes,\r\nit is.").await;
            assert_eq!(message["replies"][0]["text"], "Yes,\nit is.");
            assert_eq!(message["replies"][0]["by"], "owner@it.example");
            assert!(
                message["readAt"].is_string(),
                "a reply shows that it was read"
            );
            assert_eq!(message["doneAt"], Value::Null);
            assert!(message["canReply"].as_bool().unwrap());
            eventually("the first reply is sent", async || received().len() == 1).await;
            let path = format!("{MESSAGES}/{id}/reply");
            let body = json!({ "text": "Also without gluten.", "done": true });
            let message = admin.post(&path, body).await.expect_ok()["message"].take();
            assert!(message["doneAt"].is_string());
            eventually("both are recorded as sent", async || {
                let message = admin.get(&format!("{MESSAGES}/{id}")).await.expect_ok();
                let replies = message["message"]["replies"].as_array().unwrap().clone();
                replies.len() == 2 && replies.iter().all(|reply| reply["delivery"] == "sent")
            })
            .await;

            let [first, second] = &received()[..] else {
                panic!("{} emails", received().len())
            };
            for (email, reply) in [(first, 0), (second, 1)] {
                let id = message["replies"][reply]["_id"].as_str().unwrap();
                let message_id = format!("<{id}@mirasa.example>");
                assert_eq!(email.header("message-id"), [message_id]);
                assert_eq!(email.header("to"), ["asha@it.example"]);
                assert_eq!(email.header("from"), ["Mirasa <orders@mirasa.example>"]);
                assert_eq!(email.header("reply-to"), ["care@mirasa.example"]);
                assert_eq!(email.header("subject"), ["Re: Your message to Mirasa"]);
            }
            for name in ["in-reply-to", "references"] {
                assert_eq!(first.header(name), [""; 0], "{name}");
                assert_eq!(second.header(name), first.header("message-id"), "{name}");
            }
            let stored = emails_about(shop, "asha@it.example").await;
            let (second, first) = (&stored[0], &stored[1]);
            assert!(
                first.text_body.contains("\n\nYes,\nit is.\n"),
                "{}",
                first.text_body
            );
            for email in [first, second] {
                let (text, html) = (&email.text_body, &email.html_body);
                assert!(
                    text.contains("\n> Is it <b>vegan</b>?\n> Thank you\n"),
                    "{text}"
                );
                assert!(!html.contains("<b>") && html.contains("vegan"), "{html}");
            }
            assert_eq!(
                actions(&admin, &id).await,
                ["message done", "message replied", "message replied"]
            );
        },
    );
}

#[test]
fn reply_needs_a_text_and_an_address() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        for (index, email) in [
            "",
            "asha",
            "asha@localhost",
            "no-reply-one@it.example, no-reply-two@it.example",
            "Asha <no-reply-one@it.example>",
            "no-reply-one@it.example>, <no-reply-two@it.example",
        ]
        .into_iter()
        .enumerate()
        {
            let id = send_message(&admin, email, &format!("No address {index}")).await;
            let path = format!("{MESSAGES}/{id}/reply");
            let response = admin
                .post(&path, json!({ "text": "Hello", "done": true }))
                .await;
            response.expect_code(409, "no_reply_address", "");
            let text = "This message has no email address that a reply can be sent to.";
            response.expect_error(409, text);
            let message = admin.get(&format!("{MESSAGES}/{id}")).await.expect_ok();
            let message = &message["message"];
            assert_eq!(message["canReply"], false, "{email}");
            assert_eq!(message["replies"], json!([]), "{email}");
            assert_eq!(message["doneAt"], Value::Null, "nothing of it was stored");
        }
        // A line break would begin a new header.
        let email = "asha@it.example\r\nBcc: thief@it.example";
        let body = json!({ "name": "Asha", "email": email, "message": "Bcc" });
        let response = admin.post("/api/api/queries", body).await;
        response.expect_code(400, "invalid_input", "email");

        let id = send_message(&admin, "reply-text@it.example", "Reply text").await;
        let path = format!("{MESSAGES}/{id}/reply");
        for text in ["", " \r\n ", "a\u{0007}b", &"x".repeat(5001)] {
            let response = admin.post(&path, json!({ "text": text })).await;
            response.expect_code(400, "invalid_input", "text");
        }
        let missing = admin.post(&path, json!({})).await;
        missing.expect_code(400, "invalid_input", "text");
        assert!(emails_about(shop, "reply-text@it.example").await.is_empty());
        let longest = "म".repeat(5000);
        let message = reply(&admin, &id, &longest).await;
        assert_eq!(message["replies"][0]["text"], longest);

        let none = format!("{MESSAGES}/none");
        for response in [
            admin.get(&none).await,
            admin.put(&none, json!({ "done": true })).await,
            admin
                .post(&format!("{none}/reply"), json!({ "text": "Hello" }))
                .await,
        ] {
            response.expect_code(404, "message_not_found", "");
        }
    });
}

#[test]
fn concurrent_replies_are_all_kept_in_one_thread() {
    for_each_engine(async |shop| {
        let first = shop.admin().await;
        let second = shop.visitor();
        second.sign_in(SECOND_ADMIN).await;
        let id = send_message(&first, "two-admins@it.example", "Two admins").await;
        let admins = [&first, &second, &first, &second, &first, &second];
        let replies = admins.iter().enumerate().map(|(index, admin)| {
            let (id, text) = (&id, format!("Reply {index}"));
            async move { reply(admin, id, &text).await }
        });
        futures::future::join_all(replies).await;

        let message = first.get(&format!("{MESSAGES}/{id}")).await.expect_ok();
        let replies = message["message"]["replies"].as_array().unwrap();
        let mut texts: Vec<_> = replies
            .iter()
            .map(|reply| reply["text"].as_str().unwrap())
            .collect();
        texts.sort_unstable();
        assert_eq!(
            texts,
            [
                "Reply 0", "Reply 1", "Reply 2", "Reply 3", "Reply 4", "Reply 5"
            ]
        );
        let emails = emails_about(shop, "two-admins@it.example").await;
        assert_eq!(emails.len(), 6, "one email for each reply");
        let roots: Vec<_> = emails
            .iter()
            .filter(|email| email.in_reply_to.is_none())
            .collect();
        assert_eq!(roots.len(), 1);
        let others = emails.iter().filter_map(|email| email.in_reply_to.as_ref());
        assert!(others.into_iter().all(|root| *root == roots[0].id));
    });
}

/// The admin sends it again because the response was lost.
#[test]
fn repeated_reply_is_one_email() {
    for_each_engine(async |shop| {
        let (admin, other) = (shop.admin().await, shop.visitor());
        other.sign_in(SECOND_ADMIN).await;
        let id = send_message(&admin, "repeated@it.example", "Repeated").await;
        let repeats = (0..5).map(|_| reply(&admin, &id, "Yes, it is."));
        for message in futures::future::join_all(repeats).await {
            assert_eq!(message["replies"].as_array().unwrap().len(), 1);
        }
        assert_eq!(emails_about(shop, "repeated@it.example").await.len(), 1);
        let message = reply(&other, &id, "Yes, it is.").await;
        assert_eq!(
            message["replies"].as_array().unwrap().len(),
            2,
            "another admin"
        );
        let shift =
            format!("update message_replies set at = at - 300000 where message_id = '{id}'");
        shop.sql(&shift).await;
        let message = reply(&admin, &id, "Yes, it is.").await;
        assert_eq!(
            message["replies"].as_array().unwrap().len(),
            3,
            "much later"
        );
        assert_eq!(emails_about(shop, "repeated@it.example").await.len(), 3);
    });
}

#[test]
fn export_has_the_replies_and_erasure_deletes_them() {
    for_each_engine(async |shop| {
        let (admin, customer) = (shop.admin().await, shop.customer("erased-writer").await);
        // As they typed it.
        let id = send_message(&admin, "Erased-Writer@it.example", "Erase me").await;
        reply(&admin, &id, "We will.").await;
        let export = customer.get("/api/user/export").await.expect_ok();
        let query = &export["queries"][0];
        assert_eq!(query["message"], "Erase me");
        assert_eq!(query["replies"][0]["text"], "We will.");
        assert!(
            query["replies"][0]["at"]
                .as_str()
                .unwrap()
                .starts_with("20")
        );
        assert_eq!(
            query["replies"][0].as_object().unwrap().len(),
            2,
            "not who wrote it"
        );

        customer.delete("/api/user").await.expect_ok();
        let gone = admin.get(&format!("{MESSAGES}/{id}")).await;
        gone.expect_code(404, "message_not_found", "");
        let left = format!("update message_replies set at = at where message_id = '{id}'");
        assert_eq!(shop.sql(&left).await, 0);
        assert!(
            emails_about(shop, "Erased-Writer@it.example")
                .await
                .is_empty()
        );
    });
}
