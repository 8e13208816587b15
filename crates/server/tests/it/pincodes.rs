//! Pincodes that the delivery partner serves or not: their check, and a checkout to one that it does not serve.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{PendingPayment, TestClient, for_each_engine_fresh};

pub async fn address_in(customer: &TestClient, pincode: &str) -> String {
    let body = json!({
        "addressName": "Other", "name": "Asha Kulkarni", "phone": "9876543210",
        "addressLine1": "1 Beach Road", "addressLine2": "", "city": "Port Blair",
        "state": "Andaman and Nicobar Islands", "pincode": pincode,
    });
    let response = customer.post("/api/addresses", body).await.expect_ok();
    response["address"]["_id"].as_str().unwrap().to_owned()
}

#[test]
fn pincode_that_the_partner_does_not_serve_is_refused_before_the_payment() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let customer = shop.customer("islands").await;
            let islands = address_in(&customer, "744101").await;
            customer.add("goda-masala", 1, 0).await;
            for _ in 0..2 {
                let refused = customer.check_out(&islands).await;
                refused.expect_code(409, "pincode_not_served", "addressId");
                assert!(
                    refused.text().contains("does not deliver to 744101"),
                    "{refused:?}"
                );
            }
            let orders = customer.get("/api/user/orders").await.expect_ok();
            assert_eq!(orders["orders"], json!([]));
            let home = customer.home().await;
            PendingPayment::from_response(&customer.check_out(&home).await);
            shop.assert_consistent().await;
        },
    );
}

#[test]
fn failed_order_is_not_paid_again_to_a_pincode_that_is_no_longer_served() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let customer = shop.customer("moved-away").await;
            let home = customer.home().await;
            customer.add("goda-masala", 1, 0).await;
            let payment = PendingPayment::from_response(&customer.check_out(&home).await);
            customer.submit_payment(&payment, "fail").await;
            let failed = customer.settled_result(&payment).await;
            let id = failed["order"]["_id"].as_str().unwrap();
            shop.sql("update orders set address = replace(address, '411030', '744101')")
                .await;
            let path = format!("/api/user/orders/{id}/pay-again");
            let refused = customer.post(&path, json!({})).await;
            refused.expect_code(409, "pincode_not_served", "addressId");
        },
    );
}

#[test]
fn partner_that_is_down_or_slow_stops_no_checkout() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let latency = Duration::from_secs(30);
            for (name, faults) in [
                ("partner-is-down", json!({ "down": true })),
                (
                    "partner-is-slow",
                    json!({ "latency_ms": latency.as_millis(), "calls": ["serviceability", "login"] }),
                ),
            ] {
                shop.inject_courier_faults(faults).await;
                let customer = shop.customer(name).await;
                let pincode = if name == "partner-is-down" {
                    "744102"
                } else {
                    "744103"
                };
                let address = address_in(&customer, pincode).await;
                customer.add("goda-masala", 1, 0).await;
                let begin = Instant::now();
                PendingPayment::from_response(&customer.check_out(&address).await);
                let first = begin.elapsed();
                // The limit is 1.5 seconds; the machine may be busy.
                assert!(
                    first < Duration::from_secs(5),
                    "it waits for the partner: {first:?}"
                );
                println!("{name}: {first:?}");
            }
        },
    );
}

#[test]
fn pincode_checker_knows_whether_and_when_the_partner_delivers() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let visitor = shop.visitor();
            let pune = visitor.get("/api/pincode/411030").await.expect_ok();
            assert_eq!(pune["delivery"]["serviceable"], true);
            assert_eq!(pune["delivery"]["by"].as_str().unwrap().len(), 10);
            let islands = visitor.get("/api/pincode/744101").await.expect_ok();
            assert_eq!(
                islands["delivery"],
                json!({ "serviceable": false, "by": null })
            );
            let unknown = visitor.get("/api/pincode/999999").await.expect_ok();
            assert_eq!(unknown.get("delivery"), None);

            // A wrong request of ours is not "not served", and a partner that is down closes nothing.
            for (pincode, faults) in [
                ("110001", json!({ "hidden_errors": 1 })),
                ("560001", json!({ "down": true })),
            ] {
                shop.inject_courier_faults(faults).await;
                let response = visitor
                    .get(&format!("/api/pincode/{pincode}"))
                    .await
                    .expect_ok();
                assert_eq!(response["Status"], "Success");
                assert_eq!(response.get("delivery"), None, "{pincode}");
            }
            // Known pincodes are still answered from memory.
            let again = visitor.get("/api/pincode/411030").await.expect_ok();
            assert_eq!(again["delivery"]["serviceable"], true);
        },
    );
}
