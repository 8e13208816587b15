//! The worker that takes each parcel through its steps. A worker may die at any time, a request may time out, and two
//! workers may run at once; still there is one parcel for each order at the partner:
//!
//! - The attempt is counted before the partner is called. Every attempt but the first begins with a search for what an
//!   earlier one has done.
//! - The partner rejects a second parcel with the same reference, so a request that arrives late creates nothing.
//! - A result is stored only by the worker that holds the lease, and only if the step is still the same.

mod run;
mod save;

use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use mirasa_domain::cancellation::CancellationRequest;
use mirasa_domain::order::{Order, OrderStatus};
use mirasa_domain::refund::Refund;
use mirasa_domain::shipment::{Shipment, ShipmentStep};

use crate::ports::courier::{Courier, CourierError};
use crate::repository::shipping::ShipmentLease;
use crate::runtime::leased_rows::{LEASE_MS, LeasedRows, LeasedWork, first_failure};
use crate::shipping::contents::ParcelContents;
use crate::shipping::steps::run::StepResult;
use crate::{AppError, Shop};

/// Shorter than the lease, so that no second worker begins while a request is on its way.
const STEP_TIMEOUT: Duration = Duration::from_secs(50);

/// A parcel whose customer asks to cancel the order is looked at again after this time. The answer makes it due at once.
pub(super) const ANSWER_DELAY_MS: i64 = 5 * 60_000;

/// What a step needs to know.
struct OrderToBook {
    order: Option<Order>,
    refunds: Vec<Refund>,
    is_cancellation_open: bool,
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
