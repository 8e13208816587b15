//! Parcels. Workers lease them.

use std::borrow::Cow;

use async_trait::async_trait;
use mirasa_app::repository::shipping::{
    ShipmentGroup, ShipmentLease, ShipmentQueries, ShipmentRepository, ShipmentSummary,
};
use mirasa_app::repository::{StoreError, StoreResult};
use mirasa_domain::money::Paise;
use mirasa_domain::order::OrderId;
use mirasa_domain::order_event::Actor;
use mirasa_domain::shipment::{
    CourierRule, Partner, PartnerIds, Position, Shipment, ShipmentEvent, ShipmentId,
    ShipmentStatus, ShipmentStep,
};

use crate::orders::work::HAS_PACKS_TO_SEND;
use crate::sql::engine::{SqlRepository, placeholders};
use crate::sql::query::{Query, query};
use crate::sql::row::row;

row! {
    struct ShipmentRow {
        id: ShipmentId,
        order_id: OrderId,
        reference: String,
        partner: String,
        rule: String,
        status: String,
        status_at: i64,
        step: String,
        attempts: i64,
        error: Option<String>,
        partner_order_id: Option<i64>,
        partner_shipment_id: Option<i64>,
        courier_id: Option<i64>,
        courier: String,
        tracking_number: String,
        tracking_url: String,
        weight_grams: i64,
        contents: Option<String>,
        books_again: bool,
        cost: Option<i64>,
        return_cost: Option<i64>,
        expected_at: Option<i64>,
        pickup_at: Option<i64>,
        picked_up_at: Option<i64>,
        ended_at: Option<i64>,
        created_by: String,
        created_at: i64,
        updated_at: i64,
        labels: i64,
    }
}

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

fn unknown(id: &ShipmentId, what: &str) -> StoreError {
    StoreError::Broken(anyhow::anyhow!("shipment {id} has {what}"))
}

fn parse_status(id: &ShipmentId, text: &str) -> StoreResult<ShipmentStatus> {
    ShipmentStatus::parse(text).ok_or_else(|| unknown(id, text))
}

fn rule_text(rule: CourierRule) -> String {
    match rule {
        CourierRule::Cheapest => "cheapest".into(),
        CourierRule::Fastest => "fastest".into(),
        CourierRule::Chosen(id) => id.to_string(),
    }
}

fn parse_rule(id: &ShipmentId, text: &str) -> StoreResult<CourierRule> {
    match text {
        "cheapest" => Ok(CourierRule::Cheapest),
        "fastest" => Ok(CourierRule::Fastest),
        number => number
            .parse()
            .map(CourierRule::Chosen)
            .map_err(|_| unknown(id, number)),
    }
}

fn contents_text(shipment: &Shipment) -> StoreResult<Option<String>> {
    let text = shipment.contents.as_ref().map(serde_json::to_string);
    text.transpose()
        .map_err(|error| StoreError::Broken(error.into()))
}

impl ShipmentRow {
    fn into_shipment(self) -> StoreResult<Shipment> {
        let id = self.id;
        let partner_ids = self.partner_order_id.zip(self.partner_shipment_id);
        let contents = self.contents.as_deref().map(serde_json::from_str);
        let contents = contents.transpose();
        Ok(Shipment {
            partner: Partner::parse(&self.partner).ok_or_else(|| unknown(&id, &self.partner))?,
            rule: parse_rule(&id, &self.rule)?,
            position: Position {
                status: parse_status(&id, &self.status)?,
                at_ms: self.status_at,
            },
            step: ShipmentStep::parse(&self.step).ok_or_else(|| unknown(&id, &self.step))?,
            order_id: self.order_id,
            reference: self.reference,
            attempts: self.attempts,
            error: self.error,
            partner_ids: partner_ids.map(|(order, shipment)| PartnerIds { order, shipment }),
            courier_id: self.courier_id,
            courier: self.courier,
            tracking_number: self.tracking_number,
            tracking_url: self.tracking_url,
            weight_grams: self.weight_grams,
            contents: contents.map_err(|_| unknown(&id, "broken contents"))?,
            books_again: self.books_again,
            cost: self.cost.map(Paise::new),
            return_cost: self.return_cost.map(Paise::new),
            expected_at_ms: self.expected_at,
            pickup_at_ms: self.pickup_at,
            picked_up_at_ms: self.picked_up_at,
            ended_at_ms: self.ended_at,
            has_label: self.labels > 0,
            created_by: Actor::parse(&self.created_by),
            created_at_ms: self.created_at,
            updated_at_ms: self.updated_at,
            id,
        })
    }
}

/// The outer conditions are for the index.
fn lease_query(skip_locked: &str) -> String {
    format!(
        "with due as (select id from shipments where step <> 'done' and due_at <= $1 and leased_until <= $1
            order by due_at limit $3 {skip_locked})
        update shipments set leased_until = $2, attempts = attempts + 1
            where step <> 'done' and due_at <= $1 and leased_until <= $1 and id in (select id from due)
            returning *, (select count(*) from shipment_labels l where l.shipment_id = shipments.id) as labels"
    )
}

const SELECT: &str = "select s.*, (select count(*) from shipment_labels l where l.shipment_id = s.id) as labels from shipments s";

/// The owner must act on parcels whose step fails again and again, and decide about returned and lost ones while their order is still shipped.
pub(crate) const NEEDS_ATTENTION: &str = "(s.error is not null or s.status in ('returned', 'lost')) and ((s.error is not null and s.attempts > 2 and s.step <> 'done') or (s.status in ('returned', 'lost')
    and exists (select 1 from orders o where o.id = s.order_id and o.order_status = 'shipped' and o.deleted_at is null)
    and not exists (select 1 from shipments n where n.order_id = s.order_id and n.status <> 'cancelled'
        and (length(n.reference), n.reference) > (length(s.reference), s.reference))))";

pub(crate) const TO_SHIP: &str = "from orders where packed_at is not null and order_status = 'confirmed' and deleted_at is null
    and not exists (select 1 from shipments s where s.order_id = orders.id and s.status not in ('cancelled', 'returned', 'lost'))
    and not exists (select 1 from cancellation_requests c where c.order_id = orders.id and c.decided_at is null)";

/// Parcels that the partner has reported nothing about since the time `?`.
pub(crate) const UNSCANNED: &str = "s.partner = 'integrated'
    and s.status in ('ready', 'picked_up', 'in_transit', 'out_for_delivery', 'undelivered', 'returning') and s.status_at < ?
    and not exists (select 1 from shipment_events e where e.shipment_id = s.id and e.at >= ?)";

fn condition(group: ShipmentGroup) -> Cow<'static, str> {
    let text = match group {
        ShipmentGroup::Unscanned { since_ms } => {
            return UNSCANNED.replace('?', &since_ms.to_string()).into();
        }
        ShipmentGroup::All => "true",
        ShipmentGroup::Attention => NEEDS_ATTENTION,
        ShipmentGroup::Preparing => "s.status in ('preparing', 'ready')",
        ShipmentGroup::UnderWay => {
            "s.status in ('picked_up', 'in_transit', 'out_for_delivery', 'undelivered', 'returning')"
        }
        ShipmentGroup::Delivered => "s.status = 'delivered'",
        ShipmentGroup::Returned => "s.status in ('returned', 'lost', 'cancelled')",
    };
    text.into()
}

impl SqlRepository<'_> {
    async fn fetch_shipments(&mut self, find: Query<'_>) -> StoreResult<Vec<Shipment>> {
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

#[async_trait]
impl ShipmentRepository for SqlRepository<'_> {
    async fn insert_shipment(&mut self, shipment: &Shipment, due_at_ms: i64) -> StoreResult<()> {
        const INSERT: &str = "insert into shipments (id, order_id, reference, partner, rule, status, status_at, step, attempts,
            courier, tracking_number, tracking_url, weight_grams, created_by, created_at, updated_at, due_at, leased_until, contents)
            values ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $10, $11, $12, $13, $14, $14, $15, 0, $16)";
        let contents = contents_text(shipment)?;
        self.execute_deferred(
            query(INSERT)
                .bind(&shipment.id)
                .bind(&shipment.order_id)
                .bind(&shipment.reference)
                .bind(shipment.partner.as_str())
                .bind(rule_text(shipment.rule))
                .bind(shipment.position.status.as_str())
                .bind(shipment.position.at_ms)
                .bind(shipment.step.as_str())
                .bind(&shipment.courier)
                .bind(&shipment.tracking_number)
                .bind(&shipment.tracking_url)
                .bind(shipment.weight_grams)
                .bind(shipment.created_by.as_str())
                .bind(shipment.created_at_ms)
                .bind(due_at_ms)
                .bind(&contents),
        )
        .await
    }

    async fn lease_shipments(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        limit: i64,
    ) -> StoreResult<Vec<Shipment>> {
        let lease = query(lease_query(self.skip_locked()))
            .bind(now_ms)
            .bind(until_ms)
            .bind(limit);
        self.fetch_shipments(lease).await
    }

    async fn save_leased_shipment(
        &mut self,
        shipment: &Shipment,
        lease: ShipmentLease,
        due_at_ms: i64,
        now_ms: i64,
    ) -> StoreResult<bool> {
        const SAVE: &str = "update shipments set status = $2, status_at = $3, step = $4, attempts = $5, error = $6,
            partner_order_id = $7, partner_shipment_id = $8, courier = $9, tracking_number = $10, tracking_url = $11, cost = $12,
            return_cost = $13, expected_at = $14, pickup_at = $15, picked_up_at = $16, ended_at = $17, updated_at = $18,
            due_at = case when hinted_at >= $19 then $18 else $20 end, leased_until = 0, hinted_at = 0,
            courier_id = $23, weight_grams = $24
            where id = $1 and leased_until = $21 and step = $22";
        let ids = shipment.partner_ids;
        let save = query(SAVE)
            .bind(&shipment.id)
            .bind(shipment.position.status.as_str())
            .bind(shipment.position.at_ms)
            .bind(shipment.step.as_str())
            .bind(shipment.attempts)
            .bind(&shipment.error)
            .bind(ids.map(|ids| ids.order))
            .bind(ids.map(|ids| ids.shipment))
            .bind(&shipment.courier)
            .bind(&shipment.tracking_number)
            .bind(&shipment.tracking_url)
            .bind(shipment.cost.map(Paise::get))
            .bind(shipment.return_cost.map(Paise::get))
            .bind(shipment.expected_at_ms)
            .bind(shipment.pickup_at_ms)
            .bind(shipment.picked_up_at_ms)
            .bind(shipment.ended_at_ms)
            .bind(now_ms)
            .bind(lease.since_ms)
            .bind(due_at_ms)
            .bind(lease.until_ms)
            .bind(lease.step.as_str())
            .bind(shipment.courier_id)
            .bind(shipment.weight_grams);
        Ok(self.execute(save).await? > 0)
    }

    async fn end_shipment_lease(
        &mut self,
        id: &ShipmentId,
        lease: ShipmentLease,
    ) -> StoreResult<()> {
        const END: &str =
            "update shipments set leased_until = 0 where id = $1 and leased_until = $2";
        self.execute_deferred(query(END).bind(id).bind(lease.until_ms))
            .await
    }

    async fn set_shipment_step(
        &mut self,
        id: &ShipmentId,
        step: ShipmentStep,
        now_ms: i64,
    ) -> StoreResult<()> {
        const SET: &str = "update shipments set leased_until = case when step = 'track' then 0 else leased_until end,
            step = $2, attempts = 0, error = null, due_at = $3, updated_at = $3
            where id = $1 and step <> 'done'";
        self.execute_deferred(query(SET).bind(id).bind(step.as_str()).bind(now_ms))
            .await
    }

    async fn set_books_again(&mut self, id: &ShipmentId, books_again: bool) -> StoreResult<()> {
        let set = query("update shipments set books_again = $2 where id = $1");
        self.execute_deferred(set.bind(id).bind(books_again)).await
    }

    async fn set_shipment_contents(
        &mut self,
        shipment: &Shipment,
        lease: ShipmentLease,
    ) -> StoreResult<bool> {
        const SET: &str = "update shipments set contents = $2, weight_grams = $3
            where id = $1 and leased_until = $4 and step = $5";
        let contents = contents_text(shipment)?;
        let set = query(SET)
            .bind(&shipment.id)
            .bind(&contents)
            .bind(shipment.weight_grams)
            .bind(lease.until_ms)
            .bind(lease.step.as_str());
        Ok(self.execute(set).await? > 0)
    }

    async fn schedule_shipment_now(&mut self, id: &ShipmentId, now_ms: i64) -> StoreResult<bool> {
        const SCHEDULE: &str = "update shipments set due_at = $2 where id = $1 and step <> 'done'";
        Ok(self.execute(query(SCHEDULE).bind(id).bind(now_ms)).await? > 0)
    }

    async fn hint_shipment(
        &mut self,
        tracking_number: &str,
        partner_order_id: Option<i64>,
        now_ms: i64,
    ) -> StoreResult<bool> {
        const HINT: &str = "update shipments set hinted_at = $3, due_at = case when step in ('track', 'pickup') and due_at > $3 then $3 else due_at end
            where partner = 'integrated' and step <> 'done'
            and ((tracking_number = $1 and tracking_number <> '') or partner_order_id = $2)";
        let hint = query(HINT)
            .bind(tracking_number)
            .bind(partner_order_id)
            .bind(now_ms);
        Ok(self.execute(hint).await? > 0)
    }

    async fn save_manual_shipment(&mut self, shipment: &Shipment, now_ms: i64) -> StoreResult<()> {
        const SAVE: &str = "update shipments set courier = $2, tracking_number = $3, tracking_url = $4, updated_at = $5
            where id = $1 and partner = 'manual'";
        self.execute_deferred(
            query(SAVE)
                .bind(&shipment.id)
                .bind(&shipment.courier)
                .bind(&shipment.tracking_number)
                .bind(&shipment.tracking_url)
                .bind(now_ms),
        )
        .await
    }

    async fn insert_shipment_event(&mut self, event: &ShipmentEvent) -> StoreResult<bool> {
        const INSERT: &str = "insert into shipment_events (shipment_id, at, status, activity, place) values ($1, $2, $3, $4, $5)
            on conflict do nothing";
        let insert = query(INSERT)
            .bind(&event.shipment_id)
            .bind(event.at_ms)
            .bind(event.status.as_str())
            .bind(&event.activity)
            .bind(&event.place);
        Ok(self.execute(insert).await? > 0)
    }

    async fn insert_shipment_label(
        &mut self,
        shipment_id: &ShipmentId,
        pdf_base64: &str,
    ) -> StoreResult<()> {
        const INSERT: &str = "insert into shipment_labels (shipment_id, pdf) values ($1, $2)
            on conflict (shipment_id) do update set pdf = excluded.pdf";
        self.execute_deferred(query(INSERT).bind(shipment_id).bind(pdf_base64))
            .await
    }

    async fn delete_shipment_label(&mut self, shipment_id: &ShipmentId) -> StoreResult<()> {
        let delete = query("delete from shipment_labels where shipment_id = $1");
        self.execute_deferred(delete.bind(shipment_id)).await
    }
}
