//! The running program's log: a whole purchase and every way in which one can go wrong, told in full, and
//! nothing in it says who it was about or lets anybody in.

use std::path::Path;
use std::time::Duration;

use http::{Method, header};
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;

use crate::cli::{Served, fine, run, small_catalogue};
use crate::harness::{
    PendingPayment, TestClient, client, eventually, in_runtime, temporary_folder,
};

const EMAIL: &str = "meera.quux@discreet.example";
/// As the sandbox calls her, and as she calls herself.
const NAMES: [&str; 3] = ["Meera Quux", "Meerabai Xyzzy", "Xyzzy"];
const PHONE: &str = "9812345670";
const STREET: &str = "77 Plugh Road";
const CITY: &str = "Grueville";
const MESSAGE: &str = "where is my frobnicated parcel";
const METRICS_TOKEN: &str = "metrics-token-hush";

/// A mail server that refuses everybody, and says whom: they all do.
async fn refusing_mail_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let (read, mut write) = stream.into_split();
                let mut lines = BufReader::new(read).lines();
                let _ = write.write_all(b"220 mail.example\r\n").await;
                while let Ok(Some(line)) = lines.next_line().await {
                    let said = match line.to_uppercase().split(' ').next() {
                        Some("RCPT") => {
                            format!("550 5.1.1 {} {EMAIL}: nobody\r\n", EMAIL.to_uppercase())
                        }
                        _ => "250 OK\r\n".to_owned(),
                    };
                    let _ = write.write_all(said.as_bytes()).await;
                }
            });
        }
    });
    format!("smtp://{address}")
}

fn log_of(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("log")).unwrap()
}

fn value_in<'q>(address: &'q str, name: &str) -> &'q str {
    let (_, query) = address.split_once('?').unwrap();
    let pair = query.split('&').find(|pair| pair.starts_with(name));
    pair.unwrap().split_once('=').unwrap().1
}

async fn home(browser: &TestClient) -> String {
    let body = json!({
        "addressName": "Plugh House", "name": NAMES[1], "phone": PHONE, "addressLine1": STREET,
        "addressLine2": "", "city": CITY, "state": "Maharashtra", "pincode": "411030",
    });
    let response = browser.post("/api/addresses", body).await.expect_ok();
    response["address"]["_id"].as_str().unwrap().to_owned()
}

/// Everything that a person can do, right and wrong; gives back the secrets that were used on the way.
async fn a_whole_visit(browser: &TestClient) -> Vec<String> {
    let mut secrets = Vec::new();
    let callback = browser
        .sign_in_until_callback(EMAIL, &[("returnTo", "/wishlist")])
        .await;
    for name in ["code=", "state="] {
        secrets.push(value_in(&callback, name).to_owned());
    }
    for cookie in browser.cookies.lock().unwrap().values() {
        secrets.push(cookie.clone());
    }
    browser.get(&callback).await;
    let session = browser.session().expect("signed in");
    // The code again, and a code that nobody gave.
    browser.get(&callback).await;
    let begun = browser.sign_in_until_callback(EMAIL, &[]).await;
    let state = value_in(&begun, "state=").to_owned();
    let forged = format!("/api/auth/google/callback?code=forged-code-hush&state={state}");
    browser.get(&forged).await;
    browser.set_cookie("mirasa_session", &session);
    secrets.extend([session, state, "forged-code-hush".into()]);

    let profile = json!({ "name": NAMES[1], "phone": PHONE, "dateOfBirth": "1991-03-07" });
    browser.put("/api/user/profile", profile).await.expect_ok();
    for bad in [
        json!({ "name": format!("{}\u{7}", NAMES[1]) }),
        json!({ "name": [NAMES[1]] }),
        json!({ "phone": format!("{PHONE}000") }),
    ] {
        assert_eq!(browser.put("/api/user/profile", bad).await.status, 400);
    }
    let query = json!({ "name": NAMES[1], "email": EMAIL, "message": MESSAGE });
    assert_eq!(browser.post("/api/api/queries", query).await.status, 201);

    let address = home(browser).await;
    for outcome in ["fail", "pay"] {
        browser.add("goda-masala", 1, 0).await;
        let key = format!("key-hush-{outcome}");
        let body = json!({ "addressId": address });
        let payment = PendingPayment::from_response(&browser.check_out_with_key(&key, body).await);
        browser.submit_payment(&payment, outcome).await;
        browser.settled_result(&payment).await;
        browser
            .get(&format!(
                "/api/payment/redirect?merchantOrderId={}",
                payment.number
            ))
            .await;
        secrets.push(key);
    }
    let wrong = browser
        .request(Method::POST, "/api/payment/webhook/phonepe")
        .header(header::AUTHORIZATION, "webhook-guess-hush")
        .body(format!("{{\"event\":\"{EMAIL}\"}}"));
    assert_eq!(browser.send(wrong).await.status, 401);
    for token in ["metrics-guess-hush", METRICS_TOKEN] {
        let ask = browser
            .request(Method::GET, "/metrics")
            .header(header::AUTHORIZATION, format!("Bearer {token}"));
        browser.send(ask).await;
    }
    secrets.extend(["webhook-guess-hush", "metrics-guess-hush", METRICS_TOKEN].map(str::to_owned));
    browser.get(&format!("/search?q={EMAIL}")).await;
    browser.get("/api/user/export").await.expect_ok();

    let admin = TestClient::new(client(None), browser.base());
    admin.sign_in("admin@mirasa.example").await;
    admin
        .get(&format!("/api/admin/users?search={EMAIL}"))
        .await
        .expect_ok();
    let csv = admin.get("/api/admin/orders/export.csv").await;
    assert!(csv.text().contains(STREET));
    secrets.push(admin.session().unwrap());
    secrets
}

/// Whoever has the database or a backup of it can read it, but sign in as nobody.
fn nobody_gets_in_with_what_is_stored(folder: &Path, secrets: &[String]) {
    fine(&run(folder, &["backup", "shop.backup", "--data", "data"]));
    let mut looked = 0;
    for file in ["shop.backup", "data/mirasa.db", "data/mirasa.db-wal"] {
        let Ok(bytes) = std::fs::read(folder.join(file)) else {
            continue;
        };
        looked += 1;
        // A session's secret and a sign-in's have 43 characters, and nothing else has so many.
        for secret in secrets.iter().filter(|secret| secret.len() == 43) {
            let found = bytes
                .windows(secret.len())
                .any(|window| window == secret.as_bytes());
            assert!(!found, "a session can be taken from {file}");
        }
    }
    assert!(looked >= 2, "the database is somewhere else by now");
    assert!(secrets.iter().filter(|secret| secret.len() == 43).count() >= 4);
}

#[test]
fn no_name_and_no_secret_is_in_the_running_programs_log() {
    in_runtime(async {
        for format in ["text", "json"] {
            let folder = temporary_folder();
            let folder = folder.path();
            small_catalogue(folder);
            fine(&run(folder, &["seed", "catalogue", "--data", "data"]));
            let mail_server = refusing_mail_server().await;
            let served = Served::start_with(
                folder,
                &[],
                &[
                    ("MIRASA_LOG", "debug"),
                    ("MIRASA_LOG_FORMAT", format),
                    ("MIRASA_METRICS_TOKEN", METRICS_TOKEN),
                    ("MIRASA_MAIL_SMTP_URL", &mail_server),
                ],
            );
            let browser = TestClient::new(client(None), &format!("http://{}", served.base));
            let secrets = a_whole_visit(&browser).await;
            eventually("the letter is refused", async || {
                log_of(folder).contains("an email could not be sent")
            })
            .await;
            browser.delete("/api/user").await.expect_ok();
            tokio::time::sleep(Duration::from_millis(200)).await;
            drop(served);
            nobody_gets_in_with_what_is_stored(folder, &secrets);

            let log = log_of(folder).to_lowercase();
            for told in ["/api/cart/checkout", "sign-in failed", "550"] {
                assert!(
                    log.contains(told),
                    "it does not even tell of {told}:\n{log}"
                );
            }
            let people = NAMES
                .into_iter()
                .chain([EMAIL, PHONE, STREET, CITY, MESSAGE]);
            let parts = ["quux", "discreet.example", "1991-03-07", "plugh"];
            let secrets = secrets.iter().map(String::as_str);
            for hushed in people.chain(parts).chain(secrets) {
                assert!(hushed.len() > 3, "{hushed:?} could be anything");
                let line = log
                    .lines()
                    .find(|line| line.contains(&hushed.to_lowercase()));
                assert_eq!(line, None, "{hushed} is in the {format} log");
            }
        }
    });
}
