//! Labels of several parcels in one PDF file, and the list for the courier's driver.

use std::collections::{HashMap, HashSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mirasa_domain::order::{Order, short_id};
use mirasa_domain::shipment::{Shipment, ShipmentId};

use crate::invoices::PdfFile;
use crate::invoices::pdf::oldest_first;
use crate::repository::Queries;
use crate::shipping::list::shipment_not_found;
use crate::shipping::partner_calls::into_app_error;
use crate::{AppError, ErrorCode, Shop};

const MAX_LABELS: usize = 200;

pub struct Labels {
    pub file: PdfFile,
    /// The short numbers of the orders whose parcels have no label yet, or no longer.
    pub missing: Vec<String>,
}

impl Shop {
    /// The labels of the parcels, those of the oldest orders first, as far as they are there. They count as printed.
    pub async fn labels_pdf(&self, mut ids: Vec<ShipmentId>) -> Result<Labels, AppError> {
        check_count(&mut ids)?;
        let (labels, missing) = self
            .db
            .read(async move |db| {
                let mut found: HashMap<_, _> =
                    db.shipment_labels(&ids).await?.into_iter().collect();
                let shipments = read_shipments(db, &ids).await?;
                let orders: Vec<_> = shipments.iter().map(|one| one.order_id.clone()).collect();
                let mut orders = db.orders_by_id(&orders).await?;
                orders.sort_by(oldest_first);
                let place = |shipment: &Shipment| {
                    let of_order = |order: &Order| order.id == shipment.order_id;
                    orders.iter().position(of_order)
                };
                let mut shipments: Vec<_> = shipments
                    .into_iter()
                    .map(|shipment| (place(&shipment), shipment))
                    .collect();
                shipments.sort_by_key(|(place, _)| *place);
                let (mut labels, mut missing) = (Vec::new(), Vec::new());
                for (_, shipment) in shipments {
                    let number = short_id(&shipment.order_id);
                    match found.remove(&shipment.id) {
                        Some(label) => labels.push((shipment.id, label, number)),
                        None => missing.push(number),
                    }
                }
                Ok::<_, AppError>((labels, missing))
            })
            .await?;
        if labels.is_empty() {
            return Err(labels_not_ready(&missing));
        }
        let printed = labels.iter().map(|(id, ..)| id.clone()).collect();
        let merged = tokio::task::spawn_blocking(move || {
            let decoded = labels.into_iter().map(|(_, label, number)| {
                let pdf = STANDARD.decode(label).map_err(AppError::internal)?;
                Ok::<_, AppError>((pdf, number))
            });
            let labels: Vec<_> = decoded.collect::<Result<_, _>>()?;
            mirasa_pdf::merge_labels(&labels).map_err(AppError::internal)
        });
        let file = PdfFile {
            name: "labels.pdf".to_owned(),
            bytes: merged.await.map_err(AppError::internal)??,
        };
        self.record_printed(printed).await?;
        Ok(Labels { file, missing })
    }

    /// Whoever got the file can print it again; its labels are no longer among those that were not printed.
    pub(super) async fn record_printed(&self, ids: Vec<ShipmentId>) -> Result<(), AppError> {
        let now_ms = self.now_ms();
        self.db
            .write(async move |tx| Ok(tx.set_labels_printed(&ids, now_ms).await?))
            .await
    }

    /// The partner makes it.
    pub async fn manifest_pdf(&self, mut ids: Vec<ShipmentId>) -> Result<PdfFile, AppError> {
        check_count(&mut ids)?;
        let courier = self.courier.clone().ok_or_else(shipment_not_found)?;
        let parcels: Vec<_> = self
            .db
            .read(async move |db| {
                let mut parcels = Vec::new();
                for shipment in read_shipments(db, &ids).await? {
                    let is_closed = shipment.has_label && shipment.pickup_at_ms.is_some();
                    let ids = shipment.partner_ids.filter(|_| is_closed);
                    let number = || [short_id(&shipment.order_id)];
                    parcels.push(ids.ok_or_else(|| labels_not_ready(&number()))?);
                }
                Ok::<_, AppError>(parcels)
            })
            .await?;
        let bytes = courier.manifest(&parcels).await.map_err(into_app_error)?;
        Ok(PdfFile {
            name: "manifest.pdf".to_owned(),
            bytes,
        })
    }
}

fn check_count(ids: &mut Vec<ShipmentId>) -> Result<(), AppError> {
    let mut seen = HashSet::new();
    ids.retain(|id| seen.insert(id.clone()));
    if ids.is_empty() || ids.len() > MAX_LABELS {
        let message = format!("Choose 1 to {MAX_LABELS} parcels");
        return Err(AppError::invalid(message).with_field("shipments"));
    }
    Ok(())
}

/// In the order of `ids`.
async fn read_shipments(
    db: &mut dyn Queries,
    ids: &[ShipmentId],
) -> Result<Vec<Shipment>, AppError> {
    let found = db.shipments_by_id(ids).await?.into_iter();
    let mut by_id: HashMap<_, _> = found.map(|one| (one.id.clone(), one)).collect();
    let mut one = |id: &ShipmentId| by_id.remove(id).ok_or_else(shipment_not_found);
    ids.iter().map(&mut one).collect()
}

pub(super) fn labels_not_ready(orders: &[String]) -> AppError {
    let message = match orders {
        [order] => format!("The label of order {order} is not there yet."),
        orders => format!(
            "The labels of orders {} are not there yet.",
            orders.join(", ")
        ),
    };
    AppError::new(ErrorCode::LabelNotReady, message)
}
