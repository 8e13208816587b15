//! What happened to an order: refunds and events.

use mirasa_app::AppError;
use mirasa_app::orders::SeenOrder;
use mirasa_app::refunds::RefundInput;
use mirasa_domain::order_event::{Actor, OrderEvent};
use mirasa_domain::pack::Packs;
use mirasa_domain::product::ProductId;
use mirasa_domain::refund::{Refund, RefundLine, RefundStatus};
use mirasa_domain::refund_plan::RefundSelection;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::orders::status_types::OrderStatusDto;
use crate::api::types::{Rupees, to_iso8601};

/// Who reads an order. Customers do not see the names of admins or the shop's own work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    Customer,
    Admin,
}

impl Viewer {
    /// `customer`, `shop`, or for admins the email address of the admin.
    pub(super) fn name_of(self, actor: Actor) -> String {
        match (self, actor) {
            (_, Actor::Customer) => "customer".into(),
            (Viewer::Admin, Actor::Admin(email)) => email,
            (_, Actor::Admin(_) | Actor::System) => "shop".into(),
        }
    }
}

// Not by the text of `RefundStatus`: the database has `wanted` where the API says `requested`.
#[derive(Serialize, ToSchema)]
#[schema(as = RefundState)]
#[serde(rename_all = "lowercase")]
pub enum RefundStateDto {
    Requested,
    Pending,
    Completed,
    Failed,
}

impl From<RefundStatus> for RefundStateDto {
    fn from(status: RefundStatus) -> RefundStateDto {
        match status {
            RefundStatus::Requested => RefundStateDto::Requested,
            RefundStatus::Pending => RefundStateDto::Pending,
            RefundStatus::Completed => RefundStateDto::Completed,
            RefundStatus::Failed => RefundStateDto::Failed,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = Refund)]
#[serde(rename_all = "camelCase")]
pub struct RefundDto {
    #[serde(rename = "_id")]
    pub id: String,
    #[schema(value_type = f64)]
    pub amount: Rupees,
    pub reason: String,
    pub state: RefundStateDto,
    /// `customer`, `shop`, or for admins the email address of the admin.
    pub requested_by: String,
    pub created_at: String,
    pub updated_at: String,
    /// The packs that it is for; none for a free amount.
    pub lines: Vec<RefundLineDto>,
    /// The failed refund that this one repeats.
    #[schema(required)]
    pub retry_of: Option<String>,
    /// The refund that was requested instead of this failed one, which cannot be repeated any more.
    #[schema(required)]
    pub superseded_by: Option<String>,
    /// Why it failed, for admins.
    #[schema(required)]
    pub error: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = RefundLine)]
pub struct RefundLineDto {
    #[serde(rename = "productId")]
    pub product_id: String,
    pub qty_50g: u32,
    pub qty_100g: u32,
    #[schema(value_type = f64)]
    pub amount: Rupees,
}

impl From<RefundLine> for RefundLineDto {
    fn from(line: RefundLine) -> RefundLineDto {
        RefundLineDto {
            product_id: line.product.0,
            qty_50g: line.packs.of_50g,
            qty_100g: line.packs.of_100g,
            amount: Rupees(line.amount),
        }
    }
}

impl RefundDto {
    pub fn new(refund: Refund, viewer: Viewer) -> RefundDto {
        RefundDto {
            id: refund.id.0,
            amount: Rupees(refund.amount),
            reason: refund.reason,
            state: refund.status.into(),
            requested_by: viewer.name_of(refund.requested_by),
            created_at: to_iso8601(refund.created_at_ms),
            updated_at: to_iso8601(refund.updated_at_ms),
            lines: refund.lines.into_iter().map(RefundLineDto::from).collect(),
            retry_of: refund.retry_of.map(|id| id.0),
            superseded_by: refund.superseded_by.map(|id| id.0),
            error: refund.error.filter(|_| viewer == Viewer::Admin),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct RefundResponse {
    pub refund: RefundDto,
}

/// Something that happened to an order.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderEvent)]
pub struct OrderEventDto {
    #[serde(rename = "_id")]
    pub id: String,
    pub at: String,
    /// `placed`, `paid`, `status_set`, …
    pub kind: &'static str,
    /// `customer`, `shop`, or for admins the email address of the admin.
    pub by: String,
    /// In words.
    pub text: String,
    /// The order's status since this event, if it changed.
    #[schema(required)]
    pub status: Option<OrderStatusDto>,
}

impl OrderEventDto {
    /// None if the viewer does not see it.
    pub fn new(event: OrderEvent, viewer: Viewer) -> Option<OrderEventDto> {
        if viewer == Viewer::Customer && !event.kind.is_public() {
            return None;
        }
        Some(OrderEventDto {
            at: to_iso8601(event.at_ms),
            kind: event.kind.as_str(),
            text: event.to_string(),
            status: event.status().map(OrderStatusDto::from),
            by: viewer.name_of(event.actor),
            id: event.id,
        })
    }
}

/// Packs of one product.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct PacksRequest {
    #[serde(rename = "productId")]
    pub product_id: String,
    #[serde(default)]
    pub qty_50g: u32,
    #[serde(default)]
    pub qty_100g: u32,
}

impl PacksRequest {
    pub fn parse(self) -> (ProductId, Packs) {
        let packs = Packs {
            of_50g: self.qty_50g,
            of_100g: self.qty_100g,
        };
        (ProductId(self.product_id), packs)
    }
}

/// `amount` or `lines`; without both, everything that has not been refunded yet.
#[derive(Deserialize, ToSchema)]
pub struct RefundRequest {
    #[schema(value_type = Option<f64>)]
    pub amount: Option<Rupees>,
    pub lines: Option<Vec<PacksRequest>>,
    /// The customer reads it.
    pub reason: String,
    /// Whether the items go back into stock.
    #[serde(default)]
    pub restock: bool,
    /// The items were sent and are in the shop again.
    #[serde(default, rename = "cameBack")]
    pub came_back: bool,
    /// The version of the order that the page showed: if it has another one, nothing is refunded.
    pub version: Option<i64>,
    /// Confirms a refund of packs that were replaced before.
    #[serde(default, rename = "evenIfRepeated")]
    pub even_if_repeated: bool,
}

impl RefundRequest {
    pub fn parse(self, idempotency_key: Option<String>) -> Result<RefundInput, AppError> {
        let selection = match (self.amount, self.lines) {
            (Some(_), Some(_)) => {
                let message = "Send amount or lines, not both";
                return Err(AppError::invalid(message).with_field("amount"));
            }
            (Some(amount), None) => RefundSelection::Amount(amount.0),
            (None, Some(lines)) => {
                RefundSelection::Packs(lines.into_iter().map(PacksRequest::parse).collect())
            }
            (None, None) => RefundSelection::Everything,
        };
        Ok(RefundInput {
            selection,
            reason: self.reason,
            restock: self.restock,
            came_back: self.came_back,
            idempotency_key,
            seen: SeenOrder {
                version: self.version,
                status: None,
            },
            even_if_repeated: self.even_if_repeated,
        })
    }
}
