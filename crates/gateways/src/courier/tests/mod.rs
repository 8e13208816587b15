//! The adapter against two partners over HTTP: the sandbox, and a server with recorded responses.

mod contract;
mod failures;
mod recorded;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use axum::Router;
use mirasa_app::ports::clock::Clock;
use mirasa_app::ports::courier::{CourierError, ParcelItem, ParcelRequest};
use mirasa_domain::address::{Address, Pincode};
use mirasa_domain::money::Paise;
use tokio::net::TcpListener;

use super::{BoxSize, Shiprocket, ShiprocketAccount, ShiprocketSettings};

const PICKUP_LOCATION: &str = "Bhosari unit";
const PICKUP_PINCODE: &str = "411026";
/// 2026-11-15 00:00 in India.
const NOW_MS: i64 = 1_794_681_000_000;

/// A clock that is set by the test.
struct ManualClock(AtomicI64);

impl ManualClock {
    fn new() -> Arc<ManualClock> {
        Arc::new(ManualClock(AtomicI64::new(NOW_MS)))
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

async fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    (listener, format!("http://{address}"))
}

fn serve(listener: TcpListener, router: Router) {
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
}

fn settings(base_url: String, email: &str, password: &str) -> ShiprocketSettings {
    ShiprocketSettings {
        account: ShiprocketAccount {
            base_url,
            email: email.into(),
            password: password.into(),
            webhook_token: "the-webhook-key".into(),
        },
        pickup_location: PICKUP_LOCATION.into(),
        pickup_pincode: PICKUP_PINCODE.into(),
        box_size: BoxSize {
            length_cm: 22,
            breadth_cm: 16,
            height_cm: 10,
        },
        timeout: Duration::from_secs(2),
    }
}

fn pincode(text: &str) -> Pincode {
    Pincode::parse(text).unwrap()
}

fn request(reference: &str) -> ParcelRequest {
    ParcelRequest {
        reference: reference.into(),
        ordered_at_ms: NOW_MS,
        address: Address {
            address_name: "Home".into(),
            name: "Asha Kulkarni".into(),
            phone: "+919876543210".into(),
            line1: "12 Laxmi Road".into(),
            line2: "Flat 4".into(),
            city: "Pune".into(),
            state: "Maharashtra".into(),
            pincode: "411030".into(),
        },
        email: "asha@example.in".into(),
        items: vec![ParcelItem {
            name: "Goda Masala (50 g)".into(),
            sku: "goda-masala-50".into(),
            quantity: 2,
            price: Paise::new(75_50),
        }],
        total: Paise::new(15_100),
        weight_grams: 620,
    }
}

/// The outcome of a request as text, for comparisons.
fn outcome_text<T: std::fmt::Debug>(outcome: Result<T, CourierError>) -> String {
    match outcome {
        Ok(response) => format!("{response:?}"),
        Err(CourierError::Rejected(reason)) => format!("rejected: {reason}"),
        Err(CourierError::Unavailable(error)) => format!("unavailable: {error:#}"),
        Err(CourierError::OutcomeUnknown(error)) => format!("unknown: {error:#}"),
    }
}
