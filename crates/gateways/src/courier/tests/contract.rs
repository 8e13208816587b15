//! The contract between the adapter and the partner. Each test runs against the sandbox and against the recorded
//! responses.

use std::sync::Arc;

use async_trait::async_trait;
use axum::Router;
use mirasa_app::ports::clock::SystemIdGenerator;
use mirasa_app::ports::courier::Courier as _;
use mirasa_domain::ist;
use mirasa_domain::shipment::ShipmentStatus;
use mirasa_sandbox::courier::{PATH, SandboxCourier, SandboxSettings};
use serde_json::json;

use super::recorded::RecordedPartner;
use super::{
    ManualClock, NOW_MS, PICKUP_LOCATION, PICKUP_PINCODE, Shiprocket, listener, outcome_text,
    pincode, request, serve, settings,
};

#[async_trait]
trait TestPartner {
    fn shiprocket(&self) -> &Shiprocket;
    fn clock(&self) -> &ManualClock;
    async fn deliver(&self, tracking_number: &str);
    async fn revoke_tokens(&self);
}

struct SandboxPartner {
    url: String,
    clock: Arc<ManualClock>,
    shiprocket: Shiprocket,
    _folder: tempfile::TempDir,
}

impl SandboxPartner {
    async fn start() -> SandboxPartner {
        let (listener, url) = listener().await;
        let clock = ManualClock::new();
        let folder = tempfile::tempdir().unwrap();
        let sandbox = SandboxCourier::new(
            SandboxSettings {
                shop_base_url: url.clone(),
                public_url: url.clone(),
                shop_name: "Mirasa".into(),
                pickup_location: PICKUP_LOCATION.into(),
                pickup_pincode: PICKUP_PINCODE.into(),
                secret: [7; 32],
                folder: folder.path().to_owned(),
            },
            clock.clone(),
            Arc::new(SystemIdGenerator),
        )
        .unwrap();
        let pages = sandbox.router().merge(sandbox.control_router());
        serve(listener, Router::new().nest(PATH, pages));
        let credentials = sandbox.credentials();
        let settings = settings(
            credentials.base_url,
            &credentials.email,
            &credentials.password,
        );
        SandboxPartner {
            shiprocket: Shiprocket::new(settings, clock.clone()).unwrap(),
            url,
            clock,
            _folder: folder,
        }
    }
}

#[async_trait]
impl TestPartner for SandboxPartner {
    fn shiprocket(&self) -> &Shiprocket {
        &self.shiprocket
    }

    fn clock(&self) -> &ManualClock {
        &self.clock
    }

    async fn deliver(&self, tracking_number: &str) {
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()
            .unwrap();
        for to in ["picked_up", "out_for_delivery", "delivered"] {
            let url = format!("{}{PATH}/parcels/{tracking_number}", self.url);
            let moved = client.post(url).form(&[("to", to)]).send().await.unwrap();
            assert_eq!(moved.status(), 303);
        }
    }

    async fn revoke_tokens(&self) {
        let url = format!("{}{PATH}/faults", self.url);
        let body = json!({ "revoke_tokens": true });
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let done = client.post(url).json(&body).send().await.unwrap();
        assert_eq!(done.status(), 200);
    }
}

struct Recording(RecordedPartner, Shiprocket);

#[async_trait]
impl TestPartner for Recording {
    fn shiprocket(&self) -> &Shiprocket {
        &self.1
    }

    fn clock(&self) -> &ManualClock {
        &self.0.clock
    }

    /// The recorded parcel is delivered.
    async fn deliver(&self, _: &str) {}

    async fn revoke_tokens(&self) {
        let mut state = self.0.state.lock().unwrap();
        state.tokens_revoked = state.logins;
    }
}

macro_rules! for_both_partners {
    ($($contract:ident)*) => {
        $(mod $contract {
            #[tokio::test]
            async fn sandbox() {
                super::$contract(&super::SandboxPartner::start().await).await;
            }

            #[tokio::test]
            async fn recorded() {
                let partner = super::RecordedPartner::start().await;
                let shiprocket = partner.adapter();
                super::$contract(&super::Recording(partner, shiprocket)).await;
            }
        })*
    };
}

for_both_partners! {
    quotes_have_prices_and_days
    pincode_without_couriers_is_not_an_error
    parcel_is_created_once_and_found_by_its_reference
    courier_is_assigned_once
    label_pickup_and_manifest_follow
    delivered_parcel_has_its_scans
    cancelled_parcel_is_found_as_cancelled
    revoked_token_is_replaced
    unknown_numbers_are_none
}

async fn quotes_have_prices_and_days(partner: &dyn TestPartner) {
    let quotes = partner.shiprocket().quotes(pincode("411030"), 620).await;
    let quotes = quotes.unwrap();
    let surface = quotes
        .iter()
        .find(|quote| quote.name == "Xpressbees Surface");
    let surface = surface.unwrap();
    assert!(
        surface.is_surface && surface.cost.get() > 10_00,
        "{surface:?}"
    );
    assert!(surface.return_cost.unwrap() < surface.cost);
    let days = surface.days.unwrap();
    let expected = ist::day_end_ms(NOW_MS + days * ist::DAY_MS);
    assert_eq!(surface.expected_at_ms, Some(expected));
    let air = quotes.iter().find(|quote| quote.name == "Blue Dart Air");
    let air = air.unwrap();
    assert!(!air.is_surface && air.days < surface.days && air.cost > surface.cost);
    assert!(quotes.iter().all(|quote| quote.name != "Blocked"));
}

async fn pincode_without_couriers_is_not_an_error(partner: &dyn TestPartner) {
    let quotes = partner.shiprocket().quotes(pincode("744101"), 620).await;
    assert_eq!(quotes.unwrap(), []);
}

async fn parcel_is_created_once_and_found_by_its_reference(partner: &dyn TestPartner) {
    let shiprocket = partner.shiprocket();
    assert_eq!(shiprocket.find_parcel("A1").await.unwrap(), None);
    let ids = shiprocket.create_parcel(request("A1")).await.unwrap();
    let other = shiprocket.create_parcel(request("A1-2")).await.unwrap();
    assert_ne!(ids, other);
    let found = shiprocket.find_parcel("A1").await.unwrap().unwrap();
    assert_eq!(
        (found.ids, found.assigned, found.is_cancelled),
        (ids, None, false)
    );
    assert!(!found.has_pickup);
    let again = outcome_text(shiprocket.create_parcel(request("A1")).await);
    assert_eq!(again, "rejected: The order id has already been taken.");
}

async fn courier_is_assigned_once(partner: &dyn TestPartner) {
    let shiprocket = partner.shiprocket();
    let ids = shiprocket.create_parcel(request("A2")).await.unwrap();
    let assigned = shiprocket.assign(ids, Some(24)).await.unwrap();
    assert_eq!(assigned.courier, "Xpressbees Surface");
    let again = outcome_text(shiprocket.assign(ids, Some(24)).await);
    assert_eq!(again, "rejected: AWB is already assigned");
    let found = shiprocket.find_parcel("A2").await.unwrap().unwrap();
    assert_eq!(found.assigned, Some(assigned));
}

async fn label_pickup_and_manifest_follow(partner: &dyn TestPartner) {
    let shiprocket = partner.shiprocket();
    let ids = shiprocket.create_parcel(request("A3")).await.unwrap();
    shiprocket.assign(ids, Some(24)).await.unwrap();
    let label = shiprocket.label(ids).await.unwrap();
    assert!(label.starts_with(b"%PDF-"));
    let pickup = shiprocket.request_pickup(ids).await.unwrap();
    // The next morning at ten.
    assert_eq!(pickup, Some(NOW_MS + 34 * 3_600_000));
    let again = outcome_text(shiprocket.request_pickup(ids).await);
    assert_eq!(again, "rejected: Already in Pickup Queue.");
    assert!(
        shiprocket
            .find_parcel("A3")
            .await
            .unwrap()
            .unwrap()
            .has_pickup
    );
    for _ in 0..2 {
        shiprocket.close_manifest(ids).await.unwrap();
    }
    let manifest = shiprocket.manifest(&[ids]).await.unwrap();
    assert!(manifest.starts_with(b"%PDF-"));
}

async fn delivered_parcel_has_its_scans(partner: &dyn TestPartner) {
    let shiprocket = partner.shiprocket();
    let ids = shiprocket.create_parcel(request("A4")).await.unwrap();
    let number = shiprocket
        .assign(ids, Some(24))
        .await
        .unwrap()
        .tracking_number;
    partner.deliver(&number).await;
    let tracking = shiprocket.track(&number).await.unwrap().unwrap();
    assert_eq!(tracking.status, ShipmentStatus::Delivered);
    assert!(tracking.tracking_url.unwrap().ends_with(&number));
    assert!(tracking.events.is_sorted_by_key(|event| event.at_ms));
    let has = |status| {
        tracking
            .events
            .iter()
            .any(|event| event.status == status && !event.place.is_empty())
    };
    assert!(has(ShipmentStatus::PickedUp) && has(ShipmentStatus::OutForDelivery));
    let last = tracking.events.last().unwrap();
    assert_eq!(last.status, ShipmentStatus::Delivered);
}

async fn cancelled_parcel_is_found_as_cancelled(partner: &dyn TestPartner) {
    let shiprocket = partner.shiprocket();
    let ids = shiprocket.create_parcel(request("A5")).await.unwrap();
    let number = shiprocket.assign(ids, None).await.unwrap().tracking_number;
    shiprocket.cancel(ids, Some(&number)).await.unwrap();
    assert!(
        shiprocket
            .find_parcel("A5")
            .await
            .unwrap()
            .unwrap()
            .is_cancelled
    );
}

async fn revoked_token_is_replaced(partner: &dyn TestPartner) {
    let shiprocket = partner.shiprocket();
    shiprocket.create_parcel(request("A6")).await.unwrap();
    partner.revoke_tokens().await;
    assert!(shiprocket.find_parcel("A6").await.unwrap().is_some());
    // And one that is old is renewed before it ends.
    partner.clock().advance_s(9 * 24 * 3600 + 1);
    assert!(shiprocket.find_parcel("A6").await.unwrap().is_some());
}

async fn unknown_numbers_are_none(partner: &dyn TestPartner) {
    let shiprocket = partner.shiprocket();
    for number in ["", "../../auth/logout", "a b", "404404", &"1".repeat(61)] {
        assert_eq!(shiprocket.track(number).await.unwrap(), None, "{number}");
        assert_eq!(
            shiprocket.find_parcel(number).await.unwrap(),
            None,
            "{number}"
        );
    }
}
