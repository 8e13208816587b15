//! A partner with the recorded responses of the real one, including the fields that the adapter does not use. Tests can
//! replace the next response of each path.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::AUTHORIZATION;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::{ManualClock, Shiprocket, listener, serve, settings};

/// A token as the real one, with an `exp` ten days after `iat`.
const CLAIMS: &str = "eyJzdWIiOjEsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjoxNzAwODY0MDAwfQ";

#[derive(Clone)]
pub(super) enum Reply {
    Json(u16, Value),
    Text(u16, &'static str),
    Slow,
}

#[derive(Default)]
pub(super) struct Recorded {
    replies: HashMap<&'static str, VecDeque<Reply>>,
    pub(super) requests: Vec<(String, Value)>,
    pub(super) logins: usize,
    pub(super) tokens_revoked: usize,
    /// By reference: cancelled, tracking number, whether a pickup is requested, whether it is on a manifest.
    parcels: Vec<(String, bool, Option<String>, bool, bool)>,
}

#[derive(Clone)]
pub(super) struct RecordedPartner {
    pub(super) base: String,
    pub(super) clock: Arc<ManualClock>,
    pub(super) state: Arc<Mutex<Recorded>>,
}

impl RecordedPartner {
    pub(super) async fn start() -> RecordedPartner {
        let (listener, base) = listener().await;
        let partner = RecordedPartner {
            base,
            clock: ManualClock::new(),
            state: Arc::default(),
        };
        let router = Router::new().fallback(handle).with_state(partner.clone());
        serve(listener, router);
        partner
    }

    pub(super) fn adapter(&self) -> Shiprocket {
        let settings = settings(self.base.clone(), "api@shop.example", "hush");
        Shiprocket::new(settings, self.clock.clone()).unwrap()
    }

    /// Sets the responses to the next requests to this path.
    pub(super) fn reply(&self, path: &'static str, replies: impl IntoIterator<Item = Reply>) {
        let mut state = self.state.lock().unwrap();
        state.replies.entry(path).or_default().extend(replies);
    }
}

async fn handle(State(partner): State<RecordedPartner>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let query = request.uri().query().unwrap_or_default().to_owned();
    let authorization = request.headers().get(AUTHORIZATION);
    let authorization = authorization.map_or(String::new(), |value| value.to_str().unwrap().into());
    let body: Bytes = axum::body::to_bytes(request.into_body(), 1 << 20)
        .await
        .unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let reply = {
        let mut state = partner.state.lock().unwrap();
        state
            .requests
            .push((format!("{path}?{query}"), body.clone()));
        let queued = state.replies.iter_mut().find(|(known, _)| path == **known);
        queued.and_then(|(_, replies)| replies.pop_front())
    };
    match reply {
        Some(Reply::Json(status, body)) => return json_response(status, &body),
        Some(Reply::Text(status, text)) => {
            return (StatusCode::from_u16(status).unwrap(), text).into_response();
        }
        Some(Reply::Slow) => {
            tokio::time::sleep(Duration::from_secs(30)).await;
            return StatusCode::OK.into_response();
        }
        None => {}
    }
    let mut state = partner.state.lock().unwrap();
    if path == "/auth/login" {
        state.logins += 1;
        let token = format!("e30.{CLAIMS}.token{}", state.logins);
        return json_response(
            200,
            &json!({
                "id": 12_345, "first_name": "API", "last_name": "USER", "email": body["email"],
                "company_id": 99, "created_at": "2024-01-01 10:00:00", "token": token,
            }),
        );
    }
    let is_valid = (state.tokens_revoked + 1..=state.logins)
        .any(|number| authorization == format!("Bearer e30.{CLAIMS}.token{number}"));
    if path.ends_with(".pdf") {
        return "%PDF-1.4 a label".into_response();
    }
    if !is_valid {
        return json_response(401, &json!({ "message": "Unauthenticated." }));
    }
    respond(&mut state, &partner.base, &path, &query, &body)
}

const FIRST: i64 = 16_161_616;

fn respond(state: &mut Recorded, base: &str, path: &str, query: &str, body: &Value) -> Response {
    let shipment = body["shipment_id"]
        .as_i64()
        .or_else(|| body["shipment_id"].get(0)?.as_i64());
    let at = shipment.and_then(|id| usize::try_from(id - FIRST - 1_000).ok());
    let parcels = &mut state.parcels;
    match path {
        "/courier/serviceability/" => json_response(200, &serviceability(query)),
        "/orders/create/adhoc" => {
            let reference = body["order_id"].as_str().unwrap().to_owned();
            if parcels.iter().any(|parcel| parcel.0 == reference) {
                return json_response(
                    422,
                    &json!({
                        "message": "Oops! Invalid Data.",
                        "errors": { "order_id": ["The order id has already been taken."] },
                        "status_code": 422,
                    }),
                );
            }
            let id = FIRST + i64::try_from(parcels.len()).unwrap();
            parcels.push((reference, false, None, false, false));
            json_response(
                200,
                &json!({
                    "order_id": id, "shipment_id": id + 1_000, "status": "NEW", "status_code": 1,
                    "onboarding_completed_now": 0, "awb_code": "", "courier_company_id": "", "courier_name": "",
                }),
            )
        }
        "/orders" => {
            let orders: Vec<_> = parcels.iter().zip(FIRST..).map(order).collect();
            json_response(
                200,
                &json!({
                    "data": orders,
                    "meta": { "pagination": { "total": 1, "count": 1, "per_page": 20, "current_page": 1, "total_pages": 1, "links": {} } },
                }),
            )
        }
        "/courier/assign/awb" => {
            let parcel = &mut parcels[at.unwrap()];
            if parcel.2.is_some() {
                return json_response(
                    200,
                    &json!({
                        "awb_assign_status": 0,
                        "response": { "data": { "awb_assign_error": "AWB is already assigned" } },
                    }),
                );
            }
            parcel.2 = Some("321055706540".into());
            json_response(
                200,
                &json!({ "awb_assign_status": 1, "response": { "data": {
                "courier_company_id": body["courier_id"], "awb_code": "321055706540", "cod": 0,
                "order_id": 281_248_157, "shipment_id": shipment, "awb_code_status": 1,
                "assigned_date_time": { "date": "2022-11-25 11:17:52.878599", "timezone_type": 3, "timezone": "Asia/Kolkata" },
                "applied_weight": 0.5, "company_id": 25_149, "courier_name": "Xpressbees Surface",
                "child_courier_name": null, "routing_code": "", "rto_routing_code": "", "invoice_no": "retail5769122647118",
                "transporter_id": "", "transporter_name": "", "shipped_by": { "shipper_company_name": "manoj" },
            } } }),
            )
        }
        "/courier/generate/label" => json_response(
            200,
            &json!({
                "label_created": 1, "label_url": format!("{base}/label.pdf"),
                "response": "Label has been created and uploaded successfully!", "not_created": [],
            }),
        ),
        "/courier/generate/pickup" => {
            let parcel = &mut parcels[at.unwrap()];
            if std::mem::replace(&mut parcel.3, true) {
                return json_response(
                    400,
                    &json!({ "message": "Already in Pickup Queue.", "status_code": 400 }),
                );
            }
            json_response(
                200,
                &json!({ "pickup_status": 1, "response": {
                "pickup_scheduled_date": "2026-11-16 10:00:00", "pickup_token_number": "Reference No: 194_BIGFOOT 1966840_11122021",
                "status": 3, "others": "{\"tier_id\":5}", "data": "Pickup is confirmed by Xpressbees",
            } }),
            )
        }
        "/manifests/generate" => {
            let parcel = &mut parcels[at.unwrap()];
            if std::mem::replace(&mut parcel.4, true) {
                return json_response(
                    400,
                    &json!({
                        "message": "Manifest already generated", "status_code": 400, "already_manifested_shipment_ids": [shipment],
                    }),
                );
            }
            json_response(
                200,
                &json!({ "status": 1, "manifest_url": format!("{base}/manifest.pdf") }),
            )
        }
        "/manifests/print" => json_response(
            200,
            &json!({ "manifest_url": format!("{base}/manifest.pdf") }),
        ),
        "/orders/cancel" | "/orders/cancel/shipment/awbs" => {
            for parcel in parcels {
                parcel.1 = true;
            }
            StatusCode::NO_CONTENT.into_response()
        }
        "/courier/track/awb/321055706540" => json_response(200, &tracking()),
        _ => json_response(
            200,
            &json!({ "tracking_data": {
            "track_status": 0, "shipment_status": 0, "shipment_track": [], "shipment_track_activities": null,
            "track_url": "", "error": "Aahh! There is no activities found in our DB. Please have some patience it will be updated soon.",
        } }),
        ),
    }
}

fn order(
    ((reference, is_cancelled, awb, has_pickup, _), id): (
        &(String, bool, Option<String>, bool, bool),
        i64,
    ),
) -> Value {
    let (status, code) = match (is_cancelled, has_pickup) {
        (true, _) => ("CANCELED", 5),
        (_, true) => ("PICKUP SCHEDULED", 4),
        _ => ("NEW", 1),
    };
    json!({
        "id": id, "channel_id": 27_202, "channel_name": "CUSTOM", "base_channel_code": "CS", "channel_order_id": reference,
        "customer_name": "Asha Kulkarni", "payment_method": "prepaid", "status": status, "status_code": code,
        "shipments": [{
            "id": id + 1_000, "isd_code": "+91", "courier": awb.as_ref().map_or("", |_| "Xpressbees Surface"), "weight": "0.620",
            "dimensions": "22.000x16.000x10.000", "pickup_scheduled_date": null, "awb": awb.clone().unwrap_or_default(), "return_awb": "",
            "etd": "", "delivered_date": "",
        }],
        "activities": ["ORDER_CREATED"], "products": [],
    })
}

fn serviceability(query: &str) -> Value {
    let is_served = !query.contains("delivery_postcode=744101");
    let companies = json!([
        {
            "courier_company_id": 24, "courier_name": "Xpressbees Surface", "rate": 54.35, "freight_charge": 54.35, "cod": 1,
            "cod_charges": 0, "cod_multiplier": 0, "rto_charges": "47.1", "coverage_charges": 0, "other_charges": 0,
            "estimated_delivery_days": "4", "etd": "Nov 19, 2026", "etd_hours": 96, "cutoff_time": "11:00", "charge_weight": 1,
            "min_weight": 0.5, "is_surface": true, "mode": 0, "rating": 4.3, "delivery_performance": 4.5, "zone": "z_b",
            "city": "Pune", "state": "Maharashtra", "postcode": "411030", "blocked": 0, "courier_type": "0", "id": 398_847_634,
        },
        {
            "courier_company_id": 1, "courier_name": "Blue Dart Air", "rate": "112.00", "rto_charges": 100, "estimated_delivery_days": "2",
            "etd": "Nov 17, 2026", "is_surface": false, "mode": 1, "blocked": 0,
        },
        { "courier_company_id": 7, "courier_name": "Blocked", "rate": 1, "blocked": 1 },
    ]);
    json!({
        "company_auto_shipment_insurance_setting": false, "covid_zones": { "delivery_zone": null, "pickup_zone": null },
        "currency": "INR", "data": {
            "available_courier_companies": if is_served { companies } else { json!([]) },
            "blocked_courier_companies": [], "child_courier_id": null, "is_recommendation_enabled": 1,
            "recommendation_advance_rule": 0, "recommended_by": { "id": 6, "title": "Recommendation By Shiprocket" },
            "recommended_courier_company_id": 24, "shiprocket_recommended_courier_id": 24,
        },
        "dg_courier": 0, "eligible_for_insurance": 0, "label_generate_type": 0, "seller_address": [], "status": 200,
    })
}

/// Newest first; one scan has no number.
fn tracking() -> Value {
    json!({ "tracking_data": {
        "track_status": 1, "shipment_status": 7,
        "shipment_track": [{
            "id": 236_612_717, "awb_code": "321055706540", "courier_company_id": 51, "shipment_id": 236_612_717,
            "order_id": 237_157_589, "pickup_date": "2022-07-18 20:28:00", "delivered_date": "2022-07-19 11:37:00",
            "weight": "0.30", "packages": 1, "current_status": "Delivered", "delivered_to": "Chittoor",
            "destination": "Chittoor", "consignee_name": "", "origin": "Banglore", "edd": "2022-07-20 23:59:00",
            "pod": "Available", "pod_status": "https://s3.example/pod.png",
        }],
        "shipment_track_activities": [
            { "date": "2022-07-19 11:37:00", "status": "DLVD", "activity": "Delivered", "location": "MADANPALLI, Madanapalli, ANDHRA PRADESH", "sr-status": "7", "sr-status-label": "DELIVERED" },
            { "date": "2022-07-19 08:57:00", "status": "OFD", "activity": "Out for Delivery Out for delivery: 383439-Nandinayani Reddy", "location": "MADANPALLI, Madanapalli, ANDHRA PRADESH", "sr-status": "17", "sr-status-label": "OUT FOR DELIVERY" },
            { "date": "2022-07-19 07:33:00", "status": "RAD", "activity": "Reached at Destination", "location": "MADANPALLI, Madanapalli, ANDHRA PRADESH", "sr-status": "NA", "sr-status-label": "NA" },
            { "date": "2022-07-18 20:28:00", "status": "PKD", "activity": "Picked", "location": "BLR/FC1, BANGALORE, KARNATAKA", "sr-status": "42", "sr-status-label": "PICKED UP" },
        ],
        "track_url": "https://shiprocket.co//tracking/321055706540", "etd": "2022-07-20 19:28:00",
        "qc_response": { "qc_image": "", "qc_failed_reason": "" },
    } })
}

fn json_response(status: u16, body: &Value) -> Response {
    (StatusCode::from_u16(status).unwrap(), axum::Json(body)).into_response()
}
