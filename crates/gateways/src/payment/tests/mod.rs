//! The adapter against two gateways over HTTP: the sandbox, and a fake server with configurable
//! responses.

mod contract;
mod failures;
mod fake_server;
mod payment_page;
mod sandbox;
mod sandbox_shop;
mod tokens;
mod untrusted_input;
mod webhooks;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use axum::Router;
use mirasa_app::ports::clock::Clock;
use mirasa_app::ports::payment::{
    CreatePaymentRequest, GatewayPayment, PaymentError, PaymentGateway as _, PaymentPage,
    RefundRequest,
};
use mirasa_domain::money::Paise;
use mirasa_sandbox::payment::SandboxGateway;
use reqwest::redirect::Policy;
use tokio::net::TcpListener;

use super::{PhonePe, PhonePeSettings};

const AMOUNT: Paise = Paise::new(124_550);
const EXPIRE_AFTER_S: u32 = 900;
const RETURN_PATH: &str = "/api/payment/redirect?merchantOrderId=";

/// A clock that is set by the test.
struct ManualClock(AtomicI64);

impl ManualClock {
    fn new() -> Arc<ManualClock> {
        Arc::new(ManualClock(AtomicI64::new(1_800_000_000_000)))
    }

    fn advance_s(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1000, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// A free port on loopback. The gateways need their URL before they are served.
async fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address: SocketAddr = listener.local_addr().unwrap();
    (listener, format!("http://{address}"))
}

fn serve(listener: TcpListener, router: Router) {
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
}

/// The settings with which the adapter is this sandbox's client.
fn sandbox_settings(sandbox: &SandboxGateway) -> PhonePeSettings {
    let credentials = sandbox.credentials();
    PhonePeSettings {
        payment_base: credentials.base_url.clone(),
        token_base: credentials.base_url,
        client_id: credentials.client_id,
        client_version: credentials.client_version,
        client_secret: credentials.client_secret,
        webhook_username: credentials.webhook_username,
        webhook_password: credentials.webhook_password,
        timeout: PhonePeSettings::TIMEOUT,
    }
}

fn adapter(settings: PhonePeSettings, clock: &Arc<ManualClock>) -> PhonePe {
    PhonePe::new(settings, clock.clone()).unwrap()
}

/// For tests that wait for the timeout.
fn adapter_with_short_timeout(settings: PhonePeSettings, clock: &Arc<ManualClock>) -> PhonePe {
    let timeout = Duration::from_secs(2);
    adapter(
        PhonePeSettings {
            timeout,
            ..settings
        },
        clock,
    )
}

fn http_client() -> reqwest::Client {
    super::ensure_tls_provider();
    reqwest::Client::builder()
        .redirect(Policy::none())
        .no_proxy()
        .build()
        .unwrap()
}

fn payment_request(id: &str) -> CreatePaymentRequest {
    CreatePaymentRequest {
        merchant_order_id: id.into(),
        amount: AMOUNT,
        redirect_url: format!("http://shop.example{RETURN_PATH}{id}"),
        message: "Your masalas".into(),
        expire_after_s: EXPIRE_AFTER_S,
    }
}

fn refund_request(id: &str, order: &str, paise: i64) -> RefundRequest {
    RefundRequest {
        merchant_refund_id: id.into(),
        merchant_order_id: order.into(),
        amount: Paise::new(paise),
    }
}

async fn create_page(phonepe: &PhonePe, id: &str) -> PaymentPage {
    phonepe.create_payment(payment_request(id)).await.unwrap()
}

async fn payment(phonepe: &PhonePe, id: &str) -> GatewayPayment {
    phonepe.payment_status(&id.into()).await.unwrap().unwrap()
}

/// The outcome of a request as text, for comparisons.
fn outcome_text<T: std::fmt::Debug>(outcome: Result<T, PaymentError>) -> String {
    match outcome {
        Ok(response) => format!("{response:?}"),
        Err(PaymentError::Rejected(reason)) => format!("refused: {reason}"),
        Err(PaymentError::OutcomeUnknown(error)) => format!("unreachable: {error:#}"),
    }
}
