//! The server is killed while an admin replies to a contact message.

use std::path::Path;

use serde_json::json;

use crate::cli::{Served, expect_success, run, small_catalogue};
use crate::harness::{TestClient, client, in_runtime, temporary_folder};
use crate::messages::{MESSAGES, SECOND_ADMIN, reply, send_message};

/// Where the server is killed while an admin replies, and whether the reply is stored by then.
const POINTS: [(&str, bool); 2] = [("replying", false), ("replied", true)];

#[test]
fn killed_during_a_reply_it_is_stored_with_its_email_or_not_at_all() {
    in_runtime(async {
        for (point, is_stored) in POINTS {
            let folder = temporary_folder();
            let folder = folder.path();
            small_catalogue(folder);
            expect_success(&run(folder, &["seed", "catalogue", "--data", "data"]));
            let mut served = Served::start_with(folder, &[], &[("MIRASA_FAILPOINT", point)]);
            let admin = TestClient::new(client(None), &format!("http://{}", served.base));
            admin.sign_in(SECOND_ADMIN).await;
            let id = send_message(&admin, "asha@it.example", "Hello").await;
            let path = format!("{MESSAGES}/{id}/reply");
            let request = admin.request(http::Method::POST, &path);
            let session = format!("mirasa_session={}", admin.session().unwrap());
            let request = request.header("cookie", session);
            let lost = request.json(&json!({ "text": "Yes" })).send().await;
            assert!(lost.is_err(), "{point}: the server lives");
            served.child.wait().unwrap();
            let rows = i64::from(is_stored);
            assert_eq!(count(folder, "message_replies"), rows, "{point}");
            assert_eq!(count(folder, "mails"), rows, "{point}");

            // The admin sends it again.
            let served = Served::start_with(folder, &[], &[]);
            let again = TestClient::new(client(None), &format!("http://{}", served.base));
            again.set_cookie("mirasa_session", &admin.session().unwrap());
            let message = reply(&again, &id, "Yes").await;
            assert_eq!(message["replies"].as_array().unwrap().len(), 1, "{point}");
            assert_eq!(count(folder, "mails"), 1, "{point}");
        }
    });
}

fn count(folder: &Path, table: &str) -> i64 {
    let connection = rusqlite::Connection::open(folder.join("data/mirasa.db")).unwrap();
    let query = format!("select count(*) from {table}");
    connection.query_row(&query, [], |row| row.get(0)).unwrap()
}
