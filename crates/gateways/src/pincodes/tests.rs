//! The table, and the remote lookup against a scripted host on loopback.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::get;
use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn an_answer_of_any_shape_is_a_place_in_india_or_a_fault(
        state in prop_oneof![any::<String>(), "(The )?(Orissa|NCT of Delhi|goa|&)"],
        district: String,
        bytes in proptest::collection::vec(any::<u8>(), 0..80),
    ) {
        prop_assert!(serde_json::from_slice::<Answer>(&bytes).is_err());
        let body = serde_json::json!([{ "Status": "Success", "PostOffice": [{ "District": district, "State": state }] }]);
        let answer: Answer = serde_json::from_value(body).unwrap();
        if let Ok(Some(place)) = answer.into_place() {
            prop_assert!(STATES.contains(&place.state.as_str()));
        }
    }
}

fn pin(number: u32) -> Pincode {
    Pincode::parse(&number.to_string()).unwrap()
}

fn place(district: &str, state: &str) -> Option<PincodeArea> {
    Some(PincodeArea {
        district: district.into(),
        state: state.into(),
    })
}

#[tokio::test]
async fn the_table_knows_well_known_pins() {
    for (number, expected) in [
        (110_001, place("New Delhi", "Delhi")),
        (110_025, place("South East", "Delhi")),
        (411_001, place("Pune", "Maharashtra")),
        (
            744_101,
            place("South Andamans", "Andaman and Nicobar Islands"),
        ),
        (100_000, None),
        (999_999, None),
    ] {
        let found = TablePincodes.find(pin(number)).await.unwrap();
        assert_eq!(found, expected, "{number}");
    }
}

#[test]
fn every_entry_is_sorted_and_leads_to_a_place_in_a_state_of_the_form() {
    let (entries, rest) = PINS.as_chunks::<ENTRY>();
    assert!(rest.is_empty());
    assert_eq!(entries.len(), 19_486);
    assert!(entries.is_sorted_by(|a, b| a[..3] < b[..3]));
    for entry in entries {
        let number = u32::from_be_bytes([0, entry[0], entry[1], entry[2]]);
        let place = TablePincodes.look_up(pin(number)).unwrap();
        assert!(!place.district.is_empty(), "{number}");
        assert!(STATES.contains(&place.state.as_str()), "{}", place.state);
    }
}

#[test]
fn other_spellings_of_a_state_are_understood() {
    for (spelled, expected) in [
        ("MAHARASHTRA", Some("Maharashtra")),
        ("Jammu & Kashmir", Some("Jammu and Kashmir")),
        ("Andaman & Nicobar", Some("Andaman and Nicobar Islands")),
        ("Orissa", Some("Odisha")),
        ("Pondicherry", Some("Puducherry")),
        (
            "The Dadra And Nagar Haveli And Daman And Diu",
            Some("Dadra and Nagar Haveli and Daman and Diu"),
        ),
        ("Atlantis", None),
    ] {
        assert_eq!(official_state(spelled), expected, "{spelled}");
    }
}

/// A host whose answer depends on the pin asked, and which counts how often it was asked.
async fn scripted_host() -> (Url, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let answer = move |Path(pin): Path<String>| {
        counter.fetch_add(1, Ordering::SeqCst);
        async move {
            let office = |district: &str, state: &str| serde_json::json!({ "Name": "x", "District": district, "State": state, "Block": null });
            let offices = serde_json::json!([
                office("Budaun", "Uttar Pradesh"),
                office("Far East", "DELHI"),
                office("Far East", "DELHI"),
            ]);
            let good =
                serde_json::json!({ "Message": "", "Status": "Success", "PostOffice": offices });
            match pin.as_str() {
                "110025" => axum::Json(serde_json::json!([good])).into_response(),
                "110026" => axum::Json(good).into_response(),
                "110027" => axum::Json(serde_json::json!([
                    { "Message": "No records found", "Status": "Error", "PostOffice": null }
                ]))
                .into_response(),
                "411001" => StatusCode::BAD_GATEWAY.into_response(),
                "411002" => "<html>Sign in to the hotel's network</html>".into_response(),
                "411004" => axum::Json(serde_json::json!([])).into_response(),
                _ => "x".repeat(MOST_ANSWER_BYTES + 1).into_response(),
            }
        }
    };
    let app = Router::new().route("/pincode/{pin}", get(answer));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/pincode/", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    (base.parse().unwrap(), asked)
}

fn remote(base: Url) -> RemotePincodes {
    // Another test may have installed it first, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    RemotePincodes::new(client, base)
}

#[tokio::test]
async fn the_host_answers_in_either_shape() {
    let (base, _) = scripted_host().await;
    let directory = remote(base);
    let expected = place("Far East", "Delhi");
    assert_eq!(directory.find(pin(110_025)).await.unwrap(), expected);
    assert_eq!(directory.find(pin(110_026)).await.unwrap(), expected);
    assert_eq!(directory.find(pin(110_027)).await.unwrap(), None);
}

#[tokio::test]
async fn the_table_answers_for_a_host_that_fails() {
    let (base, _) = scripted_host().await;
    for number in [411_001, 411_002, 411_004, 411_005] {
        let found = remote(base.clone()).find(pin(number)).await.unwrap();
        assert_eq!(found, place("Pune", "Maharashtra"), "{number}");
    }
    let nobody = remote("http://127.0.0.1:1/pincode".parse().unwrap());
    let found = nobody.find(pin(411_001)).await.unwrap();
    assert_eq!(found, place("Pune", "Maharashtra"));
}

#[tokio::test]
async fn a_host_that_has_failed_is_left_alone_for_a_while() {
    let (base, asked) = scripted_host().await;
    let directory = remote(base);
    for _ in 0..5 {
        directory.find(pin(411_001)).await.unwrap();
    }
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}
