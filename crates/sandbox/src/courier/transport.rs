//! The endpoints about the transport of a parcel: courier, label, pickup, manifest.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use mirasa_domain::ist;
use serde_json::{Value, json};

use super::api::{broken, ok};
use super::middleware::{error, invalid, respond};
use super::state::{Place, Scan, shipment_status};
use super::{SandboxCourier, label as files, rates, times};

const INVALID_SHIPMENT: &str = "Invalid shipment id";

type Body = Result<Json<Value>, JsonRejection>;

/// The parcel of `shipment_id`, which some endpoints want as a number and some as a list.
fn shipment_id(body: &Value) -> Option<i64> {
    let id = &body["shipment_id"];
    id.as_i64().or_else(|| id.get(0)?.as_i64())
}

pub(super) async fn assign(
    State(SandboxCourier(sandbox)): State<SandboxCourier>,
    body: Body,
) -> Response {
    let body = body.map(|Json(body)| body).unwrap_or_default();
    let now_ms = sandbox.clock.now_ms();
    let failed = |reason: &str| json!({ "awb_assign_status": 0, "response": { "data": { "awb_assign_error": reason } } });
    let outcome = sandbox.with_state(|state| {
        let parcel = shipment_id(&body).and_then(|id| state.by_shipment(id));
        let Some(mut parcel) = parcel.filter(|parcel| !parcel.cancelled).cloned() else {
            return None;
        };
        if parcel.awb.is_some() {
            return Some(failed("AWB is already assigned"));
        }
        let offers = rates::offers(&sandbox.pickup_pincode, &parcel.pincode, parcel.weight, now_ms);
        let wanted = body["courier_id"].as_i64();
        let offer = match wanted {
            Some(id) => offers.iter().find(|offer| offer.company.id == id),
            // The default is an expensive one, as at the real partner.
            None => offers.last(),
        };
        let Some(offer) = offer else {
            return Some(failed("Courier is not serviceable for this pincode"));
        };
        let awb = format!("{}", 19_041_000_000_000 + parcel.order_id);
        parcel.awb = Some(awb.clone());
        parcel.courier_id = Some(offer.company.id);
        parcel.courier = Some(offer.company.name.to_owned());
        parcel.charged = Some(offer.rate);
        parcel.etd = Some(offer.etd);
        let location = parcel.place(Place::Origin);
        parcel.add_scan(
            now_ms,
            Scan {
                at: 0,
                status: shipment_status::AWB_ASSIGNED,
                order_status: 3,
                label: "AWB ASSIGNED".into(),
                activity: "Shipment booked".into(),
                location,
            },
        );
        let data = json!({
            "courier_company_id": offer.company.id, "awb_code": awb, "cod": 0, "order_id": parcel.order_id,
            "shipment_id": parcel.shipment_id, "awb_code_status": 1, "applied_weight": parcel.weight,
            "courier_name": offer.company.name, "assigned_date_time": {
                "date": times::timestamp(now_ms), "timezone_type": 3, "timezone": "Asia/Kolkata",
            },
        });
        state.store(parcel);
        Some(json!({ "awb_assign_status": 1, "response": { "data": data } }))
    });
    match outcome {
        None => broken(),
        Some(Some(body)) => ok(&body),
        Some(None) => error(StatusCode::BAD_REQUEST, INVALID_SHIPMENT),
    }
}

pub(super) async fn label(
    State(SandboxCourier(sandbox)): State<SandboxCourier>,
    body: Body,
) -> Response {
    let body = body.map(|Json(body)| body).unwrap_or_default();
    let parcel = sandbox.with_state(|state| {
        let parcel = shipment_id(&body).and_then(|id| state.by_shipment(id));
        parcel.filter(|parcel| parcel.awb.is_some()).cloned()
    });
    match parcel {
        None => broken(),
        Some(None) => ok(&json!({
            "label_created": 0, "response": "Label not created", "not_created": [shipment_id(&body)],
        })),
        Some(Some(parcel)) => {
            let name = sandbox.file_name("label", &parcel.order_id.to_string());
            ok(&json!({
                "label_created": 1, "label_url": format!("{}/{name}", sandbox.files_url),
                "response": "Label has been created and uploaded successfully!", "not_created": [],
            }))
        }
    }
}

pub(super) async fn pickup(
    State(SandboxCourier(sandbox)): State<SandboxCourier>,
    body: Body,
) -> Response {
    let body = body.map(|Json(body)| body).unwrap_or_default();
    let now_ms = sandbox.clock.now_ms();
    // The courier comes the next day at 10 o'clock.
    let pickup_at = ist::day_start_ms(ist::day(now_ms) + 1) + 10 * 3_600_000;
    let outcome = sandbox.with_state(|state| {
        let parcel = shipment_id(&body).and_then(|id| state.by_shipment(id))?;
        let mut parcel = parcel.clone();
        if parcel.awb.is_none() || parcel.cancelled {
            return None;
        }
        if parcel.pickup_at.is_some() {
            return Some(Err("Already in Pickup Queue."));
        }
        parcel.pickup_at = Some(pickup_at);
        let location = parcel.place(Place::Origin);
        parcel.add_scan(
            now_ms,
            Scan {
                at: 0,
                status: shipment_status::PICKUP_SCHEDULED,
                order_status: 4,
                label: "PICKUP SCHEDULED".into(),
                activity: "Pickup scheduled".into(),
                location,
            },
        );
        let courier = parcel.courier.clone().unwrap_or_default();
        let token = format!("Reference No: {}", parcel.shipment_id);
        state.store(parcel);
        Some(Ok((courier, token)))
    });
    match outcome {
        None => broken(),
        Some(None) => error(StatusCode::BAD_REQUEST, INVALID_SHIPMENT),
        Some(Some(Err(message))) => error(StatusCode::BAD_REQUEST, message),
        Some(Some(Ok((courier, token)))) => ok(&json!({
            "pickup_status": 1,
            "response": {
                "pickup_scheduled_date": times::timestamp(pickup_at), "pickup_token_number": token, "status": 3,
                "others": "{}", "data": format!("Pickup is confirmed by {courier}"),
            },
        })),
    }
}

pub(super) async fn manifest(
    State(SandboxCourier(sandbox)): State<SandboxCourier>,
    body: Body,
) -> Response {
    let body = body.map(|Json(body)| body).unwrap_or_default();
    let outcome = sandbox.with_state(|state| {
        let parcel = shipment_id(&body).and_then(|id| state.by_shipment(id));
        let parcel = parcel.filter(|parcel| parcel.pickup_at.is_some())?;
        let mut parcel = parcel.clone();
        let was_manifested = std::mem::replace(&mut parcel.manifested, true);
        let order_id = parcel.order_id;
        state.store(parcel);
        Some((order_id, was_manifested))
    });
    match outcome {
        None => broken(),
        Some(None) => ok(&json!({ "status": 1, "manifest_url": "" })),
        Some(Some((_, true))) => respond(
            StatusCode::BAD_REQUEST,
            &json!({
                "message": "Manifest already generated", "status_code": 400,
                "already_manifested_shipment_ids": [shipment_id(&body)],
            }),
        ),
        Some(Some((order_id, false))) => {
            let name = sandbox.file_name("manifest", &order_id.to_string());
            ok(&json!({ "status": 1, "manifest_url": format!("{}/{name}", sandbox.files_url) }))
        }
    }
}

pub(super) async fn print_manifest(
    State(SandboxCourier(sandbox)): State<SandboxCourier>,
    body: Body,
) -> Response {
    let body = body.map(|Json(body)| body).unwrap_or_default();
    let ids = body["order_ids"].as_array().into_iter().flatten();
    let ids: Vec<_> = ids
        .filter_map(Value::as_i64)
        .map(|id| id.to_string())
        .collect();
    if ids.is_empty() {
        return invalid("order_ids", "The order ids field is required.");
    }
    let name = sandbox.file_name("manifest", &ids.join("-"));
    ok(&json!({ "manifest_url": format!("{}/{name}", sandbox.files_url) }))
}

/// Labels and manifests. Their names cannot be guessed.
pub(super) async fn file(
    State(SandboxCourier(sandbox)): State<SandboxCourier>,
    Path(name): Path<String>,
) -> Response {
    let mut parts = name.split('_');
    let (kind, numbers) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
    if sandbox.file_name(kind, numbers) != name {
        return StatusCode::NOT_FOUND.into_response();
    }
    let pdf = sandbox.with_state(|state| {
        let orders = numbers.split('-').filter_map(|id| id.parse().ok());
        let parcels: Vec<_> = orders.filter_map(|id| state.by_order(id)).collect();
        match (kind, parcels.first()) {
            ("label", Some(parcel)) => Some(files::label(&sandbox.shop_name, parcel)),
            ("manifest", Some(_)) => Some(files::manifest(&sandbox.shop_name, &parcels)),
            _ => None,
        }
    });
    match pdf.flatten() {
        Some(pdf) => {
            let headers = [
                (CONTENT_TYPE, "application/pdf"),
                (CACHE_CONTROL, "no-store"),
            ];
            (headers, pdf).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
