//! Labels of several parcels in one PDF file, and the list for the courier's driver.

use std::collections::{HashMap, HashSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mirasa_domain::order::short_id;
use mirasa_domain::shipment::{Shipment, ShipmentId};

use crate::invoices::PdfFile;
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
    /// The labels of the parcels, in the given order, as far as they are there.
    pub async fn labels_pdf(&self, mut ids: Vec<ShipmentId>) -> Result<Labels, AppError> {
        check_count(&mut ids)?;
        let (labels, missing) = self
            .db
            .read(async move |db| {
                let mut found: HashMap<_, _> =
                    db.shipment_labels(&ids).await?.into_iter().collect();
                let (mut labels, mut missing) = (Vec::new(), Vec::new());
                for shipment in read_shipments(db, &ids).await? {
                    match found.remove(&shipment.id) {
                        Some(label) => labels.push(label),
                        None => missing.push(short_id(&shipment.order_id)),
                    }
                }
                Ok::<_, AppError>((labels, missing))
            })
            .await?;
        if labels.is_empty() {
            return Err(labels_not_ready(&missing));
        }
        let merged = tokio::task::spawn_blocking(move || {
            let files = labels.iter().map(|label| STANDARD.decode(label));
            let files = files.collect::<Result<Vec<_>, _>>();
            mirasa_pdf::merge_pdfs(&files.map_err(AppError::internal)?).map_err(AppError::internal)
        });
        let file = PdfFile {
            name: "labels.pdf".to_owned(),
            bytes: merged.await.map_err(AppError::internal)??,
        };
        Ok(Labels { file, missing })
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

fn labels_not_ready(orders: &[String]) -> AppError {
    let message = match orders {
        [order] => format!("The label of order {order} is not there yet."),
        orders => format!(
            "The labels of orders {} are not there yet.",
            orders.join(", ")
        ),
    };
    AppError::new(ErrorCode::LabelNotReady, message)
}
