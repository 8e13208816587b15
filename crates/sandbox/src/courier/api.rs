//! The API endpoints. They accept and reject the same requests as Shiprocket's, with the same bodies.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::middleware::{error, invalid, respond};
use super::representation::{order_json, tracking_json};
use super::state::{CourierState, Parcel, Place, Scan, shipment_status};
use super::{Inner, SandboxCourier, rates, times, webhooks};

const MAX_REFERENCE_CHARS: usize = 50;

type Body = Result<Json<Value>, JsonRejection>;

pub(super) fn ok(body: &Value) -> Response {
    respond(StatusCode::OK, body)
}

pub(super) fn broken() -> Response {
    error(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error")
}

pub(super) async fn log_in(
    State(SandboxCourier(sandbox)): State<SandboxCourier>,
    body: Body,
) -> Response {
    if sandbox.faults.current().login_locked {
        let text = "User blocked due to too many failed login attempts.";
        return error(StatusCode::FORBIDDEN, text);
    }
    let credentials = &sandbox.credentials;
    let is_known = body.is_ok_and(|Json(body)| {
        body["email"] == credentials.email.as_str()
            && body["password"] == credentials.password.as_str()
    });
    if !is_known {
        let text = "Invalid email and password combination";
        return error(StatusCode::FORBIDDEN, text);
    }
    let now_ms = sandbox.clock.now_ms();
    ok(&json!({
        "id": 1, "first_name": "API", "last_name": "USER", "email": credentials.email,
        "company_id": 1, "created_at": times::timestamp(now_ms), "token": sandbox.new_token(now_ms),
    }))
}

pub(super) async fn log_out() -> Response {
    ok(&json!({ "message": "Successfully logged out" }))
}

#[derive(Deserialize)]
pub(super) struct ServiceabilityQuery {
    #[serde(default)]
    pickup_postcode: String,
    #[serde(default)]
    delivery_postcode: String,
    weight: Option<f64>,
    cod: Option<u8>,
}

pub(super) async fn serviceability(
    State(SandboxCourier(sandbox)): State<SandboxCourier>,
    Query(query): Query<ServiceabilityQuery>,
) -> Response {
    if query.pickup_postcode.len() != 6 {
        return ok(&json!({ "message": "Invalid Pickup Pincode" }));
    }
    let (Some(weight), Some(_)) = (query.weight, query.cod) else {
        return invalid(
            "weight",
            "The weight field is required when order id is not present.",
        );
    };
    let to = &query.delivery_postcode;
    let offers = rates::offers(&query.pickup_postcode, to, weight, sandbox.clock.now_ms());
    let companies: Vec<_> = offers
        .iter()
        .map(|offer| rates::offer_json(offer, to))
        .collect();
    ok(&json!({
        "status": 200,
        "currency": "INR",
        "data": {
            "available_courier_companies": companies,
            "blocked_courier_companies": [],
            "recommended_courier_company_id": offers.first().map(|offer| offer.company.id),
            "is_recommendation_enabled": 1,
        },
        "seller_address": [],
    }))
}

pub(super) async fn create(
    State(SandboxCourier(sandbox)): State<SandboxCourier>,
    body: Body,
) -> Response {
    let Ok(Json(body)) = body else {
        return broken();
    };
    for field in [
        "order_id",
        "order_date",
        "pickup_location",
        "billing_customer_name",
        "billing_address",
        "billing_city",
        "billing_pincode",
        "billing_state",
        "billing_country",
        "billing_email",
        "billing_phone",
        "payment_method",
    ] {
        if body[field].as_str().unwrap_or_default().is_empty() {
            return invalid(field, &format!("The {field} field is required."));
        }
    }
    let texts = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
    let reference = texts("order_id");
    if reference.chars().count() > MAX_REFERENCE_CHARS {
        return invalid(
            "order_id",
            "The order id may not be greater than 50 characters.",
        );
    }
    if body["billing_city"]
        .as_str()
        .unwrap_or_default()
        .chars()
        .count()
        > 30
    {
        return invalid(
            "billing_city",
            "The billing city may not be greater than 30 characters.",
        );
    }
    let weight = body["weight"].as_f64().unwrap_or_default();
    let sizes = ["length", "breadth", "height"].map(|name| body[name].as_f64().unwrap_or_default());
    if weight <= 0.0 || sizes.iter().any(|size| *size <= 0.5) {
        return invalid("weight", "The weight must be greater than 0.");
    }
    if body["order_items"].as_array().is_none_or(Vec::is_empty) {
        return invalid("order_items", "The order items field is required.");
    }
    if texts("pickup_location") != sandbox.pickup_location {
        return ok(&json!({
            "message": "Wrong Pickup location entered. Please choose one location from the data given",
            "data": { "data": [{ "pickup_location": sandbox.pickup_location }] },
        }));
    }
    let item = |item: &Value| {
        format!(
            "{} x {}",
            item["units"],
            item["name"].as_str().unwrap_or("")
        )
    };
    let contents: Vec<_> = body["order_items"]
        .as_array()
        .into_iter()
        .flatten()
        .map(item)
        .collect();
    let now_ms = sandbox.clock.now_ms();
    let created = sandbox.with_state(|state| {
        if state.by_reference(&reference).is_some() {
            return None;
        }
        let (order_id, shipment_id) = state.next_numbers();
        state.store(Parcel {
            order_id,
            shipment_id,
            name: format!(
                "{} {}",
                texts("billing_customer_name"),
                texts("billing_last_name")
            )
            .trim()
            .to_owned(),
            address: format!(
                "{} {}",
                texts("billing_address"),
                texts("billing_address_2")
            )
            .trim()
            .to_owned(),
            city: texts("billing_city"),
            state: texts("billing_state"),
            pincode: texts("billing_pincode"),
            phone: texts("billing_phone"),
            contents: contents.join(", "),
            weight,
            value: body["sub_total"].as_f64().unwrap_or_default(),
            created_at: now_ms,
            reference,
            awb: None,
            courier_id: None,
            courier: None,
            charged: None,
            etd: None,
            pickup_at: None,
            manifested: false,
            cancelled: false,
            scans: Vec::new(),
        });
        Some((order_id, shipment_id))
    });
    match created {
        None => broken(),
        Some(None) => invalid("order_id", "The order id has already been taken."),
        Some(Some((order_id, shipment_id))) => ok(&json!({
            "order_id": order_id, "shipment_id": shipment_id, "status": "NEW", "status_code": 1,
            "onboarding_completed_now": 0, "awb_code": null, "courier_company_id": null, "courier_name": null,
        })),
    }
}

#[derive(Deserialize)]
pub(super) struct SearchQuery {
    #[serde(default)]
    search: String,
}

pub(super) async fn search(
    State(SandboxCourier(sandbox)): State<SandboxCourier>,
    Query(query): Query<SearchQuery>,
) -> Response {
    let found = sandbox.with_state(|state| {
        let matching = state
            .all()
            .rev()
            .filter(|parcel| parcel.reference.contains(&query.search));
        matching.take(20).map(order_json).collect::<Vec<_>>()
    });
    let Some(found) = found else { return broken() };
    ok(&json!({
        "meta": { "pagination": { "total": found.len(), "count": found.len(), "per_page": 20, "current_page": 1, "total_pages": 1 } },
        "data": found,
    }))
}

pub(super) async fn track(
    State(SandboxCourier(sandbox)): State<SandboxCourier>,
    Path(awb): Path<String>,
) -> Response {
    match sandbox.with_state(|state| state.by_awb(&awb).cloned()) {
        None => broken(),
        Some(None) => ok(&json!({ "tracking_data": {
            "track_status": 0, "error": "Aahh! There is no activities found in our DB.",
        }})),
        Some(Some(parcel)) => ok(&tracking_json(&sandbox, &parcel)),
    }
}

pub(super) async fn cancel_orders(
    State(SandboxCourier(sandbox)): State<SandboxCourier>,
    body: Body,
) -> Response {
    let body = body.map(|Json(body)| body).unwrap_or_default();
    let ids = body["ids"].as_array().into_iter().flatten();
    let ids: Vec<_> = ids.filter_map(Value::as_i64).collect();
    if ids.is_empty() {
        return invalid("ids", "The ids field is required.");
    }
    cancel(&sandbox, |state| {
        ids.iter()
            .filter_map(|id| state.by_order(*id).cloned())
            .collect()
    })
}

pub(super) async fn cancel_transport(
    State(SandboxCourier(sandbox)): State<SandboxCourier>,
    body: Body,
) -> Response {
    let body = body.map(|Json(body)| body).unwrap_or_default();
    let awbs = body["awbs"].as_array().into_iter().flatten();
    let awbs: Vec<_> = awbs.filter_map(Value::as_str).collect();
    if awbs.is_empty() {
        return invalid("awbs", "The awbs field is required.");
    }
    cancel(&sandbox, |state| {
        awbs.iter()
            .filter_map(|awb| state.by_awb(awb).cloned())
            .collect()
    })
}

fn cancel(sandbox: &Arc<Inner>, find: impl FnOnce(&CourierState) -> Vec<Parcel>) -> Response {
    let now_ms = sandbox.clock.now_ms();
    let outcome = sandbox.with_state(|state| {
        let parcels = find(state);
        if parcels.iter().any(Parcel::has_left) {
            return Err("Cannot cancel order, shipment is already picked up");
        }
        let mut cancelled = Vec::new();
        for mut parcel in parcels {
            if std::mem::replace(&mut parcel.cancelled, true) {
                continue;
            }
            if parcel.awb.is_some() {
                let location = parcel.place(Place::Origin);
                parcel.add_scan(
                    now_ms,
                    Scan {
                        at: 0,
                        status: shipment_status::CANCELLED,
                        order_status: 5,
                        label: "CANCELED".into(),
                        activity: "Shipment cancelled".into(),
                        location,
                    },
                );
                cancelled.push(parcel.clone());
            }
            state.store(parcel);
        }
        Ok(cancelled)
    });
    match outcome {
        None => broken(),
        Some(Err(message)) => error(StatusCode::BAD_REQUEST, message),
        Some(Ok(cancelled)) => {
            for parcel in cancelled {
                webhooks::send_tracking_event(sandbox, parcel);
            }
            ok(
                &json!({ "message": "Bulk Shipment cancellation is in progress. Please wait for 24 hours." }),
            )
        }
    }
}

/// All parcels, for tests and for the operator.
pub(super) async fn record(State(SandboxCourier(sandbox)): State<SandboxCourier>) -> Response {
    let parcels = sandbox.with_state(|state| state.all().cloned().collect::<Vec<_>>());
    match parcels {
        Some(parcels) => ok(&json!({ "parcels": parcels })),
        None => broken(),
    }
}
