//! The owner cancels parcels or repeats a failed step; parcels of an order that ends are cancelled with it.

use mirasa_domain::audit::AdminAction;
use mirasa_domain::issue::IssueKind;
use mirasa_domain::order::OrderId;
use mirasa_domain::shipment::{Shipment, ShipmentId, ShipmentStep};
use mirasa_domain::user::User;

use crate::repository::Transaction;
use crate::repository::shipping::ListedShipment;
use crate::shipping::list::{listed, shipment_not_found};
use crate::{AppError, Shop};

impl Shop {
    /// Cancels a parcel that the courier does not have yet.
    pub async fn cancel_shipment(
        &self,
        admin: &User,
        id: ShipmentId,
    ) -> Result<ListedShipment, AppError> {
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                let shipment = lock_shipment(tx, &id).await?;
                if shipment.step == ShipmentStep::Cancel && !shipment.books_again {
                    return listed(tx, &id).await;
                }
                if shipment.books_again {
                    // It is being cancelled already. No other one follows.
                    tx.set_books_again(&id, false).await?;
                } else if !shipment.is_cancellable() {
                    return Err(AppError::conflict(
                        "The courier has this parcel, or it is cancelled already.",
                    ));
                } else {
                    tx.set_shipment_step(&id, ShipmentStep::Cancel, now_ms)
                        .await?;
                }
                let (action, detail) = (AdminAction::ParcelCancelled, shipment.reference);
                shop.audit(tx, &admin, action, &shipment.order_id, detail)
                    .await?;
                listed(tx, &id).await
            })
            .await
    }

    /// Repeats the step of a parcel now.
    pub async fn retry_shipment(
        &self,
        admin: &User,
        id: ShipmentId,
    ) -> Result<ListedShipment, AppError> {
        let (shop, admin, now_ms) = (self.clone(), admin.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                let shipment = lock_shipment(tx, &id).await?;
                if !tx.schedule_shipment_now(&id, now_ms).await? {
                    return Err(AppError::conflict("This parcel needs no further step."));
                }
                let (action, detail) = (AdminAction::ParcelRetried, shipment.reference.clone());
                shop.audit(tx, &admin, action, &shipment.order_id, detail)
                    .await?;
                listed(tx, &id).await
            })
            .await
    }

    /// The owner has decided about a parcel that came back or was lost.
    pub(super) async fn resolve_parcel_issues(
        &self,
        tx: &mut dyn Transaction,
        id: &ShipmentId,
    ) -> Result<(), AppError> {
        for kind in [IssueKind::ParcelReturned, IssueKind::ParcelLost] {
            tx.resolve_issue_about(kind, id, self.now_ms()).await?;
        }
        Ok(())
    }

    /// Goes on with parcels that waited for the answer to a request to cancel their order. The caller has locked the order.
    pub(crate) async fn resume_parcels_of(
        &self,
        tx: &mut dyn Transaction,
        order_id: &OrderId,
    ) -> Result<(), AppError> {
        for shipment in tx.shipments_of(std::slice::from_ref(order_id)).await? {
            if shipment.is_cancellable() && shipment.step != ShipmentStep::Track {
                tx.schedule_shipment_now(&shipment.id, self.now_ms())
                    .await?;
            }
        }
        Ok(())
    }

    /// Cancels the parcels of an order that has nothing left to send, because everything was refunded, if the courier does
    /// not have them. The caller has locked the order.
    pub(crate) async fn cancel_empty_parcels_of(
        &self,
        tx: &mut dyn Transaction,
        order_id: &OrderId,
    ) -> Result<(), AppError> {
        let ids = [order_id.clone()];
        let shipments = tx.shipments_of(&ids).await?;
        if !shipments.iter().any(Shipment::is_cancellable) {
            return Ok(());
        }
        let order = tx.orders_by_id(&ids).await?.pop();
        let refunds = tx.refunds_of(&ids).await?;
        if order.is_some_and(|order| order.has_packs_to_send(&refunds)) {
            return Ok(());
        }
        for shipment in shipments.iter().filter(|one| one.is_cancellable()) {
            tx.set_shipment_step(&shipment.id, ShipmentStep::Cancel, self.now_ms())
                .await?;
        }
        Ok(())
    }

    /// Cancels the parcels of an order that ends, if the courier does not have them. The caller has locked the order.
    pub(crate) async fn cancel_parcels_of(
        &self,
        tx: &mut dyn Transaction,
        order_id: &OrderId,
    ) -> Result<(), AppError> {
        let ids = [order_id.clone()];
        for shipment in tx.shipments_of(&ids).await? {
            self.resolve_parcel_issues(tx, &shipment.id).await?;
            if shipment.is_cancellable() {
                let now_ms = self.now_ms();
                tx.set_shipment_step(&shipment.id, ShipmentStep::Cancel, now_ms)
                    .await?;
            }
        }
        Ok(())
    }
}

/// Locks the order of a parcel, also a deleted one, and reads the parcel.
pub(super) async fn lock_shipment(
    tx: &mut dyn Transaction,
    id: &ShipmentId,
) -> Result<Shipment, AppError> {
    let found = tx.shipment(id).await?.ok_or_else(shipment_not_found)?;
    let mut orders = tx.orders_by_id(&[found.order_id]).await?;
    if let Some(order) = orders.pop() {
        tx.lock_user(&order.user).await?;
        tx.lock_order(&order.id).await?;
    }
    tx.shipment(id).await?.ok_or_else(shipment_not_found)
}
