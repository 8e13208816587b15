//! The history of an order, and an order with everything that belongs to it.

use std::collections::HashMap;
use std::hash::Hash;

use mirasa_domain::audit::AdminAction;
use mirasa_domain::cancellation::CancellationRequest;
use mirasa_domain::invoice::Invoice;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderId, OrderStatus};
use mirasa_domain::order_event::{Actor, OrderEvent, OrderEventKind};
use mirasa_domain::payment::AttemptId;
use mirasa_domain::problem::Problem;
use mirasa_domain::refund::{Refund, RefundStatus};
use mirasa_domain::shipment::{Shipment, ShipmentEvent};

use crate::orders::packing::PACKED;
use crate::refunds::payment_left;
use crate::repository::Transaction;
use crate::shipping::ShipmentDetails;
use crate::{AppError, Shop};

/// An order as its customer and the admins see it.
#[derive(Debug, Clone)]
pub struct OrderDetails {
    pub order: Order,
    /// What has not been refunded of its payment. Less than `MIN_REFUND` is kept.
    pub payment_left: Paise,
    /// Oldest first.
    pub refunds: Vec<Refund>,
    /// Oldest first. The first one is that the order was placed.
    pub events: Vec<OrderEvent>,
    pub problems: Vec<Problem>,
    /// The invoice and its credit notes.
    pub invoices: Vec<Invoice>,
    /// Oldest first. Usually one.
    pub shipments: Vec<ShipmentDetails>,
    /// The customer's last request to cancel it.
    pub cancellation: Option<CancellationRequest>,
}

impl Shop {
    /// Reads what belongs to the orders, with one statement for each kind.
    pub async fn with_details(&self, orders: Vec<Order>) -> Result<Vec<OrderDetails>, AppError> {
        if orders.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<_> = orders.iter().map(|order| order.id.clone()).collect();
        let packed = orders.iter().filter(|order| order.packed_at_ms.is_some());
        let packed: Vec<_> = packed.map(|order| order.id.clone()).collect();
        type Details = (
            Vec<Refund>,
            Vec<OrderEvent>,
            Vec<Problem>,
            Vec<Invoice>,
            Vec<Shipment>,
            Vec<ShipmentEvent>,
            Vec<(OrderId, (AttemptId, Paise))>,
            Vec<CancellationRequest>,
            Vec<(OrderId, String)>,
        );
        let (
            refunds,
            events,
            problems,
            invoices,
            shipments,
            scans,
            payments,
            requests,
            packers,
        ): Details =
            self.db
                .read(async move |db| {
                    let shipments = db.shipments_of(&ids).await?;
                    let shipment_ids: Vec<_> = shipments.iter().map(|one| one.id.clone()).collect();
                    Ok::<_, AppError>((
                        db.refunds_of(&ids).await?,
                        db.events_of(&ids).await?,
                        db.problems_of(&ids).await?,
                        db.invoices_of(&ids).await?,
                        shipments,
                        db.shipment_events_of(&shipment_ids).await?,
                        db.payments_received_for(&ids).await?,
                        db.cancellation_requests_of(&ids).await?,
                        db.first_audited(&packed, AdminAction::OrderStatusSet, PACKED)
                            .await?,
                    ))
                })
                .await?;
        let mut payments = group_by(payments, |(order_id, _)| order_id);
        let mut refunds = group_by(refunds, |refund| &refund.order_id);
        let mut events = group_by(events, |event| &event.order_id);
        let mut invoices = group_by(invoices, |invoice| &invoice.order_id);
        let mut problems = group_by(problems, |problem| &problem.order_id);
        let mut requests = group_by(requests, |request| &request.order_id);
        let mut packers: HashMap<_, _> = packers.into_iter().collect();
        let mut scans = group_by(scans, |scan| &scan.shipment_id);
        let shipments = shipments.into_iter().map(|shipment| ShipmentDetails {
            events: scans.remove(&shipment.id).unwrap_or_default(),
            shipment,
        });
        let mut shipments = group_by(shipments.collect(), |one| &one.shipment.order_id);
        let details = orders.into_iter().map(|order| {
            let payments = payments.remove(&order.id).unwrap_or_default();
            let payments: Vec<_> = payments.into_iter().map(|(_, payment)| payment).collect();
            let refunds = refunds.remove(&order.id).unwrap_or_default();
            let packed_by = packers
                .remove(&order.id)
                .map_or(Actor::System, Actor::Admin);
            let details = OrderDetails {
                payment_left: payment_left(&order, &payments, &refunds),
                refunds,
                events: events.remove(&order.id).unwrap_or_default(),
                problems: problems.remove(&order.id).unwrap_or_default(),
                invoices: invoices.remove(&order.id).unwrap_or_default(),
                shipments: shipments.remove(&order.id).unwrap_or_default(),
                cancellation: requests.remove(&order.id).and_then(|mut all| all.pop()),
                order,
            };
            details.with_derived_events(packed_by)
        });
        Ok(details.collect())
    }

    pub async fn order_details(&self, order: Order) -> Result<OrderDetails, AppError> {
        let mut details = self.with_details(vec![order]).await?;
        details.pop().ok_or_else(crate::orders::order_not_found)
    }

    pub(crate) async fn record_event(
        &self,
        tx: &mut dyn Transaction,
        order_id: &OrderId,
        kind: OrderEventKind,
        actor: Actor,
        detail: String,
    ) -> Result<(), AppError> {
        let event = OrderEvent {
            id: self.ids.new_id(),
            order_id: order_id.to_owned(),
            at_ms: self.now_ms(),
            kind,
            actor,
            detail,
        };
        Ok(tx.insert_order_event(&event).await?)
    }
}

impl OrderDetails {
    /// Whether the overview counts it.
    pub fn is_sale(&self) -> bool {
        let order = &self.order;
        order.is_paid()
            && order.state.order_status != OrderStatus::Cancelled
            && order.replaces_order_id.is_none()
            && order.deleted_at_ms.is_none()
    }

    /// What was refunded of the payment that completed the order, also if it is still under way.
    pub fn refunded(&self) -> Paise {
        let of_sale = self.refunds.iter().filter(|refund| {
            self.order.paid_by_attempt.as_ref() == Some(&refund.merchant_order_id)
                && refund.status != RefundStatus::Failed
        });
        of_sale.map(|refund| refund.amount).sum()
    }

    /// Adds the events that have no row, because the order or a invoice has their time.
    fn with_derived_events(mut self, packed_by: Actor) -> OrderDetails {
        let mut events = vec![placed(&self.order)];
        let derived = |at_ms, kind, id: &str, detail: &str| OrderEvent {
            id: id.to_owned(),
            order_id: self.order.id.clone(),
            at_ms,
            kind,
            actor: Actor::System,
            detail: detail.to_owned(),
        };
        if let Some(at_ms) = self.order.packed_at_ms {
            let id = format!("{}-packed", self.order.id);
            events.push(OrderEvent {
                actor: packed_by,
                ..derived(at_ms, OrderEventKind::Packed, &id, "")
            });
        }
        for invoice in &self.invoices {
            let kind = match invoice.refers_to {
                None => OrderEventKind::Invoiced,
                Some(_) => OrderEventKind::CreditNoteIssued,
            };
            let (at_ms, number) = (invoice.issued_at_ms, &invoice.number);
            events.push(derived(at_ms, kind, invoice.id.as_str(), number));
        }
        for ShipmentDetails {
            shipment,
            events: scans,
        } in &self.shipments
        {
            for (at, scan) in scans.iter().enumerate() {
                let id = format!("{}-{at}", shipment.id);
                let detail = match scan.place.as_str() {
                    "" => scan.activity.clone(),
                    place => format!("{}, {place}", scan.activity),
                };
                events.push(derived(scan.at_ms, OrderEventKind::Parcel, &id, &detail));
            }
        }
        events.append(&mut self.events);
        // Stable: of the same millisecond, the stored events come last.
        events[1..].sort_by_key(|event| event.at_ms);
        self.events = events;
        self
    }
}

/// The order itself has the time and the customer, so this event needs no row.
fn placed(order: &Order) -> OrderEvent {
    let (kind, actor) = match &order.replaces_order_id {
        Some(_) => (OrderEventKind::Placed, Actor::System),
        None => (OrderEventKind::Placed, Actor::Customer),
    };
    OrderEvent {
        id: order.id.0.clone(),
        order_id: order.id.clone(),
        at_ms: order.created_at_ms,
        kind,
        actor,
        detail: String::new(),
    }
}

fn group_by<T, K: Clone + Eq + Hash>(all: Vec<T>, key: impl Fn(&T) -> &K) -> HashMap<K, Vec<T>> {
    let mut groups = HashMap::<K, Vec<T>>::new();
    for one in all {
        groups.entry(key(&one).clone()).or_default().push(one);
    }
    groups
}
