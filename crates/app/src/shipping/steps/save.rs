//! Stores what a step of a parcel has done, or why it failed.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mirasa_domain::issue::IssueKind;
use mirasa_domain::shipment::{Shipment, ShipmentStep};

use crate::ports::courier::CourierError;
use crate::repository::shipping::ShipmentLease;
use crate::runtime::failpoints::failpoint;
use crate::shipping::cancel::lock_shipment;
use crate::shipping::steps::run::StepResult;
use crate::{AppError, Shop};

/// The owner is asked for help after this many rejected attempts.
const REJECTED_ATTEMPTS: i64 = 2;
const MAX_ERROR_CHARS: usize = 300;

impl Shop {
    pub(super) async fn save_step(
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
    pub(super) async fn save_failure(
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
