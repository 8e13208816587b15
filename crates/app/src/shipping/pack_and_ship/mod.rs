//! Paid orders are packed, shipped and printed together, oldest first:
//!
//! 1. `waiting`: which orders wait for it, what packing each one takes, and how far each one is.
//! 2. `costs`: what their parcels would cost.
//! 3. This file packs them and records their parcels, which the worker books. Both steps do nothing for an order that is
//!    through them, so whatever stops in between is continued by the same request.
//! 4. `papers`: pick list, packing slips, labels and invoices in one file.

mod costs;
mod papers;
mod waiting;

use std::collections::HashMap;

use mirasa_domain::order::OrderId;
use mirasa_domain::user::User;

pub use crate::shipping::pack_and_ship::costs::ParcelCost;
pub use crate::shipping::pack_and_ship::papers::Papers;
pub use crate::shipping::pack_and_ship::waiting::{OrderToPackAndShip, Stage, WaitingOrders};

use crate::error_code::ErrorKind;
use crate::orders::LeavingConfirmation;
use crate::repository::shipping::ListedShipment;
use crate::{AppError, Shop};

/// What became of several orders. One that cannot be packed or shipped does not stop the others.
#[derive(Debug)]
pub struct PackedAndShipped {
    /// Packed, and with a parcel if there is a delivery partner.
    pub done: Vec<OrderId>,
    /// The id of each of the others, and why.
    pub refused: Vec<(OrderId, AppError)>,
}

impl Shop {
    /// Packs those of the orders that can be packed and records their parcels. An order that is packed or has a parcel keeps
    /// it. A parcel whose booking has failed is tried again. `seen`: the versions that the page showed.
    pub async fn pack_and_ship(
        &self,
        admin: &User,
        ids: Vec<OrderId>,
        seen: HashMap<OrderId, i64>,
        confirmed: LeavingConfirmation,
    ) -> Result<PackedAndShipped, AppError> {
        let packed = self.pack_packable(admin, ids, seen, confirmed).await?;
        let ids: Vec<_> = packed.packed.into_iter().map(|order| order.id).collect();
        let mut result = PackedAndShipped {
            done: ids,
            refused: packed.not_packed,
        };
        if self.courier.is_none() || result.done.is_empty() {
            return Ok(result);
        }
        let mut shipped = Vec::new();
        for (id, outcome) in self.ship_each(admin, &result.done, confirmed).await? {
            match outcome {
                Ok(shipment) => shipped.push(shipment),
                Err(error) => result.refused.push((id, error)),
            }
        }
        result.done = shipped.iter().map(|one| one.order.id.clone()).collect();
        for ListedShipment { shipment, .. } in shipped {
            if shipment.error.is_none() || shipment.has_label {
                continue;
            }
            match self.retry_shipment(admin, shipment.id).await {
                // The worker has done it meanwhile.
                Err(error) if is_refusal(&error) => {}
                outcome => drop(outcome?),
            }
        }
        Ok(result)
    }

    /// Ships them in one transaction, or one by one if the shop's rules refuse one of them.
    async fn ship_each(
        &self,
        admin: &User,
        ids: &[OrderId],
        confirmed: LeavingConfirmation,
    ) -> Result<Vec<(OrderId, Result<ListedShipment, AppError>)>, AppError> {
        match self.ship_orders(admin, ids.to_vec(), None, confirmed).await {
            Ok(shipped) => {
                let with_id = |one: ListedShipment| (one.order.id.clone(), Ok(one));
                return Ok(shipped.into_iter().map(with_id).collect());
            }
            Err(error) if !is_refusal(&error) => return Err(error),
            Err(_) => {}
        }
        let mut outcomes = Vec::new();
        for id in ids {
            let one = vec![id.clone()];
            match self.ship_orders(admin, one, None, confirmed).await {
                Ok(shipped) => {
                    let with_id = |one: ListedShipment| (id.clone(), Ok(one));
                    outcomes.extend(shipped.into_iter().map(with_id));
                }
                Err(error) if is_refusal(&error) => outcomes.push((id.clone(), Err(error))),
                Err(error) => return Err(error),
            }
        }
        Ok(outcomes)
    }
}

/// About an order, not about the database.
fn is_refusal(error: &AppError) -> bool {
    matches!(error.code.kind(), ErrorKind::Conflict | ErrorKind::NotFound)
}
