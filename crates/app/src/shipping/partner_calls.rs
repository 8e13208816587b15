//! Requests to the partner that can be repeated: each asks what an earlier one has done.

use mirasa_domain::address::Pincode;
use mirasa_domain::order::Order;
use mirasa_domain::shipment::{PartnerIds, Shipment};

use crate::ports::courier::{AssignedCourier, Courier, CourierError, FoundParcel, ParcelRequest};
use crate::shipping::estimates::choose;
use crate::{AppError, ErrorCode};

pub(super) fn rejected(message: &str) -> CourierError {
    CourierError::Rejected(message.to_owned())
}

pub(super) fn ids_of(shipment: &Shipment) -> Result<PartnerIds, CourierError> {
    let missing = || rejected("The parcel has no number at the partner");
    shipment.partner_ids.ok_or_else(missing)
}

pub(super) fn adopt(shipment: &mut Shipment, found: FoundParcel) {
    shipment.partner_ids = Some(found.ids);
    if let Some(assigned) = found.assigned {
        shipment.tracking_number = assigned.tracking_number;
        shipment.courier = assigned.courier;
    }
}

/// A request that was thought lost may have created the parcel between the search and this one.
pub(super) async fn create_or_find(
    courier: &dyn Courier,
    request: ParcelRequest,
) -> Result<PartnerIds, CourierError> {
    let reference = request.reference.clone();
    match courier.create_parcel(request).await {
        Err(CourierError::Rejected(reason)) => match courier.find_parcel(&reference).await? {
            Some(found) if !found.is_cancelled => Ok(found.ids),
            _ => Err(CourierError::Rejected(reason)),
        },
        created => created,
    }
}

/// Stored before the transport is ordered, so that its cost is known even if the response is lost.
pub(super) async fn choose_courier(
    courier: &dyn Courier,
    shipment: &mut Shipment,
    order: &Order,
) -> Result<(), CourierError> {
    let pincode = &order.address.pincode;
    let parsed =
        Pincode::parse(pincode).map_err(|_| rejected("The address has no valid pincode"))?;
    let quotes = courier.quotes(parsed, shipment.weight_grams).await?;
    let chosen = choose(&quotes, shipment.rule)
        .ok_or_else(|| CourierError::Rejected(format!("No courier serves {pincode}")))?;
    shipment.courier_id = Some(chosen.courier_id);
    shipment.courier.clone_from(&chosen.name);
    shipment.cost = Some(chosen.cost);
    shipment.return_cost = chosen.return_cost;
    shipment.expected_at_ms = chosen.expected_at_ms;
    Ok(())
}

/// If the chosen courier refuses, the partner chooses. If a courier is assigned already, it is that one.
pub(super) async fn assign_or_find(
    courier: &dyn Courier,
    shipment: &Shipment,
    ids: PartnerIds,
) -> Result<AssignedCourier, CourierError> {
    let mut outcome = courier.assign(ids, shipment.courier_id).await;
    if let Err(CourierError::Rejected(_)) = &outcome {
        let found = courier.find_parcel(&shipment.reference).await?;
        if let Some(assigned) = found.and_then(|found| found.assigned) {
            return Ok(assigned);
        }
        if shipment.courier_id.is_some() {
            outcome = courier.assign(ids, None).await;
        }
    }
    outcome
}

/// The partner may reject a repeated request for a pickup that it has already scheduled.
pub(super) async fn pickup_or_find(
    courier: &dyn Courier,
    shipment: &Shipment,
) -> Result<Option<i64>, CourierError> {
    match courier.request_pickup(ids_of(shipment)?).await {
        Err(CourierError::Rejected(reason)) => {
            match courier.find_parcel(&shipment.reference).await? {
                Some(found) if found.has_pickup => Ok(found.pickup_at_ms),
                _ => Err(CourierError::Rejected(reason)),
            }
        }
        requested => requested,
    }
}

pub(super) fn into_app_error(error: CourierError) -> AppError {
    match error {
        CourierError::Rejected(message) => AppError::conflict(message),
        CourierError::Unavailable(source) | CourierError::OutcomeUnknown(source) => {
            let message = "The delivery partner does not respond. Please try again later.";
            AppError {
                source: Some(source),
                ..AppError::new(ErrorCode::Unavailable, message)
            }
        }
    }
}
