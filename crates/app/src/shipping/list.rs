//! The owner's list of parcels and of packed orders without one, and the couriers that carry a parcel.

use std::collections::HashMap;

use mirasa_domain::address::Pincode;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderId};
use mirasa_domain::refund::Refund;
use mirasa_domain::shipment::{Shipment, ShipmentId, ShipmentStatus};

use crate::ports::courier::CourierQuote;
use crate::repository::Transaction;
use crate::repository::shipping::{ListedShipment, ShipmentGroup, ShipmentSummary};
use crate::shipping::contents::ParcelContents;
use crate::shipping::ship::no_partner;
use crate::{AppError, Shop};

/// Packed orders in the owner's list.
const MAX_TO_SHIP: i64 = 200;
/// The period of cost and time in the owner's list.
const SUMMARY_PERIOD_MS: i64 = 30 * 24 * 60 * 60_000;

/// A packed order without a parcel.
#[derive(Debug)]
pub struct OrderToShip {
    pub order: Order,
    /// Those that are really sent.
    pub packs: u32,
    pub weight_grams: i64,
    pub refunded: Paise,
}

/// One page of the owner's list.
#[derive(Debug)]
pub struct ShipmentPage {
    pub shipments: Vec<ListedShipment>,
    pub total: i64,
    pub attention: i64,
    /// Packed orders without a parcel, oldest first, up to a limit.
    pub to_ship: Vec<OrderToShip>,
    pub to_ship_total: i64,
    pub summary: ShipmentSummary,
}

impl Shop {
    pub async fn shipments(
        &self,
        group: ShipmentGroup,
        offset: i64,
        limit: i64,
    ) -> Result<ShipmentPage, AppError> {
        let since_ms = self.now_ms() - SUMMARY_PERIOD_MS;
        let tare_grams = self.settings.shipping.tare_grams;
        self.db
            .read(async move |db| {
                let shipments = db.shipments_page(group, offset, limit).await?;
                let ids: Vec<_> = shipments.iter().map(|one| one.order_id.clone()).collect();
                // Oldest first, so that the last one of each order stays.
                let latest: HashMap<_, _> = db
                    .shipments_of(&ids)
                    .await?
                    .into_iter()
                    .filter(is_not_cancelled)
                    .map(|shipment| (shipment.order_id, shipment.id))
                    .collect();
                let orders = db.orders_by_id(&ids).await?;
                let by_id: HashMap<_, _> = orders
                    .into_iter()
                    .map(|order| (order.id.clone(), order))
                    .collect();
                let shipments = shipments
                    .into_iter()
                    .filter_map(|shipment| {
                        let order = by_id.get(&shipment.order_id)?.clone();
                        Some(ListedShipment {
                            is_latest: latest.get(&order.id) == Some(&shipment.id),
                            shipment,
                            order,
                        })
                    })
                    .collect();
                let waiting = db.orders_to_ship(MAX_TO_SHIP).await?;
                let mut to_ship = db.orders_by_id(&waiting).await?;
                to_ship.sort_by_key(|order| (order.packed_at_ms, order.id.clone()));
                let refunds = db.refunds_of(&waiting).await?;
                let to_ship = to_ship.into_iter().map(|order| {
                    let contents = ParcelContents::of(&order, &refunds);
                    let (packs, weight_grams) = (contents.packs(), contents.grams(tare_grams));
                    OrderToShip {
                        packs,
                        weight_grams,
                        refunded: order.refunded(&refunds),
                        order,
                    }
                });
                let to_ship = to_ship.collect();
                Ok::<_, AppError>(ShipmentPage {
                    shipments,
                    total: db.count_shipments(group).await?,
                    attention: db.count_shipments(ShipmentGroup::Attention).await?,
                    to_ship,
                    to_ship_total: db.count_orders_to_ship().await?,
                    summary: db.shipment_summary(since_ms).await?,
                })
            })
            .await
    }

    /// The couriers that carry the order's parcel, the cheapest first, for a choice by hand.
    pub async fn courier_quotes(&self, order_id: OrderId) -> Result<Vec<CourierQuote>, AppError> {
        let courier = self.courier.clone().ok_or_else(no_partner)?;
        let found = self.db.read(async move |db| {
            let order = db.order(&order_id).await?;
            let order = order.ok_or_else(crate::orders::order_not_found)?;
            Ok::<_, AppError>((order, db.refunds_of(&[order_id]).await?))
        });
        let (order, refunds): (Order, Vec<Refund>) = found.await?;
        let pincode = Pincode::parse(&order.address.pincode)?;
        let contents = ParcelContents::of(&order, &refunds);
        let grams = contents.grams(self.settings.shipping.tare_grams);
        let quotes = courier.quotes(pincode, grams).await;
        let mut quotes = quotes.map_err(crate::shipping::partner_calls::into_app_error)?;
        quotes.sort_by_key(|quote| (quote.cost, quote.days));
        Ok(quotes)
    }
}

pub(super) async fn listed(
    tx: &mut dyn Transaction,
    id: &ShipmentId,
) -> Result<ListedShipment, AppError> {
    let shipment = tx.shipment(id).await?.ok_or_else(shipment_not_found)?;
    let ids = [shipment.order_id.clone()];
    let order = tx.orders_by_id(&ids).await?.pop();
    let order = order.ok_or_else(crate::orders::order_not_found)?;
    let last = tx.shipments_of(&ids).await?;
    let last = last.into_iter().rfind(is_not_cancelled);
    Ok(ListedShipment {
        is_latest: last.is_some_and(|last| last.id == shipment.id),
        shipment,
        order,
    })
}

/// A decision is about the last parcel that the courier had.
fn is_not_cancelled(shipment: &Shipment) -> bool {
    shipment.position.status != ShipmentStatus::Cancelled
}

pub(super) fn shipment_not_found() -> AppError {
    AppError::not_found("There is no such parcel")
}
