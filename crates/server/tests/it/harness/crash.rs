//! A shop in a folder of its own whose server is killed at a failpoint and started again on the same data.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use super::{PendingPayment, TestClient, client, eventually, temporary_folder};
use crate::cli::{Served, expect_success, run, small_catalogue};

const CRASH_TIMEOUT: Duration = Duration::from_mins(1);

/// The folder of a shop whose program runs as a process.
pub struct ShopFolder(Arc<tempfile::TempDir>);

impl ShopFolder {
    /// With the products of `small_catalogue`.
    pub fn seeded() -> ShopFolder {
        let folder = ShopFolder(temporary_folder());
        small_catalogue(folder.path());
        expect_success(&folder.run("seed", &["catalogue"]));
        folder
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn run(&self, command: &str, more: &[&str]) -> std::process::Output {
        run(
            self.path(),
            &[&[command], more, &["--data", "data"]].concat(),
        )
    }

    pub fn start(&self) -> Served {
        Served::start(self.path(), &[])
    }

    /// The server kills itself when it reaches the failpoint.
    pub fn start_with_failpoint(&self, point: &str) -> Served {
        Served::start_with(self.path(), &[], &[("MIRASA_FAILPOINT", point)])
    }

    pub fn sql(&self, text: &str) {
        sql(self.path(), text);
    }

    /// Repeats a statement until the condition holds. The statement makes the next step of a worker due.
    pub async fn hurry_until(
        &self,
        statement: &str,
        what: &str,
        mut condition: impl AsyncFnMut() -> bool,
    ) {
        eventually(what, async || {
            self.sql(statement);
            condition().await
        })
        .await;
    }

    pub fn count(&self, query: &str) -> i64 {
        let file = self.path().join("data/mirasa.db");
        let connection = rusqlite::Connection::open(file).unwrap();
        connection.query_row(query, [], |row| row.get(0)).unwrap()
    }

    #[track_caller]
    pub fn assert_consistent(&self, point: &str) {
        let output = self.run("check", &[]);
        assert!(expect_success(&output).ends_with("all agree\n"), "{point}");
    }
}

pub fn sql(folder: &Path, text: &str) {
    let connection = rusqlite::Connection::open(folder.join("data/mirasa.db")).unwrap();
    connection.execute(text, []).unwrap();
}

pub fn browser(served: &Served) -> TestClient {
    TestClient::new(client(None), &format!("http://{}", served.base))
}

/// The same user at a server that was started later.
pub fn returning(from: &TestClient, served: &Served) -> TestClient {
    let client = browser(served);
    client.set_cookie("mirasa_session", &from.session().unwrap());
    client
}

/// Sends a request of the user that gets no response, because the server is killed.
pub async fn send_into_crash(user: &TestClient, request: RequestBuilder) {
    let cookie = format!("mirasa_session={}", user.session().unwrap());
    let _ = request.header("cookie", cookie).send().await;
}

/// Waits until the server has ended.
pub async fn wait_for_crash(mut served: Served, point: &str) {
    let began = Instant::now();
    while served.child.try_wait().unwrap().is_none() {
        assert!(
            began.elapsed() < CRASH_TIMEOUT,
            "the server did not reach the failpoint {point}"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

pub async fn orders(user: &TestClient) -> Vec<Value> {
    let response = user.get("/api/user/orders").await.expect_ok()["orders"].take();
    serde_json::from_value(response).unwrap()
}

pub async fn sign_in(served: &Served, email: &str) -> TestClient {
    let user = browser(served);
    user.sign_in(email).await;
    user
}

pub async fn admin(served: &Served) -> TestClient {
    sign_in(served, "admin@mirasa.example").await
}

/// A new customer and their paid order of one pack of each size.
pub async fn customer_with_paid_order(served: &Served, email: &str) -> (TestClient, Value) {
    let customer = sign_in(served, email).await;
    customer.add("goda-masala", 1, 1).await;
    let home = customer.home().await;
    let payment = PendingPayment::from_response(&customer.check_out(&home).await);
    customer.submit_payment(&payment, "pay").await;
    customer.settled_result(&payment).await;
    let order = orders(&customer).await.remove(0);
    (customer, order)
}

pub async fn pack(admin: &TestClient, order_id: &str) {
    let body = json!({ "orders": [order_id] });
    admin
        .put("/api/admin/orders/packed", body)
        .await
        .expect_ok();
}
