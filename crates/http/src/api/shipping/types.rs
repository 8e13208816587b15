//! Parcels as the browser sees them.

use mirasa_app::orders::LeavingConfirmation;
use mirasa_app::ports::courier::CourierQuote;
use mirasa_app::repository::shipping::{ListedShipment, ShipmentSummary};
use mirasa_app::shipping::{ManualTracking, OrderToShip, ShipmentDetails};
use mirasa_domain::ist;
use mirasa_domain::order::OrderStatus;
use mirasa_domain::shipment::{CourierRule, Partner, Shipment, ShipmentEvent, ShipmentStatus};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::text::{ApiEnum, Text};
use crate::api::types::{Rupees, to_iso8601};

pub type ShipmentStatusDto = Text<ShipmentStatus>;

impl ApiEnum for ShipmentStatus {
    const NAME: &'static str = "ShipmentStatus";
}

/// `2026-11-20`, the day in India.
pub fn day_of(at_ms: i64) -> String {
    let (year, month, day) = ist::calendar_date(ist::day(at_ms));
    format!("{year:04}-{month:02}-{day:02}")
}

/// Nobody reports about a parcel with a courier that is not integrated, so it follows the order.
fn status_of(shipment: &Shipment, order: OrderStatus) -> ShipmentStatus {
    match (shipment.partner, order) {
        (Partner::Manual, OrderStatus::Shipped) => ShipmentStatus::InTransit,
        (Partner::Manual, OrderStatus::Delivered) => ShipmentStatus::Delivered,
        _ => shipment.position.status,
    }
}

/// The parcel of an order, as its customer sees it.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderShipment)]
#[serde(rename_all = "camelCase")]
pub struct OrderShipmentDto {
    pub courier: String,
    /// Empty while there is none.
    pub tracking_number: String,
    /// Empty while there is none.
    pub tracking_url: String,
    pub status: ShipmentStatusDto,
    /// The day in India by which it is expected, such as `2026-11-20`.
    #[schema(required)]
    pub expected_by: Option<String>,
    /// Oldest first.
    pub events: Vec<ShipmentEventDto>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ShipmentEvent)]
pub struct ShipmentEventDto {
    pub at: String,
    pub status: ShipmentStatusDto,
    /// In the courier's words.
    pub text: String,
    pub place: String,
}

impl From<ShipmentEvent> for ShipmentEventDto {
    fn from(event: ShipmentEvent) -> ShipmentEventDto {
        ShipmentEventDto {
            at: to_iso8601(event.at_ms),
            status: event.status.into(),
            text: event.activity,
            place: event.place,
        }
    }
}

impl OrderShipmentDto {
    /// The newest parcel that is not cancelled.
    pub fn newest(shipments: Vec<ShipmentDetails>, order: OrderStatus) -> Option<OrderShipmentDto> {
        let is_shown =
            |one: &ShipmentDetails| one.shipment.position.status != ShipmentStatus::Cancelled;
        let ShipmentDetails { shipment, events } = shipments.into_iter().rfind(is_shown)?;
        Some(OrderShipmentDto {
            status: status_of(&shipment, order).into(),
            expected_by: shipment.expected_at_ms.map(day_of),
            courier: shipment.courier,
            tracking_number: shipment.tracking_number,
            tracking_url: shipment.tracking_url,
            events: events.into_iter().map(ShipmentEventDto::from).collect(),
        })
    }
}

/// A parcel in the owner's list.
#[derive(Serialize, ToSchema)]
#[schema(as = Shipment)]
#[serde(rename_all = "camelCase")]
pub struct ShipmentDto {
    #[serde(rename = "_id")]
    pub id: String,
    pub order_id: String,
    pub order_status: crate::api::orders::status_types::OrderStatusDto,
    /// For a request that ends the order: the version that the page showed.
    pub order_version: i64,
    pub customer: String,
    pub city: String,
    pub pincode: String,
    pub courier: String,
    pub tracking_number: String,
    pub tracking_url: String,
    pub status: ShipmentStatusDto,
    /// What is done next: `create`, `assign`, `label`, `pickup`, `manifest`, `track`, `cancel` or `done`.
    pub step: &'static str,
    /// Why the last attempt at the step failed.
    #[schema(required)]
    pub error: Option<String>,
    pub weight_grams: i64,
    #[schema(value_type = Option<f64>, required)]
    pub cost: Option<Rupees>,
    #[schema(value_type = Option<f64>, required)]
    pub return_cost: Option<Rupees>,
    #[schema(required)]
    pub expected_by: Option<String>,
    #[schema(required)]
    pub pickup_at: Option<String>,
    #[schema(required)]
    pub picked_up_at: Option<String>,
    /// When it was delivered or returned.
    #[schema(required)]
    pub ended_at: Option<String>,
    #[schema(required)]
    pub days_under_way: Option<i64>,
    pub created_at: String,
    pub has_label: bool,
    /// When the label was first handed out in a file.
    #[schema(required)]
    pub label_printed_at: Option<String>,
    pub is_cancellable: bool,
    /// The tracking number was typed in.
    pub is_manual: bool,
    /// It came back or was lost, and its order is still open.
    pub needs_decision: bool,
}

impl From<ListedShipment> for ShipmentDto {
    fn from(listed: ListedShipment) -> ShipmentDto {
        let ListedShipment {
            shipment,
            order,
            is_latest,
        } = listed;
        let status = status_of(&shipment, order.state.order_status);
        let is_open = order.state.order_status == OrderStatus::Shipped;
        let ended_badly = matches!(status, ShipmentStatus::Returned | ShipmentStatus::Lost);
        ShipmentDto {
            is_cancellable: shipment.is_cancellable(),
            days_under_way: shipment.days_under_way(),
            needs_decision: is_open && ended_badly && is_latest,
            is_manual: shipment.partner == Partner::Manual,
            status: status.into(),
            id: shipment.id.0,
            order_id: shipment.order_id.0,
            order_status: order.state.order_status.into(),
            order_version: order.version,
            customer: order.address.name,
            city: order.address.city,
            pincode: order.address.pincode,
            courier: shipment.courier,
            tracking_number: shipment.tracking_number,
            tracking_url: shipment.tracking_url,
            step: shipment.step.as_str(),
            error: shipment.error,
            weight_grams: shipment.weight_grams,
            cost: shipment.cost.map(Rupees),
            return_cost: shipment.return_cost.map(Rupees),
            expected_by: shipment.expected_at_ms.map(day_of),
            pickup_at: shipment.pickup_at_ms.map(to_iso8601),
            picked_up_at: shipment.picked_up_at_ms.map(to_iso8601),
            ended_at: shipment.ended_at_ms.map(to_iso8601),
            created_at: to_iso8601(shipment.created_at_ms),
            has_label: shipment.has_label,
            label_printed_at: shipment.label_printed_at_ms.map(to_iso8601),
        }
    }
}

/// A packed order without a parcel.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderToShip)]
#[serde(rename_all = "camelCase")]
pub struct OrderToShipDto {
    pub order_id: String,
    pub customer: String,
    pub city: String,
    pub pincode: String,
    /// Those that are really sent, without refunded ones.
    pub packs: u32,
    pub weight_grams: i64,
    /// What went back of the payment.
    pub refunded_amount: Rupees,
    #[schema(required)]
    pub packed_at: Option<String>,
}

impl From<OrderToShip> for OrderToShipDto {
    fn from(waiting: OrderToShip) -> OrderToShipDto {
        let order = waiting.order;
        OrderToShipDto {
            weight_grams: waiting.weight_grams,
            refunded_amount: Rupees(waiting.refunded),
            packs: waiting.packs,
            packed_at: order.packed_at_ms.map(to_iso8601),
            order_id: order.id.0,
            customer: order.address.name,
            city: order.address.city,
            pincode: order.address.pincode,
        }
    }
}

/// Cost and time of the parcels that ended in the last 30 days.
#[derive(Serialize, ToSchema)]
#[schema(as = ShipmentSummary)]
#[serde(rename_all = "camelCase")]
pub struct ShipmentSummaryDto {
    pub delivered: i64,
    /// Returned or lost.
    pub returned: i64,
    #[schema(value_type = f64)]
    pub cost: Rupees,
    /// From the pick-up to the delivery.
    #[schema(required)]
    pub average_days: Option<f64>,
}

impl From<ShipmentSummary> for ShipmentSummaryDto {
    #[allow(clippy::cast_precision_loss)] // some days
    fn from(summary: ShipmentSummary) -> ShipmentSummaryDto {
        let average_ms = summary.delivery_ms.checked_div(summary.delivered);
        ShipmentSummaryDto {
            delivered: summary.delivered,
            returned: summary.returned,
            cost: Rupees(summary.cost),
            average_days: average_ms
                .map(|average_ms| (average_ms * 10 / ist::DAY_MS) as f64 / 10.0),
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShipmentPageResponse {
    pub shipments: Vec<ShipmentDto>,
    pub total: i64,
    pub page: i64,
    pub pages: i64,
    /// Parcels that need help or a decision.
    pub attention: i64,
    /// Packed orders without a parcel, oldest first; at most 200.
    pub to_ship: Vec<OrderToShipDto>,
    pub to_ship_total: i64,
    pub summary: ShipmentSummaryDto,
    /// Whether a delivery partner is integrated.
    pub has_partner: bool,
}

#[derive(Serialize, ToSchema)]
pub struct ShipmentsResponse {
    pub shipments: Vec<ShipmentDto>,
}

#[derive(Serialize, ToSchema)]
pub struct ShipmentResponse {
    pub shipment: ShipmentDto,
}

#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CourierRuleDto {
    Cheapest,
    Fastest,
}

/// Without a rule and a courier, the rule of the configuration is used.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShipRequest {
    pub orders: Vec<String>,
    pub rule: Option<CourierRuleDto>,
    /// A courier by its number at the partner.
    pub courier_id: Option<i64>,
    /// Also packs whose money went back. Packs that are in stock again are never sent.
    #[serde(default)]
    pub even_if_refunded: bool,
}

impl ShipRequest {
    pub fn rule(&self) -> Option<CourierRule> {
        let rule = self.rule.map(|rule| match rule {
            CourierRuleDto::Cheapest => CourierRule::Cheapest,
            CourierRuleDto::Fastest => CourierRule::Fastest,
        });
        self.courier_id.map(CourierRule::Chosen).or(rule)
    }
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
pub struct ShipmentsQuery {
    /// `attention`, `unscanned`, `preparing`, `underway`, `delivered` or `returned`; all if it is empty.
    #[param(pattern = "^(all|attention|unscanned|preparing|underway|delivered|returned)?$")]
    pub group: String,
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
pub struct ParcelsQuery {
    /// Ids of parcels, separated by commas.
    pub shipments: String,
}

/// One courier's offer for a parcel.
#[derive(Serialize, ToSchema)]
#[schema(as = CourierQuote)]
#[serde(rename_all = "camelCase")]
pub struct CourierQuoteDto {
    pub courier_id: i64,
    pub name: String,
    #[schema(value_type = f64)]
    pub cost: Rupees,
    #[schema(required)]
    pub days: Option<i64>,
    #[schema(required)]
    pub expected_by: Option<String>,
    pub is_surface: bool,
}

impl From<CourierQuote> for CourierQuoteDto {
    fn from(quote: CourierQuote) -> CourierQuoteDto {
        CourierQuoteDto {
            courier_id: quote.courier_id,
            name: quote.name,
            cost: Rupees(quote.cost),
            days: quote.days,
            expected_by: quote.expected_at_ms.map(day_of),
            is_surface: quote.is_surface,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct CourierQuotesResponse {
    pub couriers: Vec<CourierQuoteDto>,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrackingRequest {
    pub courier: String,
    pub tracking_number: String,
    /// Begins with `https://`; may be empty.
    #[serde(default)]
    pub tracking_url: String,
    /// Also packs whose money went back. Packs that are in stock again are never sent.
    #[serde(default)]
    pub even_if_refunded: bool,
}

impl From<TrackingRequest> for ManualTracking {
    fn from(request: TrackingRequest) -> ManualTracking {
        ManualTracking {
            courier: request.courier,
            tracking_number: request.tracking_number,
            tracking_url: request.tracking_url,
            confirmed: LeavingConfirmation {
                even_if_refunded: request.even_if_refunded,
                ..LeavingConfirmation::default()
            },
        }
    }
}
