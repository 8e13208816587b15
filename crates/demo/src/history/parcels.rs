//! Parcels of the last ten days: the sandbox courier brings them. Earlier orders were shipped by hand.

use std::collections::HashMap;

use anyhow::Context as _;
use mirasa_app::orders::LeavingConfirmation;
use mirasa_app::ports::courier::CourierWebhook;
use mirasa_domain::ist::{self, DAY_MS};
use mirasa_domain::order::OrderStatus;

use super::plan::{self, HOUR_MS, Scan, Step};
use super::simulation::History;

/// For how many days the shop has had a courier.
const DAYS_WITH_COURIER: i64 = 10;

impl History {
    pub(super) async fn ship(&mut self, now_ms: i64, number: usize) -> anyhow::Result<()> {
        let delivered_ms = plan::delivered_at(now_ms, &mut self.random);
        if ist::day(self.end_ms) - ist::day(now_ms) > DAYS_WITH_COURIER {
            self.timeline.add(delivered_ms, Step::Deliver(number));
            return self.set_status(number, OrderStatus::Shipped).await;
        }
        let id = vec![self.orders[number].id.clone()];
        self.shop
            .pack_orders(
                &self.admin,
                id.clone(),
                HashMap::new(),
                LeavingConfirmation::default(),
            )
            .await?;
        self.shop
            .ship_orders(&self.admin, id, None, LeavingConfirmation::default())
            .await?;
        self.process_shipments().await?;
        self.parcels += 1;
        for (at_ms, scan) in scans(self.parcels, now_ms, delivered_ms) {
            self.timeline.add(at_ms, Step::ScanParcel(number, scan));
        }
        Ok(())
    }

    pub(super) async fn scan_parcel(
        &mut self,
        now_ms: i64,
        number: usize,
        scan: Scan,
    ) -> anyhow::Result<()> {
        let ids = vec![self.orders[number].id.clone()];
        let shipments = self
            .shop
            .db
            .read(async move |db| db.shipments_of(&ids).await)
            .await?;
        let shipment = shipments.last().context("the order has no parcel")?;
        self.courier
            .move_parcel(&shipment.tracking_number, scan.name())
            .await?;
        let webhook = CourierWebhook {
            tracking_number: shipment.tracking_number.clone(),
            partner_order_id: None,
        };
        self.shop.handle_courier_webhook(webhook).await?;
        self.process_shipments().await?;
        if scan == Scan::Delivered {
            self.after_delivery(now_ms, number);
        }
        Ok(())
    }

    /// One after the other, so that ids are given in the same order in every run.
    async fn process_shipments(&self) -> anyhow::Result<()> {
        while self.shop.process_some_shipments(1).await? > 0 {}
        Ok(())
    }
}

/// Most parcels arrive. One comes back, one is lost sight of, and some need a second attempt.
fn scans(parcel: usize, shipped_ms: i64, delivered_ms: i64) -> Vec<(i64, Scan)> {
    let next_day = ist::day_start_ms(ist::day(shipped_ms) + 1);
    let last_day = ist::day_start_ms(ist::day(delivered_ms));
    let mut scans = vec![
        (shipped_ms + 5 * HOUR_MS, Scan::PickedUp),
        (next_day + 6 * HOUR_MS, Scan::InTransit),
    ];
    match parcel {
        5 => scans.extend([
            (last_day + 8 * HOUR_MS, Scan::OutForDelivery),
            (last_day + 18 * HOUR_MS, Scan::Undelivered),
            (last_day + DAY_MS + 18 * HOUR_MS, Scan::Returning),
            (last_day + 4 * DAY_MS + 12 * HOUR_MS, Scan::Returned),
        ]),
        9 => {}
        _ if parcel.is_multiple_of(13) => scans.extend([
            (last_day + 8 * HOUR_MS, Scan::OutForDelivery),
            (last_day + 18 * HOUR_MS, Scan::Undelivered),
            (last_day + DAY_MS + 9 * HOUR_MS, Scan::OutForDelivery),
            (delivered_ms + DAY_MS, Scan::Delivered),
        ]),
        _ => scans.extend([
            (last_day + 8 * HOUR_MS, Scan::OutForDelivery),
            (delivered_ms, Scan::Delivered),
        ]),
    }
    scans
}
