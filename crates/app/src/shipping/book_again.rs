//! Parcels whose packs change before they have a label: some are refunded, or a refund fails and they are due again.
//!
//! The partner cannot change the weight of a parcel, and it rejects a reference that was used before. A request whose response
//! was lost may have created the parcel, or may arrive later. So all requests with one reference have the same contents, which
//! are stored before the first of them. For other contents the parcel is cancelled, and another one is booked.

use mirasa_domain::order_event::{Actor, OrderEventKind};
use mirasa_domain::shipment::{Shipment, ShipmentStep};

use crate::repository::Transaction;
use crate::repository::shipping::ShipmentLease;
use crate::runtime::failpoints::failpoint;
use crate::shipping::cancel::lock_shipment;
use crate::shipping::contents::ParcelContents;
use crate::shipping::steps::is_wanted;
use crate::{AppError, Shop};

/// Steps after which the owner may have printed the label and closed the parcel. What is refunded later is sent.
fn can_change(step: ShipmentStep) -> bool {
    matches!(
        step,
        ShipmentStep::Create | ShipmentStep::Assign | ShipmentStep::Label
    )
}

/// Whether no request with its reference was sent.
fn is_unknown_to_partner(shipment: &Shipment) -> bool {
    shipment.step == ShipmentStep::Create
        && shipment.partner_ids.is_none()
        && shipment.attempts <= 1
}

impl Shop {
    /// Makes a leased parcel hold what is to be sent. None if its step is not done now: another parcel will be booked, or
    /// the lease has ended.
    pub(super) async fn follow_contents(
        &self,
        shipment: &Shipment,
        lease: ShipmentLease,
        contents: &ParcelContents<'_>,
    ) -> Result<Option<Shipment>, AppError> {
        let tare_grams = self.settings.shipping.tare_grams;
        if !can_change(shipment.step) || contents.are_in(shipment, tare_grams) {
            return Ok(Some(shipment.clone()));
        }
        let is_unknown = is_unknown_to_partner(shipment);
        let changed = Shipment {
            weight_grams: contents.grams(tare_grams),
            contents: Some(contents.lines()),
            ..shipment.clone()
        };
        let now_ms = self.now_ms();
        self.db
            .write(async move |tx| {
                let stored = lock_shipment(tx, &changed.id).await?;
                if stored.step != lease.step {
                    tx.end_shipment_lease(&changed.id, lease).await?;
                    return Ok(None);
                }
                if is_unknown {
                    let is_saved = tx.set_shipment_contents(&changed, lease).await?;
                    return Ok(is_saved.then_some(changed));
                }
                tx.set_shipment_step(&changed.id, ShipmentStep::Cancel, now_ms)
                    .await?;
                tx.set_books_again(&changed.id, true).await?;
                tx.end_shipment_lease(&changed.id, lease).await?;
                Ok::<_, AppError>(None)
            })
            .await
    }

    /// Records another parcel instead of one that was cancelled because of its contents. The caller has locked the order.
    pub(super) async fn book_again(
        &self,
        tx: &mut dyn Transaction,
        cancelled: &Shipment,
    ) -> Result<(), AppError> {
        let ids = [cancelled.order_id.clone()];
        let Some(order) = tx.orders_by_id(&ids).await?.pop() else {
            return Ok(());
        };
        let earlier = tx.shipments_of(&ids).await?;
        let refunds = tx.refunds_of(&ids).await?;
        let contents = ParcelContents::of(&order, &refunds);
        if !is_wanted(&order) || contents.is_empty() || earlier.iter().any(Shipment::is_current) {
            return Ok(());
        }
        let created_by = cancelled.created_by.clone();
        let shipment = Shipment {
            rule: cancelled.rule,
            ..self.new_shipment(created_by, &order, &contents, earlier.len() + 1)
        };
        tx.insert_shipment(&shipment, shipment.created_at_ms)
            .await?;
        let what = "Parcel booked again, because its packs have changed".to_owned();
        let kind = OrderEventKind::Parcel;
        self.record_event(tx, &order.id, kind, Actor::System, what)
            .await?;
        failpoint("booking again");
        Ok(())
    }
}
