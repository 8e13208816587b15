//! The embedded table, and the remote lookup against a fake host on loopback.

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
    fn lookup_result_is_a_known_state_or_an_error(
        state in prop_oneof![any::<String>(), "(The )?(Orissa|NCT of Delhi|goa|&)"],
        district: String,
        bytes in proptest::collection::vec(any::<u8>(), 0..80),
    ) {
        prop_assert!(serde_json::from_slice::<LookupResponse>(&bytes).is_err());
        let body = serde_json::json!([{ "Status": "Success", "PostOffice": [{ "District": district, "State": state }] }]);
        let response: LookupResponse = serde_json::from_value(body).unwrap();
        if let Ok(Some(area)) = response.into_area() {
            prop_assert!(STATES.contains(&area.state.as_str()));
        }
    }
}

fn pin(number: u32) -> Pincode {
    Pincode::parse(&number.to_string()).unwrap()
}

fn area(district: &str, state: &str) -> Option<PincodeArea> {
    Some(PincodeArea {
        district: district.into(),
        state: state.into(),
    })
}

#[tokio::test]
async fn embedded_table_has_well_known_pincodes() {
    for (number, expected) in [
        (110_001, area("New Delhi", "Delhi")),
        (110_025, area("South East", "Delhi")),
        (411_001, area("Pune", "Maharashtra")),
        (
            744_101,
            area("South Andamans", "Andaman and Nicobar Islands"),
        ),
        (100_000, None),
        (999_999, None),
    ] {
        let found = EmbeddedPincodes.find(pin(number)).await.unwrap();
        assert_eq!(found, expected, "{number}");
    }
}

#[test]
fn table_is_sorted_and_has_valid_areas() {
    let (entries, remainder) = PINCODE_TABLE.as_chunks::<ENTRY_BYTES>();
    assert!(remainder.is_empty());
    assert_eq!(entries.len(), 19_486);
    assert!(entries.is_sorted_by(|a, b| a[..3] < b[..3]));
    for entry in entries {
        let number = u32::from_be_bytes([0, entry[0], entry[1], entry[2]]);
        let area = EmbeddedPincodes.lookup(pin(number)).unwrap();
        assert!(!area.district.is_empty(), "{number}");
        assert!(STATES.contains(&area.state.as_str()), "{}", area.state);
    }
}

#[test]
fn state_name_variants_are_normalised() {
    for (name, expected) in [
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
        assert_eq!(official_state(name), expected, "{name}");
    }
}

/// A host whose response depends on the pincode. Counts its requests.
async fn fake_host() -> (Url, Arc<AtomicUsize>) {
    let requests = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&requests);
    let response = move |Path(pin): Path<String>| {
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
                _ => "x".repeat(MAX_RESPONSE_BYTES + 1).into_response(),
            }
        }
    };
    let app = Router::new().route("/pincode/{pin}", get(response));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/pincode/", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    (base.parse().unwrap(), requests)
}

fn remote(base: Url) -> RemotePincodes {
    // Another test may have installed it already, which is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    RemotePincodes::new(client, base)
}

#[tokio::test]
async fn lookup_accepts_list_and_object() {
    let (base, _) = fake_host().await;
    let directory = remote(base);
    let expected = area("Far East", "Delhi");
    assert_eq!(directory.find(pin(110_025)).await.unwrap(), expected);
    assert_eq!(directory.find(pin(110_026)).await.unwrap(), expected);
    assert_eq!(directory.find(pin(110_027)).await.unwrap(), None);
}

#[tokio::test]
async fn failed_lookup_falls_back_to_table() {
    let (base, _) = fake_host().await;
    for number in [411_001, 411_002, 411_004, 411_005] {
        let found = remote(base.clone()).find(pin(number)).await.unwrap();
        assert_eq!(found, area("Pune", "Maharashtra"), "{number}");
    }
    let unreachable = remote("http://127.0.0.1:1/pincode".parse().unwrap());
    let found = unreachable.find(pin(411_001)).await.unwrap();
    assert_eq!(found, area("Pune", "Maharashtra"));
}

#[tokio::test]
async fn failed_lookup_opens_circuit_breaker() {
    let (base, requests) = fake_host().await;
    let directory = remote(base);
    for _ in 0..5 {
        directory.find(pin(411_001)).await.unwrap();
    }
    assert_eq!(requests.load(Ordering::SeqCst), 1);
}
