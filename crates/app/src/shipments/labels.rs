//! Labels of several parcels in one PDF file, and the list for the courier's driver.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mirasa_domain::shipment::Shipment;

use super::partner_calls::into_app_error;
use super::ship::shipment_not_found;
use crate::emails::short_id;
use crate::invoices::PdfFile;
use crate::{AppError, ErrorCode, Shop};

const MAX_LABELS: usize = 200;

impl Shop {
    /// The labels of the parcels, in the given order.
    pub async fn labels_pdf(&self, ids: Vec<String>) -> Result<PdfFile, AppError> {
        check_count(&ids)?;
        let labels: Vec<String> = self
            .db
            .read(move |db| {
                Box::pin(async move {
                    let mut labels = Vec::new();
                    for id in &ids {
                        let shipment = db.shipment(id).await?.ok_or_else(shipment_not_found)?;
                        let label = db.shipment_label(id).await?;
                        labels.push(label.ok_or_else(|| label_not_ready(&shipment))?);
                    }
                    Ok::<_, AppError>(labels)
                })
            })
            .await?;
        let merged = tokio::task::spawn_blocking(move || {
            let files = labels.iter().map(|label| STANDARD.decode(label));
            let files = files.collect::<Result<Vec<_>, _>>();
            mirasa_documents::merge_pdfs(&files.map_err(AppError::internal)?)
                .map_err(AppError::internal)
        });
        Ok(PdfFile {
            name: "labels.pdf".to_owned(),
            bytes: merged.await.map_err(AppError::internal)??,
        })
    }

    /// The partner makes it.
    pub async fn manifest_pdf(&self, ids: Vec<String>) -> Result<PdfFile, AppError> {
        check_count(&ids)?;
        let courier = self.courier.clone().ok_or_else(shipment_not_found)?;
        let parcels: Vec<_> = self
            .db
            .read(move |db| {
                Box::pin(async move {
                    let mut parcels = Vec::new();
                    for id in &ids {
                        let shipment = db.shipment(id).await?.ok_or_else(shipment_not_found)?;
                        let is_closed = shipment.has_label && shipment.pickup_at_ms.is_some();
                        let ids = shipment.partner_ids.filter(|_| is_closed);
                        parcels.push(ids.ok_or_else(|| label_not_ready(&shipment))?);
                    }
                    Ok::<_, AppError>(parcels)
                })
            })
            .await?;
        let bytes = courier.manifest(&parcels).await.map_err(into_app_error)?;
        Ok(PdfFile {
            name: "manifest.pdf".to_owned(),
            bytes,
        })
    }
}

fn check_count(ids: &[String]) -> Result<(), AppError> {
    if ids.is_empty() || ids.len() > MAX_LABELS {
        let message = format!("Choose 1 to {MAX_LABELS} parcels");
        return Err(AppError::invalid(message).with_field("shipments"));
    }
    Ok(())
}

fn label_not_ready(shipment: &Shipment) -> AppError {
    let message = format!(
        "The label of order {} is not there yet.",
        short_id(&shipment.order_id)
    );
    AppError::new(ErrorCode::LabelNotReady, message)
}
