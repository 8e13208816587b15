//! One step of a parcel at the partner.

use mirasa_domain::order::Order;
use mirasa_domain::shipment::{Position, Shipment, ShipmentStatus, ShipmentStep};

use crate::ports::courier::{Courier, CourierError, ParcelRequest};
use crate::runtime::failpoints::failpoint;
use crate::shipping::contents::ParcelContents;
use crate::shipping::partner_calls::{
    adopt, assign_or_find, choose_courier, create_or_find, ids_of, pickup_or_find, rejected,
};
use crate::{AppError, Shop};

/// What a step has done, besides the changes of the parcel.
#[derive(Default)]
pub(super) struct StepResult {
    pub label: Option<Vec<u8>>,
}

impl Shop {
    /// One step. Changes of `shipment` are stored even if the step fails, so that what is known is not asked again.
    pub(super) async fn run_parcel_step(
        &self,
        courier: &dyn Courier,
        shipment: &mut Shipment,
        order: Option<(&Order, &ParcelContents<'_>)>,
    ) -> Result<StepResult, CourierError> {
        let mut result = StepResult::default();
        let is_repeat = shipment.attempts > 1;
        match shipment.step {
            ShipmentStep::Create => {
                let (order, contents) = order.ok_or_else(|| rejected("The order is gone"))?;
                if shipment.partner_ids.is_none() {
                    let found = match is_repeat {
                        true => courier.find_parcel(&shipment.reference).await?,
                        false => None,
                    };
                    match found {
                        Some(found) if found.is_cancelled => {
                            return Err(rejected("The parcel was cancelled at the partner"));
                        }
                        Some(found) => adopt(shipment, found),
                        None => {
                            let request = self.parcel_request(shipment, order, contents).await;
                            shipment.partner_ids = Some(create_or_find(courier, request).await?);
                        }
                    }
                    failpoint("parcel created");
                }
                choose_courier(courier, shipment, order).await?;
                shipment.step = ShipmentStep::Assign;
            }
            ShipmentStep::Assign => {
                let ids = ids_of(shipment)?;
                let found = match is_repeat {
                    true => courier.find_parcel(&shipment.reference).await?,
                    false => None,
                };
                let assigned = match found.and_then(|found| found.assigned) {
                    Some(assigned) => assigned,
                    None => assign_or_find(courier, shipment, ids).await?,
                };
                failpoint("courier assigned");
                shipment.tracking_number = assigned.tracking_number;
                shipment.courier = assigned.courier;
                let ready = Position {
                    status: ShipmentStatus::Ready,
                    at_ms: self.now_ms(),
                };
                shipment.position = shipment.position.after(ready).unwrap_or(shipment.position);
                shipment.step = ShipmentStep::Label;
            }
            ShipmentStep::Label => {
                let label = courier.label(ids_of(shipment)?).await?;
                // One unreadable file would spoil the file of many labels.
                if let Err(error) = mirasa_pdf::merge_pdfs(std::slice::from_ref(&label)) {
                    return Err(CourierError::Unavailable(error.into()));
                }
                result.label = Some(label);
                failpoint("label fetched");
                shipment.step = ShipmentStep::RequestPickup;
            }
            ShipmentStep::RequestPickup => {
                let found = match is_repeat {
                    true => courier.find_parcel(&shipment.reference).await?,
                    false => None,
                };
                shipment.pickup_at_ms = match found.filter(|found| found.has_pickup) {
                    Some(found) => found.pickup_at_ms,
                    None => pickup_or_find(courier, shipment).await?,
                };
                failpoint("pickup requested");
                shipment.step = ShipmentStep::Manifest;
            }
            ShipmentStep::Manifest => {
                courier.close_manifest(ids_of(shipment)?).await?;
                failpoint("manifest closed");
                shipment.step = ShipmentStep::Track;
            }
            ShipmentStep::Cancel => {
                match self.cancel_at_partner(courier, shipment).await {
                    // Too late: the courier has it. Tracking goes on.
                    Err(CourierError::Rejected(_)) if !shipment.tracking_number.is_empty() => {
                        tracing::warn!("a parcel could not be cancelled");
                        shipment.step = ShipmentStep::Track;
                        return Ok(result);
                    }
                    cancelled => cancelled?,
                }
                failpoint("parcel cancelled");
                shipment.position = Position {
                    status: ShipmentStatus::Cancelled,
                    at_ms: self.now_ms(),
                };
                shipment.step = ShipmentStep::Done;
            }
            ShipmentStep::Track | ShipmentStep::Done => {}
        }
        Ok(result)
    }

    async fn cancel_at_partner(
        &self,
        courier: &dyn Courier,
        shipment: &mut Shipment,
    ) -> Result<(), CourierError> {
        // An earlier step may have ended without its result being stored.
        let Some(found) = courier.find_parcel(&shipment.reference).await? else {
            return Ok(());
        };
        let is_cancelled = found.is_cancelled;
        let tracking_number = found
            .assigned
            .as_ref()
            .map(|assigned| assigned.tracking_number.clone());
        let ids = found.ids;
        adopt(shipment, found);
        if is_cancelled {
            return Ok(());
        }
        courier.cancel(ids, tracking_number.as_deref()).await
    }

    async fn parcel_request(
        &self,
        shipment: &Shipment,
        order: &Order,
        contents: &ParcelContents<'_>,
    ) -> ParcelRequest {
        let user = order.user.clone();
        let email: Result<Option<String>, AppError> = self
            .db
            .point_read(async move |db| Ok(db.user(&user).await?.map(|user| user.email)))
            .await;
        ParcelRequest {
            reference: shipment.reference.clone(),
            ordered_at_ms: order.created_at_ms,
            address: order.address.clone(),
            // The partner requires one. Without an account, questions go to the shop.
            email: email
                .ok()
                .flatten()
                .unwrap_or_else(|| self.settings.support_email.clone()),
            items: contents.items(),
            total: contents.value(),
            weight_grams: shipment.weight_grams,
        }
    }
}
