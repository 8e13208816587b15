//! Crash tests: the server is killed in each step of a parcel and restarted on the same data. There is one parcel for each
//! order, it is charged once, and the customer is notified once.

use serde_json::{Value, json};

use crate::harness::crash::{
    ShopFolder, admin, customer_with_paid_order, orders, pack, returning, send_into_crash,
    wait_for_crash,
};
use crate::harness::{COURIER, TestClient, in_runtime};

/// Failpoints, and what makes the server reach them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trigger {
    /// The owner ships the order.
    Ship,
    /// The courier picks the parcel up.
    PickUp,
    /// The owner cancels the parcel.
    Cancel,
    /// The owner ships the order again, because its parcel is lost.
    SendAgain,
}

const FAILPOINTS: [(&str, Trigger); 12] = [
    ("shipping orders", Trigger::Ship),
    ("orders shipped", Trigger::Ship),
    ("parcel created", Trigger::Ship),
    ("courier assigned", Trigger::Ship),
    ("label fetched", Trigger::Ship),
    ("pickup requested", Trigger::Ship),
    ("manifest closed", Trigger::Ship),
    ("saving a parcel", Trigger::Ship),
    ("tracking heard", Trigger::PickUp),
    ("applying tracking", Trigger::PickUp),
    ("parcel cancelled", Trigger::Cancel),
    ("sending again", Trigger::SendAgain),
];

#[test]
fn crash_at_any_step_of_a_parcel_loses_and_duplicates_nothing() {
    in_runtime(async {
        let folder = ShopFolder::seeded();
        for (at, (point, trigger)) in FAILPOINTS.into_iter().enumerate() {
            crash_at(&folder, at, point, trigger).await;
        }
    });
}

/// Makes the next step of each parcel due.
const HURRY: &str = "update shipments set due_at = 0, leased_until = 0 where step <> 'done'";

/// The request that begins the shipment. It is repeated after the crash.
fn ship(admin: &TestClient, id: &str) -> reqwest::RequestBuilder {
    let request = admin.request(http::Method::POST, "/api/admin/shipments");
    request.json(&json!({ "orders": [id] }))
}

async fn shipment(customer: &TestClient) -> Value {
    orders(customer).await.remove(0)["shipment"].take()
}

async fn wait_until_booked(
    folder: &ShopFolder,
    customer: &TestClient,
    admin: &TestClient,
    id: &str,
) {
    let is_booked = async || {
        let listed = admin
            .get("/api/admin/shipments?limit=100")
            .await
            .expect_ok();
        let all = listed["shipments"].as_array().unwrap().clone();
        let parcel = all.iter().find(|one| one["orderId"] == id);
        parcel.is_some_and(|parcel| parcel["step"] == "track" && parcel["hasLabel"] == true)
            && shipment(customer).await["status"] == "ready"
    };
    folder
        .hurry_until(HURRY, "the parcel is booked", is_booked)
        .await;
}

async fn lose_parcel(folder: &ShopFolder, customer: &TestClient) {
    let parcel = shipment(customer).await;
    let number = parcel["trackingNumber"].as_str().unwrap();
    for to in ["picked_up", "lost"] {
        let path = format!("{COURIER}/parcels/{number}");
        let request = customer.request(http::Method::POST, &path);
        let moved = customer.send(request.form(&[("to", to)])).await;
        assert_eq!(moved.status, 303, "{to}");
    }
    let is_lost = async || shipment(customer).await["status"] == "lost";
    folder
        .hurry_until(HURRY, "the parcel is lost", is_lost)
        .await;
}

async fn crash_at(folder: &ShopFolder, at: usize, point: &str, trigger: Trigger) {
    let served = folder.start();
    let email = format!("parcel-{at}@it.example");
    let (customer, order) = customer_with_paid_order(&served, &email).await;
    let id = order["_id"].as_str().unwrap().to_owned();
    let admin = admin(&served).await;
    pack(&admin, &id).await;
    if trigger != Trigger::Ship {
        admin.send(ship(&admin, &id)).await.expect_ok();
        wait_until_booked(folder, &customer, &admin, &id).await;
    }
    if trigger == Trigger::SendAgain {
        lose_parcel(folder, &customer).await;
    }
    // Parcels of earlier crashes must not reach the failpoint first.
    folder.sql("update shipments set due_at = due_at + 3600000");
    drop(served);

    let served = folder.start_with_failpoint(point);
    let (one, two) = (returning(&customer, &served), returning(&admin, &served));
    match trigger {
        Trigger::Ship | Trigger::SendAgain => send_into_crash(&two, ship(&two, &id)).await,
        Trigger::PickUp => {
            let number = shipment(&one).await["trackingNumber"]
                .as_str()
                .unwrap()
                .to_owned();
            let path = format!("{COURIER}/parcels/{number}");
            let request = one.request(http::Method::POST, &path);
            send_into_crash(&one, request.form(&[("to", "picked_up")])).await;
        }
        Trigger::Cancel => {
            let listed = two.get("/api/admin/shipments").await.expect_ok();
            let parcel = listed["shipments"][0]["_id"].as_str().unwrap().to_owned();
            let path = format!("/api/admin/shipments/{parcel}/cancel");
            let request = two.request(http::Method::POST, &path).json(&json!({}));
            send_into_crash(&two, request).await;
        }
    }
    wait_for_crash(served, point).await;

    let served = folder.start();
    let (customer, admin) = (returning(&customer, &served), returning(&admin, &served));
    match trigger {
        Trigger::Ship | Trigger::SendAgain => {
            let repeated = admin.send(ship(&admin, &id)).await;
            assert_eq!(repeated.status, 200, "{point}: {repeated:?}");
            wait_until_booked(folder, &customer, &admin, &id).await;
        }
        Trigger::PickUp => {
            let is_shipped = async || orders(&customer).await[0]["orderStatus"] == "shipped";
            folder
                .hurry_until(HURRY, "the order is shipped", is_shipped)
                .await;
        }
        Trigger::Cancel => {
            let is_cancelled = async || shipment(&customer).await == Value::Null;
            folder
                .hurry_until(HURRY, "the parcel is cancelled", is_cancelled)
                .await;
        }
    }
    let record = admin.get(&format!("{COURIER}/record")).await.expect_ok();
    let reference = id.replace('-', "");
    let parcels = record["parcels"].as_array().unwrap().iter();
    let parcels: Vec<_> = parcels
        .filter(|parcel| {
            parcel["reference"]
                .as_str()
                .unwrap()
                .starts_with(&reference)
        })
        .collect();
    let expected = if trigger == Trigger::SendAgain { 2 } else { 1 };
    assert_eq!(parcels.len(), expected, "{point}");
    for parcel in &parcels {
        assert!(parcel["charged"].is_number(), "{point}");
    }
    assert_eq!(
        parcels[0]["cancelled"],
        trigger == Trigger::Cancel,
        "{point}"
    );
    // Confirmed, and shipped if it was picked up.
    let emails = customer.get("/sandbox/mail").await;
    let was_picked_up = matches!(trigger, Trigger::PickUp | Trigger::SendAgain);
    let expected = if was_picked_up { 2 } else { 1 };
    assert_eq!(emails.text().matches(&email).count(), expected, "{point}");
    folder.assert_consistent(point);
}
