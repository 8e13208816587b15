//! Tracking: polls the partner and applies what it reports to the parcel and to the order, in one transaction. A webhook
//! only makes a parcel due; whatever it says, and however late or often it arrives, the partner is asked.

use mirasa_domain::issue::IssueKind;
use mirasa_domain::order::{Order, OrderStatus};
use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::shipment::{Position, Shipment, ShipmentEvent, ShipmentStatus, ShipmentStep};

use crate::emails::{self, OrderEmail, TrackingLink};
use crate::ports::courier::{Courier, CourierWebhook, Tracking};
use crate::repository::Transaction;
use crate::repository::shipping::ShipmentLease;
use crate::runtime::failpoints::failpoint;
use crate::shipping::cancel::lock_shipment;
use crate::shipping::steps::ANSWER_DELAY_MS;
use crate::{AppError, Shop};

/// Events of one parcel that are stored at most. A courier that reports more is broken.
const MAX_EVENTS: usize = 200;
const MAX_TEXT_CHARS: usize = 200;

impl Shop {
    /// Makes the parcel due. Returns whether it is known.
    pub async fn handle_courier_webhook(&self, webhook: CourierWebhook) -> Result<bool, AppError> {
        let now_ms = self.now_ms();
        self.db
            .write(async move |tx| {
                let number = &webhook.tracking_number;
                let order = webhook.partner_order_id;
                Ok(tx.hint_shipment(number, order, now_ms).await?)
            })
            .await
    }

    /// For parcels under way, and for those that wait for the courier while the owner has not answered the customer.
    pub(super) async fn poll_shipment(
        &self,
        courier: &dyn Courier,
        shipment: Shipment,
        lease: ShipmentLease,
    ) -> Result<(), AppError> {
        let tracking = match courier.track(&shipment.tracking_number).await {
            Ok(tracking) => tracking,
            Err(error) => {
                tracing::warn!(%error, "the delivery partner did not report a parcel");
                None
            }
        };
        failpoint("tracking heard");
        let shop = self.clone();
        self.db
            .write(async move |tx| {
                let stored = lock_shipment(tx, &shipment.id).await?;
                if stored.step != lease.step {
                    // It was cancelled meanwhile, perhaps while it waited for the courier. Then this poll still has the lease.
                    return Ok(tx.end_shipment_lease(&shipment.id, lease).await?);
                }
                let leased = Shipment {
                    attempts: shipment.attempts,
                    ..stored
                };
                shop.apply_tracking(tx, leased, lease, tracking).await
            })
            .await
    }

    /// The caller has locked the order.
    async fn apply_tracking(
        &self,
        tx: &mut dyn Transaction,
        mut shipment: Shipment,
        lease: ShipmentLease,
        tracking: Option<Tracking>,
    ) -> Result<(), AppError> {
        let before = shipment.position.status;
        let now_ms = self.now_ms();
        let mut has_new_scan = false;
        if let Some(tracking) = tracking {
            shipment.expected_at_ms = tracking.expected_at_ms.or(shipment.expected_at_ms);
            if let Some(url) = tracking.tracking_url {
                shipment.tracking_url = url;
            }
            let mut events: Vec<_> = tracking
                .events
                .into_iter()
                .map(|event| ShipmentEvent {
                    shipment_id: shipment.id.clone(),
                    at_ms: event.at_ms,
                    status: event.status,
                    activity: shorten(&event.activity),
                    place: shorten(&event.place),
                })
                .collect();
            events.sort_by_key(|event| event.at_ms);
            for event in events.iter().take(MAX_EVENTS) {
                has_new_scan |= tx.insert_shipment_event(event).await?;
                shipment.advance(Position {
                    status: event.status,
                    at_ms: event.at_ms,
                });
            }
            // The partner's summary may be ahead of its list of events.
            let at_ms = events.last().map_or(now_ms, |event| event.at_ms);
            shipment.advance(Position {
                status: tracking.status,
                at_ms,
            });
        }
        let after = shipment.position.status;
        has_new_scan |= after != before;
        if shipment.step == ShipmentStep::RequestPickup && after.has_left_shop() {
            // It needs no pickup any more.
            shipment.step = ShipmentStep::Track;
            shipment.error = None;
            tx.resolve_issue_about(IssueKind::ParcelRejected, &shipment.id, now_ms)
                .await?;
        }
        if after.is_final() {
            shipment.step = ShipmentStep::Done;
            tx.delete_shipment_label(&shipment.id).await?;
        }
        let delay_ms = if shipment.step == ShipmentStep::RequestPickup {
            ANSWER_DELAY_MS
        } else {
            // Of this step, attempts are polls without a new scan.
            let polls = if has_new_scan { 0 } else { shipment.attempts };
            shipment.attempts = polls;
            shipment.poll_delay_ms(polls)
        };
        let due_at_ms = now_ms + delay_ms;
        let is_saved = tx
            .save_leased_shipment(&shipment, lease, due_at_ms, now_ms)
            .await?;
        if !is_saved {
            // Another worker has it, or the owner has changed it.
            return Err(AppError::conflict("the lease of a parcel has ended"));
        }
        if after != before {
            self.follow_parcel(tx, &shipment, before).await?;
        }
        failpoint("applying tracking");
        Ok(())
    }

    /// Changes the order with its parcel: status, invoice, history, email.
    async fn follow_parcel(
        &self,
        tx: &mut dyn Transaction,
        shipment: &Shipment,
        before: ShipmentStatus,
    ) -> Result<(), AppError> {
        let ids = [shipment.order_id.clone()];
        let Some(order) = tx.orders_by_id(&ids).await?.pop() else {
            return Ok(());
        };
        let status = shipment.position.status;
        let is_ended =
            order.deleted_at_ms.is_some() || order.state.order_status == OrderStatus::Cancelled;
        if is_ended && status.has_left_shop() && !before.has_left_shop() {
            let kind = IssueKind::ParcelOfCancelledOrder;
            let detail = format!(
                "The courier has the parcel {} although the order was cancelled",
                shipment.tracking_number
            );
            self.open_issue(tx, &order, kind, &shipment.id, detail)
                .await?;
        }
        if let Some(wanted) = status
            .order_status(order.state.order_status)
            .filter(|_| !is_ended)
        {
            self.set_status_by_parcel(tx, &order, shipment, wanted)
                .await?;
        }
        if status == ShipmentStatus::Delivered
            && order.state.order_status == OrderStatus::Delivered
            && !is_ended
        {
            // An admin had set it before. The day for problems begins now.
            tx.set_order_status(&order.id, OrderStatus::Delivered, self.now_ms())
                .await?;
        }
        let came_back =
            |status| matches!(status, ShipmentStatus::Returning | ShipmentStatus::Returned);
        if came_back(status) && !came_back(before) && !is_ended {
            emails::enqueue(self, tx, &order, OrderEmail::ParcelReturning).await?;
        }
        let issue = match status {
            ShipmentStatus::Returned => Some((
                IssueKind::ParcelReturned,
                "The parcel came back. Refund it, put it back into stock, or send it again",
            )),
            ShipmentStatus::Lost => Some((
                IssueKind::ParcelLost,
                "The courier reports the parcel as lost or damaged",
            )),
            _ => None,
        };
        if let Some((kind, text)) = issue {
            let detail = format!("{text} ({} {})", shipment.courier, shipment.tracking_number);
            self.open_issue(tx, &order, kind, &shipment.id, detail)
                .await?;
        }
        Ok(())
    }

    async fn set_status_by_parcel(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        shipment: &Shipment,
        status: OrderStatus,
    ) -> Result<(), AppError> {
        tx.set_order_status(&order.id, status, self.now_ms())
            .await?;
        let had_left = order.state.order_status.has_left_shop();
        if !had_left {
            let refunds = tx.refunds_of(std::slice::from_ref(&order.id)).await?;
            if order.has_nothing_to_send(&refunds) {
                self.report_left_refunded(tx, order, &refunds, status)
                    .await?;
            }
        }
        let invoice = match had_left {
            true => None,
            false => self.issue_invoice(tx, order).await?,
        };
        let (kind, detail) = (OrderEventKind::StatusSet, status.as_str().to_owned());
        self.record_event(tx, &order.id, kind, Actor::System, detail)
            .await?;
        let email = match status {
            OrderStatus::Delivered => OrderEmail::Delivered,
            _ => OrderEmail::Shipped(TrackingLink::of(shipment)),
        };
        emails::enqueue_with_invoice(self, tx, order, email, invoice).await
    }
}

/// Texts of the partner are not trusted to be short.
fn shorten(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(MAX_TEXT_CHARS).collect()
}
