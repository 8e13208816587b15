//! Crash tests: the server is killed in each step of a parcel and restarted on the same data. There is one parcel for each
//! order, it is charged once, and the customer is notified once.

use std::path::Path;

use serde_json::{Value, json};

use crate::checkout_crashes::{browser, orders, send_ignoring_response, sql, wait_for_crash};
use crate::cli::{Served, expect_success, run, small_catalogue};
use crate::harness::{
    COURIER, PendingPayment, TestClient, eventually, in_runtime, temporary_folder,
};

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
        let folder = temporary_folder();
        let folder = folder.path();
        small_catalogue(folder);
        expect_success(&run(folder, &["seed", "catalogue", "--data", "data"]));
        for (at, (point, trigger)) in FAILPOINTS.into_iter().enumerate() {
            crash_at(folder, at, point, trigger).await;
        }
    });
}

fn again(from: &TestClient, served: &Served) -> TestClient {
    let client = browser(served);
    client.set_cookie("mirasa_session", &from.session().unwrap());
    client
}

fn hurry(folder: &Path) {
    sql(
        folder,
        "update shipments set due_at = 0, leased_until = 0 where step <> 'done'",
    );
}

/// The request that begins the shipment. It is repeated after the crash.
fn ship(admin: &TestClient, id: &str) -> reqwest::RequestBuilder {
    let cookie = format!("mirasa_session={}", admin.session().unwrap());
    let request = admin.request(http::Method::POST, "/api/admin/shipments");
    request
        .header("cookie", cookie)
        .json(&json!({ "orders": [id] }))
}

async fn shipment(customer: &TestClient) -> Value {
    orders(customer).await.remove(0)["shipment"].take()
}

async fn wait_until_booked(folder: &Path, customer: &TestClient, admin: &TestClient, id: &str) {
    eventually("the parcel is booked", async || {
        hurry(folder);
        let listed = admin
            .get("/api/admin/shipments?limit=100")
            .await
            .expect_ok();
        let all = listed["shipments"].as_array().unwrap().clone();
        let parcel = all.iter().find(|one| one["orderId"] == id);
        parcel.is_some_and(|parcel| parcel["step"] == "track" && parcel["hasLabel"] == true)
            && shipment(customer).await["status"] == "ready"
    })
    .await;
}

async fn lose_parcel(folder: &Path, customer: &TestClient) {
    let parcel = shipment(customer).await;
    let number = parcel["trackingNumber"].as_str().unwrap();
    for to in ["picked_up", "lost"] {
        let path = format!("{COURIER}/parcels/{number}");
        let request = customer.request(http::Method::POST, &path);
        let moved = customer.send(request.form(&[("to", to)])).await;
        assert_eq!(moved.status, 303, "{to}");
    }
    eventually("the parcel is lost", async || {
        hurry(folder);
        shipment(customer).await["status"] == "lost"
    })
    .await;
}

async fn crash_at(folder: &Path, at: usize, point: &str, trigger: Trigger) {
    let served = Served::start_with(folder, &[], &[]);
    let email = format!("parcel-{at}@it.example");
    let customer = browser(&served);
    customer.sign_in(&email).await;
    customer.add("goda-masala", 1, 1).await;
    let home = customer.home().await;
    let payment = PendingPayment::from_response(&customer.check_out(&home).await);
    customer.submit_payment(&payment, "pay").await;
    customer.settled_result(&payment).await;
    let id = orders(&customer).await[0]["_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let admin = browser(&served);
    admin.sign_in("admin@mirasa.example").await;
    let body = json!({ "orders": [id] });
    admin
        .put("/api/admin/orders/packed", body)
        .await
        .expect_ok();
    if trigger != Trigger::Ship {
        admin.send(ship(&admin, &id)).await.expect_ok();
        wait_until_booked(folder, &customer, &admin, &id).await;
    }
    if trigger == Trigger::SendAgain {
        lose_parcel(folder, &customer).await;
    }
    // Parcels of earlier crashes must not reach the failpoint first.
    sql(folder, "update shipments set due_at = due_at + 3600000");
    drop(served);

    let mut served = Served::start_with(folder, &[], &[("MIRASA_FAILPOINT", point)]);
    let (one, two) = (again(&customer, &served), again(&admin, &served));
    match trigger {
        Trigger::Ship | Trigger::SendAgain => send_ignoring_response(ship(&two, &id)).await,
        Trigger::PickUp => {
            let number = shipment(&one).await["trackingNumber"]
                .as_str()
                .unwrap()
                .to_owned();
            let path = format!("{COURIER}/parcels/{number}");
            let request = one.request(http::Method::POST, &path);
            send_ignoring_response(request.form(&[("to", "picked_up")])).await;
        }
        Trigger::Cancel => {
            let listed = two.get("/api/admin/shipments").await.expect_ok();
            let parcel = listed["shipments"][0]["_id"].as_str().unwrap().to_owned();
            let path = format!("/api/admin/shipments/{parcel}/cancel");
            let cookie = format!("mirasa_session={}", two.session().unwrap());
            let request = two.request(http::Method::POST, &path).json(&json!({}));
            send_ignoring_response(request.header("cookie", cookie)).await;
        }
    }
    wait_for_crash(&mut served, point).await;
    drop(served);

    let served = Served::start_with(folder, &[], &[]);
    let (customer, admin) = (again(&customer, &served), again(&admin, &served));
    match trigger {
        Trigger::Ship | Trigger::SendAgain => {
            let repeated = admin.send(ship(&admin, &id)).await;
            assert_eq!(repeated.status, 200, "{point}: {repeated:?}");
            wait_until_booked(folder, &customer, &admin, &id).await;
        }
        Trigger::PickUp => {
            eventually("the order is shipped", async || {
                hurry(folder);
                orders(&customer).await[0]["orderStatus"] == "shipped"
            })
            .await;
        }
        Trigger::Cancel => {
            eventually("the parcel is cancelled", async || {
                hurry(folder);
                shipment(&customer).await == Value::Null
            })
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
    let output = run(folder, &["check", "--data", "data"]);
    assert!(expect_success(&output).ends_with("all agree\n"), "{point}");
}
