//! The worker that takes each parcel through its steps. A worker may die at any time, a request may time out, and two
//! workers may run at once; still there is one parcel for each order at the partner:
//!
//! - The attempt is counted before the partner is called. Every attempt but the first begins with a search for what an
//!   earlier one has done.
//! - The partner rejects a second parcel with the same reference, so a request that arrives late creates nothing.
//! - A result is stored only by the worker that holds the lease, and only if the step is still the same.

use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mirasa_domain::cancellation::CancellationRequest;
use mirasa_domain::issue::IssueKind;
use mirasa_domain::order::{Order, OrderStatus};
use mirasa_domain::refund::Refund;
use mirasa_domain::shipment::{Position, Shipment, ShipmentStatus, ShipmentStep};

use crate::ports::courier::{Courier, CourierError, ParcelRequest};
use crate::repository::shipping::ShipmentLease;
use crate::runtime::failpoints::failpoint;
use crate::runtime::leased_rows::{LEASE_MS, LeasedRows, LeasedWork, first_failure};
use crate::shipping::contents::ParcelContents;
use crate::shipping::partner_calls::{
    adopt, assign_or_find, choose_courier, create_or_find, ids_of, pickup_or_find, rejected,
};
use crate::shipping::ship::lock_shipment;
use crate::{AppError, Shop};

/// Shorter than the lease, so that no second worker begins while a request is on its way.
const STEP_TIMEOUT: Duration = Duration::from_secs(50);
/// The owner is asked for help after this many rejected attempts.
const REJECTED_ATTEMPTS: i64 = 2;
const MAX_ERROR_CHARS: usize = 300;

/// A parcel whose customer asks to cancel the order is looked at again after this time. The answer makes it due at once.
pub(super) const ANSWER_DELAY_MS: i64 = 5 * 60_000;

/// What a step needs to know.
struct OrderToBook {
    order: Option<Order>,
    refunds: Vec<Refund>,
    is_cancellation_open: bool,
}

/// What a step has done, besides the changes of the parcel.
#[derive(Default)]
pub(super) struct StepResult {
    pub label: Option<Vec<u8>>,
}

/// Requests to the partner that one instance has at a time.
const MAX_PARCELS_IN_PROGRESS: usize = 20;

/// Parcels whose step is due, to be done by the worker.
#[derive(Clone)]
pub struct DueParcels(pub Shop);

pub struct LeasedParcel {
    shipment: Shipment,
    lease: ShipmentLease,
    courier: Arc<dyn Courier>,
}

impl LeasedRows for DueParcels {
    type Row = LeasedParcel;
    type Done = Result<(), AppError>;
    const MAX_IN_PROGRESS: usize = MAX_PARCELS_IN_PROGRESS;

    async fn lease(&self, limit: usize) -> Result<Vec<LeasedParcel>, AppError> {
        let Some(courier) = &self.0.courier else {
            return Ok(Vec::new());
        };
        let since_ms = self.0.now_ms();
        let until_ms = since_ms + LEASE_MS;
        let due: Vec<Shipment> = self
            .0
            .db
            .write(async move |tx| tx.lease_shipments(since_ms, until_ms, limit as i64).await)
            .await?;
        let parcels = due.into_iter().map(|shipment| LeasedParcel {
            lease: ShipmentLease {
                step: shipment.step,
                since_ms,
                until_ms,
            },
            shipment,
            courier: courier.clone(),
        });
        Ok(parcels.collect())
    }

    async fn work(self, parcel: LeasedParcel) -> Self::Done {
        let LeasedParcel {
            shipment,
            lease,
            courier,
        } = parcel;
        self.0.process_shipment(&*courier, shipment, lease).await
    }

    async fn record(&self, done: Vec<Self::Done>) -> Result<(), AppError> {
        first_failure(done)
    }
}

impl Shop {
    /// Does the next step of each parcel that is due. Returns how many there were.
    pub async fn process_shipments(&self) -> Result<usize, AppError> {
        self.process_some_shipments(MAX_PARCELS_IN_PROGRESS).await
    }

    /// As `process_shipments`, with at most so many parcels at the same time.
    pub async fn process_some_shipments(&self, limit: usize) -> Result<usize, AppError> {
        LeasedWork::all_due(DueParcels(self.clone()), limit).await
    }

    async fn process_shipment(
        &self,
        courier: &dyn Courier,
        shipment: Shipment,
        lease: ShipmentLease,
    ) -> Result<(), AppError> {
        if shipment.step == ShipmentStep::Track {
            return self.poll_shipment(courier, shipment, lease).await;
        }
        let OrderToBook {
            order,
            refunds,
            is_cancellation_open,
        } = self.order_to_book(&shipment).await?;
        let contents = order
            .as_ref()
            .map(|order| ParcelContents::of(order, &refunds));
        let wanted = order.as_ref().is_some_and(is_wanted)
            // Refunded since it was shipped: there is nothing to send.
            && contents.as_ref().is_some_and(|one| !one.is_empty());
        let mut changed = shipment.clone();
        if !wanted && shipment.step != ShipmentStep::Cancel && shipment.is_cancellable() {
            // The order was cancelled or deleted. Nothing is stored but the next step.
            changed.step = ShipmentStep::Cancel;
            changed.attempts = 0;
            let due_at_ms = self.now_ms();
            return self
                .save_step(changed, lease, due_at_ms, StepResult::default())
                .await;
        }
        if is_cancellation_open && waits_for_answer(shipment.step) {
            // Nothing is requested, so this is no attempt.
            changed.attempts -= 1;
            if shipment.step == ShipmentStep::RequestPickup {
                // It has a tracking number, so the courier may take it all the same.
                return self.poll_shipment(courier, changed, lease).await;
            }
            let due_at_ms = self.now_ms() + ANSWER_DELAY_MS;
            return self
                .save_step(changed, lease, due_at_ms, StepResult::default())
                .await;
        }
        if let Some(contents) = &contents {
            let changes = self.follow_contents(&shipment, lease, contents);
            let Some(current) = changes.await? else {
                return Ok(());
            };
            changed = current;
        }
        let contents = order.as_ref().zip(contents.as_ref());
        let step = self.run_parcel_step(courier, &mut changed, contents);
        let outcome = tokio::time::timeout(STEP_TIMEOUT, step)
            .await
            .unwrap_or_else(|_| Err(CourierError::OutcomeUnknown(anyhow!("timed out"))));
        match outcome {
            Ok(result) => {
                changed.attempts = 0;
                changed.error = None;
                metrics::counter!("parcel_steps_total", "result" => "done").increment(1);
                self.save_step(changed, lease, self.now_ms(), result).await
            }
            Err(error) => self.save_failure(shipment, changed, lease, error).await,
        }
    }

    /// One step. Changes of `shipment` are stored even if the step fails, so that what is known is not asked again.
    async fn run_parcel_step(
        &self,
        courier: &dyn Courier,
        shipment: &mut Shipment,
        order: Option<(&Order, &ParcelContents<'_>)>,
    ) -> Result<StepResult, CourierError> {
        let mut result = StepResult::default();
        let is_repeat = shipment.attempts > 1;
        match shipment.step {
            ShipmentStep::Create => {
                let (order, contents) = order.ok_or_else(|| rejected("The order is gone"))?;
                if shipment.partner_ids.is_none() {
                    let found = match is_repeat {
                        true => courier.find_parcel(&shipment.reference).await?,
                        false => None,
                    };
                    match found {
                        Some(found) if found.is_cancelled => {
                            return Err(rejected("The parcel was cancelled at the partner"));
                        }
                        Some(found) => adopt(shipment, found),
                        None => {
                            let request = self.parcel_request(shipment, order, contents).await;
                            shipment.partner_ids = Some(create_or_find(courier, request).await?);
                        }
                    }
                    failpoint("parcel created");
                }
                choose_courier(courier, shipment, order).await?;
                shipment.step = ShipmentStep::Assign;
            }
            ShipmentStep::Assign => {
                let ids = ids_of(shipment)?;
                let found = match is_repeat {
                    true => courier.find_parcel(&shipment.reference).await?,
                    false => None,
                };
                let assigned = match found.and_then(|found| found.assigned) {
                    Some(assigned) => assigned,
                    None => assign_or_find(courier, shipment, ids).await?,
                };
                failpoint("courier assigned");
                shipment.tracking_number = assigned.tracking_number;
                shipment.courier = assigned.courier;
                let ready = Position {
                    status: ShipmentStatus::Ready,
                    at_ms: self.now_ms(),
                };
                shipment.position = shipment.position.after(ready).unwrap_or(shipment.position);
                shipment.step = ShipmentStep::Label;
            }
            ShipmentStep::Label => {
                let label = courier.label(ids_of(shipment)?).await?;
                // One unreadable file would spoil the file of many labels.
                if let Err(error) = mirasa_pdf::merge_pdfs(std::slice::from_ref(&label)) {
                    return Err(CourierError::Unavailable(error.into()));
                }
                result.label = Some(label);
                failpoint("label fetched");
                shipment.step = ShipmentStep::RequestPickup;
            }
            ShipmentStep::RequestPickup => {
                let found = match is_repeat {
                    true => courier.find_parcel(&shipment.reference).await?,
                    false => None,
                };
                shipment.pickup_at_ms = match found.filter(|found| found.has_pickup) {
                    Some(found) => found.pickup_at_ms,
                    None => pickup_or_find(courier, shipment).await?,
                };
                failpoint("pickup requested");
                shipment.step = ShipmentStep::Manifest;
            }
            ShipmentStep::Manifest => {
                courier.close_manifest(ids_of(shipment)?).await?;
                failpoint("manifest closed");
                shipment.step = ShipmentStep::Track;
            }
            ShipmentStep::Cancel => {
                match self.cancel_at_partner(courier, shipment).await {
                    // Too late: the courier has it. Tracking goes on.
                    Err(CourierError::Rejected(_)) if !shipment.tracking_number.is_empty() => {
                        tracing::warn!("a parcel could not be cancelled");
                        shipment.step = ShipmentStep::Track;
                        return Ok(result);
                    }
                    cancelled => cancelled?,
                }
                failpoint("parcel cancelled");
                shipment.position = Position {
                    status: ShipmentStatus::Cancelled,
                    at_ms: self.now_ms(),
                };
                shipment.step = ShipmentStep::Done;
            }
            ShipmentStep::Track | ShipmentStep::Done => {}
        }
        Ok(result)
    }

    async fn cancel_at_partner(
        &self,
        courier: &dyn Courier,
        shipment: &mut Shipment,
    ) -> Result<(), CourierError> {
        // An earlier step may have ended without its result being stored.
        let Some(found) = courier.find_parcel(&shipment.reference).await? else {
            return Ok(());
        };
        let is_cancelled = found.is_cancelled;
        let tracking_number = found
            .assigned
            .as_ref()
            .map(|assigned| assigned.tracking_number.clone());
        let ids = found.ids;
        adopt(shipment, found);
        if is_cancelled {
            return Ok(());
        }
        courier.cancel(ids, tracking_number.as_deref()).await
    }

    async fn parcel_request(
        &self,
        shipment: &Shipment,
        order: &Order,
        contents: &ParcelContents<'_>,
    ) -> ParcelRequest {
        let user = order.user.clone();
        let email: Result<Option<String>, AppError> = self
            .db
            .point_read(async move |db| Ok(db.user(&user).await?.map(|user| user.email)))
            .await;
        ParcelRequest {
            reference: shipment.reference.clone(),
            ordered_at_ms: order.created_at_ms,
            address: order.address.clone(),
            // The partner requires one. Without an account, questions go to the shop.
            email: email
                .ok()
                .flatten()
                .unwrap_or_else(|| self.settings.support_email.clone()),
            items: contents.items(),
            total: contents.value(),
            weight_grams: shipment.weight_grams,
        }
    }

    /// Also a deleted one.
    async fn order_to_book(&self, shipment: &Shipment) -> Result<OrderToBook, AppError> {
        let ids = [shipment.order_id.clone()];
        self.db
            .read(async move |db| {
                let requests = db.cancellation_requests_of(&ids).await?;
                Ok(OrderToBook {
                    order: db.orders_by_id(&ids).await?.pop(),
                    refunds: db.refunds_of(&ids).await?,
                    is_cancellation_open: requests.iter().any(CancellationRequest::is_open),
                })
            })
            .await
    }

    async fn save_step(
        &self,
        shipment: Shipment,
        lease: ShipmentLease,
        due_at_ms: i64,
        result: StepResult,
    ) -> Result<(), AppError> {
        let (shop, now_ms) = (self.clone(), self.now_ms());
        let label = result.label.map(|pdf| STANDARD.encode(pdf));
        self.db
            .write(async move |tx| {
                let stored = lock_shipment(tx, &shipment.id).await?;
                if stored.step != lease.step {
                    // The owner has cancelled it meanwhile. That step need not wait for the end of the lease.
                    return Ok(tx.end_shipment_lease(&shipment.id, lease).await?);
                }
                let is_saved = tx
                    .save_leased_shipment(&shipment, lease, due_at_ms, now_ms)
                    .await?;
                if is_saved && let Some(label) = &label {
                    tx.insert_shipment_label(&shipment.id, label).await?;
                }
                if is_saved && shipment.position.status.is_final() {
                    tx.delete_shipment_label(&shipment.id).await?;
                }
                if is_saved && stored.books_again && shipment.step == ShipmentStep::Done {
                    shop.book_again(tx, &shipment).await?;
                }
                if is_saved && shipment.error.is_none() {
                    tx.resolve_issue_about(IssueKind::ParcelRejected, &shipment.id, now_ms)
                        .await?;
                }
                failpoint("saving a parcel");
                Ok::<_, AppError>(())
            })
            .await
    }

    /// The step is repeated later. If the partner rejects it again and again, the owner is asked for help.
    async fn save_failure(
        &self,
        before: Shipment,
        mut after: Shipment,
        lease: ShipmentLease,
        error: CourierError,
    ) -> Result<(), AppError> {
        let is_rejected = matches!(error, CourierError::Rejected(_));
        // The request may still be on its way, so another step waits for the end of the lease.
        let is_unknown = matches!(error, CourierError::OutcomeUnknown(_));
        after.step = before.step;
        after.attempts = before.attempts;
        after.error = Some(error.to_string().chars().take(MAX_ERROR_CHARS).collect());
        // A reason of the partner may repeat the customer's address. The owner reads it in the list.
        let error = match error {
            CourierError::Rejected(_) => "rejected".to_owned(),
            error => format!("{:#}", anyhow::Error::from(error)),
        };
        let result = if is_rejected { "rejected" } else { "failed" };
        metrics::counter!("parcel_steps_total", "result" => result).increment(1);
        let step = before.step.as_str();
        tracing::warn!(error, step, "a step of a parcel failed");
        let (shop, now_ms) = (self.clone(), self.now_ms());
        let due_at_ms = now_ms + before.retry_delay_ms(is_rejected);
        self.db
            .write(async move |tx| {
                let stored = lock_shipment(tx, &after.id).await?;
                if stored.step != lease.step && !is_unknown {
                    return Ok(tx.end_shipment_lease(&after.id, lease).await?);
                }
                let is_saved = tx
                    .save_leased_shipment(&after, lease, due_at_ms, now_ms)
                    .await?;
                if !is_saved || !is_rejected || after.attempts < REJECTED_ATTEMPTS {
                    return Ok(());
                }
                let ids = [after.order_id.clone()];
                let Some(order) = tx.orders_by_id(&ids).await?.pop() else {
                    return Ok(());
                };
                let detail = after.error.clone().unwrap_or_default();
                let kind = IssueKind::ParcelRejected;
                shop.open_issue(tx, &order, kind, &after.id, detail).await
            })
            .await
    }
}

/// Steps that cost money or bring the courier. The others may go on while the customer waits for the answer.
fn waits_for_answer(step: ShipmentStep) -> bool {
    matches!(
        step,
        ShipmentStep::Create | ShipmentStep::Assign | ShipmentStep::RequestPickup
    )
}

/// Whether the customer still expects the parcel.
pub(super) fn is_wanted(order: &Order) -> bool {
    order.deleted_at_ms.is_none()
        && order.is_paid()
        && !matches!(
            order.state.order_status,
            OrderStatus::Cancelled | OrderStatus::Delivered
        )
}
