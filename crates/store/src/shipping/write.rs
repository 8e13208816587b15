//! Stores parcels. Workers lease them.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::shipping::{ShipmentLease, ShipmentRepository};
use mirasa_domain::money::Paise;
use mirasa_domain::shipment::{Shipment, ShipmentEvent, ShipmentId, ShipmentStep};

use crate::shipping::rows::{contents_text, rule_text};
use crate::sql::engine::{SqlRepository, placeholders};
use crate::sql::query::{Query, query};

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
        const SCHEDULE: &str =
            "update shipments set due_at = $2, error = null where id = $1 and step <> 'done'";
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

    async fn set_labels_printed(&mut self, ids: &[ShipmentId], now_ms: i64) -> StoreResult<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let text = format!(
            "update shipments set label_printed_at = $1 where label_printed_at is null and id in ({})",
            placeholders(2, ids.len())
        );
        let set = ids.iter().fold(query(text).bind(now_ms), Query::bind);
        self.execute_deferred(set).await
    }

    async fn delete_shipment_label(&mut self, shipment_id: &ShipmentId) -> StoreResult<()> {
        let delete = query("delete from shipment_labels where shipment_id = $1");
        self.execute_deferred(delete.bind(shipment_id)).await
    }
}
