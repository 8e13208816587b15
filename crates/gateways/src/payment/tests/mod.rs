//! The adapter against two gateways over real HTTP: the sandbox, and a scripted one that lies.

mod agreement;
mod faults;
mod foreign_bytes;
mod page;
mod sandbox;
mod scripted;
mod tokens;
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
use reqwest::redirect::Policy;
use tokio::net::TcpListener;

use super::{PhonePe, PhonePeSettings};

const AMOUNT: Paise = Paise::new(124_550);
const LIFE_S: u32 = 900;
const BACK: &str = "/api/payment/redirect?merchantOrderId=";

/// A clock that moves only when the test says so.
struct HeldClock(AtomicI64);

impl HeldClock {
    fn new() -> Arc<HeldClock> {
        Arc::new(HeldClock(AtomicI64::new(1_800_000_000_000)))
    }

    fn advance_s(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1000, Ordering::SeqCst);
    }
}

impl Clock for HeldClock {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// A port of its own on loopback, before anybody serves it: the gateways name their own address.
async fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address: SocketAddr = listener.local_addr().unwrap();
    (listener, format!("http://{address}"))
}

fn serve(listener: TcpListener, router: Router) {
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
}

fn adapter(settings: PhonePeSettings, clock: &Arc<HeldClock>) -> PhonePe {
    PhonePe::new(settings, clock.clone()).unwrap()
}

/// For tests that wait until it gives up.
fn impatient(settings: PhonePeSettings, clock: &Arc<HeldClock>) -> PhonePe {
    let timeout = Duration::from_secs(2);
    adapter(
        PhonePeSettings {
            timeout,
            ..settings
        },
        clock,
    )
}

fn browser() -> reqwest::Client {
    super::ensure_tls_provider();
    reqwest::Client::builder()
        .redirect(Policy::none())
        .no_proxy()
        .build()
        .unwrap()
}

fn ask(number: &str) -> CreatePaymentRequest {
    CreatePaymentRequest {
        merchant_order_id: number.into(),
        amount: AMOUNT,
        redirect_url: format!("http://shop.example{BACK}{number}"),
        message: "Your masalas".into(),
        expire_after_s: LIFE_S,
    }
}

fn refund(number: &str, order: &str, paise: i64) -> RefundRequest {
    RefundRequest {
        merchant_refund_id: number.into(),
        merchant_order_id: order.into(),
        amount: Paise::new(paise),
    }
}

async fn begun(phonepe: &PhonePe, number: &str) -> PaymentPage {
    phonepe.create_payment(ask(number)).await.unwrap()
}

async fn report(phonepe: &PhonePe, number: &str) -> GatewayPayment {
    phonepe.payment_status(number).await.unwrap().unwrap()
}

/// How a call ended, in a form that a table can name.
fn verdict<T: std::fmt::Debug>(outcome: Result<T, PaymentError>) -> String {
    match outcome {
        Ok(answer) => format!("{answer:?}"),
        Err(PaymentError::Rejected(reason)) => format!("refused: {reason}"),
        Err(PaymentError::OutcomeUnknown(error)) => format!("unreachable: {error:#}"),
    }
}
