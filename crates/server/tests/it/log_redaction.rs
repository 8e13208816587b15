//! The log at debug level and exported traces contain no personal data and no secrets, for successful and failed requests of a whole
//! purchase.

use std::path::Path;

use http::{Method, header};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;

use crate::cli::{Served, expect_success, run, small_catalogue};
use crate::harness::{
    Collector, PendingPayment, TestClient, client, eventually, in_runtime, temporary_folder,
};

const EMAIL: &str = "meera.quux@discreet.example";
/// The name from the sandbox Google and the name in the profile.
const NAMES: [&str; 3] = ["Meera Quux", "Meerabai Xyzzy", "Xyzzy"];
const PHONE: &str = "9812345670";
const STREET: &str = "77 Plugh Road";
const CITY: &str = "Grueville";
const MESSAGE: &str = "where is my frobnicated parcel";
const METRICS_TOKEN: &str = "metrics-token-secret";

/// A mail server that rejects every recipient and repeats the address in its reply, as real servers do.
async fn rejecting_mail_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let (read, mut write) = stream.into_split();
                let mut lines = BufReader::new(read).lines();
                let _ = write.write_all(b"220 mail.example\r\n").await;
                while let Ok(Some(line)) = lines.next_line().await {
                    let reply = match line.to_uppercase().split(' ').next() {
                        Some("RCPT") => {
                            format!(
                                "550 5.1.1 {} {EMAIL}: unknown user\r\n",
                                EMAIL.to_uppercase()
                            )
                        }
                        _ => "250 OK\r\n".to_owned(),
                    };
                    let _ = write.write_all(reply.as_bytes()).await;
                }
            });
        }
    });
    format!("smtp://{address}")
}

fn log_of(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("log")).unwrap()
}

fn value_in<'q>(url: &'q str, name: &str) -> &'q str {
    let (_, query) = url.split_once('?').unwrap();
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

/// Sends valid and invalid requests to most routes. Returns the secrets that were used.
async fn full_visit(browser: &TestClient) -> Vec<String> {
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
    // A code that was used already, and an invalid code.
    browser.get(&callback).await;
    let callback = browser.sign_in_until_callback(EMAIL, &[]).await;
    let state = value_in(&callback, "state=").to_owned();
    let forged = format!("/api/auth/google/callback?code=forged-code-secret&state={state}");
    browser.get(&forged).await;
    browser.set_cookie("mirasa_session", &session);
    secrets.extend([session, state, "forged-code-secret".into()]);

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

    let address_id = home(browser).await;
    for outcome in ["fail", "pay"] {
        browser.add("goda-masala", 1, 0).await;
        let key = format!("key-secret-{outcome}");
        let body = json!({ "addressId": address_id });
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
        .header(header::AUTHORIZATION, "webhook-guess-secret")
        .body(format!("{{\"event\":\"{EMAIL}\"}}"));
    assert_eq!(browser.send(wrong).await.status, 401);
    for token in ["metrics-guess-secret", METRICS_TOKEN] {
        let request = browser
            .request(Method::GET, "/metrics")
            .header(header::AUTHORIZATION, format!("Bearer {token}"));
        browser.send(request).await;
    }
    secrets.extend(
        [
            "webhook-guess-secret",
            "metrics-guess-secret",
            METRICS_TOKEN,
        ]
        .map(str::to_owned),
    );
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

/// The database and its backups must not contain session secrets.
fn assert_no_session_secret_is_stored(folder: &Path, secrets: &[String]) {
    expect_success(&run(folder, &["backup", "shop.backup", "--data", "data"]));
    let mut files_checked = 0;
    for file in ["shop.backup", "data/mirasa.db", "data/mirasa.db-wal"] {
        let Ok(bytes) = std::fs::read(folder.join(file)) else {
            continue;
        };
        files_checked += 1;
        // Only session and sign-in secrets have 43 characters.
        for secret in secrets.iter().filter(|secret| secret.len() == 43) {
            let found = bytes
                .windows(secret.len())
                .any(|window| window == secret.as_bytes());
            assert!(!found, "{file} contains a session secret");
        }
    }
    assert!(files_checked >= 2, "the database files were not found");
    assert!(secrets.iter().filter(|secret| secret.len() == 43).count() >= 4);
}

#[test]
fn log_and_traces_contain_no_personal_data_and_no_secrets() {
    in_runtime(async {
        for format in ["text", "json"] {
            let folder = temporary_folder();
            let folder = folder.path();
            small_catalogue(folder);
            expect_success(&run(folder, &["seed", "catalogue", "--data", "data"]));
            let mail_server = rejecting_mail_server().await;
            let collector = Collector::start().await;
            let served = Served::start_with(
                folder,
                &[],
                &[
                    ("MIRASA_LOG", "debug"),
                    ("MIRASA_LOG_FORMAT", format),
                    ("MIRASA_METRICS_TOKEN", METRICS_TOKEN),
                    ("MIRASA_MAIL_SMTP_URL", &mail_server),
                    ("MIRASA_TELEMETRY_OTLP_ENDPOINT", &collector.url),
                ],
            );
            let browser = TestClient::new(client(None), &format!("http://{}", served.base));
            let secrets = full_visit(&browser).await;
            eventually("the mail server rejects the email", async || {
                log_of(folder).contains("an email could not be sent")
            })
            .await;
            browser.delete("/api/user").await.expect_ok();
            let is_deletion = |span: &Value| span["name"] == "DELETE /api/user";
            collector.wait_for("the deletion", is_deletion).await;
            let is_email =
                |span: &Value| span["name"] == "smtp send" && span["status"]["code"] == 2;
            collector.wait_for("the failed email", is_email).await;
            drop(served);
            assert_no_session_secret_is_stored(folder, &secrets);

            let log = log_of(folder).to_lowercase();
            for expected in ["/api/cart/checkout", "sign-in failed", "550"] {
                assert!(
                    log.contains(expected),
                    "the log does not mention {expected}:\n{log}"
                );
            }
            let traces = Value::Array(collector.spans()).to_string().to_lowercase();
            assert!(traces.contains("/api/cart/checkout"), "{traces}");
            let personal_data = NAMES
                .into_iter()
                .chain([EMAIL, PHONE, STREET, CITY, MESSAGE]);
            let parts = ["quux", "discreet.example", "1991-03-07", "plugh"];
            let secrets = secrets.iter().map(String::as_str);
            for sensitive in personal_data.chain(parts).chain(secrets) {
                assert!(
                    sensitive.len() > 3,
                    "{sensitive:?} is too short to search for"
                );
                let line = log
                    .lines()
                    .find(|line| line.contains(&sensitive.to_lowercase()));
                assert_eq!(line, None, "{sensitive} is in the {format} log");
                let in_traces = traces.contains(&sensitive.to_lowercase());
                assert!(!in_traces, "{sensitive} is in a trace");
            }
        }
    });
}
