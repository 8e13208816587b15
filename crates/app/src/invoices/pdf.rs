//! Documents as PDF files. They are rendered from the stored rows on each request; the same rows give the same bytes.

use mirasa_documents::{OrderDetails, PackingItem, PackingOrder, PackingRun, RenderError};
use mirasa_domain::invoice::{Document, DocumentKind};
use mirasa_domain::order::Order;
use mirasa_domain::refund::Refund;
use mirasa_domain::user::{Role, User};

use crate::orders::packing::{MAX_PACKED, not_packable};
use crate::orders::{can_view, order_not_found};
use crate::repository::Queries;
use crate::stock::batches::packing::{SlipBatches, packs_to_send};
use crate::{AppError, Shop};

pub struct PdfFile {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Which document of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocumentChoice {
    Invoice,
    /// By its id.
    CreditNote(String),
}

impl Shop {
    /// A document of an order, for its customer and for admins. For other users the order does not exist. Admins also see
    /// documents of deleted orders.
    pub async fn document_pdf(
        &self,
        user: &User,
        order_id: String,
        choice: DocumentChoice,
    ) -> Result<PdfFile, AppError> {
        let user = user.clone();
        let (order, document, reason): (Order, Document, String) = self
            .db
            .read(async move |db| {
                let order = find_order(db, &order_id).await?;
                let is_hidden = order.deleted_at_ms.is_some() && user.role != Role::Admin;
                if is_hidden || !can_view(&user, &order) {
                    return Err(order_not_found());
                }
                let mut documents = db.documents_of(&[order_id]).await?.into_iter();
                let document = match choice {
                    DocumentChoice::Invoice => documents
                        .find(|one| one.refers_to.is_none())
                        .ok_or_else(|| AppError::not_found("There is no invoice yet")),
                    DocumentChoice::CreditNote(id) => documents
                        .find(|one| one.refers_to.is_some() && one.id == id)
                        .ok_or_else(|| AppError::not_found("There is no such credit note")),
                };
                let document = document?;
                let reason = refund_reason(db, &document).await?;
                Ok::<_, AppError>((order, document, reason))
            })
            .await?;
        self.render_document(document, order.created_at_ms, reason)
            .await
    }

    /// The document that an email has attached.
    pub async fn attached_pdf(&self, document_id: String) -> Result<PdfFile, AppError> {
        let (document, placed_at_ms, reason): (Document, i64, String) = self
            .db
            .read(async move |db| {
                let document = db.document(&document_id).await?;
                let document =
                    document.ok_or_else(|| AppError::not_found("There is no such document"))?;
                let order = find_order(db, &document.order_id).await?;
                let reason = refund_reason(db, &document).await?;
                Ok::<_, AppError>((document, order.created_at_ms, reason))
            })
            .await?;
        self.render_document(document, placed_at_ms, reason).await
    }

    async fn render_document(
        &self,
        mut document: Document,
        placed_at_ms: i64,
        reason: String,
    ) -> Result<PdfFile, AppError> {
        let url = format!(
            "{}/orders?order={}",
            self.settings.public_url, document.order_id
        );
        for at in 0..document.lines.len() {
            let hsn = document.shown_hsn(&document.lines[at]).to_owned();
            document.lines[at].hsn = hsn;
        }
        let name = file_name(&document);
        let bytes = render(move || {
            let order = OrderDetails {
                placed_at_ms,
                url: &url,
                reason: &reason,
            };
            mirasa_documents::render_document(&document, &order)
        });
        Ok(PdfFile {
            name,
            bytes: bytes.await?,
        })
    }

    /// A pick list, and a packing slip for each of the paid orders, the oldest first.
    pub async fn packing_pdf(&self, mut ids: Vec<String>) -> Result<PdfFile, AppError> {
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
        orders.sort_by(|one, other| {
            (one.created_at_ms, &one.id).cmp(&(other.created_at_ms, &other.id))
        });
        let run = PackingRun {
            shop_name: self.settings.shop_name.clone(),
            prepared_at_ms: self.now_ms(),
            orders: orders
                .into_iter()
                .map(|order| packing_order(order, &refunds, &batches))
                .collect(),
        };
        let bytes = render(move || mirasa_documents::render_packing_run(&run)).await?;
        Ok(PdfFile {
            name: "packing.pdf".to_owned(),
            bytes,
        })
    }
}

/// Empty for an invoice. A refund's reason never changes.
async fn refund_reason(db: &mut dyn Queries, document: &Document) -> Result<String, AppError> {
    let refund = match &document.refund_id {
        Some(id) => db.refund(id).await?,
        None => None,
    };
    Ok(refund.map_or_else(String::new, |refund| refund.reason))
}

/// Also a deleted one.
async fn find_order(db: &mut dyn Queries, id: &str) -> Result<Order, AppError> {
    let mut found = db.orders_by_id(&[id.to_owned()]).await?;
    found.pop().ok_or_else(order_not_found)
}

/// On another thread: it takes some milliseconds of a processor.
async fn render(
    work: impl FnOnce() -> Result<Vec<u8>, RenderError> + Send + 'static,
) -> Result<Vec<u8>, AppError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(AppError::internal)?
        .map_err(AppError::internal)
}

/// `Invoice-MIR-26-27-000123.pdf`
fn file_name(document: &Document) -> String {
    let kind = match document.kind {
        DocumentKind::TaxInvoice => "Invoice",
        DocumentKind::BillOfSupply => "Bill-of-supply",
        DocumentKind::CreditNote => "Credit-note",
    };
    format!("{kind}-{}.pdf", document.number.replace('/', "-"))
}

fn packing_order(order: Order, refunds: &[Refund], batches: &SlipBatches) -> PackingOrder {
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
