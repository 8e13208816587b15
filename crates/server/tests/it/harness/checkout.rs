//! Helpers for checkout tests: address, checkout, the sandbox's payment page, and reads from the database.

use std::time::{Duration, Instant};

use http::Method;
use mirasa_app::repository::emails::outbox::OutboxEmail;
use mirasa_domain::issue::OrderIssue;
use mirasa_domain::order::Order;
use mirasa_server::commands::check_data;
use serde_json::{Value, json};

use super::browser::path_of;
use super::{TestClient, TestResponse, TestShop, now_ms};

pub const GATEWAY: &str = "/sandbox/phonepe";

/// Reads from the database as a second instance would.
macro_rules! read_db {
    ($shop:expr, $db:ident => $body:expr) => {
        $shop
            .second_instance
            .read(async move |$db| Ok::<_, mirasa_app::repository::StoreError>($body))
            .await
            .unwrap()
    };
}
pub(crate) use read_db;

/// The payment page and the `merchantOrderId` of a successful checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingPayment {
    pub page: String,
    pub number: String,
}

impl PendingPayment {
    #[track_caller]
    pub fn from_response(response: &TestResponse) -> PendingPayment {
        let json = response.expect_ok();
        PendingPayment {
            page: path_of(json["redirectUrl"].as_str().unwrap()),
            number: json["merchantOrderId"].as_str().unwrap().to_owned(),
        }
    }
}

impl TestClient {
    pub async fn add(&self, product: &str, of_50g: u32, of_100g: u32) {
        let body = json!({ "productId": product, "qty_50g": of_50g, "qty_100g": of_100g });
        self.post("/api/cart/add-to-cart", body).await.expect_ok();
    }

    pub async fn home(&self) -> String {
        let body = json!({
            "addressName": "Home", "name": "Asha Kulkarni", "phone": "9876543210",
            "addressLine1": "12 Laxmi Road", "addressLine2": "Flat 4", "city": "Pune",
            "state": "Maharashtra", "pincode": "411030",
        });
        let response = self.post("/api/addresses", body).await.expect_ok();
        response["address"]["_id"].as_str().unwrap().to_owned()
    }

    pub async fn check_out(&self, address: &str) -> TestResponse {
        self.post("/api/cart/checkout", json!({ "addressId": address }))
            .await
    }

    pub async fn check_out_with_key(&self, key: &str, body: Value) -> TestResponse {
        let request = self.request(Method::POST, "/api/cart/checkout");
        self.send(request.header("idempotency-key", key).json(&body))
            .await
    }

    /// Submits the payment page. Returns the redirect path.
    pub async fn submit_payment(&self, payment: &PendingPayment, outcome: &str) -> String {
        let form = [("outcome", outcome), ("reason", "INSUFFICIENT_BALANCE")];
        let request = self.request(Method::POST, &payment.page).form(&form);
        self.send(request).await.redirect()
    }

    /// The order as the payment result page shows it.
    pub async fn payment_result(&self, payment: &PendingPayment) -> Value {
        let path = format!("/api/payment/order/db/{}", payment.number);
        self.get(&path).await.expect_ok()
    }

    /// The same after settlement. Polls, as the page does.
    pub async fn settled_result(&self, payment: &PendingPayment) -> Value {
        eventually("the payment is settled", async || {
            self.payment_result(payment).await["order"]["paymentStatus"] != "pending"
        })
        .await;
        self.payment_result(payment).await
    }
}

impl TestShop {
    pub async fn inject_faults(&self, settings: Value) {
        let response = self
            .visitor()
            .post(&format!("{GATEWAY}/faults"), settings)
            .await;
        assert_eq!(response.status, 200, "{response:?}");
    }

    pub async fn gateway_record(&self) -> Value {
        self.visitor()
            .get(&format!("{GATEWAY}/orders"))
            .await
            .expect_ok()
    }

    pub async fn order_of(&self, payment: &PendingPayment) -> Order {
        let number = payment.number.clone();
        read_db!(self, db => db.order_by_payment_attempt(&number.as_str().into()).await?).unwrap()
    }

    pub async fn emails_to(&self, name: &str) -> Vec<OutboxEmail> {
        let to = TestShop::email(name);
        let emails = read_db!(self, db => db.recent_emails(10_000).await?);
        emails
            .into_iter()
            .filter(|email| email.recipient == to)
            .collect()
    }

    pub async fn issues_for(&self, payment: &PendingPayment) -> Vec<OrderIssue> {
        let all = read_db!(self, db => db.open_issues().await?);
        let order = self.order_of(payment).await.id;
        all.into_iter()
            .map(|open| open.issue)
            .filter(|issue| issue.order_id == order)
            .collect()
    }

    /// Makes the reconciler poll this payment now.
    pub async fn poll_payment(&self, payment: &PendingPayment) {
        let number = &payment.number;
        self.sql(&format!(
            "update payment_attempts set next_look_at = 0 where merchant_order_id = '{number}'"
        ))
        .await;
        // The server's own reconciler may have leased it first; wait until one poll is finished.
        self.running.shop.reconcile_payments().await.unwrap();
        let unfinished = format!(
            "update payment_attempts set looked_at = looked_at where merchant_order_id = '{number}'
             and state in ('opening', 'open') and (next_look_at = 0 or leased_until > 0)"
        );
        eventually("the payment is polled", async || {
            self.sql(&unfinished).await == 0
        })
        .await;
    }

    /// Expires the payment attempt by the server's clock.
    pub async fn expire(&self, payment: &PendingPayment) {
        let (number, ago) = (&payment.number, now_ms() - 120_000);
        self.sql(&format!(
            "update payment_attempts set expires_at = {ago} where merchant_order_id = '{number}'"
        ))
        .await;
        self.poll_payment(payment).await;
    }

    /// The same for some products and orders only: on the shared server other tests change stock with SQL.
    pub async fn assert_consistent_for(&self, product: &str, orders: &[Order]) {
        let report = check_data::check_consistency(&self.second_instance)
            .await
            .unwrap()
            .to_string();
        let about = |line: &&str| {
            line.contains(&format!(" {product} "))
                || orders.iter().any(|order| line.contains(order.id.as_str()))
        };
        let wrong: Vec<_> = report
            .lines()
            .filter(|line| line.starts_with("WRONG"))
            .filter(about)
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    /// Asserts that stock, orders and payments are consistent.
    pub async fn assert_consistent(&self) {
        let report = check_data::check_consistency(&self.second_instance)
            .await
            .unwrap();
        assert!(report.is_consistent(), "{report}");
    }
}

/// Long, so that a busy machine fails no test: longer than the minute for which a worker that has died holds a row.
const POLL_TIMEOUT: Duration = Duration::from_secs(90);

/// Repeats a request that is refused because the database was busy for too long, as on a slow machine.
pub async fn saved(request: impl AsyncFn() -> TestResponse) {
    eventually("the request is accepted", async || {
        let response = request().await;
        let is_busy = response.status == 503;
        if !is_busy {
            response.expect_ok();
        }
        !is_busy
    })
    .await;
}

/// Polls a condition until it holds.
pub async fn eventually(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    let began = Instant::now();
    while !condition().await {
        assert!(began.elapsed() < POLL_TIMEOUT, "timed out: {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
