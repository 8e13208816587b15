//! Invoices as PDF files. They are rendered from the stored rows on each request; the same rows give the same bytes.

use std::cmp::Ordering;

use mirasa_domain::invoice::{Invoice, InvoiceId, InvoiceKind};
use mirasa_domain::order::{Order, OrderId};
use mirasa_domain::refund::Refund;
use mirasa_domain::user::{Role, User};
use mirasa_pdf::{OrderDetails, PackingItem, PackingOrder, PackingRun, RenderError};

use crate::orders::packing::{MAX_PACKED, not_packable};
use crate::orders::{can_view, order_not_found};
use crate::repository::Queries;
use crate::stock::batches::of_orders::SlipBatches;
use crate::stock::batches::packing::packs_to_send;
use crate::{AppError, Shop};

pub struct PdfFile {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The invoice of an order, or one of its credit notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvoiceChoice {
    Invoice,
    /// By its id.
    CreditNote(InvoiceId),
}

impl Shop {
    /// An invoice of an order, for its customer and for admins. For other users the order does not exist. Admins also see
    /// invoices of deleted orders.
    pub async fn invoice_pdf(
        &self,
        user: &User,
        order_id: OrderId,
        choice: InvoiceChoice,
    ) -> Result<PdfFile, AppError> {
        let user = user.clone();
        let (order, invoice, reason): (Order, Invoice, String) = self
            .db
            .read(async move |db| {
                let order = find_order(db, &order_id).await?;
                let is_hidden = order.deleted_at_ms.is_some() && user.role != Role::Admin;
                if is_hidden || !can_view(&user, &order) {
                    return Err(order_not_found());
                }
                let mut invoices = db
                    .invoices_of(std::slice::from_ref(&order_id))
                    .await?
                    .into_iter();
                let invoice = match choice {
                    InvoiceChoice::Invoice => invoices
                        .find(|one| one.refers_to.is_none())
                        .ok_or_else(|| AppError::not_found("There is no invoice yet")),
                    InvoiceChoice::CreditNote(id) => invoices
                        .find(|one| one.refers_to.is_some() && one.id == id)
                        .ok_or_else(|| AppError::not_found("There is no such credit note")),
                };
                let invoice = invoice?;
                let reason = refund_reason(db, &invoice).await?;
                Ok::<_, AppError>((order, invoice, reason))
            })
            .await?;
        self.render_invoice(invoice, order.created_at_ms, reason)
            .await
    }

    /// The invoice that an email has attached.
    pub async fn attached_pdf(&self, invoice_id: InvoiceId) -> Result<PdfFile, AppError> {
        let (invoice, placed_at_ms, reason): (Invoice, i64, String) = self
            .db
            .read(async move |db| {
                let invoice = db.invoice(&invoice_id).await?;
                let invoice =
                    invoice.ok_or_else(|| AppError::not_found("There is no such invoice"))?;
                let order = find_order(db, &invoice.order_id).await?;
                let reason = refund_reason(db, &invoice).await?;
                Ok::<_, AppError>((invoice, order.created_at_ms, reason))
            })
            .await?;
        self.render_invoice(invoice, placed_at_ms, reason).await
    }

    async fn render_invoice(
        &self,
        invoice: Invoice,
        placed_at_ms: i64,
        reason: String,
    ) -> Result<PdfFile, AppError> {
        let url = self.url_of_order(&invoice.order_id);
        let invoice = with_shown_hsn(invoice);
        let name = file_name(&invoice);
        let bytes = render(move || {
            let order = OrderDetails {
                placed_at_ms,
                url: &url,
                reason: &reason,
            };
            mirasa_pdf::render_invoice(&invoice, &order)
        });
        Ok(PdfFile {
            name,
            bytes: bytes.await?,
        })
    }

    /// For the QR code of an invoice.
    pub(crate) fn url_of_order(&self, id: &OrderId) -> String {
        format!("{}/orders?order={id}", self.settings.public_url)
    }

    /// A pick list, and a packing slip for each of the paid orders, the oldest first.
    pub async fn packing_pdf(&self, mut ids: Vec<OrderId>) -> Result<PdfFile, AppError> {
        ids.sort();
        ids.dedup();
        if ids.is_empty() || ids.len() > MAX_PACKED {
            let message = format!("Choose 1 to {MAX_PACKED} orders");
            return Err(AppError::invalid(message).with_field("orders"));
        }
        let wanted = ids.len();
        let (mut orders, refunds, batches): (Vec<Order>, Vec<Refund>, SlipBatches) = self
            .db
            .read(async move |db| {
                let orders = db.orders_by_id(&ids).await?;
                let refunds = db.refunds_of(&ids).await?;
                let batches = SlipBatches::read(db, &orders, &ids).await?;
                Ok::<_, AppError>((orders, refunds, batches))
            })
            .await?;
        orders.retain(|order| order.deleted_at_ms.is_none());
        if orders.len() < wanted {
            return Err(order_not_found());
        }
        if let Some(order) = orders.iter().find(|order| !order.is_paid()) {
            return Err(not_packable(&order.id));
        }
        orders.sort_by(oldest_first);
        let slips = orders
            .into_iter()
            .map(|order| packing_order(order, &refunds, &batches));
        let run = self.packing_run(slips.collect());
        let bytes = render(move || mirasa_pdf::render_packing_run(&run)).await?;
        Ok(PdfFile {
            name: "packing.pdf".to_owned(),
            bytes,
        })
    }
}

impl Shop {
    pub(crate) fn packing_run(&self, orders: Vec<PackingOrder>) -> PackingRun {
        PackingRun {
            shop_name: self.settings.shop_name.clone(),
            prepared_at_ms: self.now_ms(),
            orders,
        }
    }
}

/// The order in which packing slips, labels and invoices are printed.
pub(crate) fn oldest_first(one: &Order, other: &Order) -> Ordering {
    (one.created_at_ms, &one.id).cmp(&(other.created_at_ms, &other.id))
}

/// With as many digits of the goods codes as the seller must print.
pub(crate) fn with_shown_hsn(mut invoice: Invoice) -> Invoice {
    for at in 0..invoice.lines.len() {
        let hsn = invoice.shown_hsn(&invoice.lines[at]).to_owned();
        invoice.lines[at].hsn = hsn;
    }
    invoice
}

/// Empty for an invoice. A refund's reason never changes.
async fn refund_reason(db: &mut dyn Queries, invoice: &Invoice) -> Result<String, AppError> {
    let refund = match &invoice.refund_id {
        Some(id) => db.refund(id).await?,
        None => None,
    };
    Ok(refund.map_or_else(String::new, |refund| refund.reason))
}

/// Also a deleted one.
async fn find_order(db: &mut dyn Queries, id: &OrderId) -> Result<Order, AppError> {
    let mut found = db.orders_by_id(&[id.to_owned()]).await?;
    found.pop().ok_or_else(order_not_found)
}

/// On another thread: it takes some milliseconds of a processor.
pub(crate) async fn render(
    work: impl FnOnce() -> Result<Vec<u8>, RenderError> + Send + 'static,
) -> Result<Vec<u8>, AppError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(AppError::internal)?
        .map_err(AppError::internal)
}

/// `Invoice-MIR-26-27-000123.pdf`
fn file_name(invoice: &Invoice) -> String {
    let kind = match invoice.kind {
        InvoiceKind::TaxInvoice => "Invoice",
        InvoiceKind::BillOfSupply => "Bill-of-supply",
        InvoiceKind::CreditNote => "Credit-note",
    };
    format!("{kind}-{}.pdf", invoice.number.replace('/', "-"))
}

pub(crate) fn packing_order(
    order: Order,
    refunds: &[Refund],
    batches: &SlipBatches,
) -> PackingOrder {
    let of = &order;
    let items = order
        .lines
        .iter()
        .flat_map(|line| {
            let sizes = line.prices.by_size(packs_to_send(of, line, refunds));
            sizes.flat_map(move |item| {
                let parts = batches.of(of, &line.product, item.size, item.quantity);
                parts.into_iter().map(move |(batch, quantity)| PackingItem {
                    name: line.product_name.clone(),
                    size: item.size,
                    quantity,
                    batch,
                })
            })
        })
        .collect();
    PackingOrder {
        items,
        discount: order.discount.map_or_else(String::new, |discount| {
            format!("{} (−{})", discount.code, discount.amount)
        }),
        placed_at_ms: order.created_at_ms,
        address: order.address,
        id: order.id,
    }
}
