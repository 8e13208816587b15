//! Parcels. Workers lease them: a row is also the job that the parcel needs next.

use async_trait::async_trait;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderId};
use mirasa_domain::shipment::{Shipment, ShipmentEvent, ShipmentId, ShipmentStep};

use crate::repository::StoreResult;

/// The parts of the owner's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ShipmentGroup {
    #[default]
    All,
    /// The owner must help or decide.
    Attention,
    /// The courier has reported nothing about them since then.
    Unscanned {
        since_ms: i64,
    },
    /// Not handed to the courier yet.
    Preparing,
    UnderWay,
    Delivered,
    Returned,
}

/// A worker's right to do a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShipmentLease {
    pub step: ShipmentStep,
    pub since_ms: i64,
    pub until_ms: i64,
}

/// A parcel with what the list shows of its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedShipment {
    pub shipment: Shipment,
    pub order: Order,
    /// Whether it is the order's last parcel. An order whose parcel came back may have another one.
    pub is_latest: bool,
}

/// Cost and time of the parcels that ended in a period.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ShipmentSummary {
    pub delivered: i64,
    pub returned: i64,
    pub cost: Paise,
    /// From the pick-up to the delivery, all delivered parcels together.
    pub delivery_ms: i64,
}

#[async_trait]
pub trait ShipmentQueries: Send {
    async fn shipment(&mut self, id: &ShipmentId) -> StoreResult<Option<Shipment>>;
    /// In any order.
    async fn shipments_by_id(&mut self, ids: &[ShipmentId]) -> StoreResult<Vec<Shipment>>;
    /// All parcels of these orders, oldest first: by the number of their reference, because the clock may have been set back.
    async fn shipments_of(&mut self, order_ids: &[OrderId]) -> StoreResult<Vec<Shipment>>;
    /// Oldest first.
    async fn shipment_events_of(
        &mut self,
        shipment_ids: &[ShipmentId],
    ) -> StoreResult<Vec<ShipmentEvent>>;
    async fn count_shipments(&mut self, group: ShipmentGroup) -> StoreResult<i64>;
    /// Newest first.
    async fn shipments_page(
        &mut self,
        group: ShipmentGroup,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<Shipment>>;
    /// Packed orders without a parcel, oldest first.
    async fn orders_to_ship(&mut self, limit: i64) -> StoreResult<Vec<OrderId>>;
    async fn count_orders_to_ship(&mut self) -> StoreResult<i64>;
    /// Paid orders that are not packed, oldest first. With a partner also those that are packed and have no parcel, or whose
    /// label was not printed.
    async fn orders_to_pack_and_ship(
        &mut self,
        has_partner: bool,
        limit: i64,
    ) -> StoreResult<Vec<OrderId>>;
    async fn count_orders_to_pack_and_ship(&mut self, has_partner: bool) -> StoreResult<i64>;
    async fn shipment_summary(&mut self, since_ms: i64) -> StoreResult<ShipmentSummary>;
    /// The parcels that have a label, and their labels as base64 text.
    async fn shipment_labels(
        &mut self,
        shipment_ids: &[ShipmentId],
    ) -> StoreResult<Vec<(ShipmentId, String)>>;
}

#[async_trait]
pub trait ShipmentRepository: Send {
    async fn insert_shipment(&mut self, shipment: &Shipment, due_at_ms: i64) -> StoreResult<()>;
    /// Parcels whose step is due. Counts the attempt, so that a later one knows of this one even if the worker dies.
    async fn lease_shipments(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        limit: i64,
    ) -> StoreResult<Vec<Shipment>>;
    /// Stores the result of a step and ends the lease. False if the lease has ended, or the step was changed meanwhile:
    /// then nothing is stored. A webhook that arrived during the lease makes the parcel due now.
    async fn save_leased_shipment(
        &mut self,
        shipment: &Shipment,
        lease: ShipmentLease,
        due_at_ms: i64,
        now_ms: i64,
    ) -> StoreResult<bool>;
    /// Ends a lease without storing a result.
    async fn end_shipment_lease(
        &mut self,
        id: &ShipmentId,
        lease: ShipmentLease,
    ) -> StoreResult<()>;
    /// Changes the step of a parcel. The result of a worker that has leased it is not stored. The new step waits for that
    /// worker, but not for a poll: a poll changes nothing at the partner.
    async fn set_shipment_step(
        &mut self,
        id: &ShipmentId,
        step: ShipmentStep,
        now_ms: i64,
    ) -> StoreResult<()>;
    /// Whether another parcel is booked once this one is cancelled. A change of the step says no.
    async fn set_books_again(&mut self, id: &ShipmentId, books_again: bool) -> StoreResult<()>;
    /// Changes what is in a parcel that the partner has not heard of. False if the lease has ended, or the step was changed.
    async fn set_shipment_contents(
        &mut self,
        shipment: &Shipment,
        lease: ShipmentLease,
    ) -> StoreResult<bool>;
    /// Makes the present step due now, and forgets why it failed before. False if the parcel needs no work.
    async fn schedule_shipment_now(&mut self, id: &ShipmentId, now_ms: i64) -> StoreResult<bool>;
    /// The same for the parcel that a webhook names.
    async fn hint_shipment(
        &mut self,
        tracking_number: &str,
        partner_order_id: Option<i64>,
        now_ms: i64,
    ) -> StoreResult<bool>;
    /// Changes what the owner has typed in.
    async fn save_manual_shipment(&mut self, shipment: &Shipment, now_ms: i64) -> StoreResult<()>;
    /// False if the event is known.
    async fn insert_shipment_event(&mut self, event: &ShipmentEvent) -> StoreResult<bool>;
    async fn insert_shipment_label(
        &mut self,
        shipment_id: &ShipmentId,
        pdf_base64: &str,
    ) -> StoreResult<()>;
    /// Labels that were printed before keep their time.
    async fn set_labels_printed(&mut self, ids: &[ShipmentId], now_ms: i64) -> StoreResult<()>;
    async fn delete_shipment_label(&mut self, shipment_id: &ShipmentId) -> StoreResult<()>;
}
