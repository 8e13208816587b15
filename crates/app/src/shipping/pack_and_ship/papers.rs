//! One file for the packing table: a pick list, then for each order its packing slip, its label and its invoice.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mirasa_domain::invoice::Invoice;
use mirasa_domain::order::{Order, OrderId, OrderStatus, short_id};
use mirasa_domain::refund::Refund;
use mirasa_domain::shipment::{Partner, Shipment, ShipmentId};
use mirasa_pdf::{Enclosed, OrderDetails};

use crate::invoices::PdfFile;
use crate::invoices::pdf::{oldest_first, packing_order, with_shown_hsn};
use crate::orders::order_not_found;
use crate::orders::packing::MAX_PACKED;
use crate::shipping::labels::labels_not_ready;
use crate::stock::batches::of_orders::SlipBatches;
use crate::{AppError, ErrorCode, Shop};

pub struct Papers {
    pub file: PdfFile,
    /// The short numbers of the orders that are not in it: they are not packed, have no label, or were refunded.
    pub left_out: Vec<String>,
}

/// An order with what is printed for it.
struct ReadyOrder {
    order: Order,
    label: Option<(ShipmentId, Vec<u8>)>,
    invoice: Option<Invoice>,
}

impl Shop {
    /// The papers of the orders that are packed and have a label, oldest first. Their labels count as printed.
    pub async fn papers_pdf(&self, mut ids: Vec<OrderId>) -> Result<Papers, AppError> {
        ids.sort();
        ids.dedup();
        if ids.is_empty() || ids.len() > MAX_PACKED {
            let message = format!("Choose 1 to {MAX_PACKED} orders");
            return Err(AppError::invalid(message).with_field("orders"));
        }
        let wanted = ids.len();
        type Found = (
            Vec<Order>,
            Vec<Refund>,
            SlipBatches,
            Vec<Shipment>,
            Vec<(ShipmentId, String)>,
            Vec<Invoice>,
        );
        let (mut orders, refunds, batches, shipments, labels, invoices): Found = self
            .db
            .read(async move |db| {
                let orders = db.orders_by_id(&ids).await?;
                let batches = SlipBatches::read(db, &orders, &ids).await?;
                let mut shipments = db.shipments_of(&ids).await?;
                shipments.retain(Shipment::is_current);
                let parcels: Vec<_> = shipments.iter().map(|one| one.id.clone()).collect();
                Ok::<_, AppError>((
                    orders,
                    db.refunds_of(&ids).await?,
                    batches,
                    shipments,
                    db.shipment_labels(&parcels).await?,
                    db.invoices_of(&ids).await?,
                ))
            })
            .await?;
        orders.retain(|order| order.deleted_at_ms.is_none());
        if orders.len() < wanted {
            return Err(order_not_found());
        }
        orders.sort_by(oldest_first);
        let mut parcels: HashMap<_, _> = shipments
            .into_iter()
            .map(|one| (one.order_id.clone(), one))
            .collect();
        let mut labels: HashMap<_, _> = labels.into_iter().collect();
        let mut invoices: HashMap<_, _> = invoices
            .into_iter()
            .filter(|one| one.refers_to.is_none())
            .map(|one| (one.order_id.clone(), one))
            .collect();
        let (mut ready, mut left_out) = (Vec::new(), Vec::new());
        for order in orders {
            let parcel = parcels.remove(&order.id);
            let label = match &parcel {
                Some(parcel) => labels.remove(&parcel.id).map(|text| (&parcel.id, text)),
                None => None,
            };
            let needs_label = match &parcel {
                Some(parcel) => parcel.partner == Partner::Integrated,
                None => self.courier.is_some(),
            };
            if !is_to_be_sent(&order, &refunds) || needs_label && label.is_none() {
                left_out.push(short_id(&order.id));
                continue;
            }
            let decoded = label.map(|(id, text)| Ok((id.clone(), STANDARD.decode(text)?)));
            ready.push(ReadyOrder {
                label: decoded
                    .transpose()
                    .map_err(|error: base64::DecodeError| AppError::internal(error))?,
                invoice: invoices.remove(&order.id).map(with_shown_hsn),
                order,
            });
        }
        if ready.is_empty() {
            return Err(match self.courier {
                Some(_) => labels_not_ready(&left_out),
                None => not_packed(&left_out),
            });
        }
        let labels = ready.iter().filter_map(|one| one.label.as_ref());
        let printed: Vec<_> = labels.map(|(id, _)| id.clone()).collect();
        let bytes = self.render_papers(ready, &refunds, &batches).await?;
        self.record_printed(printed).await?;
        Ok(Papers {
            file: PdfFile {
                name: "pack-and-ship.pdf".to_owned(),
                bytes,
            },
            left_out,
        })
    }

    async fn render_papers(
        &self,
        ready: Vec<ReadyOrder>,
        refunds: &[Refund],
        batches: &SlipBatches,
    ) -> Result<Vec<u8>, AppError> {
        let mut slips = Vec::new();
        let mut enclosed = Vec::new();
        for ReadyOrder {
            order,
            label,
            invoice,
        } in ready
        {
            let url = self.url_of_order(&order.id);
            enclosed.push((label, invoice, order.created_at_ms, url));
            slips.push(packing_order(order, refunds, batches));
        }
        let run = self.packing_run(slips);
        let rendered = tokio::task::spawn_blocking(move || {
            let enclosed = enclosed.iter().map(|(label, invoice, placed_at_ms, url)| {
                let details = OrderDetails {
                    placed_at_ms: *placed_at_ms,
                    url,
                    reason: "",
                };
                Enclosed {
                    label: label.as_ref().map(|(_, pdf)| pdf.as_slice()),
                    invoice: invoice.as_ref().map(|invoice| (invoice, details)),
                }
            });
            mirasa_pdf::render_papers(&run, &enclosed.collect::<Vec<_>>())
        });
        rendered
            .await
            .map_err(AppError::internal)?
            .map_err(AppError::internal)
    }
}

/// Packed, neither ended nor delivered, and not refunded as a whole.
fn is_to_be_sent(order: &Order, refunds: &[Refund]) -> bool {
    let status = order.state.order_status;
    order.packed_at_ms.is_some()
        && order.is_paid()
        && order.has_packs_to_send(refunds)
        && matches!(status, OrderStatus::Confirmed | OrderStatus::Shipped)
}

fn not_packed(orders: &[String]) -> AppError {
    let message = match orders {
        [order] => format!("Order {order} is not packed."),
        orders => format!("Orders {} are not packed.", orders.join(", ")),
    };
    AppError::new(ErrorCode::OrderNotPackable, message)
}
