//! Shiprocket's responses and their mapping to the port's types. Numbers come as numbers and as texts, and every field may
//! be missing.

use mirasa_app::ports::courier::{
    AssignedCourier, CourierQuote, FoundParcel, Tracking, TrackingEvent,
};
use mirasa_domain::ist;
use mirasa_domain::money::Paise;
use mirasa_domain::shipment::{PartnerIds, ShipmentStatus};
use serde_json::Value;
use url::Url;

use super::status::shipment_status;
use super::times;

/// Order statuses of a cancelled parcel.
const CANCELLED: [i64; 2] = [5, 54];
/// Order statuses of a parcel whose pickup is requested, or that has left.
const WITHOUT_PICKUP: [i64; 4] = [1, 2, 3, 5];
const MAX_MESSAGE_CHARS: usize = 300;
const MAX_DAYS: i64 = 60;

/// A text that is not empty, or a number as text.
pub(super) fn text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

pub(super) fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Bool(truth) => Some(i64::from(*truth)),
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn paise(value: &Value) -> Option<Paise> {
    let rupees: f64 = text(value)?.parse().ok()?;
    // More than two decimals are rounded.
    format!("{rupees:.2}").parse().ok()
}

/// The message for the owner: the first error of a field, or the general one.
pub(super) fn message(body: &Value) -> String {
    let field_error = body["errors"].as_object().and_then(|errors| {
        let first = errors.values().next()?;
        text(first).or_else(|| text(first.get(0)?))
    });
    let general = [
        &body["message"],
        &body["payload"]["error_message"],
        &body["response"]["data"],
    ];
    let found = field_error.or_else(|| general.into_iter().find_map(text));
    let found = found.unwrap_or_else(|| "The delivery partner gave no reason".to_owned());
    found.chars().take(MAX_MESSAGE_CHARS).collect()
}

/// Tracking numbers are part of a URL.
pub(super) fn is_tracking_number(text: &str) -> bool {
    (1..=60).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

pub(super) fn quote(company: &Value, today: i64) -> Option<CourierQuote> {
    if integer(&company["blocked"]) == Some(1) {
        return None;
    }
    let days = integer(&company["estimated_delivery_days"]);
    let days = days.filter(|days| (0..=MAX_DAYS).contains(days));
    let day = text(&company["etd"]).and_then(|etd| times::parse_day(&etd));
    let day = day.or_else(|| days.map(|days| today + days));
    Some(CourierQuote {
        courier_id: integer(&company["courier_company_id"])?,
        name: text(&company["courier_name"])?,
        cost: paise(&company["rate"])?,
        return_cost: paise(&company["rto_charges"]),
        days: days.or_else(|| day.map(|day| day - today)),
        expected_at_ms: day.map(|day| ist::day_end_ms(ist::day_start_ms(day))),
        is_surface: integer(&company["is_surface"]) == Some(1),
    })
}

pub(super) fn assigned(number: &Value, courier: &Value) -> Option<AssignedCourier> {
    Some(AssignedCourier {
        tracking_number: text(number).filter(|number| is_tracking_number(number))?,
        courier: text(courier).unwrap_or_default(),
    })
}

pub(super) fn found_parcel(order: &Value) -> Option<FoundParcel> {
    let shipment = &order["shipments"][0];
    let status = integer(&order["status_code"]);
    let pickup = text(&shipment["pickup_scheduled_date"]).and_then(|date| times::parse(&date));
    let is_past_pickup = status.is_some_and(|status| !WITHOUT_PICKUP.contains(&status));
    Some(FoundParcel {
        ids: PartnerIds {
            order: integer(&order["id"])?,
            shipment: integer(&shipment["id"])?,
        },
        assigned: assigned(&shipment["awb"], &shipment["courier"]),
        has_pickup: pickup.is_some() || is_past_pickup,
        pickup_at_ms: pickup,
        is_cancelled: status.is_some_and(|status| CANCELLED.contains(&status)),
    })
}

pub(super) fn tracking(data: &Value) -> Tracking {
    let activities = data["shipment_track_activities"].as_array();
    let mut scans: Vec<_> = activities
        .into_iter()
        .flatten()
        .filter_map(|scan| {
            let at_ms = times::parse(&text(&scan["date"])?)?;
            let status = integer(&scan["sr-status"]).and_then(shipment_status);
            let activity = text(&scan["activity"]).or_else(|| text(&scan["sr-status-label"]));
            let place = text(&scan["location"]).unwrap_or_default();
            Some((at_ms, status, activity?, place))
        })
        .collect();
    scans.sort_by_key(|(at_ms, ..)| *at_ms);
    let mut last = ShipmentStatus::Ready;
    let events: Vec<_> = scans
        .into_iter()
        .map(|(at_ms, status, activity, place)| {
            // A scan without a number ("NA") happens in the state of the one before.
            last = status.unwrap_or(last);
            TrackingEvent {
                at_ms,
                status: last,
                activity,
                place,
            }
        })
        .collect();
    let summary = integer(&data["shipment_status"]).and_then(shipment_status);
    let day = text(&data["etd"]).and_then(|etd| times::parse_day(&etd));
    let url = text(&data["track_url"])
        .filter(|url| Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https")));
    Tracking {
        status: summary.unwrap_or(last),
        tracking_url: url,
        expected_at_ms: day.map(|day| ist::day_end_ms(ist::day_start_ms(day))),
        events,
    }
}
