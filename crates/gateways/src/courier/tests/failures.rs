//! Failures of the partner as integrators met them: with error statuses, with status 200, and without a response.

use mirasa_app::ports::courier::{Courier as _, CourierWebhook};
use mirasa_app::ports::payment::WebhookError;
use serde_json::json;

use super::recorded::{RecordedPartner, Reply};
use super::{Shiprocket, outcome_text, pincode, request};
use mirasa_domain::shipment::PartnerIds;

const IDS: PartnerIds = PartnerIds {
    order: 16_161_616,
    shipment: 16_162_616,
};

async fn outcome(shiprocket: &Shiprocket, path: &str) -> String {
    match path {
        "/courier/serviceability/" => outcome_text(shiprocket.quotes(pincode("411030"), 620).await),
        "/orders/create/adhoc" => outcome_text(shiprocket.create_parcel(request("B1")).await),
        "/orders" => outcome_text(shiprocket.find_parcel("B1").await),
        "/courier/assign/awb" => outcome_text(shiprocket.assign(IDS, Some(24)).await),
        "/courier/generate/label" => outcome_text(shiprocket.label(IDS).await),
        "/courier/generate/pickup" => outcome_text(shiprocket.request_pickup(IDS).await),
        "/manifests/generate" => outcome_text(shiprocket.close_manifest(IDS).await),
        "/courier/track/awb/1" => outcome_text(shiprocket.track("1").await),
        "/orders/cancel" => outcome_text(shiprocket.cancel(IDS, None).await),
        other => panic!("{other}"),
    }
}

const ALL: [&str; 9] = [
    "/courier/serviceability/",
    "/orders/create/adhoc",
    "/orders",
    "/courier/assign/awb",
    "/courier/generate/label",
    "/courier/generate/pickup",
    "/manifests/generate",
    "/courier/track/awb/1",
    "/orders/cancel",
];

#[tokio::test]
async fn failures_with_status_200_are_failures() {
    let partner = RecordedPartner::start().await;
    let shiprocket = partner.adapter();
    let balance = "Please recharge your ShipRocket wallet. The minimum required balance is Rs 100";
    let location = "Wrong Pickup location entered. Please choose one location from the data given";
    for (path, body, expected) in [
        (
            "/courier/serviceability/",
            json!({ "message": "Invalid Pickup Pincode" }),
            "unavailable: no data about a pincode: Invalid Pickup Pincode".to_owned(),
        ),
        (
            "/courier/serviceability/",
            json!({ "status": 404, "message": "Order does not exist!" }),
            "[]".to_owned(),
        ),
        (
            "/orders/create/adhoc",
            json!({ "status": "NEW", "status_code": 1 }),
            "unknown: the response to a parcel has no numbers".to_owned(),
        ),
        (
            "/orders/create/adhoc",
            json!({ "message": location, "data": { "data": [] } }),
            format!("rejected: {location}"),
        ),
        (
            "/orders",
            json!({ "status": 0, "payload": { "error_message": "busy" } }),
            "unknown: the response to a search has no list".to_owned(),
        ),
        (
            "/courier/assign/awb",
            json!({ "status_code": 350, "message": balance }),
            format!("rejected: {balance}"),
        ),
        (
            "/courier/assign/awb",
            json!({ "awb_assign_status": 0, "response": { "data": { "awb_assign_error": "Courier refuses" } } }),
            "rejected: Courier refuses".to_owned(),
        ),
        (
            "/courier/generate/label",
            json!({ "label_created": 0, "not_created": [1] }),
            "unavailable: the label was not created".to_owned(),
        ),
        (
            "/courier/generate/pickup",
            json!({ "pickup_status": 0, "message": "No pickup today" }),
            "rejected: No pickup today".to_owned(),
        ),
        (
            "/manifests/generate",
            json!({ "status": 1, "manifest_url": "" }),
            "unavailable: the manifest was not created".to_owned(),
        ),
        (
            "/courier/track/awb/1",
            json!({ "tracking_data": { "track_status": 0, "error": "none" } }),
            "None".to_owned(),
        ),
        (
            "/courier/track/awb/1",
            json!({ "message": "?" }),
            "unknown: the response has no tracking data".to_owned(),
        ),
    ] {
        partner.reply(path, [Reply::Json(200, body)]);
        assert_eq!(outcome(&shiprocket, path).await, expected, "{path}");
    }
}

#[tokio::test]
async fn outcome_is_unknown_unless_the_partner_says_no() {
    let partner = RecordedPartner::start().await;
    let shiprocket = partner.adapter();
    for path in ALL {
        for (reply, expected) in [
            (
                Reply::Json(
                    500,
                    json!({ "message": "Invalid argument supplied for foreach()" }),
                ),
                "unknown: ",
            ),
            (Reply::Text(502, "<html>Bad gateway</html>"), "unknown: "),
            (Reply::Text(200, "<html>maintenance</html>"), "unknown: "),
            (
                Reply::Json(429, json!({ "message": "Too Many Attempts." })),
                "unavailable: ",
            ),
            (
                Reply::Text(403, "<html>blocked by the CDN</html>"),
                "unavailable: ",
            ),
            (
                Reply::Json(
                    422,
                    json!({ "message": "Oops! Invalid Data.", "errors": { "weight": ["The weight is wrong."] }, "status_code": 422 }),
                ),
                "rejected: The weight is wrong.",
            ),
            (
                Reply::Json(
                    400,
                    json!({ "message": "Given channel id does not exist", "status_code": 400 }),
                ),
                "rejected: Given channel id does not exist",
            ),
        ] {
            partner.reply(path, [reply]);
            let found = outcome(&shiprocket, path).await;
            assert!(found.starts_with(expected), "{path}: {found}");
        }
    }
    partner.reply("/orders/create/adhoc", [Reply::Slow]);
    let found = outcome(&shiprocket, "/orders/create/adhoc").await;
    assert!(found.starts_with("unknown: no response"), "{found}");
}

#[tokio::test]
async fn refused_login_rests_for_ten_minutes() {
    let partner = RecordedPartner::start().await;
    let shiprocket = partner.adapter();
    let locked = json!({ "message": "User blocked due to too many failed login attempts.", "status_code": 403 });
    partner.reply("/auth/login", [Reply::Json(403, locked)]);
    for _ in 0..3 {
        let found = outcome(&shiprocket, "/orders").await;
        assert!(found.starts_with("unavailable: "), "{found}");
    }
    let logins = |partner: &RecordedPartner| {
        let state = partner.state.lock().unwrap();
        state
            .requests
            .iter()
            .filter(|(line, _)| line.starts_with("/auth/login"))
            .count()
    };
    assert_eq!(logins(&partner), 1);
    partner.clock.advance_s(10 * 60 - 1);
    outcome(&shiprocket, "/orders").await;
    assert_eq!(logins(&partner), 1);
    partner.clock.advance_s(2);
    assert_eq!(outcome(&shiprocket, "/orders").await, "None");
    assert_eq!(logins(&partner), 2);
    // A server error is no refusal.
    partner.state.lock().unwrap().tokens_revoked = 9;
    partner.reply("/auth/login", [Reply::Text(503, "")]);
    outcome(&shiprocket, "/orders").await;
    partner.state.lock().unwrap().tokens_revoked = 0;
    assert_eq!(outcome(&shiprocket, "/orders").await, "None");
}

#[tokio::test]
async fn file_is_fetched_only_with_tls_or_from_the_partner_itself() {
    let partner = RecordedPartner::start().await;
    let shiprocket = partner.adapter();
    for url in [
        "http://127.0.0.1:9/label.pdf",
        "http://169.254.169.254/latest/meta-data",
        "file:///etc/passwd",
        "label.pdf",
    ] {
        let body = json!({ "label_created": 1, "label_url": url });
        partner.reply("/courier/generate/label", [Reply::Json(200, body)]);
        let found = outcome(&shiprocket, "/courier/generate/label").await;
        assert!(
            found.contains("another address than https"),
            "{url}: {found}"
        );
    }
    let body = json!({ "label_created": 1, "label_url": format!("{}/orders", partner.base) });
    partner.reply("/courier/generate/label", [Reply::Json(200, body)]);
    partner.reply("/orders", [Reply::Text(200, "<html>")]);
    let found = outcome(&shiprocket, "/courier/generate/label").await;
    assert_eq!(found, "unavailable: the file is not a PDF");
}

#[tokio::test]
async fn parcel_is_sent_with_weight_box_and_address() {
    let partner = RecordedPartner::start().await;
    partner
        .adapter()
        .create_parcel(request("B2"))
        .await
        .unwrap();
    let state = partner.state.lock().unwrap();
    let (_, body) = state.requests.last().unwrap();
    for (field, value) in [
        ("order_id", json!("B2")),
        ("order_date", json!("2026-11-15 00:00")),
        ("pickup_location", json!("Bhosari unit")),
        ("billing_customer_name", json!("Asha")),
        ("billing_last_name", json!("Kulkarni")),
        ("billing_phone", json!("9876543210")),
        ("billing_pincode", json!("411030")),
        ("payment_method", json!("Prepaid")),
        ("weight", json!(0.62)),
        ("sub_total", json!(151.0)),
        ("length", json!(22)),
    ] {
        assert_eq!(body[field], value, "{field}");
    }
}

#[test]
fn webhook_needs_the_key_and_names_the_parcel() {
    let settings = super::settings("https://partner.example".into(), "a@b.example", "hush");
    let shiprocket = Shiprocket::new(settings, super::ManualClock::new()).unwrap();
    let body = json!({
        "awb": "19041424751540", "courier_name": "Delhivery Surface", "current_status": "IN TRANSIT", "current_status_id": 20,
        "shipment_status": "IN TRANSIT", "shipment_status_id": 18, "current_timestamp": "23 05 2023 11:43:52",
        "order_id": "1373900_150876814", "sr_order_id": 348_456_385, "scans": [], "is_return": 0, "channel_id": 3_422_553,
    });
    let body = serde_json::to_vec(&body).unwrap();
    let parse = |key, body: &[u8]| shiprocket.parse_webhook(key, body);
    assert_eq!(
        parse(Some("guess"), &body),
        Err(WebhookError::Unauthenticated)
    );
    assert_eq!(parse(None, &body), Err(WebhookError::Unauthenticated));
    let key = Some("the-webhook-key");
    assert_eq!(
        parse(key, &body),
        Ok(CourierWebhook {
            tracking_number: "19041424751540".into(),
            partner_order_id: Some(348_456_385),
        })
    );
    for wrong in [&b"{"[..], b"{}", b"[]", br#"{"awb":"../x"}"#] {
        assert_eq!(parse(key, wrong), Err(WebhookError::Malformed));
    }
}
