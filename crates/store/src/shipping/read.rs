//! Reads parcels, their events and labels, and packed orders without a parcel.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::shipping::{ShipmentGroup, ShipmentQueries, ShipmentSummary};
use mirasa_domain::money::Paise;
use mirasa_domain::order::OrderId;
use mirasa_domain::shipment::{Shipment, ShipmentEvent, ShipmentId};

use crate::orders::work::HAS_PACKS_TO_SEND;
use crate::shipping::conditions::{TO_SHIP, condition, to_pack_and_ship};
use crate::shipping::rows::{ShipmentRow, parse_status};
use crate::sql::engine::{SqlRepository, placeholders};
use crate::sql::query::{Query, query};
use crate::sql::row::row;

row! {
    struct ShipmentEventRow {
        shipment_id: ShipmentId,
        at: i64,
        status: String,
        activity: String,
        place: String,
    }
}

row! {
    struct LabelRow {
        shipment_id: ShipmentId,
        pdf: String,
    }
}

row! {
    struct SummaryRow {
        delivered: i64,
        returned: i64,
        cost: i64,
        delivery_ms: i64,
    }
}

const SELECT: &str = "select s.*, (select count(*) from shipment_labels l where l.shipment_id = s.id) as labels from shipments s";

impl SqlRepository<'_> {
    pub(super) async fn fetch_shipments(&mut self, find: Query<'_>) -> StoreResult<Vec<Shipment>> {
        let rows: Vec<ShipmentRow> = self.fetch_all(find).await?;
        rows.into_iter().map(ShipmentRow::into_shipment).collect()
    }
}

#[async_trait]
impl ShipmentQueries for SqlRepository<'_> {
    async fn shipment(&mut self, id: &ShipmentId) -> StoreResult<Option<Shipment>> {
        let find = query(format!("{SELECT} where s.id = $1")).bind(id);
        Ok(self.fetch_shipments(find).await?.pop())
    }

    async fn shipments_by_id(&mut self, ids: &[ShipmentId]) -> StoreResult<Vec<Shipment>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let text = format!("{SELECT} where s.id in ({})", placeholders(1, ids.len()));
        self.fetch_shipments(ids.iter().fold(query(text), Query::bind))
            .await
    }

    async fn shipments_of(&mut self, order_ids: &[OrderId]) -> StoreResult<Vec<Shipment>> {
        if order_ids.is_empty() {
            return Ok(Vec::new());
        }
        let text = format!(
            "{SELECT} where s.order_id in ({}) order by s.order_id, length(s.reference), s.reference",
            placeholders(1, order_ids.len())
        );
        self.fetch_shipments(order_ids.iter().fold(query(text), Query::bind))
            .await
    }

    async fn shipment_events_of(
        &mut self,
        shipment_ids: &[ShipmentId],
    ) -> StoreResult<Vec<ShipmentEvent>> {
        if shipment_ids.is_empty() {
            return Ok(Vec::new());
        }
        let text = format!(
            "select * from shipment_events where shipment_id in ({}) order by shipment_id, at, activity",
            placeholders(1, shipment_ids.len())
        );
        let find = shipment_ids.iter().fold(query(text), Query::bind);
        let rows: Vec<ShipmentEventRow> = self.fetch_all(find).await?;
        let event = |row: ShipmentEventRow| {
            Ok(ShipmentEvent {
                status: parse_status(&row.shipment_id, &row.status)?,
                shipment_id: row.shipment_id,
                at_ms: row.at,
                activity: row.activity,
                place: row.place,
            })
        };
        rows.into_iter().map(event).collect()
    }

    async fn count_shipments(&mut self, group: ShipmentGroup) -> StoreResult<i64> {
        let text = format!(
            "select count(*) from shipments s where {}",
            condition(group)
        );
        self.fetch_one::<i64>(query(text)).await
    }

    async fn shipments_page(
        &mut self,
        group: ShipmentGroup,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<Shipment>> {
        let text = format!(
            "{SELECT} where {} order by s.created_at desc, s.id desc limit $1 offset $2",
            condition(group)
        );
        self.fetch_shipments(query(text).bind(limit).bind(offset))
            .await
    }

    async fn orders_to_ship(&mut self, limit: i64) -> StoreResult<Vec<OrderId>> {
        let text =
            format!("select id {TO_SHIP} and {HAS_PACKS_TO_SEND} order by packed_at, id limit $1");
        self.fetch_all(query(text).bind(limit)).await
    }

    async fn count_orders_to_ship(&mut self) -> StoreResult<i64> {
        self.fetch_one::<i64>(query(format!(
            "select count(*) {TO_SHIP} and {HAS_PACKS_TO_SEND}"
        )))
        .await
    }

    async fn orders_to_pack_and_ship(
        &mut self,
        has_partner: bool,
        limit: i64,
    ) -> StoreResult<Vec<OrderId>> {
        let found = to_pack_and_ship(has_partner);
        let text = format!("select id from ({found}) found order by created_at, id limit $1");
        self.fetch_all(query(text).bind(limit)).await
    }

    async fn count_orders_to_pack_and_ship(&mut self, has_partner: bool) -> StoreResult<i64> {
        let found = to_pack_and_ship(has_partner);
        self.fetch_one::<i64>(query(format!("select count(*) from ({found}) found")))
            .await
    }

    async fn shipment_summary(&mut self, since_ms: i64) -> StoreResult<ShipmentSummary> {
        // PostgreSQL's sum of bigint is numeric.
        const SUMMARY: &str = "select
            count(case when status = 'delivered' then 1 end) as delivered,
            count(case when status in ('returned', 'lost') then 1 end) as returned,
            cast(coalesce(sum(coalesce(cost, 0) + case when status = 'returned' then coalesce(return_cost, 0) else 0 end), 0) as bigint) as cost,
            cast(coalesce(sum(case when status = 'delivered' then ended_at - coalesce(picked_up_at, ended_at) else 0 end), 0) as bigint) as delivery_ms
            from shipments where ended_at >= $1 and status <> 'cancelled'";
        let row: SummaryRow = self.fetch_one(query(SUMMARY).bind(since_ms)).await?;
        Ok(ShipmentSummary {
            delivered: row.delivered,
            returned: row.returned,
            cost: Paise::new(row.cost),
            delivery_ms: row.delivery_ms,
        })
    }

    async fn shipment_labels(
        &mut self,
        shipment_ids: &[ShipmentId],
    ) -> StoreResult<Vec<(ShipmentId, String)>> {
        if shipment_ids.is_empty() {
            return Ok(Vec::new());
        }
        let text = format!(
            "select shipment_id, pdf from shipment_labels where shipment_id in ({})",
            placeholders(1, shipment_ids.len())
        );
        let find = shipment_ids.iter().fold(query(text), Query::bind);
        let rows: Vec<LabelRow> = self.fetch_all(find).await?;
        let label = |row: LabelRow| (row.shipment_id, row.pdf);
        Ok(rows.into_iter().map(label).collect())
    }
}
