//! The delivery partner: prices and days for a pincode, parcels, labels, pickups, tracking and webhooks. The adapter
//! speaks Shiprocket's API.
//!
//! The partner has no idempotency keys. What makes a repetition safe is the shop's own reference: `find_parcel` shows what
//! an earlier request with an unknown outcome has done.

use async_trait::async_trait;
use mirasa_domain::address::{Address, Pincode};
use mirasa_domain::money::Paise;
use mirasa_domain::shipment::{PartnerIds, ShipmentStatus};

use crate::ports::payment::WebhookError;

#[async_trait]
pub trait Courier: Send + Sync {
    /// The couriers that carry a parcel of this weight to the pincode. Empty if none does.
    async fn quotes(
        &self,
        to: Pincode,
        weight_grams: i64,
    ) -> Result<Vec<CourierQuote>, CourierError>;

    /// The parcel with this reference. None if the partner does not know it.
    async fn find_parcel(&self, reference: &str) -> Result<Option<FoundParcel>, CourierError>;

    /// Registers a parcel. It costs nothing yet.
    async fn create_parcel(&self, request: ParcelRequest) -> Result<PartnerIds, CourierError>;

    /// Orders the transport by this courier, or by the partner's choice. This costs money.
    async fn assign(
        &self,
        parcel: PartnerIds,
        courier_id: Option<i64>,
    ) -> Result<AssignedCourier, CourierError>;

    /// The label as a PDF file.
    async fn label(&self, parcel: PartnerIds) -> Result<Vec<u8>, CourierError>;

    /// Asks the courier to fetch the parcel. Returns when it comes, if it says so.
    async fn request_pickup(&self, parcel: PartnerIds) -> Result<Option<i64>, CourierError>;

    /// Tells the partner that the parcel is on the list for the courier's driver.
    async fn close_manifest(&self, parcel: PartnerIds) -> Result<(), CourierError>;

    /// The list for the courier's driver to sign, as a PDF file.
    async fn manifest(&self, parcels: &[PartnerIds]) -> Result<Vec<u8>, CourierError>;

    /// Where the parcel is. None if there is no scan yet.
    async fn track(&self, tracking_number: &str) -> Result<Option<Tracking>, CourierError>;

    /// Cancels the parcel and its transport.
    async fn cancel(
        &self,
        parcel: PartnerIds,
        tracking_number: Option<&str>,
    ) -> Result<(), CourierError>;

    /// Whether the header of a webhook has the shared secret. The body is read only if it has.
    fn is_authentic(&self, key: Option<&str>) -> bool;

    /// Parses a webhook. Nothing signs the body, so it is used only as a trigger for a poll.
    fn parse_webhook(&self, key: Option<&str>, body: &[u8])
    -> Result<CourierWebhook, WebhookError>;
}

/// One courier's offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CourierQuote {
    pub courier_id: i64,
    pub name: String,
    pub cost: Paise,
    /// In addition, if the parcel is returned.
    pub return_cost: Option<Paise>,
    pub days: Option<i64>,
    /// The end of the day, in India, by which it is delivered.
    pub expected_at_ms: Option<i64>,
    pub is_surface: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParcelRequest {
    /// At most 50 characters; a reference that was used before is rejected.
    pub reference: String,
    pub ordered_at_ms: i64,
    pub address: Address,
    pub email: String,
    pub items: Vec<ParcelItem>,
    pub total: Paise,
    pub weight_grams: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParcelItem {
    pub name: String,
    pub sku: String,
    pub quantity: u32,
    pub price: Paise,
}

/// What the partner knows of a parcel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundParcel {
    pub ids: PartnerIds,
    pub assigned: Option<AssignedCourier>,
    pub has_pickup: bool,
    pub pickup_at_ms: Option<i64>,
    pub is_cancelled: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssignedCourier {
    pub tracking_number: String,
    pub courier: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tracking {
    pub status: ShipmentStatus,
    pub tracking_url: Option<String>,
    pub expected_at_ms: Option<i64>,
    /// In any order.
    pub events: Vec<TrackingEvent>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackingEvent {
    pub at_ms: i64,
    pub status: ShipmentStatus,
    pub activity: String,
    pub place: String,
}

/// The parcel that a webhook is about. It must be polled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CourierWebhook {
    pub tracking_number: String,
    pub partner_order_id: Option<i64>,
}

#[derive(Debug, thiserror::Error)]
pub enum CourierError {
    /// The partner rejected the request. A repetition would be rejected too, until something else changes.
    #[error("{0}")]
    Rejected(String),
    /// The request had no effect: there is no token, or the partner asks to wait.
    #[error("the delivery partner is not available")]
    Unavailable(#[source] anyhow::Error),
    /// The request failed or timed out, so the partner may or may not have processed it.
    #[error("the delivery partner cannot be reached")]
    OutcomeUnknown(#[source] anyhow::Error),
}
