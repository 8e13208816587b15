//! A row of the table of parcels, and the texts of its columns.

use mirasa_app::repository::{StoreError, StoreResult};
use mirasa_domain::money::Paise;
use mirasa_domain::order::OrderId;
use mirasa_domain::order_event::Actor;
use mirasa_domain::shipment::{
    CourierRule, Partner, PartnerIds, Position, Shipment, ShipmentId, ShipmentStatus, ShipmentStep,
};

use crate::sql::row::row;

row! {
    pub(super) struct ShipmentRow {
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
        label_printed_at: Option<i64>,
        labels: i64,
    }
}

fn unknown(id: &ShipmentId, what: &str) -> StoreError {
    StoreError::Broken(anyhow::anyhow!("shipment {id} has {what}"))
}

pub(super) fn parse_status(id: &ShipmentId, text: &str) -> StoreResult<ShipmentStatus> {
    ShipmentStatus::parse(text).ok_or_else(|| unknown(id, text))
}

pub(super) fn rule_text(rule: CourierRule) -> String {
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

pub(super) fn contents_text(shipment: &Shipment) -> StoreResult<Option<String>> {
    let text = shipment.contents.as_ref().map(serde_json::to_string);
    text.transpose()
        .map_err(|error| StoreError::Broken(error.into()))
}

impl ShipmentRow {
    pub(super) fn into_shipment(self) -> StoreResult<Shipment> {
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
            label_printed_at_ms: self.label_printed_at,
            created_by: Actor::parse(&self.created_by),
            created_at_ms: self.created_at,
            updated_at_ms: self.updated_at,
            id,
        })
    }
}
