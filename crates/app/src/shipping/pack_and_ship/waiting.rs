//! The orders that wait to be packed, shipped and printed.

use std::collections::HashMap;

use mirasa_domain::ist;
use mirasa_domain::order::{Order, OrderId};
use mirasa_domain::refund::Refund;
use mirasa_domain::shipment::Shipment;

use crate::invoices::pdf::oldest_first;
use crate::orders::packing::MAX_PACKED;
use crate::shipping::contents::ParcelContents;
use crate::stock::batches::of_orders::{PackingForecast, PacksOfBatch};
use crate::{AppError, Shop};

mirasa_domain::text_enum! {
    /// What is done next.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Stage {
        Pack = "pack",
        /// It is packed and has no parcel.
        Ship = "ship",
        /// The worker books its parcel.
        Book = "book",
        /// It has a label that was not printed.
        Print = "print",
    }
}

#[derive(Debug)]
pub struct OrderToPackAndShip {
    pub order: Order,
    pub stage: Stage,
    /// What is sent, by batch.
    pub items: Vec<PacksOfBatch>,
    /// With the packaging.
    pub weight_grams: i64,
    /// Why it cannot be packed now.
    pub problem: Option<AppError>,
    pub parcel: Option<Shipment>,
}

#[derive(Debug)]
pub struct WaitingOrders {
    /// Oldest first; as many as can be packed at once.
    pub orders: Vec<OrderToPackAndShip>,
    pub total: i64,
    pub has_partner: bool,
}

impl Shop {
    pub async fn orders_to_pack_and_ship(&self) -> Result<WaitingOrders, AppError> {
        let has_partner = self.courier.is_some();
        type Found = (Vec<Order>, Vec<Refund>, Vec<Shipment>, PackingForecast, i64);
        let (mut orders, refunds, shipments, mut forecast, total): Found = self
            .db
            .read(async move |db| {
                let limit = i64::try_from(MAX_PACKED).unwrap_or(i64::MAX);
                let ids = db.orders_to_pack_and_ship(has_partner, limit).await?;
                let orders = db.orders_by_id(&ids).await?;
                let forecast = PackingForecast::read(db, &orders).await?;
                Ok::<_, AppError>((
                    orders,
                    db.refunds_of(&ids).await?,
                    db.shipments_of(&ids).await?,
                    forecast,
                    db.count_orders_to_pack_and_ship(has_partner).await?,
                ))
            })
            .await?;
        let current = shipments.into_iter().filter(Shipment::is_current);
        let mut parcels: HashMap<OrderId, Shipment> = current
            .map(|shipment| (shipment.order_id.clone(), shipment))
            .collect();
        let (tare_grams, today) = (self.settings.shipping.tare_grams, ist::day(self.now_ms()));
        // As they are packed.
        orders.sort_by(|one, other| one.id.cmp(&other.id));
        let rows = orders.into_iter().map(|order| {
            let (items, problem) = forecast.next(&order, &refunds, today);
            let parcel = parcels.remove(&order.id);
            OrderToPackAndShip {
                stage: stage(&order, parcel.as_ref()),
                items,
                weight_grams: ParcelContents::of(&order, &refunds).grams(tare_grams),
                problem,
                parcel,
                order,
            }
        });
        let mut orders: Vec<_> = rows.collect();
        orders.sort_by(|one, other| oldest_first(&one.order, &other.order));
        Ok(WaitingOrders {
            orders,
            total,
            has_partner,
        })
    }
}

fn stage(order: &Order, parcel: Option<&Shipment>) -> Stage {
    match parcel {
        _ if order.packed_at_ms.is_none() => Stage::Pack,
        None => Stage::Ship,
        Some(parcel) if parcel.has_label => Stage::Print,
        Some(_) => Stage::Book,
    }
}
