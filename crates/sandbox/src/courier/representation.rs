//! Parcels as JSON, in responses and webhooks.

use serde_json::{Value, json};

use super::Inner;
use super::state::{Parcel, Scan};
use super::times::{named_date, timestamp, webhook_timestamp};

/// In the list of orders.
pub(super) fn order_json(parcel: &Parcel) -> Value {
    let (status_code, status) = parcel.order_status();
    json!({
        "id": parcel.order_id,
        "channel_id": 1_510_541,
        "channel_order_id": parcel.reference,
        "customer_name": parcel.name,
        "customer_city": parcel.city,
        "customer_state": parcel.state,
        "customer_pincode": parcel.pincode,
        "payment_method": "prepaid",
        "status": status,
        "status_code": status_code,
        "created_at": timestamp(parcel.created_at),
        "shipments": [{
            "id": parcel.shipment_id,
            "courier": parcel.courier,
            "weight": format!("{:.2}", parcel.weight),
            "pickup_scheduled_date": parcel.pickup_at.map(timestamp),
            "awb": parcel.awb,
            "etd": parcel.etd.map(timestamp),
        }],
        "activities": ["ORDER_CREATED"],
    })
}

fn scan_json(scan: &Scan) -> Value {
    json!({
        "date": timestamp(scan.at),
        "status": format!("X-{}", scan.status),
        "activity": scan.activity,
        "location": scan.location,
        "sr-status": scan.status.to_string(),
        "sr-status-label": scan.label,
    })
}

pub(super) fn tracking_json(sandbox: &Inner, parcel: &Parcel) -> Value {
    let Some(last) = parcel.scans.last().filter(|_| parcel.awb.is_some()) else {
        return json!({ "tracking_data": {
            "track_status": 0,
            "shipment_status": 0,
            "shipment_track": [],
            "shipment_track_activities": null,
            "track_url": "",
            "error": "There is no activities found in our DB. Please have some patience it will be updated soon.",
        }});
    };
    let awb = parcel.awb.as_deref().unwrap_or_default();
    // Newest first.
    let activities: Vec<_> = parcel.scans.iter().rev().map(scan_json).collect();
    json!({ "tracking_data": {
        "track_status": 1,
        "shipment_status": last.status,
        "shipment_track": [{
            "awb_code": awb,
            "courier_name": parcel.courier,
            "shipment_id": parcel.shipment_id,
            "order_id": parcel.order_id,
            "weight": format!("{:.2}", parcel.weight),
            "packages": 1,
            "current_status": last.label,
            "destination": parcel.city,
            "edd": parcel.etd.map(timestamp),
        }],
        "shipment_track_activities": activities,
        "track_url": format!("{}/{awb}", sandbox.tracking_url),
        "etd": parcel.etd.map(named_date),
    }})
}

/// Both numberings of statuses are in one body.
pub(super) fn webhook_json(parcel: &Parcel, last: &Scan) -> Value {
    let scans = parcel.scans.iter().filter(|scan| scan.at <= last.at);
    json!({
        "awb": parcel.awb,
        "courier_name": parcel.courier,
        "current_status": last.label,
        "current_status_id": last.order_status,
        "shipment_status": last.label,
        "shipment_status_id": last.status,
        "current_timestamp": webhook_timestamp(last.at),
        "order_id": format!("{}_{}", parcel.reference, parcel.order_id),
        "sr_order_id": parcel.order_id,
        "awb_assigned_date": parcel.scans.first().map(|scan| timestamp(scan.at)),
        "pickup_scheduled_date": parcel.pickup_at.map(timestamp),
        "etd": parcel.etd.map(timestamp),
        "scans": scans.map(scan_json).collect::<Vec<_>>(),
        "is_return": 0,
        "channel_id": 1_510_541,
        "pod_status": "OTP Based Delivery",
        "pod": "Not Available",
    })
}
